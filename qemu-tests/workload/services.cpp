// Services for the threads of the demo.
#include "workload/services.h"

#include "kernel/scheduler.h"

void workload_sleep_ms(uint32_t milliseconds) {
  kernel::scheduler::sleep_ticks(milliseconds * board::ticks_per_millisecond());
}

void workload_compute(uint32_t rounds) {
  for (uint32_t i = 0; i < rounds; ++i) asm volatile("" : : "r"(i));
}

uint32_t workload_current_koid() { return kernel::scheduler::current()->koid; }
