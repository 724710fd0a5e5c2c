/* Calls into Zephyr's heaps, each of which calls others: k_malloc, k_heap_aligned_alloc and
 * sys_heap_aligned_alloc. The outermost one of a thread or an interrupt records the block. */
#ifndef BAREFXT_ZEPHYR_HEAP_H
#define BAREFXT_ZEPHYR_HEAP_H

struct k_thread;

#ifdef __cplusplus
extern "C" {
#endif

/* Returns null if the call is not to be recorded. */
const void* barefxt_zephyr_heap_enter(void);
void barefxt_zephyr_heap_leave(const void* call);
/* The thread does not return from the call that it waits in. */
void barefxt_zephyr_heap_forget(const struct k_thread* thread);

#ifdef __cplusplus
}  // extern "C"
#endif

#define HEAP_ENTER() barefxt_zephyr_heap_enter()
#define HEAP_LEAVE(call) barefxt_zephyr_heap_leave(call)
#include "../common/barefxt_heap_calls.h"

#endif
