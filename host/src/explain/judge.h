// The cause of one tick of a thread's, and since when it holds.
//
// Invariants: a cause is recorded, or follows from records that cannot be read otherwise. The time
// is logarithmic in the history, times the locks that the thread waits for one behind another.
#pragma once

#include <unordered_map>
#include <vector>

#include <barefxt/host/explain.h>

#include "history.h"

namespace barefxt::host {

// A cause by numbers of the history.
struct TickCause {
  static constexpr uint64_t kNone = ~uint64_t{0};

  CauseKind kind = CauseKind::kUnknown;
  UnknownReason reason = UnknownReason::kNone;
  bool is_free = false;
  bool is_inversion = false;
  bool is_cycle = false;
  int priority = -1;
  int over = -1;
  uint64_t cpu = kNone;
  uint64_t from_cpu = kNone;
  uint64_t thread = kNone;
  uint64_t label = kNone;                            // of the interrupt
  uint64_t object = kNone;                           // that is waited for
  std::vector<std::pair<uint64_t, uint64_t>> locks;  // objects and holders
  bool operator==(const TickCause&) const = default;
};

class Judge {
 public:
  // Waits for locks that are followed from one holder to the next.
  static constexpr size_t kDeepest = 32;
  // An interrupt's stretch without a record is a stall if it is so many times as long as the median
  // of this interrupt on this CPU, of at least kFewest.
  static constexpr uint64_t kStallTimes = 8;
  static constexpr uint64_t kFewestForStall = 8;

  Judge(const History& history, const Statistics& statistics)
      : history_(history), statistics_(statistics), only_cpu_(history.only_cpu()) {}

  struct Verdict {
    TickCause cause;
    uint64_t since = 0;       // it is the same from here to the tick
    bool is_blocked = false;  // the thread itself
  };
  Verdict at(uint64_t thread, uint64_t tick) const;

  struct WakerOf {
    bool is_interrupt = false;
    std::optional<uint64_t> thread;
    std::string interrupt;
  };
  WakerOf waker_of(const Step& wakeup) const;
  // An interrupt, and a stretch of it long enough to be a stall.
  bool is_stall(unsigned cpu, const Step& interrupt) const {
    return interrupt.value - interrupt.time >= stall_limit(cpu, interrupt.number);
  }

  Cause named(const TickCause& cause) const;

 private:
  struct Look;
  enum class InInterrupt : uint8_t { kNo, kYes, kMaybe };

  void judge_thread(uint64_t koid, Look& look) const;
  void judge_ready(uint64_t koid, const Step& ready, Look& look) const;
  void judge_blocked(const History::Thread& thread, uint64_t koid, uint32_t blocked,
                     Look& look) const;
  void judge_lock(uint64_t koid, uint32_t blocked, const Step& wait, Look& look) const;
  InInterrupt interrupt_on(unsigned cpu, Look& look, const Step*& step) const;
  // True if the interrupt, or its being unknown, is the cause.
  bool judge_interrupt(unsigned cpu, Look& look) const;
  void judge_priorities(uint64_t runner, uint64_t waiter, Look& look) const;
  int priority_of(uint64_t koid, Look& look) const;
  void leave_open(Look& look, UnknownReason reason) const;
  uint64_t stall_limit(unsigned cpu, uint32_t label) const;
  std::string interrupt_at(unsigned cpu, uint64_t time) const;

  const History& history_;
  const Statistics& statistics_;
  std::optional<unsigned> only_cpu_;
  mutable std::unordered_map<uint64_t, uint64_t> stall_limits_;  // by CPU and label
};

}  // namespace barefxt::host
