// Handles an interrupt. Interrupts nest only if kernel::at_interrupt lets them.
#include "kernel/interrupt.h"

#include "kernel/board.h"
#include "kernel/rendezvous.h"
#include "kernel/scheduler.h"
#include "kernel/trace.h"

using kernel::Cpu;
namespace scheduler = kernel::scheduler;
namespace trace = kernel::trace;

void (*kernel::at_interrupt)() = nullptr;
void (*kernel::at_nonmaskable)() = nullptr;
void (*kernel::interrupt_instead)(const board::Interrupt& interrupt) = nullptr;

void kernel_interrupt() {
  const board::Interrupt interrupt = board::interrupt_begin();
  if (kernel::interrupt_instead != nullptr) return kernel::interrupt_instead(interrupt);
  if (interrupt.kind == board::InterruptKind::kNonmaskable) {
    if (kernel::at_nonmaskable != nullptr) kernel::at_nonmaskable();
    return;
  }
  Cpu& cpu = scheduler::this_cpu();
  const bool is_nested = cpu.in_interrupt;
  switch (interrupt.kind) {
    case board::InterruptKind::kNone:
    case board::InterruptKind::kNonmaskable:
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
      barefxt_clock_tick();
      board::interrupt_end(interrupt);
      if (kernel::at_interrupt != nullptr) kernel::at_interrupt();
      scheduler::tick();
      cpu.in_interrupt = is_nested;
      trace::timer_exit(cpu.number, interrupt.number);
      break;
    case board::InterruptKind::kReschedule:
      // Its arrival is its message: the switch is made below.
      trace::reschedule_enter(cpu.number, interrupt.number);
      cpu.in_interrupt = true;
      board::interrupt_end(interrupt);
      if (kernel::at_interrupt != nullptr) kernel::at_interrupt();
      cpu.in_interrupt = is_nested;
      trace::reschedule_exit(cpu.number, interrupt.number);
      break;
  }
  // After the exit: a switch belongs to no interrupt.
  if (!is_nested) scheduler::switch_if_needed();
}
