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
uint32_t kernel::samples_in_a_tick = 0;
void (*kernel::interrupt_instead)(const board::Interrupt& interrupt) = nullptr;

namespace {

// Returns true if the timer's interrupt only took a sample.
bool take_sample(Cpu& cpu, const board::Interrupt& interrupt) {
  if (kernel::samples_in_a_tick == 0) return false;
  const barefxt_interrupted at = board::interrupted(interrupt.saved, interrupt.fp);
  const kernel::Thread& thread = *cpu.current;
  const auto stack = reinterpret_cast<uintptr_t>(thread.stack);
  barefxt_sample(at.pc, at.fp, at.sp, stack == 0 ? 0 : stack + board::kStackBytes);
  if (++cpu.samples < kernel::samples_in_a_tick) {
    board::timer_rearm();
    board::interrupt_end(interrupt);
    return true;
  }
  cpu.samples = 0;
  return false;
}

}  // namespace

void kernel_interrupt(const void* saved, uintptr_t fp) {
  board::Interrupt interrupt = board::interrupt_begin();
  interrupt.saved = saved;
  interrupt.fp = fp;
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
      if (take_sample(cpu, interrupt)) return;
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
