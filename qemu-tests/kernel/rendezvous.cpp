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
bool is_for_long = false;

void wait_until_held(unsigned count) {
  while (__atomic_load_n(&held, __ATOMIC_ACQUIRE) != count) board::relax();
}

}  // namespace

void with_others_held(void (*action)()) {
  const CriticalSection section;
  const unsigned self = scheduler::this_cpu().number;
  const unsigned count = scheduler::cpu_count();
  __atomic_store_n(&held, 0, __ATOMIC_RELEASE);
  for (unsigned cpu = 0; cpu < count; ++cpu) {
    if (cpu != self) board::send_park(cpu);
  }
  wait_until_held(count - 1);
  action();
  release_cpus();
}

void hold_cpu(unsigned cpu) {
  __atomic_store_n(&is_for_long, true, __ATOMIC_RELAXED);
  __atomic_store_n(&held, 0, __ATOMIC_RELEASE);
  board::send_park(cpu);
  wait_until_held(1);
}

void release_cpus() {
  __atomic_store_n(&is_for_long, false, __ATOMIC_RELAXED);
  __atomic_fetch_add(&generation, 1, __ATOMIC_RELEASE);
}

void stay_held() {
  const uint32_t mine = __atomic_load_n(&generation, __ATOMIC_RELAXED);
  __atomic_fetch_add(&held, 1, __ATOMIC_ACQ_REL);
  while (__atomic_load_n(&generation, __ATOMIC_ACQUIRE) == mine) {
    // The timer's next interrupt ends the wait.
    if (__atomic_load_n(&is_for_long, __ATOMIC_RELAXED)) board::wait_for_interrupt();
    board::relax();
  }
}

}  // namespace kernel
