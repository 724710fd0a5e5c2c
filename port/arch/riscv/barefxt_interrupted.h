/* Registers of the code that an interrupt came to, for barefxt_sample. */
#ifndef BAREFXT_INTERRUPTED_H
#define BAREFXT_INTERRUPTED_H

#include <barefxt/sample.h>
#include <barefxt_port.h>

/* Returns pc, fp and sp of the interrupted code.
 *
 * @param s0 The interrupted value of s0, which the trap's code has saved.
 * @param sp The stack pointer before that code saved anything on the stack.
 * @context interrupt, before mepc and mstatus (sepc and sstatus) change
 *
 * Code in user mode yields no frame pointer: its stack is not the kernel's to read.
 */
static inline barefxt_interrupted barefxt_interrupted_at(uintptr_t s0, uintptr_t sp) {
  barefxt_interrupted at;
  uintptr_t status;
#if BAREFXT_RISCV_SUPERVISOR
  const uintptr_t kPrivileged = 1u << 8; /* SPP */
  __asm__ volatile("csrr %0, sepc" : "=r"(at.pc));
  __asm__ volatile("csrr %0, sstatus" : "=r"(status));
#else
  const uintptr_t kPrivileged = 3u << 11; /* MPP */
  __asm__ volatile("csrr %0, mepc" : "=r"(at.pc));
  __asm__ volatile("csrr %0, mstatus" : "=r"(status));
#endif
  at.fp = (status & kPrivileged) != 0 ? s0 : 0;
  at.sp = sp;
  return at;
}

/* Returns pc of what the interrupt came to, alone, where s0 and sp of that are not at hand.
 *
 * @context interrupt, before mepc (sepc) changes
 */
#define BAREFXT_PORT_INTERRUPTED_THREAD 1
static inline barefxt_interrupted barefxt_interrupted_thread(void) {
  return barefxt_interrupted_at(0, 0);
}

#endif
