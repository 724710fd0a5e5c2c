/* QEMU's virt machine as the kernel's port wants it: make.sh gives this file the five names that
 * the port includes, arch/cpuid.h and so on.
 */
#ifndef VIRT_H
#define VIRT_H

#ifdef __ASSEMBLER__
/* clang-format off */
.macro arch_cpuid result
  csrr \result, mhartid
.endm
/* clang-format on */
#else
#include <stdbool.h>
#include <stdint.h>

static inline int arch_cpuid(void) {
  int number;
  __asm__ volatile("csrr %0, mhartid" : "=r"(number));
  return number;
}

/* ---- Interrupts, which do not nest ---- */

static inline void arch_disable_interrupts(void) {
  __asm__ volatile("csrci mstatus, 8" : : : "memory");
}
static inline void arch_enable_interrupts(void) {
  __asm__ volatile("csrsi mstatus, 8" : : : "memory");
}
static inline unsigned long arch_save_and_disable_interrupts(void) {
  unsigned long status;
  __asm__ volatile("csrrci %0, mstatus, 8" : "=r"(status) : : "memory");
  return status & 8;
}
static inline void arch_restore_interrupts(unsigned long enabled) {
  __asm__ volatile("csrs mstatus, %0" : : "r"(enabled) : "memory");
}
static inline bool arch_interrupts_are_on(void) {
  unsigned long status;
  __asm__ volatile("csrr %0, mstatus" : "=r"(status));
  return (status & 8) != 0;
}
static inline unsigned long arch_set_interrupt_mask_from_isr(void) { return 0; }
static inline void arch_clear_interrupt_mask_from_isr(unsigned long unused) { (void)unused; }

/* Between harts. */
void arch_ipi_send(int cpu);
void arch_ipi_clear(void);
/* For the first hart: the second one gets no more of them, and then one. */
void virt_hold_back(void);
void virt_tell(void);
/* The second hart is in the handler of such an interrupt. */
extern volatile bool virt_second_switches;

/* start.S has the handlers: the second hart is no longer in an interrupt when it starts. */
typedef void (*arch_trap_handler_t)(void);
static inline void arch_trap_handler_install(unsigned number, arch_trap_handler_t handler) {
  (void)number;
  (void)handler;
}

/* An interrupt of this hart that nothing but software asks for. */
static inline void virt_ask_device(void) { __asm__ volatile("csrsi mip, 2"); }
static inline void virt_answer_device(void) { __asm__ volatile("csrci mip, 2"); }

/* ---- The kernel's locks, which their owner takes again ---- */

struct arch_spinlock {
  int owner; /* hart and 1 */
  int count;
};
extern struct arch_spinlock arch_task_lock;
extern struct arch_spinlock arch_isr_lock;
void arch_spinlock_lock(int cpu, struct arch_spinlock* lock);
void arch_spinlock_unlock(int cpu, struct arch_spinlock* lock);

#endif
#endif
