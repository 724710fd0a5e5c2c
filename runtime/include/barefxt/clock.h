// The time that records bear: 64 bits of ticks, made from what the port's counter is.
//
// A counter of fewer bits is extended by half periods. A stored epoch counts them; the parity of
// the half period that the counter is in shows in its top bit, and tells whether one went by since
// the epoch was stored. A read never writes. barefxt_clock_tick stores, at least once in each half
// period. Invariants, with H for the half periods that truly went by:
//   - H - 1 <= epoch <= H, at every moment: at most one is missing, and the parity says whether.
//   - The epoch never falls: it is stored by compare and swap from the value that the new one was
//     made from, so that a hook which slept over another cannot set it back.
//   - A read loads the epoch before and after the counter. Where it is the same, it had that value
//     when the counter was read, however long the reader was interrupted in between. The loads may
//     be taken early by as much as a CPU looks ahead, which is part of the hook's worst delay.
// Where the counter is per CPU, so is the epoch.
//
// Everything here is decided when it is compiled: a 64-bit counter that all CPUs share is read, and
// that is all.
#pragma once

#include <barefxt/atomic.h>
#include <barefxt/config.h>
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

inline constexpr uint32_t kClocks = kCounterIsPerCpu ? BAREFXT_MAX_CPUS : 1;

// Which of the clocks is this CPU's. Changes when the caller migrates.
inline uint32_t this_clock() {
  return kCounterIsPerCpu ? barefxt_port_cpu() & (BAREFXT_MAX_CPUS - 1) : 0;
}

// A counter of kCounterBits, between 16 and 32, and the epoch that belongs to it.
struct ShortCounter {
  static constexpr uint32_t kMask = 0xffffffffu >> (kCounterIsShort ? 32 - kCounterBits : 0);
  static constexpr unsigned kTopBit = kCounterIsShort ? kCounterBits - 1 : 0;

  static uint32_t read() { return static_cast<uint32_t>(barefxt_port_counter()) & kMask; }
  // The half periods that went by until the counter was read.
  static constexpr uint32_t half_periods(uint32_t epoch, uint32_t counter) {
    return epoch + ((epoch ^ (counter >> kTopBit)) & 1);
  }
  // Two half periods are one more of the bits above the counter's; the odd one is its top bit.
  static constexpr uint64_t extend(uint32_t epoch, uint32_t counter) {
    return static_cast<uint64_t>(half_periods(epoch, counter) >> 1) << (kTopBit + 1) | counter;
  }
};

// Not referred to where the counter has 64 bits.
[[gnu::visibility("hidden")]] extern Atomic<uint32_t> clock_epochs[kClocks];

// The time now, by the counter of the CPU that the caller runs on at some moment of the call. Where
// that matters, ask for the CPU again afterwards. Context: any.
inline uint64_t clock_now() {
  if constexpr (!kCounterIsShort) {
    return barefxt_port_counter();
  } else {
    // Goes round again only where a hook came in between, or another CPU.
    while (true) {
      const uint32_t clock = this_clock();
      const uint32_t epoch = clock_epochs[clock].load_relaxed();
      const uint32_t counter = ShortCounter::read();
      if (clock_epochs[clock].load_relaxed() == epoch && this_clock() == clock)
        return ShortCounter::extend(epoch, counter);
    }
  }
}

}  // namespace barefxt
