#include "reasons.h"

#include <algorithm>
#include <array>
#include <unordered_map>

#include <barefxt/host/json.h>

#include "bytes.h"
#include "explain/phrases.h"
#include "explain/with_history.h"

namespace barefxt::report {
namespace {

using host::History;
using host::JsonList;
using host::JsonObject;
using host::Step;
using host::Track;

// The page has the same order.
enum Table : uint8_t {  // unscoped: indices
  kRuns,
  kDoing,
  kPriority,
  kOuterWait,
  kInnerWait,
  kWaited,
  kLockUses,
  kInterrupts,
  kHolder,
  kLockLosses,
  kLosses,
  kTables
};

// A step as the page has it.
struct PageStep {
  uint64_t time;
  uint64_t value;
  uint32_t losses;  // steps themselves, of which there are at most kMaxSteps
  uint16_t number;
  uint8_t state;
  uint8_t flags;
};
// There are millions of them.
static_assert(sizeof(PageStep) == 24);

struct PageTrack {
  Table table;
  uint32_t subject;
  unsigned before = 0;               // steps before what is drawn
  std::vector<PageStep> steps = {};  // the last one first
};

// The runs of a thread on a CPU, each begin with its end, in order of time.
class RunEnds {
 public:
  void add(unsigned cpu, uint64_t thread, uint64_t end) { of(cpu, thread).ends.push_back(end); }
  uint64_t take(unsigned cpu, uint64_t thread) {
    Runs& runs = of(cpu, thread);
    return runs.ends.at(runs.taken++);
  }

 private:
  struct Runs {
    std::vector<uint64_t> ends;
    size_t taken = 0;
  };
  Runs& of(unsigned cpu, uint64_t thread) { return runs_[thread << 16 | cpu]; }

  std::unordered_map<uint64_t, Runs> runs_;
};

class HistoryBytes {
 public:
  HistoryBytes(const History& history, const host::Judge& judge, const host::Explained& explained,
               uint64_t first, uint64_t last)
      : history_(history), judge_(judge), explained_(explained), first_(first), last_(last) {}

  std::string take() {
    gather();
    RunEnds ends = run_ends();
    std::string bytes;
    const std::string facts = this->facts();
    append_word(bytes, static_cast<uint32_t>(facts.size()));
    bytes += facts;
    for (uint8_t table = 0; table < kTables; ++table) {
      Columns columns;
      for (const PageTrack& track : tracks_) {
        if (track.table != table) continue;
        append_number(columns[0], track.steps.size());
        if (table == kDoing) {
          append_doing(columns, track, ends);
        } else {
          append_track(columns, track);
        }
      }
      for (const std::string& column : columns) {
        append_word(bytes, static_cast<uint32_t>(column.size()));
        bytes += column;
      }
    }
    return bytes;
  }

 private:
  using Columns = std::array<std::string, 6>;

  // The page's value of a step: a thread's number plus one, 1 for an interrupt that stalls.
  uint64_t value_of(const PageTrack& track, const Step& step) const {
    switch (track.table) {
      case kRuns:
        if (static_cast<host::CpuState>(step.state) != host::CpuState::kRuns) return 0;
        return uint64_t{history_.koids().find(step.value)} + 1;
      case kHolder:
        if (static_cast<host::HolderState>(step.state) != host::HolderState::kHeld) return 0;
        return uint64_t{history_.koids().find(step.value)} + 1;
      case kInterrupts:
        if (static_cast<host::InterruptState>(step.state) != host::InterruptState::kIn) return 0;
        return judge_.is_stall(track.subject, step) ? 1 : 0;
      default:
        return step.value;
    }
  }

  void add(Table table, uint32_t subject, const Track& track) {
    if (track.last != host::kNoStep) owner_[track.last] = static_cast<uint32_t>(tracks_.size());
    tracks_.push_back({table, subject});
  }

  // All tracks at once, backwards through the steps as they lie.
  void gather() {
    const host::Steps& steps = history_.steps();
    owner_.assign(steps.size(), kNobody);
    for (uint32_t i = 0; i < history_.threads().size(); ++i) {
      const History::Thread& thread = history_.threads()[i];
      add(kDoing, i, thread.doing);
      add(kPriority, i, thread.priority);
      add(kOuterWait, i, thread.waits[0]);
      add(kInnerWait, i, thread.waits[1]);
      add(kWaited, i, thread.waited);
      add(kLockUses, i, thread.lock_uses);
    }
    for (uint32_t i = 0; i < history_.cpus().size(); ++i) {
      add(kRuns, i, history_.cpus()[i].runs);
      add(kInterrupts, i, history_.cpus()[i].interrupts.track());
    }
    for (uint32_t i = 0; i < history_.locks().size(); ++i)
      add(kHolder, i, history_.locks()[i].holder);
    add(kLockLosses, 0, history_.lock_losses());
    add(kLosses, 0, history_.losses());

    uint32_t losses = 0;
    for (uint32_t at = history_.lock_losses().last; at != host::kNoStep; at = steps[at].before)
      ++losses;
    // A blocked thread's cause depends on the step before it.
    constexpr unsigned kBefore = 2;
    for (auto at = static_cast<uint32_t>(steps.size()); at-- > 0;) {
      if (owner_[at] == kNobody) continue;
      const Step step = steps[at];
      PageTrack& track = tracks_[owner_[at]];
      if (step.before != host::kNoStep) owner_[step.before] = owner_[at];
      if (track.table == kLockLosses) --losses;
      if (step.time > last_) continue;
      if (step.time <= first_ && ++track.before > kBefore) continue;
      add_step(track, step, losses);
    }
  }

  // In any tick from `begin` to ahead of `end`.
  bool was_blocked(const Track& doing, uint64_t begin, uint64_t end) const {
    const host::Steps& steps = history_.steps();
    if (end <= begin) return false;
    for (uint32_t at = steps.find(doing, end - 1); at != host::kNoStep; at = steps[at].before) {
      if (static_cast<host::Doing>(steps[at].state) == host::Doing::kBlocked) return true;
      if (steps[at].time <= begin) return false;
    }
    return false;
  }

  void add_step(PageTrack& track, const Step& step, uint32_t losses) const {
    const PageStep one{step.time, value_of(track, step), losses, step.number, step.state,
                       step.flags};
    std::vector<PageStep>& steps = track.steps;
    if (track.table == kInterrupts && !steps.empty()) {
      // Only a change matters.
      PageStep& next = steps.back();
      if (next.state == one.state && next.number == one.number && next.value == one.value) {
        next.time = one.time;
        return;
      }
    }
    if (track.table == kWaited && !steps.empty() &&
        static_cast<host::WaitState>(one.state) == host::WaitState::kWaits) {
      // A wait matters if the thread is blocked in it.
      if (!was_blocked(history_.threads()[track.subject].doing, one.time, steps.back().time))
        return steps.pop_back();
    }
    steps.push_back(one);
  }

  RunEnds run_ends() const {
    RunEnds ends;
    for (const PageTrack& track : tracks_) {
      if (track.table != kRuns) continue;
      for (size_t i = track.steps.size(); i-- > 0;) {
        const PageStep& step = track.steps[i];
        if (step.value != 0 && step.time > first_)
          ends.add(track.subject, step.value - 1, i == 0 ? last_ : track.steps[i - 1].time);
      }
    }
    return ends;
  }

  void append_rest(Columns& columns, const PageStep& step) const {
    constexpr unsigned kFlags = 16;
    columns[2] += static_cast<char>(step.state + kFlags * step.flags);
    append_number(columns[3], step.number);
    append_number(columns[4], step.value);
  }
  void append_track(Columns& columns, const PageTrack& track) const {
    uint64_t time = last_;
    const PageStep* next = nullptr;
    for (const PageStep& step : track.steps) {
      append_number(columns[1], time - step.time);
      time = step.time;
      append_rest(columns, step);
      append_number(columns[5], next == nullptr ? step.losses : next->losses - step.losses);
      next = &step;
    }
  }
  // Runs have their times already, and most other steps begin at the end of one.
  void append_doing(Columns& columns, const PageTrack& track, RunEnds& ends) const {
    uint64_t time = first_;
    for (auto step = track.steps.rbegin(); step != track.steps.rend(); ++step) {
      const bool is_run =
          static_cast<host::Doing>(step->state) == host::Doing::kRunning && step->time > first_;
      PageStep one = *step;
      if (is_run) one.value = 1;
      append_rest(columns, one);
      if (is_run) {
        time = ends.take(step->number, track.subject);
      } else {
        append_number(columns[1], zigzag(static_cast<int64_t>(step->time - time)));
        time = step->time;
      }
    }
  }

  std::string facts() const {
    const host::Phrases words(explained_);
    host::StringOutput out;
    {
      JsonObject all(out);
      all.string("begin", std::to_string(first_));
      all.string("end", std::to_string(last_));
      all.number("onlyCpu", history_.only_cpu());
      all.boolean("hasInterrupts", history_.has_interrupts());
      all.boolean("hasLateInterrupts", history_.has_late_interrupts());
      all.boolean("largerIsHigher", history_.larger_is_higher());
      all.boolean("waitsRecorded", explained_.statistics.waits_recorded);
      const auto list = [&](const char* key, size_t count, const auto& print) {
        JsonList many(all.key(key));
        for (uint32_t i = 0; i < count; ++i) print(many, i);
      };
      list("wrongUntil", history_.cpus().size(), [&](JsonList& many, uint32_t i) {
        const uint64_t until = history_.cpus()[i].interrupts.wrong_until();
        json_string(many.next(), std::to_string(until));
      });
      list("koids", history_.threads().size(), [&](JsonList& many, uint32_t i) {
        json_string(many.next(), std::to_string(history_.koids().koid_of(i)));
      });
      list("threads", history_.threads().size(), [&](JsonList& many, uint32_t i) {
        json_string(many.next(), words.thread(history_.koids().koid_of(i)));
      });
      list("interruptNames", history_.labels(), [&](JsonList& many, uint32_t i) {
        json_string(many.next(), host::Phrases::interrupt(history_.label(i).name));
      });
      list("objects", history_.objects(), [&](JsonList& many, uint32_t i) {
        json_string(many.next(), words.object(history_.object(i)));
      });
      list("haveHolders", history_.objects(), [&](JsonList& many, uint32_t i) {
        const std::string_view kind = host::kind_of_wait(history_.object(i).label);
        many.next().text(kind == "lock" || kind == "mutex" ? "true" : "false");
      });
    }
    return out.take();
  }

  static constexpr uint32_t kNobody = ~uint32_t{0};

  const History& history_;
  const host::Judge& judge_;
  const host::Explained& explained_;
  uint64_t first_;
  uint64_t last_;
  std::vector<PageTrack> tracks_;
  std::vector<uint32_t> owner_;  // of each step: the number of its track
};

}  // namespace

Reasons find_reasons(host::Source& source, host::Form form, const host::Selection& selection,
                     const Drawing& drawing) {
  Reasons reasons;
  host::ExplainOptions options;
  options.worst = Reasons::kWorst;
  options.of_each_kind = true;
  options.selection = selection;
  const auto see = [&](const History& history, const host::Judge& judge,
                       const host::Explained& explained) {
    if (history.steps().size() > Reasons::kMaxSteps || history.left_out() > 0) return;
    reasons.history =
        HistoryBytes(history, judge, explained, drawing.statistics.first, drawing.statistics.last)
            .take();
  };
  auto explained = host::explain_with_history(source, form, options, see);
  if (explained.ok()) {
    reasons.explained = std::move(explained.value());
    // The page has no use for them, and they may be many.
    for (host::Explanation& one : reasons.explained.cases) one.stretches = {};
  } else {
    reasons.explained.statistics = drawing.shown();
  }
  return reasons;
}

}  // namespace barefxt::report
