// A model of scheduling: what each CPU and each thread does at the moment, folded from switches,
// wakeups and losses into the time spent.
//
// Invariants: moments come in order of time. A state is credited when it is left, and only if what
// ends it fits what began it; else the stretch is unknown. While records of any CPU are lost, only
// threads that run on the others are known: waiting threads may have been woken, run and stopped
// on the CPU that lost its records. A thread whose table entry was lost runs as `thread#N` and is
// woken by its koid: a thread that is woken and never ran may be any such thread that runs.
// A thread may come in on one CPU shortly before the one that it ran on records its switch: kernels
// hand it over first, and CPUs' clocks differ. It moves until that record. The record has to name
// the thread, or a switch is missing there, and then its run on that CPU is unknown.
#pragma once

#include <array>
#include <vector>

#include "koid_index.h"
#include "moment.h"
#include "observer.h"
#include "window.h"

namespace barefxt::host {

class Scheduling {
 public:
  using Number = uint32_t;  // of a thread
  static constexpr Number kNobody = KoidIndex::kNone;

  // A time in which a thread was ready but did not run.
  struct SchedulingDelay {
    uint64_t begin = 0;
    uint64_t end = 0;
    Number by = kNobody;  // the first thread that ran instead
    int by_priority = -1;
  };
  // The last wakeup of a thread.
  struct Wakeup {
    uint64_t time = 0;
    Number by = kNobody;
    bool seen = false;
  };

  Scheduling(Statistics& statistics, const Window& window, const Epoch& epoch,
             TimelineObserver* observer)
      : statistics_(statistics), window_(window), epoch_(epoch), observer_(observer) {}

  void change(const Moment& moment);
  // `interrupted`: the wakeup comes from an interrupt, not from the thread that runs on the CPU.
  void wake(const Moment& moment, bool interrupted);
  // On this CPU, or on all.
  void lose(std::optional<unsigned> cpu, uint64_t time);
  void regain(std::optional<unsigned> cpu, uint64_t time);
  void finish(uint64_t end);

  // Returns the thread that runs there, kNobody if that is unknown.
  Number current(unsigned cpu) const;
  Number find(uint64_t koid) const { return index_.find(koid); }
  uint64_t koid_of(Number thread) const { return index_.koid_of(thread); }
  const Wakeup& last_wakeup(Number thread) const { return threads_[thread].wakeup; }
  int priority_of(Number thread) const { return threads_[thread].priority; }
  bool is_runnable(Number thread) const { return threads_[thread].state == State::kRunnable; }
  // The CPU that a runnable thread was preempted on, or woken from.
  unsigned ready_on(Number thread) const { return threads_[thread].cpu; }
  // Calls `see` with the last times it was kept off, in no order.
  template <typename See>
  void for_each_kept_off(Number thread, const See& see) const {
    for (const SchedulingDelay& one : threads_[thread].kept_off) {
      if (one.begin < one.end) see(one);
    }
  }

 private:
  enum class State : uint8_t { kUnseen, kUnknown, kRunning, kRunnable, kBlocked, kEnded };
  struct Thread {
    State state = State::kUnseen;
    bool idle = false;
    bool may_be_idle = false;  // its name was lost
    bool woken = false;        // runnable since its wakeup
    unsigned cpu = 0;          // where it runs, or became ready
    int priority = -1;
    uint64_t since = 0;
    Wakeup wakeup;
    SchedulingDelay waits;  // as long as it is runnable
    static constexpr size_t kRemembered = 8;
    std::array<SchedulingDelay, kRemembered> kept_off;
    uint8_t next_kept_off = 0;
    bool listed = false;  // in waiting_
    bool has_run = false;
    bool listed_as_new = false;  // in never_ran_
    bool moves = false;          // its run on the CPU `moved_from` is not credited yet
    unsigned moved_from = 0;
    ThreadStatistics sum;
  };
  struct Cpu {
    bool seen = false;
    bool losing = false;
    // nothing is missing since `since`, but only a later record shows the running thread
    bool bounded = false;
    bool listed = false;  // in running_
    Number running = kNobody;
    Number moved = kNobody;  // ran here, and came in elsewhere, but this CPU has not recorded that
    uint64_t moved_at = 0;
    uint64_t regains = 0;  // of all CPUs, as far as this one knows
    uint64_t since = 0;
    uint64_t first = 0;
    CpuStatistics sum;
  };

  Number number_of(uint64_t koid);
  Cpu* cpu_of(uint32_t number);
  bool is_losing(const Cpu& cpu) const { return cpu.losing || all_losing_; }

  // Credits a thread's time until now as `what`, which seemed to be something else until now.
  void credit(Thread& thread, ThreadTime what, uint64_t now, ThreadTime seemed);
  void credit(Thread& thread, ThreadTime what, uint64_t now) { credit(thread, what, now, what); }
  void credit_unknown(Cpu& cpu, uint64_t now);
  // Calls `report` with the observer and the part of the stretch within the window, if any.
  template <typename Report>
  void observe(uint64_t begin, uint64_t end, const Report& report) const {
    if (observer_ == nullptr || window_.ticks(begin, end) == 0) return;
    report(*observer_, Extent{std::max(begin, window_.from), std::min(end, window_.to), offset_});
  }
  // It ran on the CPU until now, since the CPU's `since`.
  void credit_on_cpu(Thread& thread, unsigned cpu, uint64_t ticks);
  void credit_run(Cpu& cpu, unsigned number, Thread& thread, uint64_t now);
  void add_run(Cpu& cpu, unsigned number, Thread& thread, uint64_t until);
  // Credits the run ahead of a move. The observer gets a thread's times in order, so what comes
  // next for the thread ends the waiting for the record.
  void end_move(Thread& thread, bool is_run);
  // The CPU records something else, or nothing any more.
  void forget_move(Cpu& cpu);
  // From now on the thread's state is unknown. Until now it is credited, or unknown as well.
  void forget(Thread& thread, uint64_t now, bool credited);
  void forget_cpu(Cpu& cpu, uint64_t now);
  void wait(Number number, State state, uint64_t now);
  void forget_those_that_never_ran(uint64_t now);

  void leave(Cpu& cpu, const Moment& moment, Number out);
  void arrive(Cpu& cpu, const Moment& moment, Number in);
  // A loss on all CPUs takes time only for those that ran a thread. The others get their stretch of
  // it here, once it matters.
  void settle(Cpu& cpu);
  void lose_cpu(Cpu& cpu, unsigned number, uint64_t time);
  void regain_cpu(Cpu& cpu, uint64_t time);
  static void remember(Thread& thread, uint64_t now);

  static constexpr size_t kMaxCpus = 65536;
  static constexpr size_t kMaxCpusOfThread = 1024;
  static constexpr size_t kMaxCpusOfThreads = size_t{1} << 20;  // of all together
  Statistics& statistics_;
  const Window& window_;
  const Epoch& epoch_;
  TimelineObserver* observer_;   // may be null
  uint64_t offset_ = kNoRecord;  // of what is folded at the moment
  KoidIndex index_;
  std::vector<Thread> threads_;
  std::vector<Cpu> cpus_;
  std::vector<unsigned> running_;  // CPUs on which a thread runs, and some others
  uint64_t regains_ = 0;           // ends of losses on all CPUs
  uint64_t regained_ = 0;          // the time of the last one
  size_t cpus_of_threads_ = 0;
  std::vector<Number> waiting_;    // those whose state a loss makes unknown, and some others
  std::vector<Number> never_ran_;  // those that are runnable and have not run, and some others
  bool all_losing_ = false;
};

}  // namespace barefxt::host
