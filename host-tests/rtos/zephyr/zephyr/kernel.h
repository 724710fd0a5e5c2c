#ifndef ZEPHYR_KERNEL_H
#define ZEPHYR_KERNEL_H

#include <zephyr/kernel_structs.h>

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

struct k_thread* k_sched_current_thread_query(void);
const char* k_thread_name_get(struct k_thread* thread);

/* The interrupt that the test plays. */
extern unsigned stand_in_interrupt;
#define BAREFXT_ZEPHYR_INTERRUPT() stand_in_interrupt
#define BAREFXT_ZEPHYR_TICK_INTERRUPT 15

#endif
