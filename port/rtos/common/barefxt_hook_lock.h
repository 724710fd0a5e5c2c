/* The lock of tables that hooks of several cores change at a time, for kernels whose own locks are
 * not held in every hook. Interrupts are masked while it is held, so that a hook in an interrupt
 * never waits for the hook that it interrupted. Held for no longer than a table is changed.
 *
 * A kernel's hooks define KERNEL_CORES, a number. With one core, masking is all of it. */
#ifndef BAREFXT_HOOK_LOCK_H
#define BAREFXT_HOOK_LOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "barefxt_cores.h"

#if KERNEL_CORES > 1
#ifndef __GCC_HAVE_SYNC_COMPARE_AND_SWAP_4
#error "barefxt: the hooks need compare-and-swap with several cores"
#endif
static bool is_locked;
#endif

/* Returns what `unlock` takes. An NMI must not call it. */
static uintptr_t lock(void) {
  const uintptr_t interrupts = barefxt_port_interrupt_save();
#if KERNEL_CORES > 1
  while (__atomic_test_and_set(&is_locked, __ATOMIC_ACQUIRE)) {
  }
#endif
  return interrupts;
}

static void unlock(uintptr_t interrupts) {
#if KERNEL_CORES > 1
  __atomic_clear(&is_locked, __ATOMIC_RELEASE);
#endif
  barefxt_port_interrupt_restore(interrupts);
}

/* The number of this core, below BAREFXT_MAX_CPUS. The only one need not be asked. */
static uint32_t this_cpu_number(void) {
  return BAREFXT_MAX_CPUS == 1 ? 0 : barefxt_port_cpu() & (BAREFXT_MAX_CPUS - 1);
}

#endif
