// Threads that play CPUs and write from all contexts at once, signals being their interrupts.
//
// Interrupts are of two levels; the second interrupts the first as well. They come from a
// thread that sends signals, and where a writer reads the counter, which is between its load of a
// position and the swap. A handler writes, and may move its thread to another CPU, or sleep: so
// writers are migrated and held up at any place, for longer than their rings take to go round.
#pragma once

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

#include "torture/records.h"

namespace barefxt::torture {

inline constexpr uint32_t kThreads = 6;
inline constexpr uint32_t kCpus = 3;
inline constexpr uint32_t kLevels = 3;  // the thread itself, and two of interrupts

enum class Pace : uint8_t { kAsFastAsItGoes, kWithPauses };

class Writers {
 public:
  // They write from here on, until `attempts` records were attempted, or until stop().
  explicit Writers(uint64_t attempts, Pace pace = Pace::kAsFastAsItGoes);
  ~Writers();
  Writers(const Writers&) = delete;
  Writers& operator=(const Writers&) = delete;

  void stop() { stopping_.store(true, std::memory_order_relaxed); }
  void join();
  bool are_done() const { return done_.load(std::memory_order_acquire) == kThreads; }

  // After join().
  uint64_t attempted() const { return sum(&Writer::attempted); }
  // Each attempt reads it once; each try to reserve does, so those above one a record lost a swap.
  uint64_t counter_reads() const;
  // Records whose writer was on another CPU when it was done.
  uint64_t migrated() const { return sum(&Writer::migrated); }
  // Records during which another writer reserved in the same ring.
  uint64_t contended() const { return sum(&Writer::contended); }

  // Delays a thread that is none of the writers, wherever it reads the counter.
  static thread_local long held_up_microseconds;

 private:
  struct Level {
    Writer writer;
    uint64_t reads = 0;  // of the counter
  };
  // Everything that a thread and its interrupts own.
  struct Own {
    Level level[kLevels];
    uint32_t at = 0;  // the level at work
    uint64_t random = 0;
  };

  static thread_local Own* own;

  static void interrupt(int signal);
  static void interrupt_at(uint32_t level);
  static uint64_t read_counter();
  static uint32_t chance(uint32_t of);

  uint64_t sum(uint32_t Writer::* of_each) const;
  void write(uint32_t thread);
  void send_signals();

  uint64_t attempts_of_thread_;
  Pace pace_;
  std::atomic<bool> stopping_{false};
  std::atomic<uint32_t> done_{0};
  std::atomic<uint32_t> ready_{0};
  std::atomic<bool> may_end_{false};
  Own own_[kThreads];
  std::vector<std::thread> threads_;
  std::thread sender_;
};

}  // namespace barefxt::torture
