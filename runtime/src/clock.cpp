#include <barefxt/barefxt.h>
#include <barefxt/clock.h>

namespace barefxt {

Atomic<uint32_t> clock_epochs[kClocks];

}  // namespace barefxt

using namespace barefxt;

extern "C" {

void barefxt_clock_tick(void) {
  if constexpr (kCounterIsShort) {
    const uint32_t clock = this_clock();
    const uint32_t epoch = clock_epochs[clock].load_relaxed();
    const uint32_t now = ShortCounter::half_periods(epoch, ShortCounter::read());
    // The swap succeeds only if the epoch was `epoch` all the while, also when the counter was
    // read: otherwise another hook came in between, and has done what there was to do.
    if (now != epoch && this_clock() == clock)
      clock_epochs[clock].compare_exchange_relaxed(epoch, now);
  }
}

uint64_t barefxt_ticks(void) { return clock_now(); }
uint64_t barefxt_ticks_per_second(void) { return barefxt_port_counter_frequency(); }

}  // extern "C"
