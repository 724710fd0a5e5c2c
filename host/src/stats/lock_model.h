// Holders of locks at the moment, and threads that wait for them, as the target recorded it: by the
// events of holds, and by the holder that a wait names when it begins.
//
// Invariants: a holder is recorded or unknown, never guessed. A loss of any CPU may have held a
// release or another's turn, so it makes all of this unknown. Memory is bounded: limits hold for
// locks and waits at once, and for holders of one wait.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "moment.h"
#include "names.h"
#include "observer.h"
#include "scheduling.h"

namespace barefxt::host {

class LockModel {
 public:
  // A stretch of a wait, and the thread that it waited for.
  struct Part {
    std::optional<uint64_t> holder;
    uint64_t begin = 0;
    uint64_t end = 0;
  };
  // True of a wait if the holder was ready and did not run, since a thread of a priority in between
  // did.
  struct Inverted {
    uint64_t holder = 0;
    uint64_t runner = 0;
    uint64_t times = 0;
    uint64_t ticks = 0;
    uint64_t last_end = 0;
  };
  struct Ended {
    std::vector<Part> parts;  // one at least
    std::vector<Inverted> inversions;
    uint64_t woken_in_vain = 0;
  };

  LockModel(const Names& names, const Epoch& epoch, const Scheduling& scheduling,
            TimelineObserver* observer)
      : names_(names), epoch_(epoch), scheduling_(scheduling), observer_(observer) {}

  void blocks(const Moment& moment);
  void hold(const Moment& moment);
  void release(const Moment& moment);
  // Call it ahead of every change of running and ready threads.
  [[gnu::always_inline]] void advance(uint64_t now) {
    if (!watched_.empty()) look(now);
    looked_at_ = now;
  }
  // The thread left its CPU, blocked.
  [[gnu::always_inline]] void left(uint64_t thread) {
    if (!waits_.empty()) count_block(thread);
  }
  // The wait that the duration is the whole of; null if its beginning is not known.
  std::optional<Ended> end(const Moment& duration);
  void lose();
  // Calls `see` with the label of each wait that has not ended.
  template <typename See>
  void for_each_open(const See& see) const {
    for (const auto& [key, wait] : waits_) see(wait.thread, wait.label);
  }
  uint64_t left_out() const { return left_out_; }

 private:
  struct Lock;
  // A lock of the application's may be made of an object of the kernel's: the wait for that lies
  // within the wait for the lock.
  static constexpr uint32_t kOuter = 0;
  static constexpr uint32_t kInner = 1;
  struct Wait {
    uint64_t thread = 0;
    uint32_t level = kOuter;
    uint32_t label = 0;
    uint64_t begin = 0;
    uint64_t blocks = 0;
    Lock* lock = nullptr;
    std::optional<uint32_t> within;  // the label of the wait that was seen within this one
    std::vector<Part> parts;         // the last one goes on
    std::vector<Inverted> inversions;
  };
  using Id = LockId;
  struct Lock {
    Id id{};
    std::optional<uint64_t> holder;
    bool holder_is_recorded = false;  // the holder, by events of holds
    bool is_watched = false;
    std::vector<Wait*> waits;
  };

  Id id_of(const Moment& moment) const;
  Lock* lock_of(const Id& id);
  void set_holder(Lock& lock, std::optional<uint64_t> holder, uint64_t now);
  void watch(Lock& lock);
  Wait* wait_of(uint64_t thread, uint32_t level);
  uint32_t level_of(const Moment& blocks);
  void drop(Wait& wait, uint64_t now);
  void drop_if_idle(Lock& lock);
  void look(uint64_t now);
  void look_at(Lock& lock, uint64_t now);
  void count_block(uint64_t thread);
  bool waits_for(uint64_t thread, const Lock& lock) const;

  static constexpr size_t kMaxLocks = size_t{1} << 16;
  static constexpr size_t kMaxWaitsOfALock = 1024;
  static constexpr size_t kMaxWatched = 64;
  static constexpr size_t kMaxLookedAt = 16;  // waits of a watched lock
  static constexpr size_t kMaxParts = 16;
  const Names& names_;
  const Epoch& epoch_;
  const Scheduling& scheduling_;
  TimelineObserver* observer_;  // may be null
  std::unordered_map<Id, Lock, LockIdHash> locks_;
  std::unordered_map<Id, Wait, LockIdHash> waits_;  // by level and thread
  std::vector<Lock*> watched_;                      // with a holder and a wait
  uint64_t looked_at_ = 0;
  uint64_t left_out_ = 0;
};

}  // namespace barefxt::host
