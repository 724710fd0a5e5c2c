// Folds activations of threads into jobs, and holds each to its deadline.
//
// A job is released when its thread is woken for it. The record that begins a job comes later, when
// the thread has got the CPU; the release is then the wakeup that ended the thread's last block, if
// no other job began or ended since. Otherwise it is the record itself.
//
// Invariants: moments come in order of time. A job is measured only if its release is known and no
// loss lies between release and end. Memory is bounded: limits hold for kinds of jobs, and for open
// ones.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "koid_index.h"
#include "moment.h"
#include "names.h"
#include "window.h"

namespace barefxt::host {

// Flags of a moment that begins or ends a job, in its `state`.
inline constexpr uint8_t kJobOverran = 1;       // due one period after the one before
inline constexpr uint8_t kJobUntilBlocked = 2;  // no record ends it
inline constexpr uint8_t kJobAbandoned = 4;     // it ends without having been done

class Jobs {
 public:
  // `recorded`: the archive has jobs.
  Jobs(Statistics& statistics, const Names& names, const Window& window, const Epoch& epoch,
       const std::vector<ThreadDeadline>& deadlines, bool recorded)
      : statistics_(statistics),
        names_(names),
        window_(window),
        epoch_(epoch),
        deadlines_(deadlines),
        is_needed_(recorded || !deadlines.empty()) {}

  // True if switches and wakeups are of use.
  bool is_needed() const { return is_needed_; }
  void change(const Moment& moment);
  void wake(const Moment& moment);
  void begin(const Moment& moment);
  void end(const Moment& moment);
  void finish(uint64_t end);
  // The statistics became a copy of what they were.
  void find_sums_anew();

 private:
  // Jobs of one thread and name.
  struct Kind {
    JobStatistics* sum;
    JobKey key;
    uint64_t last_release = 0;
    uint32_t last_epoch = 0;
    bool has_last = false;
  };
  struct Open {
    uint32_t kind;
    uint64_t release;
    uint64_t period_ns;
    uint64_t deadline_ns;
    uint32_t epoch;
    bool in_doubt;
    bool until_blocked;
    bool of_wakeup;  // not of a record
  };
  enum class State : uint8_t { kUnseen, kAwake, kBlocked };
  enum class Release : uint8_t { kNone, kWakeup, kUnknown };
  struct Thread {
    uint32_t epoch = 0;  // in which the following holds
    State state = State::kUnseen;
    Release release = Release::kNone;  // since the last job began or ended
    bool switched = false;             // its switches are recorded
    uint64_t woken = 0;
    std::optional<uint64_t> deadline_ns;  // of its wakeups
    std::vector<Open> open;
  };

  Thread* thread_of(uint64_t koid);
  bool is_known(const Thread& thread) const { return epoch_.whole_since(thread.epoch); }
  void know(Thread& thread, State state, Release release);
  // The number of the jobs of a thread and name; null beyond the limit.
  std::optional<uint32_t> kind_of(uint64_t koid, uint32_t label, JobSource source);
  void activate(Thread& thread, const Moment& moment, uint64_t koid, bool in_doubt);
  void open(Thread& thread, const Open& job, uint64_t offset);
  void close(const Open& job, const Moment& moment, bool in_doubt);
  // Takes those open jobs of the thread that `is` names, and calls `end` with each.
  template <typename Is, typename End>
  static void take(Thread& thread, const Is& is, const End& end);
  // These jobs will not end: judges each as open.
  template <typename Is>
  void abandon(Thread& thread, const Moment& moment, const Is& is);
  // It has not ended by `time`, and never will if `is_abandoned`.
  void judge_open(const Open& job, uint64_t time, bool is_abandoned);
  // Fills in when the job was released, or marks that as unknown.
  void find_release(const Thread& thread, const Moment& moment, Open& job) const;
  bool is_late(const Open& job, uint64_t time) const;

  static constexpr size_t kMaxOpen = 64;  // of one thread
  Statistics& statistics_;
  const Names& names_;
  const Window& window_;
  const Epoch& epoch_;
  const std::vector<ThreadDeadline>& deadlines_;
  bool is_needed_;
  KoidIndex index_;
  std::vector<Thread> threads_;
  std::vector<Kind> kinds_;
  std::unordered_map<uint64_t, uint32_t> kind_numbers_;  // by thread and label
  NamedRoom room_;
};

}  // namespace barefxt::host
