#ifndef ZEPHYR_KERNEL_H
#define ZEPHYR_KERNEL_H

#include <zephyr/kernel_structs.h>
#include <zephyr/sys/sys_heap.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  int64_t ticks;
} k_timeout_t;
struct k_sem;
struct k_mutex {
  struct k_thread* owner;
};
struct k_msgq;
struct k_condvar;
struct k_event;
struct k_mem_slab;
struct k_mbox;

struct k_heap {
  struct sys_heap heap;
};
void k_heap_init(struct k_heap* heap, void* begin, size_t bytes);
void* k_heap_alloc(struct k_heap* heap, size_t bytes, k_timeout_t time);
void* k_heap_aligned_alloc(struct k_heap* heap, size_t boundary, size_t bytes, k_timeout_t time);
void* k_heap_calloc(struct k_heap* heap, size_t count, size_t bytes, k_timeout_t time);
void* k_heap_realloc(struct k_heap* heap, void* block, size_t bytes, k_timeout_t time);
void k_heap_free(struct k_heap* heap, void* block);
void* k_malloc(size_t bytes);
void* k_calloc(size_t count, size_t bytes);
void* k_aligned_alloc(size_t boundary, size_t bytes);
void* k_realloc(void* block, size_t bytes);
void k_free(void* block);
void* z_thread_malloc(size_t bytes);
void* z_thread_aligned_alloc(size_t boundary, size_t bytes);

/* As the test says. */
#define CONFIG_USERSPACE 1
bool k_is_user_context(void);
bool k_is_in_isr(void);

struct k_thread* k_sched_current_thread_query(void);
const char* k_thread_name_get(struct k_thread* thread);

/* The interrupt that the test plays. */
extern unsigned stand_in_interrupt;
#define BAREFXT_ZEPHYR_INTERRUPT() stand_in_interrupt
#define BAREFXT_ZEPHYR_TICK_INTERRUPT 15

#ifdef __cplusplus
}  // extern "C"
#endif

#endif
