/* Zephyr, traced, by the user's functions of its tracing subsystem. README.md here lists the
 * configuration, and shows the result.
 */
#ifndef BAREFXT_ZEPHYR_H
#define BAREFXT_ZEPHYR_H

#include <barefxt/barefxt.h>

#if !BAREFXT_DISABLED

/* The number of the category of waits, and of what is done to threads. */
#ifndef BAREFXT_ZEPHYR_CATEGORY
#define BAREFXT_ZEPHYR_CATEGORY 28
#endif
BAREFXT_CATEGORY(zephyr, BAREFXT_ZEPHYR_CATEGORY);

#ifdef __cplusplus
extern "C" {
#endif
/* With BAREFXT_ZEPHYR_SAMPLES: records what a timer's interrupt came to, and its callers if that is
 * the running thread. `at` is what the port's barefxt_interrupted.h returns. Context: interrupt. */
void barefxt_zephyr_sample(barefxt_interrupted at);
#ifdef __cplusplus
}  // extern "C"
#endif

#endif
#endif
