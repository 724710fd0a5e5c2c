// Starting the other CPU, and the reset.
//
// QEMU resets CPU 0 and all devices, but no CPU beside it: that would run on, by interrupt
// controller and vectors that are as at power-on, beside a kernel that boots. So the others are
// stopped before, for good. If CPU 1 asks for the reset, it stops itself.
#include "cpus.h"

#include "kernel/board.h"
#include "machine.h"
#include "system_control.h"

extern "C" {
extern const uint32_t board_secondary_vectors;
}

namespace board {
namespace {

uint32_t stopped = 0;

void stop_other_cpus() {
  if constexpr (kMaxCpus > 1) {
    uint32_t others = 0;
    for (unsigned cpu = 0; cpu < kMaxCpus; ++cpu) {
      if (cpu == barefxt_port_cpu() || cpus_by_number[cpu] == nullptr) continue;
      ++others;
      send_messages(cpu, kStopMessage);
    }
    while (__atomic_load_n(&stopped, __ATOMIC_ACQUIRE) != others) relax();
  }
}

}  // namespace

kernel::Cpu* cpus_by_number[kMaxCpus];

bool start_cpu(unsigned cpu) {
  if constexpr (kMaxCpus > 1) return release_cpu(cpu, &board_secondary_vectors);
  return false;
}

void stay_stopped() {
  system_control(kSysTickControl) = 0;
  __atomic_fetch_add(&stopped, 1, __ATOMIC_ACQ_REL);
  while (true) wait_for_interrupt();
}

void reset() {
  interrupts_save_and_disable();
  stop_other_cpus();
  asm volatile("dsb" : : : "memory");
  system_control(kInterruptAndReset) = kResetKey | kResetRequest;
  while (true) wait_for_interrupt();
}

}  // namespace board
