// The time in records: 64 bits of ticks, made from the port's counter.
//
// A counter of fewer bits is extended by half periods (half_periods.h). A read never writes:
// barefxt_clock_tick stores the epoch, at least once in each half period. Invariants beyond those:
// - A read loads the epoch before and after the counter. If both are equal, the epoch had that
//   value when the counter was read, however long the reader was interrupted in between. The loads
//   may be taken early by as much as a CPU looks ahead, which is part of the hook's worst delay.
// If the counter is per CPU, so is the epoch.
//
// If each CPU has a counter of its own, barefxt_clock_sync measures its difference from that of CPU
// 0 (clock_sync.cpp). Records contain the counter as it is; readers add the offset.
//
// If the counter's rate may change, or the counter may stop, barefxt_clock_changed publishes each
// new clock and its begin (clock_change.cpp). Each segment contains the clock of its records.
//
// The compiler decides all of this. A 64-bit counter of constant rate that all CPUs share is only
// read.
#pragma once

#include <barefxt/atomic.h>
#include <barefxt/clock_offset.h>
#include <barefxt/config.h>
#include <barefxt/fxt/ring_record.h>
#include <barefxt/half_periods.h>
#include <barefxt/wire/frame.h>
#include <barefxt_port.h>

#ifndef BAREFXT_PORT_COUNTER_BITS
#define BAREFXT_PORT_COUNTER_BITS 64
#endif

namespace barefxt {

inline constexpr unsigned kCounterBits = BAREFXT_PORT_COUNTER_BITS;
static_assert(kCounterBits == 64 || (kCounterBits >= 16 && kCounterBits <= 32),
              "BAREFXT_PORT_COUNTER_BITS: 16 to 32, or 64 for all longer ones");
inline constexpr bool kCounterIsShort = kCounterBits != 64;

inline constexpr bool kCounterIsPerCpu = BAREFXT_MAX_CPUS > 1 &&
                                         (BAREFXT_PORT_COUNTER_FLAGS &
                                          wire::CounterFlags::kSystemWide) == 0;

inline constexpr uint8_t kSteady = wire::CounterFlags::kConstantRate | wire::CounterFlags::kNonstop;
inline constexpr bool kClockMayChange =
    !kLinear && (BAREFXT_PORT_COUNTER_FLAGS & kSteady) != kSteady;

inline constexpr uint32_t kMaxClocks = BAREFXT_MAX_CPUS;
inline constexpr uint32_t kClocks = kCounterIsPerCpu ? kMaxClocks : 1;

// Which of the clocks is this CPU's. Changes when the caller migrates.
inline uint32_t this_clock() {
  return kCounterIsPerCpu ? barefxt_port_cpu() & (BAREFXT_MAX_CPUS - 1) : 0;
}

// A counter of kCounterBits, between 16 and 32.
struct ShortCounter : HalfPeriods<kCounterIsShort ? kCounterBits : 32> {
  static constexpr uint32_t kMask = 0xffffffffu >> (kCounterIsShort ? 32 - kCounterBits : 0);

  static uint32_t read() { return static_cast<uint32_t>(barefxt_port_counter()) & kMask; }
};

// Not referred to if the counter has 64 bits.
[[gnu::visibility("hidden")]] extern Atomic<uint32_t> clock_epochs[kClocks];

// Returns the time now, by the counter of the CPU that the caller runs on. If each CPU has its own,
// the caller asks for the CPU before and after: a caller that migrated gets any value. Context:
// any.
inline uint64_t clock_now() {
  if constexpr (!kCounterIsShort) {
    return barefxt_port_counter();
  } else {
    const Atomic<uint32_t>& stored = clock_epochs[this_clock()];
    // Repeats only if a hook stored in between, which it does once in half a period.
    while (true) {
      const uint32_t epoch = stored.load_relaxed();
      const uint32_t counter = ShortCounter::read();
      if (stored.load_relaxed() == epoch) return ShortCounter::extend(epoch, counter);
    }
  }
}

// The same, for a caller on this CPU that discards the time if anything came in between here. The
// hook of another CPU may. Then the epoch is older than the counter by the time between two loads
// that nothing interrupts, which is part of the hook's worst delay, too.
template <typename Number>
uint64_t clock_now_unless_interrupted([[maybe_unused]] Number cpu) {
  if constexpr (kCounterIsShort) {
    const auto clock = kCounterIsPerCpu ? cpu & (BAREFXT_MAX_CPUS - 1) : 0;
    return ShortCounter::extend(clock_epochs[clock].load_relaxed(), ShortCounter::read());
  } else {
    return clock_now();
  }
}

// Words that belong together, replaced now and then by one writer at a time, and read in any
// context. Two copies: one holds while the other is written. No 64-bit word is shared.
template <unsigned kWords>
class Published {
 public:
  // Returns how many were published until then: 0 is none, and `words` is not set.
  uint32_t read(uint64_t* words) const {
    while (true) {
      const uint32_t count = count_.load_acquire();
      if (count == 0) return 0;
      for (unsigned i = 0; i < kWords; ++i)
        words[i] = copies_[count & 1][2 * i].load_acquire() |
                   static_cast<uint64_t>(copies_[count & 1][2 * i + 1].load_acquire()) << 32;
      // The copy is written to again only after the count moved on.
      if (count_.load_relaxed() == count) return count;
    }
  }
  uint32_t count() const { return count_.load_acquire(); }

  void publish(const uint64_t* words) {
    uint32_t next = count_.load_relaxed() + 1;
    if (next == 0) next = 2;
    for (unsigned i = 0; i < kWords; ++i) {
      copies_[next & 1][2 * i].store_release(static_cast<uint32_t>(words[i]));
      copies_[next & 1][2 * i + 1].store_release(static_cast<uint32_t>(words[i] >> 32));
    }
    count_.store_release(next);
  }
  void clear() { count_.store_relaxed(0); }

 private:
  Atomic<uint32_t> count_;
  Atomic<uint32_t> copies_[2][2 * kWords];
};

// Returns true if the counter ticks. One that stands still (a clock that is not switched on, a
// debug counter without a debugger) is better found before recording than in a trace full of zeros.
// `first` and `next` are the two reads that differ.
[[gnu::always_inline]] inline bool counter_ticks(uint64_t& first, uint64_t& next) {
  first = barefxt_port_counter();
  uint32_t left = uint32_t{1} << 20;
  // Otherwise clang counts up from a number that takes more flash.
  __asm__("" : "+r"(left));
  do {
    next = barefxt_port_counter();
    if (next != first) return true;
  } while (--left != 0);
  return false;
}
[[gnu::always_inline]] inline bool counter_ticks() {
  uint64_t first;
  uint64_t next;
  return counter_ticks(first, next);
}

// Tries of a caller that has to read on the CPU whose clock it reads, if it is moved each time.
inline constexpr unsigned kMaxMoves = 64;

// ---- Differences between CPUs. Not referred to if the counter is system-wide. ----

struct ClockOffset {
  static constexpr unsigned kTicks = 0;  // what to add to this CPU's counter to have CPU 0's
  static constexpr unsigned kError = 1;  // by how much that may be wrong, either way
  static constexpr unsigned kWords = 2;
};
extern Published<ClockOffset::kWords> clock_offsets[kClocks];

// Returns 0 if it was never measured.
uint64_t clock_offset(uint32_t clock);

// The same as a session leaves it in memory (clock_offset.h), for readers there. While it is
// stored, one word may be new and the other old.
extern StoredClockOffset stored_clock_offsets[kClocks];
// Returns the present offset in the form in which it is stored and sent: of one measurement.
StoredClockOffset present_clock_offset(uint32_t clock);

// Publishes the measurement of a clock; its own CPU calls it.
void publish_clock_offset(uint32_t clock, const uint64_t (&words)[ClockOffset::kWords]);
// At the start of a session.
void store_clock_offsets();

// The begin of a duration, which barefxt_ticks gave on any CPU, by the counter of the CPU in whose
// ring the duration is recorded. However wrong the offsets, it does not lie behind the end.
uint64_t begin_by_own_counter(uint32_t clock, uint64_t begin, uint64_t end);
inline uint64_t duration_begin(uint32_t cpu, uint64_t begin, uint64_t end) {
  if constexpr (kCounterIsPerCpu) return begin_by_own_counter(cpu, begin, end);
  return begin;
}

// ---- Changes of the clock. Not referred to if it never changes. ----

extern Published<fxt::ClockWords::kCount> clock_changes[kClocks];
inline uint32_t clock_of_cpu(uint32_t cpu) { return kCounterIsPerCpu ? cpu : 0; }

// `count` * `to` / `from`, rounded to the nearest. `from` is at most 2^62.
uint64_t scale(uint64_t count, uint64_t to, uint64_t from);

// Returns counter values of a CPU as ticks of the rate that recording started with, including time
// in which the counter stood still. `change` is a change of the clock, null if there was none.
uint64_t nominal_ticks(const uint64_t* change, uint64_t ticks);

// A counter value in a record of a CPU as the host will have it: nominal, and by CPU 0's counter,
// from which that CPU's differs by `offset`.
inline uint64_t capture_ticks(uint64_t offset, const uint64_t* change, uint64_t ticks) {
  if constexpr (kClockMayChange) ticks = nominal_ticks(change, ticks);
  if constexpr (kCounterIsPerCpu) ticks += offset;
  (void)offset;
  (void)change;
  return ticks;
}

// The time now, in the same way.
uint64_t capture_ticks_now();
// Forgets changes: a new recording starts with the rate of now.
void forget_clock_changes();

}  // namespace barefxt
