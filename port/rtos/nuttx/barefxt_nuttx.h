/* NuttX, traced, by a driver for the scheduler's notes. README.md here lists the configuration, and
 * shows the result.
 */
#ifndef BAREFXT_NUTTX_H
#define BAREFXT_NUTTX_H

#include <barefxt/barefxt.h>

#if !BAREFXT_DISABLED

/* The numbers of the categories of waits, timers and threads' ends, and of heaps. */
#ifndef BAREFXT_NUTTX_CATEGORY
#define BAREFXT_NUTTX_CATEGORY 28
#endif
#ifndef BAREFXT_NUTTX_HEAP_CATEGORY
#define BAREFXT_NUTTX_HEAP_CATEGORY 27
#endif
BAREFXT_CATEGORY(nuttx, BAREFXT_NUTTX_CATEGORY);
BAREFXT_CATEGORY(nuttx_heap, BAREFXT_NUTTX_HEAP_CATEGORY);

#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Records the kernel's notes from here on. Call it once, at any time, before or after the start.
 * Returns 0, or the result of note_driver_register: -ENOMEM if CONFIG_DRIVERS_NOTE_MAX drivers are
 * there. Context: thread. */
int barefxt_nuttx_register(void);

/* With BAREFXT_NUTTX_STACKS 1: scans a few words of the threads' stacks, with interrupts masked
 * meanwhile. Call it in a thread of the lowest priority. Context: thread. */
void barefxt_nuttx_scan_stacks(void);

#if !BAREFXT_DISABLED
/* With BAREFXT_NUTTX_SAMPLES: records what a timer's interrupt came to, and its callers if that is
 * the running thread. `at` is what the port's barefxt_interrupted.h returns. Context: interrupt. */
void barefxt_nuttx_sample(barefxt_interrupted at);
#endif

#ifdef __cplusplus
}  // extern "C"
#endif

#endif
