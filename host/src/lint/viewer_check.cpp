// Records that a viewer would drop, cut or show wrongly, judged one by one. The rules follow
// Perfetto's importer, which was read and measured.
#include <limits>
#include <map>
#include <set>
#include <utility>

#include <barefxt/fxt/metadata.h>
#include <barefxt/fxt/object.h>
#include <barefxt/host/print.h>

#include "../archive/own_events.h"
#include "checks.h"

namespace barefxt::host {
namespace {

constexpr unsigned kCpuLimit = 4096;
constexpr size_t kMaxProviders = 4096;

class ViewerCheck : public LintCheck {
 public:
  void see(const Record& record, const LintContext& context) override {
    const uint64_t at = record.offset;
    Findings& findings = context.findings;
    if (fxt::RecordHeader::type(record.header) == fxt::RecordType::kLarge &&
        record.words() > fxt::kMaxRecordWords) {
      findings.add(at, "large-record", formatted("{} words", record.words()));
    }
    not_shown(record, findings);
    precision(record, context);
    if (const auto* registration = std::get_if<ThreadRegistration>(&record.content)) {
      width(registration->process, at, findings);
      width(registration->thread, at, findings);
    } else if (const auto* event = std::get_if<Event>(&record.content)) {
      inline_width(event->thread, at, findings);
      if (event->type == fxt::EventType::kCounter && event->arguments.size() == 0) {
        findings.add(at, "counter-without-value", "a counter without an argument");
      }
      if (event->name.bytes == "drop_stats" && shown_losses_.size() < kMaxProviders)
        shown_losses_.insert(record.provider);
    } else if (const auto* legacy = std::get_if<LegacyContextSwitch>(&record.content)) {
      inline_width(legacy->outgoing, at, findings);
      inline_width(legacy->incoming, at, findings);
    } else if (const auto* change = std::get_if<ContextSwitch>(&record.content)) {
      width(change->outgoing, at, findings);
      width(change->incoming, at, findings);
      cpu(change->cpu, at, findings);
      conventional(change->arguments, at, findings);
    } else if (const auto* wakeup = std::get_if<ThreadWakeup>(&record.content)) {
      width(wakeup->thread, at, findings);
      cpu(wakeup->cpu, at, findings);
      conventional(wakeup->arguments, at, findings);
    } else if (const auto* notice = std::get_if<ProviderEvent>(&record.content)) {
      if (notice->event == fxt::ProviderEvent::kBufferFull && losses_.size() < kMaxProviders) {
        losses_.try_emplace(record.provider, at);
      }
    }
  }

  void finish(Findings& findings) override {
    if (shown_losses_.size() == kMaxProviders) return;  // there may be more
    for (const auto& [provider, at] : losses_) {
      if (shown_losses_.contains(provider)) continue;
      findings.add(at, "loss-not-shown", "the first of this provider's losses; none is an event");
    }
  }

 private:
  using Provider = std::optional<uint32_t>;

  static void width(uint64_t koid, uint64_t at, Findings& findings) {
    if (koid > std::numeric_limits<uint32_t>::max()) {
      findings.add(at, "koid-width", formatted("id {} has more than 32 bits", koid));
    }
  }
  // Indexed threads were reported at their registration.
  static void inline_width(const ThreadId& id, uint64_t at, Findings& findings) {
    if (!id.ref.is_inline()) return;
    width(id.process, at, findings);
    width(id.thread, at, findings);
  }

  static void cpu(unsigned number, uint64_t at, Findings& findings) {
    if (number >= kCpuLimit) findings.add(at, "cpu-number", formatted("CPU {}", number));
  }

  static void conventional(const Arguments& arguments, uint64_t at, Findings& findings) {
    for (const Argument& argument : arguments) {
      const std::string_view name = argument.name.bytes;
      const bool weight =
          name == "weight" || name == "outgoing_weight" || name == "incoming_weight";
      if (weight && argument.type != fxt::ArgumentType::kInt32) {
        findings.add(at, "weight-type", formatted("argument \"{}\" is no int32", name));
      } else if (name == "waker" && argument.type != fxt::ArgumentType::kKoid) {
        findings.add(at, "waker-type", "argument \"waker\" is no koid");
      }
    }
  }

  // The importer parses metadata of providers, tables, events, scheduling, the kernel objects of
  // processes and threads, and blobs that hold a Perfetto trace: so a log of which one is ahead.
  bool is_shown(const Record& record) {
    const bool has_packets = std::exchange(has_packets_, false);
    if (const auto* object = std::get_if<KernelObject>(&record.content)) {
      return object->object_type == static_cast<unsigned>(fxt::KernelObjectType::kProcess) ||
             object->object_type == static_cast<unsigned>(fxt::KernelObjectType::kThread);
    }
    if (const auto* blob = std::get_if<Blob>(&record.content)) {
      has_packets_ = repeats_log(*blob);
      return blob->type == static_cast<unsigned>(fxt::BlobType::kPerfetto);
    }
    return !std::holds_alternative<UserspaceObject>(record.content) &&
           (has_packets || !std::holds_alternative<Log>(record.content)) &&
           !std::holds_alternative<LargeBlob>(record.content) &&
           !std::holds_alternative<ProfilerModule>(record.content) &&
           !std::holds_alternative<ProfilerMmap>(record.content) &&
           !std::holds_alternative<ProfilerBacktrace>(record.content);
  }

  void not_shown(const Record& record, Findings& findings) {
    if (is_shown(record) || !not_shown_.insert(record.content.index()).second) return;
    findings.add(
        record.offset, "record-not-shown",
        formatted("the first record of the kind {}, which Perfetto skips", record_name(record)));
  }

  // It multiplies the lower and the upper 32 bits of the ticks apart and rounds both down: the
  // upper half comes out right only where the rate divides 10^9 * 2^32.
  void precision(const Record& record, const LintContext& context) {
    const std::optional<uint64_t> ticks = timestamp_of(record);
    const uint64_t rate = context.provider.ticks_per_second;
    constexpr unsigned kHalf = 32;
    if (!ticks || *ticks >> kHalf == 0 || rate == 0) return;
    constexpr auto kNanoseconds = static_cast<unsigned __int128>(1'000'000'000) << kHalf;
    if (kNanoseconds % rate == 0) return;
    if (imprecise_.size() == kMaxProviders || !imprecise_.insert(record.provider).second) return;
    context.findings.add(
        record.offset, "tick-precision",
        formatted("shown up to {} ns early, and later times by more", *ticks >> kHalf));
  }

  bool has_packets_ = false;    // of the next record, if that is a log
  std::set<size_t> not_shown_;  // kinds that were reported
  std::set<Provider> imprecise_;
  std::map<Provider, uint64_t> losses_;  // offsets of the first one reported
  std::set<Provider> shown_losses_;
};

}  // namespace

std::unique_ptr<LintCheck> make_viewer_check() { return std::make_unique<ViewerCheck>(); }

}  // namespace barefxt::host
