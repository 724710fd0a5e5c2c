// The run's phases.
#include "workload/phase.h"

#include "workload/services.h"

namespace kernel::workload {
namespace {

uint32_t now = 0;
uint32_t arrived[kStages] = {};

}  // namespace

Phase phase() { return static_cast<Phase>(__atomic_load_n(&now, __ATOMIC_ACQUIRE)); }

void set_phase(Phase phase) {
  __atomic_store_n(&now, static_cast<uint32_t>(phase), __ATOMIC_RELEASE);
}

void wait_through(Phase each) {
  while (phase() == each) workload_sleep_ms(2);
}

void arrive(Stage stage) {
  __atomic_fetch_add(&arrived[static_cast<unsigned>(stage)], 1, __ATOMIC_ACQ_REL);
}

void wait_for_arrivals(Stage stage, uint32_t count) {
  while (__atomic_load_n(&arrived[static_cast<unsigned>(stage)], __ATOMIC_ACQUIRE) != count)
    workload_sleep_ms(1);
}

}  // namespace kernel::workload

bool workload_is_running() {
  return kernel::workload::phase() == kernel::workload::Phase::kRunning;
}
