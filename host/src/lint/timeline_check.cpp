// Slices, async operations and flows, in order of time as viewers sort them: by begin, and among
// equals by place in the file.
#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <tuple>
#include <unordered_map>

#include "../archive/own_events.h"
#include "checks.h"

namespace barefxt::host {
namespace {

// An end looks for its begin among this many latest operations of its id.
constexpr size_t kDeepestOperation = 64;
constexpr size_t kMaxEvents = size_t{1} << 22;  // 224 MiB of them
constexpr size_t kDepthLimit = 512;

struct Moment {
  uint64_t time;
  uint64_t trailing;  // end or correlation id
  uint64_t process;
  uint64_t thread;
  uint64_t offset;
  uint32_t label;  // of name and category, to be compared
  uint32_t provider;
  fxt::EventType type;
  bool may_be_open;  // at the end: a lock that is held, a job whose deadline statistics know
  bool is_hold;      // of a lock, which may be held when recording begins
};

class TimelineCheck : public LintCheck {
 public:
  void see(const Record& record, const LintContext&) override {
    const auto* event = std::get_if<Event>(&record.content);
    if (event == nullptr || !event->is_known() || event->type <= fxt::EventType::kCounter) return;
    if (is_loss(*event)) lost_from_ = std::min(lost_from_, event->timestamp);
    if (!event->thread.registered) return;
    const bool complete = event->type == fxt::EventType::kDurationComplete;
    if (complete && event->trailing < event->timestamp) return;  // reported, and dropped by viewers
    if (moments_.size() == kMaxEvents) {
      if (!unchecked_from_) unchecked_from_ = record.offset;
      return;
    }
    const std::hash<std::string_view> hash;
    const size_t label = hash(event->category.bytes) * 31 + hash(event->name.bytes);
    moments_.push_back({event->timestamp, event->trailing, event->thread.process,
                        event->thread.thread, record.offset, static_cast<uint32_t>(label),
                        record.provider.value_or(0), event->type,
                        event->category.bytes == "lock" || event->category.bytes == "job",
                        event->category.bytes == "lock"});
  }

  void finish(Findings& findings) override {
    if (unchecked_from_) {
      findings.add(*unchecked_from_, "limit",
                   "slices, async operations and flows from here on were not checked");
    }
    std::sort(moments_.begin(), moments_.end(), [](const Moment& a, const Moment& b) {
      return std::tie(a.time, a.offset) < std::tie(b.time, b.offset);
    });
    for (const Moment& moment : moments_) at(moment, findings);
    unfinished(findings);
  }

 private:
  struct Slice {
    Moment begin;
    bool complete;
    bool outlived = false;  // reported already
  };
  struct Stack : std::vector<Slice> {
    // No complete duration in it ends before; may lie early, which costs a look.
    uint64_t soonest_end = kNever;
  };
  static constexpr uint64_t kNever = std::numeric_limits<uint64_t>::max();

  // For want of a begin, which may have been lost or overwritten: no finding from the first loss
  // on.
  void report_cut(const Moment& moment, Findings& findings, std::string_view rule,
                  std::string text) const {
    if (moment.time < lost_from_) findings.add(moment.offset, rule, std::move(text));
  }

  void at(const Moment& moment, Findings& findings) {
    switch (moment.type) {
      case fxt::EventType::kDurationBegin:
      case fxt::EventType::kDurationComplete:
        return begin(moment, findings);
      case fxt::EventType::kDurationEnd:
        return end(moment, findings);
      case fxt::EventType::kAsyncBegin:
      case fxt::EventType::kAsyncInstant:
      case fxt::EventType::kAsyncEnd:
        return async(moment, findings);
      default:
        return flow(moment, findings);
    }
  }

  Stack& stack_at(const Moment& moment, Findings& findings) {
    Stack& stack = stacks_[{moment.process, moment.thread}];
    if (stack.soonest_end >= moment.time) return stack;
    // Durations still open when a complete duration around them ends outlive it.
    for (size_t i = 0; i < stack.size(); ++i) {
      if (!stack[i].complete || stack[i].begin.trailing >= moment.time) continue;
      for (size_t j = i + 1; j < stack.size(); ++j) {
        if (stack[j].complete || stack[j].outlived) continue;
        stack[j].outlived = true;
        findings.add(stack[j].begin.offset, "begin-outlives-complete",
                     formatted("begun inside the complete duration at offset {}, but ends after it",
                               stack[i].begin.offset));
      }
    }
    std::erase_if(stack, [&](const Slice& slice) {
      return slice.complete && slice.begin.trailing < moment.time;
    });
    stack.soonest_end = kNever;
    for (const Slice& slice : stack) {
      if (slice.complete) stack.soonest_end = std::min(stack.soonest_end, slice.begin.trailing);
    }
    return stack;
  }

  void begin(const Moment& moment, Findings& findings) {
    Stack& stack = stack_at(moment, findings);
    const bool complete = moment.type == fxt::EventType::kDurationComplete;
    // One that ends now is over for those that begin now.
    while (!stack.empty() && stack.back().complete && stack.back().begin.trailing == moment.time &&
           stack.back().begin.time < moment.time) {
      stack.pop_back();
    }
    if (complete && !stack.empty() && stack.back().complete &&
        moment.trailing > stack.back().begin.trailing) {
      const bool same = stack.back().begin.time == moment.time;
      findings.add(moment.offset, same ? "inner-complete-first" : "complete-overlaps",
                   same ? formatted("begins with the shorter one at offset {}, which comes first",
                                    stack.back().begin.offset)
                        : formatted("begins inside the one at offset {} and ends after it",
                                    stack.back().begin.offset));
    }
    if (stack.size() == kDepthLimit) {
      findings.add(moment.offset, "depth", "more than 512 slices inside each other");
    }
    if (stack.size() > 2 * kDepthLimit) return;
    stack.push_back({moment, complete});
    if (complete) stack.soonest_end = std::min(stack.soonest_end, moment.trailing);
  }

  void end(const Moment& moment, Findings& findings) {
    Stack& stack = stack_at(moment, findings);
    while (!stack.empty() && stack.back().complete && stack.back().begin.trailing == moment.time) {
      stack.pop_back();
    }
    if (stack.empty() || stack.back().complete) {
      report_cut(moment, findings, "duration-unmatched-end", "no duration is open here");
      return;
    }
    if (stack.back().begin.label != moment.label) {
      findings.add(
          moment.offset, "duration-end-name",
          formatted("closes the duration begun at offset {}, which has another name or category",
                    stack.back().begin.offset));
    }
    stack.pop_back();
  }

  void async(const Moment& moment, Findings& findings) {
    const auto found = operations_.find(moment.trailing);
    const bool open = found != operations_.end() && !found->second.empty();
    const std::string id = formatted("correlation id {}", moment.trailing);
    if (moment.type == fxt::EventType::kAsyncBegin) {
      if (open && found->second.back().provider != moment.provider) {
        findings.add(moment.offset, "async-id-shared",
                     formatted("{} is open of another provider since offset {}", id,
                               found->second.back().offset));
      }
      operations_[moment.trailing].push_back(moment);
    } else if (moment.type == fxt::EventType::kAsyncInstant) {
      if (!open) report_cut(moment, findings, "async-instant-outside", id + " is not open here");
    } else if (!open) {
      if (!moment.is_hold)
        report_cut(moment, findings, "async-unmatched-end", id + " is not open here");
    } else {
      std::vector<Moment>& begun = found->second;
      // Operations of one id may nest: an end belongs to the latest of its name.
      const auto last =
          begun.rbegin() + static_cast<ptrdiff_t>(std::min(begun.size(), kDeepestOperation));
      auto match = std::find_if(begun.rbegin(), last,
                                [&](const Moment& one) { return one.label == moment.label; });
      if (match == last) {
        findings.add(moment.offset, "async-end-mismatch",
                     formatted("{} was begun with another name or category at offset {}", id,
                               begun.back().offset));
        begun.pop_back();
      } else {
        begun.erase(std::next(match).base());
      }
      if (begun.empty()) operations_.erase(found);
    }
  }

  void flow(const Moment& moment, Findings& findings) {
    const std::string id = formatted("flow {}", moment.trailing);
    if (stack_at(moment, findings).empty()) {
      report_cut(moment, findings, "flow-outside-slice", id + " has no slice here to bind to");
    }
    const auto found = flows_.find(moment.trailing);
    if (moment.type == fxt::EventType::kFlowBegin) {
      if (found == flows_.end()) {
        flows_.emplace(moment.trailing, moment);
      } else if (found->second.process != moment.process) {
        findings.add(
            moment.offset, "flow-begun-twice",
            formatted("{} was begun by another process at offset {}", id, found->second.offset));
      }
    } else if (found == flows_.end()) {
      report_cut(moment, findings, "flow-without-begin", id + " was not begun before");
    } else if (moment.type == fxt::EventType::kFlowEnd) {
      flows_.erase(found);
    }
  }

  void unfinished(Findings& findings) const {
    // The ends may be among what was not looked at, or lost, or behind a snapshot.
    if (unchecked_from_ || lost_from_ != kNever) return;
    for (const auto& [thread, stack] : stacks_) {
      for (const Slice& slice : stack) {
        if (slice.complete || slice.begin.may_be_open) continue;
        findings.add(slice.begin.offset, "duration-unmatched-begin", "never ends");
      }
    }
    for (const auto& [id, begun] : operations_) {
      for (const Moment& moment : begun) {
        if (moment.may_be_open) continue;
        findings.add(moment.offset, "async-unmatched-begin",
                     formatted("correlation id {} never ends", id));
      }
    }
    for (const auto& [id, moment] : flows_) {
      findings.add(moment.offset, "flow-unmatched-begin", formatted("flow {} never ends", id));
    }
  }

  std::vector<Moment> moments_;
  std::optional<uint64_t> unchecked_from_;
  uint64_t lost_from_ = kNever;  // where the first stretch with lost records begins
  std::map<std::pair<uint64_t, uint64_t>, Stack> stacks_;
  std::unordered_map<uint64_t, std::vector<Moment>> operations_;
  std::unordered_map<uint64_t, Moment> flows_;
};

}  // namespace

std::unique_ptr<LintCheck> make_timeline_check() { return std::make_unique<TimelineCheck>(); }

}  // namespace barefxt::host
