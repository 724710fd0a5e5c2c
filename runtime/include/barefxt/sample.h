/* Samples of where the CPU is: a sampling profiler's records. */
#ifndef BAREFXT_SAMPLE_H
#define BAREFXT_SAMPLE_H

#include <barefxt/category.h>
#include <barefxt/config.h>
#include <barefxt/types.h>

/* ---- Samples ----
 *
 * The category is `samples`. A timer's interrupt, or that of an overflowing event counter, records
 * what it interrupted. `barefxt profile` shows the shares by function, thread, CPU and interrupt.
 *
 *     void sampling_timer_interrupt(const uint64_t* frame, uint64_t rbp) {
 *       const barefxt_interrupted at = barefxt_interrupted_at(frame, rbp);
 *       barefxt_sample(at.pc, at.fp, at.sp, current->stack_end);
 *     }
 *
 * Each port's barefxt_interrupted.h reads pc, fp and sp from what the CPU saved. Sample with a
 * period that is prime to the kernel's tick: otherwise all samples fall at the same distance from
 * it. Sample ahead of barefxt_interrupt_enter or BAREFXT_IRQ_ENTER of the sampling interrupt:
 * otherwise every sample belongs to that interrupt.
 */

BAREFXT_CATEGORY(samples, BAREFXT_SAMPLE_CATEGORY);

#ifdef __cplusplus
extern "C" {
#endif

/* Registers of the code that an interrupt came to. */
typedef struct barefxt_interrupted {
  uintptr_t pc; /* address of the instruction that would have been next */
  uintptr_t fp; /* frame pointer; 0 if the interrupted code has none that may be followed */
  uintptr_t sp; /* stack pointer */
} barefxt_interrupted;

#if !BAREFXT_DISABLED

/* Records where the CPU was, and how it came there.
 *
 * @param pc Address of the interrupted instruction.
 * @param fp The interrupted frame pointer; 0 for `pc` alone.
 * @param sp The interrupted stack pointer. Nothing below it is read.
 * @param stack_end First address behind the stack that `sp` is in; 0 for `pc` alone. All of the
 *   memory from `sp` to here must be readable.
 * @context any; wait-free
 *
 * `pc` alone takes a record of 16 bytes, or 24 if it lies more than 32 GiB from address 0. A
 * backtrace takes 24 bytes, and 8 for each caller, BAREFXT_SAMPLE_CALLERS at most. It follows the
 * frame pointers upwards from `sp`, and ends at one that lies outside of the stack or does not
 * ascend. In the prologue or epilogue of a function it may lack the caller. Ports without a chain
 * of frame pointers record `pc` alone (port/README.md).
 */
void barefxt_sample(uintptr_t pc, uintptr_t fp, uintptr_t sp, uintptr_t stack_end);

#endif

#ifdef __cplusplus
}  // extern "C"
#endif

#endif
