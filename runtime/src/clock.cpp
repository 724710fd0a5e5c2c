// The clock as users ask for it.

#include <barefxt/config.h>

#if !BAREFXT_DISABLED

#include <barefxt/barefxt.h>
#include <barefxt/clock.h>

namespace barefxt {

Atomic<uint32_t> clock_epochs[kClocks];

uint64_t capture_ticks_now() {
  uint64_t ticks = 0;
  for (unsigned i = 0; i < kMaxMoves; ++i) {
    const uint32_t clock = this_clock();
    ticks = clock_now();
    uint64_t change[fxt::ClockWords::kCount];
    const bool changed = kClockMayChange && clock_changes[clock].read(change) != 0;
    ticks = capture_ticks(kCounterIsPerCpu ? clock_offset(clock) : 0, changed ? change : nullptr,
                          ticks);
    if (this_clock() == clock) break;
  }
  return ticks;
}

}  // namespace barefxt

using namespace barefxt;

extern "C" {

void barefxt_clock_tick(void) {
  if constexpr (kCounterIsShort) {
    const uint32_t clock = this_clock();
    const uint32_t epoch = clock_epochs[clock].load_relaxed();
    const uint32_t now = ShortCounter::gone_by(epoch, ShortCounter::read());
    // The swap succeeds only if the epoch was `epoch` all the while, also when the counter was
    // read: otherwise another hook came in between, and has done what there was to do.
    if (now != epoch && this_clock() == clock)
      clock_epochs[clock].compare_exchange_relaxed(epoch, now);
  }
}

uint64_t barefxt_ticks(void) {
  if constexpr (!kCounterIsPerCpu) {
    return clock_now();
  } else {
    uint64_t ticks = 0;
    for (unsigned i = 0; i < kMaxMoves; ++i) {
      const uint32_t clock = this_clock();
      ticks = clock_now() + clock_offset(clock);
      if (this_clock() == clock) break;
    }
    return ticks;
  }
}

uint64_t barefxt_ticks_per_second(void) { return barefxt_port_counter_frequency(); }

}  // extern "C"

#endif
