/* A stand-in for Zephyr's headers: as much of them as the hooks look at, written anew. */
#ifndef ZEPHYR_KERNEL_STRUCTS_H
#define ZEPHYR_KERNEL_STRUCTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <barefxt/config.h>

#if BAREFXT_MAX_CPUS > 1
#define CONFIG_SMP 1
#endif
#if defined(STAND_IN_ZEPHYR_3_2) && !defined(CONFIG_MP_NUM_CPUS)
#define CONFIG_MP_NUM_CPUS BAREFXT_MAX_CPUS
#elif !defined(STAND_IN_ZEPHYR_3_2) && !defined(CONFIG_MP_MAX_NUM_CPUS)
#define CONFIG_MP_MAX_NUM_CPUS BAREFXT_MAX_CPUS
#endif
#define CONFIG_NUM_PREEMPT_PRIORITIES 15
#define CONFIG_INIT_STACKS 1
#define CONFIG_STACK_SENTINEL 1
#define CONFIG_THREAD_STACK_INFO 1
#define K_IDLE_PRIO CONFIG_NUM_PREEMPT_PRIORITIES

#define _THREAD_DUMMY 1u
#define _THREAD_PENDING 2u
#ifdef STAND_IN_ZEPHYR_3_2
/* A sleeping thread is a suspended one with a timeout. */
#define CONFIG_SYS_CLOCK_EXISTS 1
#define STAND_IN_SLEEPING _THREAD_SUSPENDED
#else
#define _THREAD_SLEEPING 4u
#define STAND_IN_SLEEPING _THREAD_SLEEPING
#endif
#define _THREAD_DEAD 8u
#define _THREAD_SUSPENDED 16u
#define _THREAD_ABORTING 32u
#define _THREAD_QUEUED 128u

typedef struct sys_dnode {
  struct sys_dnode* next;
} sys_dnode_t;
static inline bool sys_dnode_is_linked(const sys_dnode_t* node) { return node->next != NULL; }

struct k_thread {
  struct {
    uint8_t thread_state;
    int8_t prio;
    struct {
      sys_dnode_t node;
    } timeout;
  } base;
  struct {
    uintptr_t start;
    size_t size;
  } stack_info;
  char name[32];
  bool stand_in_is_used;
};
struct z_kernel {
  struct {
    struct k_thread* current;
  } cpus[BAREFXT_MAX_CPUS];
};
extern struct z_kernel _kernel;

#endif
