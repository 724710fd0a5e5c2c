/* LK, traced: the categories of waits and timers, and of the heap, for applications that choose.
 * README.md here lists the steps, and shows the result. The kernel itself includes nothing of this:
 * the linker redirects its event log and some of its functions, see barefxt_lk.c and
 * barefxt_lk.wrap.
 */
#ifndef BAREFXT_LK_H
#define BAREFXT_LK_H

#include <barefxt/barefxt.h>

#if !BAREFXT_DISABLED

/* The number of the category of waits and timers. */
#ifndef BAREFXT_LK_CATEGORY
#define BAREFXT_LK_CATEGORY 28
#endif
/* That of the heap. */
#ifndef BAREFXT_LK_HEAP_CATEGORY
#define BAREFXT_LK_HEAP_CATEGORY 27
#endif
BAREFXT_CATEGORY(lk, BAREFXT_LK_CATEGORY);
BAREFXT_CATEGORY(lk_heap, BAREFXT_LK_HEAP_CATEGORY);

#ifdef __cplusplus
extern "C" {
#endif
/* With BAREFXT_LK_STACKS 1: scans a few words of the threads' stacks, with the kernel's
 * thread_lock. Call it in a thread of the lowest priority. Context: thread. */
void barefxt_lk_scan_stacks(void);

/* With BAREFXT_LK_SAMPLES: records what a timer's interrupt came to, and its callers if that is
 * the running thread. `at` is what the port's barefxt_interrupted.h returns. Context: interrupt. */
void barefxt_lk_sample(barefxt_interrupted at);
#ifdef __cplusplus
}  // extern "C"
#endif

#endif
#endif
