// What happens at an interrupt. Interrupts do not nest.
#include "kernel/board.h"
#include "kernel/rendezvous.h"
#include "kernel/scheduler.h"
#include "kernel/trace.h"

using kernel::Cpu;
namespace scheduler = kernel::scheduler;
namespace trace = kernel::trace;

void kernel_interrupt() {
  const board::Interrupt interrupt = board::interrupt_begin();
  Cpu& cpu = scheduler::this_cpu();
  switch (interrupt.kind) {
    case board::InterruptKind::kNone:
      return;
    case board::InterruptKind::kPark:
      // Neither traced nor counted: it is how tracing starts and stops.
      board::interrupt_end(interrupt);
      kernel::stay_held();
      break;
    case board::InterruptKind::kTimer:
      trace::timer_enter(cpu.number, interrupt.number);
      cpu.in_interrupt = true;
      board::timer_rearm();
      board::interrupt_end(interrupt);
      scheduler::tick();
      cpu.in_interrupt = false;
      trace::timer_exit(cpu.number, interrupt.number);
      break;
    case board::InterruptKind::kReschedule:
      // Its arrival is its message: the switch is made below.
      trace::reschedule_enter(cpu.number, interrupt.number);
      board::interrupt_end(interrupt);
      trace::reschedule_exit(cpu.number, interrupt.number);
      break;
  }
  // After the exit: a switch belongs to no interrupt.
  scheduler::switch_if_needed();
}
