// Everything that explanations need of a trace, folded from the statistics' own model: what each
// CPU ran, what each thread did, interrupts, wakeups, priorities, holders of locks and waits for
// them.
//
// Invariants: what a loss, a missing record or a missing hook leaves open is unknown here. Memory
// is bounded: steps lie on disk if they are many; subjects beyond a limit are unknown.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "../stats/koid_index.h"
#include "../stats/names.h"
#include "../stats/observer.h"
#include "interrupt_fold.h"

namespace barefxt::host {

// States of a thread's steps.
enum class Doing : uint8_t {
  kUnknown,
  kRunning,   // number: the CPU
  kRunnable,  // number: the CPU that it runs on next (kHasNext), value: that it ran on (kHasLast)
  kBlocked,   // flag kBeganSeen
  kEnded,
};
// All records from its last switch to the CPU until it blocked are there: a wait that began is,
// too.
inline constexpr uint8_t kBeganSeen = 1;
inline constexpr uint8_t kHasNext = 1;
inline constexpr uint8_t kHasLast = 2;

// States of a CPU's steps: unknown, or value: its thread, which is idle (kIsIdle).
enum class CpuState : uint8_t { kUnknown, kRuns };
inline constexpr uint8_t kIsIdle = 1;

// States of a lock's steps. value: the holder, or the last one.
enum class HolderState : uint8_t { kUnknown, kHeld, kFree };
inline constexpr uint8_t kIsRecorded = 1;  // by an event of the hold

// States of a thread's waits. value: number of the lock; number: see Wait.
enum class WaitState : uint8_t { kNone, kWaits };

// States of a thread's wakeups. number: the CPU (kHasCpu).
enum class Waker : uint8_t {
  kThread,     // value: its koid
  kInterrupt,  // value: the label's number
  kOpen,       // an interrupt whose begin is recorded
  kRunning,    // the thread that ran there, unless an interrupt did
};
inline constexpr uint8_t kHasCpu = 1;

class History : public TimelineObserver {
 public:
  struct Thread {
    Track doing;
    Track wakeups;
    Track priority;  // state 1: value is known
    std::array<Track, 2> waits;
    Track waited;     // state 1: in a wait of which only the end is recorded, perhaps
    Track lock_uses;  // the first record of a lock of each epoch
    uint64_t used_locks = 0;
    uint64_t known_until = 0;
    uint64_t sampled = 0;     // the last record of its priority,
    uint64_t sampled_in = 0;  // and its epoch
    int priority_now = -1;
    std::optional<unsigned> last_cpu;
    unsigned next_cpu = 0;    // of its last switch to a CPU
    uint64_t last_ran = 0;    // the epoch of that
    uint64_t last_in = 0;     // and of its last switch to a CPU
    bool began_seen = false;  // as kBeganSeen, of its last switch away
  };
  struct Cpu {
    Track runs;
    InterruptFold interrupts;
    uint64_t known_until = 0;
    uint64_t regains = 0;  // of all CPUs, as far as this one knows
    bool listed = false;   // in recording_
    bool seen = false;
  };
  struct Lock {
    Track holder;
    uint32_t object = 0;  // of the last wait for it
  };

  void begin(const Statistics& statistics, bool to_nanoseconds) override;
  void know(const Names& names) override { names_ = &names; }
  void ran(unsigned cpu, uint64_t thread, const Extent& when) override;
  void thread_time(uint64_t thread, ThreadTime what, const Extent& when) override;
  void cpu_unknown(unsigned cpu, const Extent& when) override;
  void lost(std::optional<unsigned> cpu, const Extent& when) override;
  void lasted(uint64_t, const ProbeName&, const Extent&, uint64_t, bool) override {}
  void change(const Moment& moment) override;
  void woke(const Moment& moment, bool in_interrupt) override;
  void interrupt_began(unsigned cpu, uint32_t label, uint64_t time) override;
  void interrupt_ended(unsigned cpu, uint32_t label, const Extent& when, bool whole) override;
  void ended_unbegun(uint64_t, unsigned cpu, uint32_t label, uint64_t time) override;
  void lose(std::optional<unsigned> cpu, uint64_t time) override;
  void regain(std::optional<unsigned> cpu, uint64_t time) override;
  void holds(const LockId& lock, std::optional<uint64_t> holder, bool recorded,
             uint64_t time) override;
  void released(const LockId& lock, uint64_t time) override;
  void wait_began(uint64_t thread, uint32_t level, const LockId& lock, uint32_t object,
                  uint64_t time) override;
  void wait_ended(uint64_t thread, uint32_t level, uint64_t time) override;
  void waited(uint64_t thread, uint32_t object, const Extent& when) override;
  void finishing(uint64_t end) override;

  const Steps& steps() const { return steps_; }
  // Null if nothing is known of it.
  const Thread* thread(uint64_t koid) const;
  const Cpu* cpu(unsigned number) const;
  const Lock& lock(uint64_t number) const { return locks_[number]; }
  // All of them, by number. Threads have the numbers of koids().
  const std::vector<Thread>& threads() const { return threads_; }
  const std::vector<Cpu>& cpus() const { return cpus_; }
  const std::vector<Lock>& locks() const { return locks_; }
  const KoidIndex& koids() const { return index_; }
  // Begins and ends of losses: they end what was known of holders and waits.
  const Track& lock_losses() const { return lock_losses_; }
  // That the thread runs on now; null if it is not known.
  std::optional<unsigned> cpu_of(uint64_t koid) const;
  // The only CPU of the trace; null if there are several, or none.
  std::optional<unsigned> only_cpu() const;
  // value: how many losses there are from a step on.
  const Track& losses() const { return losses_; }

  bool has_interrupts() const { return has_interrupts_; }
  bool has_late_interrupts() const { return has_late_interrupts_; }
  // Larger numbers are higher in the format. False if a kernel seems to record its own numbers, of
  // which smaller ones are higher: threads gave way to smaller ones much more often.
  bool larger_is_higher() const { return down_ < kFewSwitches || down_ / 4 <= up_; }
  uint64_t left_out() const { return left_out_; }

  const ProbeName& label(uint32_t number) const { return labels_[number]; }
  ObjectKey object(uint32_t number) const { return objects_[number]; }
  size_t labels() const { return labels_.size(); }
  size_t objects() const { return objects_.size(); }

 private:
  static constexpr uint64_t kFewSwitches = 16;
  static constexpr uint64_t kFirstEpoch = 1;
  static constexpr size_t kMaxCpus = 65536;
  static constexpr size_t kMaxLocks = 65536;
  static constexpr size_t kMaxPending = size_t{1} << 18;  // of interrupts, on all CPUs

  Thread* thread_of(uint64_t koid);
  Cpu* cpu_at(unsigned number);
  // Brings it up to date with losses on all CPUs.
  InterruptFold* interrupts_of(unsigned number);
  // The same for one more record.
  InterruptFold* growing(unsigned number, uint64_t time);
  void bound_pending(uint64_t time);
  Lock* lock_of(const LockId& id);
  // The thread has recorded something of a lock.
  void use_locks(uint64_t koid, uint64_t time);
  void sample(uint64_t koid, uint8_t priority, uint64_t time);
  // A loss within one tick lies behind any of the records of that tick: once they are through, it
  // is met again.
  void pass(uint64_t time) {
    if (!within_a_tick_.empty() && time > within_tick_) lose_again();
  }
  void lose_again();

  Steps steps_;
  const Statistics* statistics_ = nullptr;
  const Names* names_ = nullptr;
  KoidIndex index_;
  std::vector<Thread> threads_;
  std::vector<Cpu> cpus_;
  std::unordered_map<LockId, uint32_t, LockIdHash> lock_numbers_;
  std::vector<Lock> locks_;
  Track lock_losses_;
  Track losses_;
  uint64_t losing_ = 0;
  uint64_t epoch_ = kFirstEpoch;     // counts begins and ends of losses
  std::vector<unsigned> recording_;  // CPUs with records since the last loss on all CPUs
  uint64_t regains_ = 0;
  uint64_t lost_at_ = 0;
  uint64_t regained_ = 0;
  bool all_losing_ = false;
  std::vector<std::optional<unsigned>> within_a_tick_;  // CPUs of such losses, or all,
  uint64_t within_tick_ = 0;                            // and the tick
  std::vector<ProbeName> labels_;
  std::vector<ObjectKey> objects_;
  uint64_t next_thread_ = 0;  // the thread that the last switch brought in
  uint64_t next_time_ = 0;
  unsigned next_cpu_ = 0;
  bool has_next_ = false;
  uint64_t up_ = 0;
  uint64_t down_ = 0;
  uint64_t left_out_ = 0;
  size_t pending_ = 0;  // records in cpus_' interrupts, at most
  bool has_interrupts_ = false;
  bool has_late_interrupts_ = false;
  bool is_finished_ = false;
};

}  // namespace barefxt::host
