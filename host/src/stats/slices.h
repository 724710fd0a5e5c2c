// Durations of threads, and interrupts, which are durations on the pseudo-threads of CPUs: their
// lengths, with and without those within, and the threads that interrupts kept off.
//
// A duration's children are those of its thread that began no earlier and ended before it. They are
// known by the time it ends, since moments come in order of time and complete durations count by
// their ends. Calls of functions are durations whose self time is without the calls within only.
//
// Invariants: what began in another epoch than it ended in is in doubt and not measured. Memory is
// bounded: limits hold for open durations of a thread, and for ended ones that wait for a parent.
#pragma once

#include <functional>
#include <vector>

#include <barefxt/host/nesting_stacks.h>

#include "children.h"
#include "koid_index.h"
#include "moment.h"
#include "names.h"
#include "observer.h"
#include "window.h"

namespace barefxt::host {

class Slices {
 public:
  using OnWait = std::function<void(const Extent& wait, uint64_t thread, uint32_t label)>;
  // Returns the thread that runs on a CPU, if it is known and not idle.
  using CurrentThread = std::function<std::optional<uint64_t>(unsigned cpu)>;

  Slices(Statistics& statistics, const Names& names, const Window& window,
         const Selection& selection, const Epoch& epoch, CurrentThread current, OnWait on_wait,
         TimelineObserver* observer)
      : statistics_(statistics),
        names_(names),
        window_(window),
        selection_(selection),
        epoch_(epoch),
        current_(std::move(current)),
        on_wait_(std::move(on_wait)),
        observer_(observer) {}

  void begin(const Moment& moment);
  void end(const Moment& moment);
  // The end of one whose own end is missing.
  void cut(const Moment& moment);
  void complete(const Moment& moment);
  bool in_interrupt(unsigned cpu) const;
  // A wakeup by an interrupt that has no record of its own.
  void add_unannounced(const Moment& wakeup);
  void lose(std::optional<unsigned> cpu);
  void regain(std::optional<unsigned> cpu, uint64_t time);
  // Interrupts that are open on this CPU have no end: it may be among what is lost.
  void cut_interrupts(unsigned cpu, uint64_t time);
  // Those of all CPUs: their records do not show whether any is still open.
  void cut_interrupts(uint64_t time);
  // `end`: of what is looked at.
  void finish(uint64_t end);

 private:
  struct Open {
    uint64_t begin;
    uint64_t offset;  // of the record that began it
    uint32_t key;     // the label
    uint32_t epoch;
    uint64_t interrupted;  // an outermost interrupt's: the thread
    bool has_interrupted;
    uint32_t first_child;
  };
  struct Thread {
    uint32_t cpu = kNoCpu;  // of a pseudo-thread
    bool shown = true;      // chosen, with its durations
    NestingStacks<Open>::Stack open;
    Children::Stack children;
  };

  Thread* thread_of(uint64_t koid);
  // `count`: innermost ones, which have no end.
  void leave_unended(Thread& thread, size_t count, const Moment& moment);
  void observe(uint64_t koid, const Open& open, const Extent& extent, bool whole) const;
  void close(Thread& thread, uint64_t koid, const Open& open, const Moment& moment, bool whole,
             bool self_whole);
  void interrupt(Thread& thread, const Open& open, const Extent& extent,
                 std::optional<uint64_t> own, bool is_complete);
  DurationStatistics& sum_of(uint32_t label);
  // A thread may have run anywhere, an interrupt was where it was.
  Epoch epoch_of(const Thread& thread) const {
    if (thread.cpu == kNoCpu) return epoch_;
    Epoch epoch = of_all_cpus_;
    if (thread.cpu < of_each_cpu_.size()) {
      epoch.number += of_each_cpu_[thread.cpu].number;
      epoch.losing += of_each_cpu_[thread.cpu].losing;
    }
    return epoch;
  }
  Epoch* epoch_of(std::optional<unsigned> cpu);
  uint32_t first_child(const Thread& thread) const {
    return thread.open.empty() ? 0 : open_.top(thread.open).first_child;
  }
  // How many durations lie on the one that ends, itself included; 0 where it is not open.
  size_t height_of(const Thread& thread, uint32_t label) const;

  static constexpr size_t kMaxOpen = 4096;                  // of one thread
  static constexpr size_t kMaxOpenInAll = size_t{1} << 18;  // of all threads
  Statistics& statistics_;
  const Names& names_;
  const Window& window_;
  const Selection& selection_;
  const Epoch& epoch_;
  CurrentThread current_;
  OnWait on_wait_;
  TimelineObserver* observer_;  // may be null
  KoidIndex index_;
  std::vector<Thread> threads_;
  std::vector<uint32_t> of_cpu_;  // the pseudo-thread's number, by CPU
  std::vector<Epoch> of_each_cpu_;
  Epoch of_all_cpus_;
  std::vector<DurationStatistics> durations_;  // by label
  NestingStacks<Open> open_{kMaxOpenInAll};
  Children children_;
  NamedRoom room_of_interrupts_;
  uint64_t loss_end_ = 0;  // of the last loss so far
};

}  // namespace barefxt::host
