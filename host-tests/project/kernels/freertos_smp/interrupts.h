/* The port's handlers, wrapped, since it has no hooks where they begin: one file of an application
 * includes this.
 */
#ifndef INTERRUPTS_H
#define INTERRUPTS_H

#include <barefxt/barefxt.h>

#include "FreeRTOS.h"
#include "task.h"
#include "virt.h"

#define TIMER_INTERRUPT 7u /* of mcause */

void __real_xPortMTIMERHandler(void);
void __wrap_xPortMTIMERHandler(void);
void __wrap_xPortMTIMERHandler(void) {
  barefxt_interrupt_enter(TIMER_INTERRUPT, BAREFXT_TEXT("tick"));
  __real_xPortMTIMERHandler();
  barefxt_interrupt_exit(TIMER_INTERRUPT);
}

/* It says that it leaves, before it switches. */
void __real_vPortIPIHandler(void);
void __wrap_vPortIPIHandler(void);
void __wrap_vPortIPIHandler(void) {
  const bool is_second = arch_cpuid() == 1;
  if (is_second) virt_second_switches = true;
  barefxt_interrupt_enter(BAREFXT_FREERTOS_INTERRUPT(), BAREFXT_TEXT("reschedule"));
  __real_vPortIPIHandler();
  if (is_second) virt_second_switches = false;
}

static void wait_for_interrupt(void) { __asm__ volatile("wfi"); }
void vApplicationIdleHook(void);
void vApplicationIdleHook(void) { wait_for_interrupt(); }
void vApplicationPassiveIdleHook(void);
void vApplicationPassiveIdleHook(void) { wait_for_interrupt(); }

#endif
