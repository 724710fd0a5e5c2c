// Boot: CPUs come up one after the other and go idle; the workload's first thread does the rest.
#include "injected/injected.h"
#include "kernel/board.h"
#include "kernel/clocks.h"
#include "kernel/console.h"
#include "kernel/interrupt.h"
#include "kernel/parameters.h"
#include "kernel/scheduler.h"
#include "kernel/stacks.h"
#include "lives/lives.h"
#include "sweep/sweep.h"
#include "torture/torture.h"
#include "workload/profile.h"
#include "workload/workload.h"

namespace {

kernel::Parameters parameters;

// A timer that samples is the kernel's tick as well, each time that as many samples are taken as a
// tick has.
void start_timer() {
  const uint32_t samples = parameters.samples == 0 ? 1 : parameters.samples;
  board::timer_start_cpu(parameters.ticks_a_second * samples);
}

void boot_other_cpus() {
  for (unsigned cpu = 1; cpu < board::kMaxCpus; ++cpu) {
    if (!board::start_cpu(cpu)) return;
    kernel::scheduler::wait_for_cpus(cpu + 1);
  }
}

}  // namespace

void kernel_main() {
  kernel::scheduler::begin_cpu(0);
  parameters = kernel::read_parameters();
  if (parameters.mode == kernel::Mode::kCost) {
    kernel::workload::measure_costs();
    board::exit(0);
  }
  if (parameters.mode == kernel::Mode::kProfile) {
    kernel::workload::profile(parameters);
    board::exit(0);
  }
  if (parameters.mode == kernel::Mode::kRecords) {
    kernel::workload::write_every_record(parameters);
    board::exit(0);
  }
#if KERNEL_ALL_MODES
  if (parameters.mode == kernel::Mode::kSweep) board::exit(kernel::sweep::run(parameters) ? 0 : 1);
#else
  if (parameters.mode == kernel::Mode::kSweep || parameters.mode == kernel::Mode::kTorture ||
      parameters.mode == kernel::Mode::kLives || parameters.mode == kernel::Mode::kInjected) {
    kernel::print(
        "kernel: modes sweep, torture, lives and injected need an image built with "
        "BAREFXT_ALL_MODES=ON\n");
    board::exit(3);
  }
#endif
  if (parameters.mode == kernel::Mode::kReset && kernel::workload::dump_recovered(parameters))
    board::exit(0);
  kernel::stacks::watched = parameters.stacks;
  board::interrupts_initialize_cpu();
  kernel::scheduler::start_cpu(0);
  boot_other_cpus();
  kernel::compare_clocks(kernel::scheduler::cpu_count());
  kernel::check_cpus(parameters.checks_cpus ? kernel::scheduler::cpu_count() : 1);
  kernel::print("barefxt demo kernel: ", kernel::scheduler::cpu_count(), " CPUs, ",
                parameters.seconds, " s\n");
#if KERNEL_ALL_MODES
  if (parameters.mode == kernel::Mode::kTorture)
    kernel::torture::create_first_thread(parameters);
  else if (parameters.mode == kernel::Mode::kLives)
    kernel::lives::create_threads(parameters);
  else if (parameters.mode == kernel::Mode::kInjected)
    kernel::injected::create_threads(parameters);
  else
#endif
    kernel::workload::create_first_threads(parameters);
  kernel::samples_in_a_tick = parameters.samples;
  start_timer();
  kernel::scheduler::run_idle();
}

void kernel_secondary_main(unsigned cpu) {
  board::interrupts_initialize_cpu();
  kernel::scheduler::start_cpu(cpu);
  kernel::compare_clocks(board::kMaxCpus);
  kernel::check_cpus(0);
  start_timer();
  kernel::scheduler::run_idle();
}
