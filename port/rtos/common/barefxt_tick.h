/* The begin of a kernel timer's interrupt: its name, and, if that is asked for, a sample of what it
 * came to, and the ticks of its CPU so far as a counter. One file of each kernel's hooks includes
 * this.
 */
#ifndef BAREFXT_TICK_H
#define BAREFXT_TICK_H

#include <barefxt/barefxt.h>
#include <barefxt_port.h>

#include "barefxt_sampling.h"

/* `is_counted`: the kernel's category is enabled, too, and is called `category`. Context: the
 * timer's interrupt. */
static inline void tick_enters(uint32_t number, bool is_counted, barefxt_text category) {
  sample_tick();
  if (is_counted) {
    static uint32_t ticks[BAREFXT_MAX_CPUS];
    const uint32_t cpu = barefxt_port_cpu() & (BAREFXT_MAX_CPUS - 1);
    const barefxt_argument count = barefxt_arg_u32(BAREFXT_TEXT("ticks"), ++ticks[cpu]);
    barefxt_event(BAREFXT_EVENT_COUNTER, NULL, category, BAREFXT_TEXT("ticks"), cpu, &count, 1);
  }
  if (BAREFXT_ENABLED(irq)) barefxt_interrupt_enter(number, BAREFXT_TEXT("tick"));
}

#endif
