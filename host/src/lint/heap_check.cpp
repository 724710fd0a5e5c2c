// Blocks of heaps: freed twice, freed without being one, allocated while they are live.
//
// A lost record may hold the free or the allocation that is missing, and a record of another CPU
// that reports it may come later. So findings wait for the end.
#include <algorithm>

#include <barefxt/host/formatted.h>

#include "../archive/own_events.h"
#include "../heap/heap_model.h"
#include "checks.h"

namespace barefxt::host {
namespace {

class HeapCheck final : public LintCheck {
 public:
  void see(const Record& record, const LintContext& /*context*/) override {
    if (record.is_malformed()) return pass_damage();
    const std::optional<uint64_t> ticks = timestamp_of(record);
    if (!ticks) return;
    const auto* const event = std::get_if<Event>(&record.content);
    if (event != nullptr && is_loss(*event))
      lose(event->timestamp, event->trailing);
    else if (is_damaged_)
      lose(last_, *ticks);
    is_damaged_ = false;
    if (event != nullptr && event->type == fxt::EventType::kInstant)
      if (const auto heap = heap_event(*event))
        see(*heap, *event, record, record.provider ? *record.provider : kNoProvider);
    last_ = std::max(last_, *ticks);
  }

  void finish(Findings& findings) override {
    if (!is_ordered_) return;
    if (is_damaged_) lose(last_, ~uint64_t{0});
    for (const Suspect& one : suspects_) {
      const bool is_doubtful = std::ranges::any_of(lost_, [&](const Lost& lost) {
        return lost.begin <= one.until && lost.end >= one.since;
      });
      if (!is_doubtful) findings.add(one.offset, rule_of(one.fault), text_of(one));
    }
    if (model_.left_out() > 0 || forgotten_ > 0)
      findings.add(limit_at_, "limit", "more blocks of heaps than are remembered");
  }

 private:
  static constexpr size_t kMaxSuspects = 4096;
  static constexpr size_t kMaxLost = 4096;
  struct Suspect {
    uint64_t offset;
    HeapStep::Fault fault;
    uint64_t address;
    uint64_t since;
    uint64_t until;
  };
  struct Lost {
    uint64_t begin;
    uint64_t end;
  };

  void see(const HeapEvent& heap, const Event& event, const Record& record, uint64_t provider) {
    // Lists of CPUs one after the other: what came first is not known here.
    if (event.timestamp < last_event_) is_ordered_ = false;
    last_event_ = event.timestamp;
    limit_at_ = record.offset;
    const HeapStep step = model_.see(heap, provider, event.thread.thread, event.timestamp);
    if (step.fault == HeapStep::Fault::kNone) return;
    if (suspects_.size() == kMaxSuspects)
      ++forgotten_;
    else
      suspects_.push_back({record.offset, step.fault, heap.address, step.since, event.timestamp});
  }

  void lose(uint64_t begin, uint64_t end) {
    if (lost_.size() < kMaxLost)
      lost_.push_back({begin, end});
    else
      lost_.back() = {std::min(begin, lost_.back().begin), std::max(end, lost_.back().end)};
  }
  void pass_damage() { is_damaged_ = true; }

  static std::string_view rule_of(HeapStep::Fault fault) {
    switch (fault) {
      case HeapStep::Fault::kLive:
        return "heap-block-live";
      case HeapStep::Fault::kFreedTwice:
        return "heap-double-free";
      default:
        return "heap-unknown-free";
    }
  }
  static std::string text_of(const Suspect& one) {
    switch (one.fault) {
      case HeapStep::Fault::kLive:
        return formatted("block 0x{:x} is allocated, though it was not freed", one.address);
      case HeapStep::Fault::kFreedTwice:
        return formatted("block 0x{:x} is freed twice", one.address);
      default:
        return formatted("no block at 0x{:x} that could be freed", one.address);
    }
  }

  HeapModel model_;
  std::vector<Suspect> suspects_;
  std::vector<Lost> lost_;
  uint64_t last_ = 0;        // time of a record
  uint64_t last_event_ = 0;  // of a heap
  uint64_t limit_at_ = 0;
  uint64_t forgotten_ = 0;
  bool is_damaged_ = false;
  bool is_ordered_ = true;
};

}  // namespace

std::unique_ptr<LintCheck> make_heap_check() { return std::make_unique<HeapCheck>(); }

}  // namespace barefxt::host
