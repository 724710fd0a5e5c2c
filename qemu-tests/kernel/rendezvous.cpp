// Stops the world.
//
// A generation rather than a flag releases the held CPUs: a slow one that still spins for an
// earlier generation sees that it has passed, even if another has begun since.
#include "kernel/rendezvous.h"

#include <stdint.h>

#include "kernel/scheduler.h"

namespace kernel {
namespace {

uint32_t held = 0;
uint32_t generation = 0;

}  // namespace

void with_others_held(void (*action)()) {
  const CriticalSection section;
  const unsigned self = scheduler::this_cpu().number;
  const unsigned count = scheduler::cpu_count();
  __atomic_store_n(&held, 0, __ATOMIC_RELEASE);
  for (unsigned cpu = 0; cpu < count; ++cpu) {
    if (cpu != self) board::send_park(cpu);
  }
  while (__atomic_load_n(&held, __ATOMIC_ACQUIRE) != count - 1) board::relax();
  action();
  __atomic_fetch_add(&generation, 1, __ATOMIC_RELEASE);
}

void stay_held() {
  const uint32_t mine = __atomic_load_n(&generation, __ATOMIC_RELAXED);
  __atomic_fetch_add(&held, 1, __ATOMIC_ACQ_REL);
  while (__atomic_load_n(&generation, __ATOMIC_ACQUIRE) == mine) board::relax();
}

}  // namespace kernel
