/* Stacks: how far those of threads and interrupts have been used. */
#ifndef BAREFXT_STACK_H
#define BAREFXT_STACK_H

#include <barefxt/category.h>
#include <barefxt/config.h>
#include <barefxt/relaxed.h>
#include <barefxt/types.h>

/* ---- Stacks ----
 *
 * The category is `stacks`, shown as `stack`. A stack has a mark: the lowest address that is known
 * to have been used. When the mark moves, a counter whose id is the koid of the stack records the
 * bytes `left` below it and those `used`, in 40 bytes. `barefxt stats --stacks` shows the least.
 *
 *     barefxt_stack_register(&thread->marks, thread->koid, lowest, bytes, 0xa5a5a5a5u);
 *     barefxt_stack_reached(&next->marks, next->saved_sp);                  // at a switch
 *     barefxt_stack_left(&thread->marks, bytes_that_the_kernel_found);      // or: its own number
 *     barefxt_stack_scan(64);                                               // in the idle loop
 *
 * Each of the three ways moves the mark, and they go together. The compare at a switch misses calls
 * that returned before it. A scan finds what has overwritten the kernel's paint.
 */

BAREFXT_CATEGORY(stacks, BAREFXT_STACK_CATEGORY);

/* The koid for the interrupt stack of a CPU, shown as cpu-N.
 *
 * @param cpu The CPU's number.
 */
#define BAREFXT_INTERRUPT_STACK(cpu) (0x7f000000u + (cpu))

#ifdef __cplusplus
extern "C" {
#endif

/* A stack as the tracer knows it.
 *
 * Embed one beside the barefxt_thread, zero-initialised, which means "not registered". Only the
 * functions below may write it.
 */
typedef struct barefxt_stack {
  uintptr_t begin;
  uintptr_t end;
  uintptr_t mark; /* from `begin`, if all is used, to `end` */
  struct barefxt_stack* next;
  uint32_t koid;
  uint32_t paint;
  uint32_t recorded_in; /* the session that has the mark; 0: none */
} barefxt_stack;

#if !BAREFXT_DISABLED

/* Makes a stack known.
 *
 * @param stack The stack; it and the memory must stay until barefxt_stack_unregister.
 * @param koid The thread's koid, BAREFXT_INTERRUPT_STACK, or that of an object with a name.
 * @param begin Its lowest address, above what guards its end. Stacks grow downwards.
 * @param bytes Its size.
 * @param paint What the kernel has filled it with, as a word of 32 bits; 0 if it is not painted.
 * @context one at a time, with barefxt_stack_unregister and barefxt_stack_scan
 *
 * A stack that is registered already gets the new bounds: a kernel may restart a thread.
 */
void barefxt_stack_register(barefxt_stack* stack, uint32_t koid, uintptr_t begin, size_t bytes,
                            uint32_t paint);
/* Forgets a stack, before its memory is used again.
 *
 * @param stack The stack. One that is not registered is ignored.
 * @context one at a time, as for barefxt_stack_register
 */
void barefxt_stack_unregister(barefxt_stack* stack);

/* Moves a mark, and records it. Call barefxt_stack_reached instead.
 *
 * @param stack The stack.
 * @param sp An address below the mark.
 * @context any
 */
void barefxt_stack_lower(barefxt_stack* stack, uintptr_t sp);

/* Notes that a stack has been used down to an address.
 *
 * @param stack The stack.
 * @param sp The saved stack pointer.
 * @context any
 *
 * It compares, whether or not the category is enabled, and is inline: 3 to 5 instructions. Below
 * the stack's begin, 0 bytes are left.
 */
static inline void barefxt_stack_reached(barefxt_stack* stack, uintptr_t sp) {
  if (__builtin_expect(sp < BAREFXT_LOAD_RELAXED_(stack->mark), 0)) barefxt_stack_lower(stack, sp);
}
/* Notes the least number of bytes that the kernel has seen unused.
 *
 * @param stack The stack.
 * @param bytes The kernel's own high-water mark, counted from the stack's begin.
 * @context any
 */
static inline void barefxt_stack_left(barefxt_stack* stack, size_t bytes) {
  barefxt_stack_reached(stack, stack->begin + bytes);
}

/* Scans painted stacks on from where the last call ended, and records the marks that this session
 * lacks.
 *
 * @param words The most words of 32 bits to look at, at least 1; a stack counts as one more.
 * @return Whether all stacks have been scanned. The next call begins anew.
 * @context one at a time, as for barefxt_stack_register
 *
 * Call it in the idle loop, with the lock that guards the coming and going of threads. A word takes
 * 4 to 9 instructions. While the category is off, it returns true at once.
 */
bool barefxt_stack_scan(uint32_t words);

#endif

#ifdef __cplusplus
}  // extern "C"
#endif

#endif
