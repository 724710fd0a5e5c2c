/* ThreadX, traced: to be included in tx_user.h. README.md here lists the steps, and shows the
 * result.
 *
 * The kernel notifies barefxt_threadx.c of execution changes, and of each change of a thread's
 * state. Invariant: a control block that tx_thread_create has cleared is a thread that the tracer
 * does not know. It becomes known when it is first seen, so no order of events is wrong. A block
 * that is used again is another thread.
 */
#ifndef BAREFXT_THREADX_H
#define BAREFXT_THREADX_H

#include <barefxt/config.h>

#if !BAREFXT_DISABLED

/* For the kernel's assembler files, too. */
#ifndef TX_ENABLE_EXECUTION_CHANGE_NOTIFY
#define TX_ENABLE_EXECUTION_CHANGE_NOTIFY
#endif

#ifndef __ASSEMBLER__

#include <barefxt/category.h>
#include <barefxt/sample.h>
#include <barefxt/stack.h>
#include <barefxt/types.h>

/* The number of the category of waits and threads' ends. */
#ifndef BAREFXT_THREADX_CATEGORY
#define BAREFXT_THREADX_CATEGORY 28
#endif
BAREFXT_CATEGORY(threadx, BAREFXT_THREADX_CATEGORY);

/* The number of the interrupt that runs. If it is always 0, an exit belongs to the last interrupt
 * that was entered. */
#ifndef BAREFXT_THREADX_INTERRUPT
#if defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'
static inline uint32_t barefxt_threadx_ipsr(void) {
  uint32_t number;
  __asm__ volatile("mrs %0, ipsr" : "=r"(number));
  return number;
}
#define BAREFXT_THREADX_INTERRUPT() barefxt_threadx_ipsr()
#define BAREFXT_THREADX_TICK_INTERRUPT 15
#else
#define BAREFXT_THREADX_INTERRUPT() 0
#endif
#endif

/* 1: marks of the threads' stacks, at switches, and by barefxt_threadx_scan_stacks. */
#ifndef BAREFXT_THREADX_STACKS
#define BAREFXT_THREADX_STACKS 0
#endif

/* 1: barefxt_threadx_sample, for a timer's interrupt. N, from 2 on: a sample at every N-th tick,
 * too. */
#ifndef BAREFXT_THREADX_SAMPLES
#define BAREFXT_THREADX_SAMPLES 0
#endif

/* The tracer's part of a thread's control block. All zero: nothing is known. */
struct barefxt_threadx_thread {
  barefxt_thread thread;
  uint32_t priority;
  uint32_t awake_in;   /* the session that knows it to be ready or running; 0: none */
  uint32_t waiting_in; /* the session in which it blocked on an object; 0: none */
  uint32_t object;     /* the koid of that, 0 if it has none */
  uint32_t wait_state; /* tx_thread_state as it blocked */
  uint64_t wait_begin;
#if BAREFXT_THREADX_STACKS
  barefxt_stack stack;
#endif
};

/* Add this to an extension of your own. */
#define BAREFXT_THREADX_EXTENSION struct barefxt_threadx_thread tx_thread_barefxt;
#ifndef TX_THREAD_USER_EXTENSION
#define TX_THREAD_USER_EXTENSION BAREFXT_THREADX_EXTENSION
#endif

#ifdef __cplusplus
extern "C" {
#endif

struct TX_THREAD_STRUCT;
/* Only the macro below calls this. Context: the kernel, with its lock. */
void barefxt_threadx_state_changed(struct TX_THREAD_STRUCT* thread, uint32_t state);

/* Scans a few words of the threads' stacks, with interrupts masked meanwhile. Call it in a thread
 * of the lowest priority. Context: thread. */
void barefxt_threadx_scan_stacks(void);

/* With BAREFXT_THREADX_SAMPLES: records what a timer's interrupt came to, and its callers if that
 * is the running thread. `at` is what the port's barefxt_interrupted.h returns. Context: interrupt.
 */
void barefxt_threadx_sample(barefxt_interrupted at);

#ifdef __cplusplus
}  // extern "C"
#endif

/* Ends in the semicolon that the kernel leaves out. */
#define TX_THREAD_STATE_CHANGE(thread_ptr, state) \
  barefxt_threadx_state_changed((thread_ptr), (uint32_t)(state));

#endif /* __ASSEMBLER__ */
#endif /* !BAREFXT_DISABLED */
#endif
