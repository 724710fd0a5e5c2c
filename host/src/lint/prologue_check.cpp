// The required order: the magic number, providers, ticks per second, tables, events.
#include <map>
#include <set>

#include <barefxt/fxt/object.h>

#include "checks.h"

namespace barefxt::host {
namespace {

class PrologueCheck : public LintCheck {
 public:
  void see(const Record& record, const LintContext& context) override {
    const bool magic = std::holds_alternative<MagicNumber>(record.content);
    if (first_ && !magic) {
      context.findings.add(record.offset, "magic-not-first",
                           "the archive begins without the magic number");
    }
    if (first_ && context.form.byte_order == ByteOrder::kBig) {
      context.findings.add(record.offset, "big-endian", "the archive is big-endian");
    }
    first_ = false;
    if (record.is_malformed()) return;
    provider(record, context);
    rate(record, context);
    order(record, context.findings);
    if (timestamp_of(record) && !context.provider.initialized &&
        uninitialized_.size() < kMaxProviders &&
        uninitialized_.insert(record.provider.value_or(0)).second) {
      context.findings.add(record.offset, "missing-initialization",
                           "a timestamp before any initialization record of its provider");
    }
  }

 private:
  static constexpr size_t kMaxProviders = 4096;

  struct Provider {
    uint64_t rate = ProviderState::kDefaultTicksPerSecond;
    bool timed = false;  // something of it has a time
    bool declared = false;
  };

  void provider(const Record& record, const LintContext& context) {
    if (const auto* info = std::get_if<ProviderInfo>(&record.content)) {
      rank_ = 0;
      uninitialized_.erase(info->id);
      const auto known = providers_.find(info->id);
      if (known != providers_.end() && known->second.declared) {
        context.findings.add(record.offset, "provider-redeclared",
                             formatted("provider {} was declared before", info->id));
      }
      if (providers_.size() < kMaxProviders) {
        providers_[info->id] = {};
        providers_[info->id].declared = true;
      }
    } else if (const auto* section = std::get_if<ProviderSection>(&record.content)) {
      if (!context.provider.declared) {
        context.findings.add(record.offset, "undeclared-provider",
                             formatted("provider {} was never declared", section->id));
      }
    }
  }

  // A rate that comes after times in another.
  void rate(const Record& record, const LintContext& context) {
    if (providers_.size() == kMaxProviders) return;
    Provider& state = providers_[record.provider.value_or(kNoProvider)];
    if (const auto* initialization = std::get_if<Initialization>(&record.content)) {
      const uint64_t now = initialization->ticks_per_second;
      if (state.timed && state.rate != now) {
        context.findings.add(
            record.offset, "rate-changed",
            formatted("{} ticks per second until here, {} from here on", state.rate, now));
      }
      state.rate = now;
    } else if (timestamp_of(record)) {
      state.timed = true;
    }
  }

  // The documented order, as a number that must not fall before the first event.
  static int rank_of(const Record& record) {
    struct Rank {
      int operator()(const MagicNumber&) const { return 1; }
      int operator()(const ProviderInfo&) const { return 2; }
      int operator()(const Initialization&) const { return 3; }
      int operator()(const StringRegistration&) const { return 4; }
      int operator()(const ThreadRegistration&) const { return 5; }
      int operator()(const KernelObject& object) const {
        const auto thread = static_cast<unsigned>(fxt::KernelObjectType::kThread);
        return object.object_type == thread ? 7 : 6;
      }
    };
    return std::visit(
        [](const auto& content) {
          if constexpr (requires { Rank{}(content); }) {
            return Rank{}(content);
          } else {
            return kOver;
          }
        },
        record.content);
  }

  void order(const Record& record, Findings& findings) {
    if (rank_ == kOver) return;
    const int rank = rank_of(record);
    if (rank < rank_) {
      findings.add(record.offset, "prologue-order",
                   "comes before the first event, but after what it should precede");
    }
    rank_ = rank == kOver ? kOver : std::max(rank, rank_);
  }

  static constexpr int kOver = 100;
  bool first_ = true;
  int rank_ = 0;
  std::set<uint32_t> uninitialized_;
  std::map<uint64_t, Provider> providers_;
};

}  // namespace

std::unique_ptr<LintCheck> make_prologue_check() { return std::make_unique<PrologueCheck>(); }

}  // namespace barefxt::host
