// Receives the steps of the fold of statistics, to draw or explain them. Both add up to the
// numbers, since all come from one source.
//
// All times are in the unit of the statistics, cut to the selected stretch. Offsets are those of
// the record that ended something, or that reports an end at a loss; kNoRecord if there is none.
#pragma once

#include <cstdint>
#include <optional>

#include <barefxt/host/stats.h>

#include "moment.h"

namespace barefxt::host {

inline constexpr uint64_t kNoRecord = ~uint64_t{0};

struct Names;
class LossTimes;

// A lock, or another object that is waited for: its provider, and its address or koid.
struct LockId {
  uint32_t provider;
  uint64_t number;
  bool operator==(const LockId&) const = default;
};
struct LockIdHash {
  size_t operator()(const LockId& id) const {
    constexpr uint64_t kOdd = 0x9E3779B97F4A7C15;
    return (id.number ^ uint64_t{id.provider} << 32) * kOdd >> 16;
  }
};

class TimelineObserver {
 public:
  TimelineObserver() = default;
  TimelineObserver(const TimelineObserver&) = delete;
  TimelineObserver& operator=(const TimelineObserver&) = delete;
  virtual ~TimelineObserver() = default;

  // Before the archive is read for the second time: names and the unit of time are known.
  // `to_nanoseconds`: times are no ticks of the archive's.
  virtual void begin(const Statistics& statistics, bool to_nanoseconds) = 0;
  virtual void ran(unsigned cpu, uint64_t thread, const Extent& when) = 0;
  // The state of a thread that did not run.
  virtual void thread_time(uint64_t thread, ThreadTime what, const Extent& when) = 0;
  virtual void cpu_unknown(unsigned cpu, const Extent& when) = 0;
  // Null: of any CPU.
  virtual void lost(std::optional<unsigned> cpu, const Extent& when) = 0;
  // A duration, not cut. `begin_offset` is kNoRecord if one record holds all of it; `whole`: no
  // loss in between makes its length doubtful.
  virtual void lasted(uint64_t thread, const ProbeName& label, const Extent& when,
                      uint64_t begin_offset, bool whole) = 0;

  // Every moment before it is folded, instants among them, if wants_moments().
  virtual bool wants_moments() const { return false; }
  virtual void see(const Moment& moment) { (void)moment; }

  // Ahead of thread_time() or cpu_unknown() for a time that only the record at its end makes
  // unknown: what the thread seemed to do until then, or which thread the CPU seemed to run.
  virtual void seemed(ThreadTime what, uint64_t thread) { (void)what, (void)thread; }

  // The rest is of use to explain why something was late, and not to draw it.

  // In an archive that arrives, a thread, lock or process gets a name, or another one.
  virtual void renamed(uint64_t koid) { (void)koid; }
  // `names` is complete when finishing() is called, and gone when the fold has ended.
  virtual void know(const Names& names) { (void)names; }
  // All losses of the trace, ahead of the fold.
  virtual void foresee(const LossTimes& losses) { (void)losses; }
  // A switch, before it is folded: what it ends is reported before the next call.
  virtual void change(const Moment& moment) { (void)moment; }
  // A wakeup of a thread that was not awake. `in_interrupt`: one is open whose begin is recorded.
  virtual void woke(const Moment& moment, bool in_interrupt) { (void)moment, (void)in_interrupt; }
  // The thread ran at the end of `when`, which its wakeup began.
  virtual void ran_late(uint64_t thread, unsigned cpu, const Extent& when) {
    (void)thread, (void)cpu, (void)when;
  }
  // Labels are numbers of Names. An interrupt that one record holds has no begin of its own.
  // `whole`: it is known to have lasted from the begin to the end.
  virtual void interrupt_began(unsigned cpu, uint32_t label, uint64_t time) {
    (void)cpu, (void)label, (void)time;
  }
  virtual void interrupt_ended(unsigned cpu, uint32_t label, const Extent& when, bool whole) {
    (void)cpu, (void)label, (void)when, (void)whole;
  }
  // The end of a duration whose begin is not recorded. `cpu`: of an interrupt, else kNoCpu.
  virtual void ended_unbegun(uint64_t thread, unsigned cpu, uint32_t label, uint64_t time) {
    (void)thread, (void)cpu, (void)label, (void)time;
  }
  // A CPU loses records from here on, or no longer. Null: all.
  virtual void lose(std::optional<unsigned> cpu, uint64_t time) { (void)cpu, (void)time; }
  virtual void regain(std::optional<unsigned> cpu, uint64_t time) { (void)cpu, (void)time; }
  // The lock's holder from here on, null if it is not known. `recorded`: by an event of its hold.
  virtual void holds(const LockId& lock, std::optional<uint64_t> holder, bool recorded,
                     uint64_t time) {
    (void)lock, (void)holder, (void)recorded, (void)time;
  }
  virtual void released(const LockId& lock, uint64_t time) { (void)lock, (void)time; }
  // A thread begins or ends to wait for an object. `level` 1: within another wait, of level 0.
  virtual void wait_began(uint64_t thread, uint32_t level, const LockId& lock, uint32_t object,
                          uint64_t time) {
    (void)thread, (void)level, (void)lock, (void)object, (void)time;
  }
  virtual void wait_ended(uint64_t thread, uint32_t level, uint64_t time) {
    (void)thread, (void)level, (void)time;
  }
  virtual void waited(uint64_t thread, uint32_t object, const Extent& when) {
    (void)thread, (void)object, (void)when;
  }
  // `whole`: no loss lies in between.
  virtual void flowed(uint32_t label, uint64_t first_thread, uint64_t last_thread,
                      const Extent& when, bool whole) {
    (void)label, (void)first_thread, (void)last_thread, (void)when, (void)whole;
  }
  // All records are read; what is still open follows.
  virtual void finishing(uint64_t end) { (void)end; }
};

}  // namespace barefxt::host
