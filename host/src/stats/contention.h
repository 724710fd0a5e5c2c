// Waits for locks: the waiter, the lock, the holder, and threads of a priority in between that made
// the wait longer.
//
// Recorded holders (LockModel) come first. In an archive that has only durations of waits, the
// holder is the thread that ended the wait: it ran where the waiter's wakeup was recorded. If an
// interrupt woke the waiter, or the waker is unknown, there is no holder.
#pragma once

#include <vector>

#include "lock_model.h"
#include "names.h"
#include "scheduling.h"

namespace barefxt::host {

class Contention {
 public:
  Contention(Statistics& statistics, const Names& names, const Window& window,
             const Selection& selection, const Scheduling& scheduling, LockModel& locks,
             TimelineObserver* observer)
      : statistics_(statistics),
        names_(names),
        window_(window),
        selection_(selection),
        scheduling_(scheduling),
        locks_(locks),
        observer_(observer) {}

  // A record of the wait's object is a wait for it from here on.
  void blocks(const Moment& moment);
  void wait(const Moment& moment);
  // One that is a begin and an end.
  void wait_of_pair(const Extent& extent, uint64_t thread, uint32_t object);
  void finish();
  // The statistics became a copy of what they were.
  void find_sums_anew() { sums_.clear(); }

 private:
  using Ended = LockModel::Ended;

  bool is_shown(uint64_t waiter, std::optional<uint64_t> holder) const;
  bool is_shown(uint64_t waiter, const Ended& wait) const;
  ObjectKey key_of(uint32_t object) const;
  ContentionStatistics& sum_of(uint32_t object);
  // A wait without a recorded holder.
  void guess(const Extent& extent, uint64_t thread, Ended& wait) const;
  void look_for_inversion(const Extent& extent, Scheduling::Number waiter,
                          Scheduling::Number holder, Ended& wait) const;
  void add(const Extent& extent, uint64_t thread, uint32_t object, const Ended& wait);
  void add_inversion(const Extent& extent, uint64_t thread, uint32_t object,
                     const LockModel::Inverted& inverted);

  static constexpr size_t kMaxPairs = size_t{1} << 16;
  Statistics& statistics_;
  const Names& names_;
  const Window& window_;
  const Selection& selection_;
  const Scheduling& scheduling_;
  LockModel& locks_;
  TimelineObserver* observer_;               // may be null
  std::vector<ContentionStatistics*> sums_;  // by object, each in a map, which moves none
  std::vector<bool> is_recorded_;            // by object: its waits begin with an event
  bool is_any_recorded_ = false;
  NamedRoom room_of_inversions_;
  Ended guessed_;     // here since its memory is used for each
  size_t pairs_ = 0;  // of locks and holders, and of inversions
};

}  // namespace barefxt::host
