/* The hooks as a tracing format of their own, which kernels since July 2026 take from outside of
 * their tree (CONFIG_TRACING_FORMAT_HEADER): <zephyr/tracing/tracing.h> includes this, and each
 * hook is one call. The functions are those of CONFIG_TRACING_USER, which stays free.
 */
#ifndef BAREFXT_ZEPHYR_FORMAT_H
#define BAREFXT_ZEPHYR_FORMAT_H

#include <zephyr/kernel.h>

#include <barefxt/config.h>

#if !BAREFXT_DISABLED

#ifdef __cplusplus
extern "C" {
#endif

void sys_trace_thread_create_user(struct k_thread* thread);
void sys_trace_k_thread_sched_abort_user(struct k_thread* thread);
void sys_trace_thread_suspend_user(struct k_thread* thread);
void sys_trace_thread_resume_user(struct k_thread* thread);
void sys_trace_thread_name_set_user(struct k_thread* thread);
void sys_trace_thread_switched_in_user(void);
void sys_trace_thread_switched_out_user(void);
void sys_trace_thread_priority_set_user(struct k_thread* thread, int priority);
void sys_trace_thread_sched_ready_user(struct k_thread* thread);
#define sys_port_trace_k_thread_create(thread) sys_trace_thread_create_user(thread)
#define sys_port_trace_k_thread_sched_abort(thread) sys_trace_k_thread_sched_abort_user(thread)
#define sys_port_trace_k_thread_suspend_enter(thread) sys_trace_thread_suspend_user(thread)
#define sys_port_trace_k_thread_resume_enter(thread) sys_trace_thread_resume_user(thread)
#define sys_port_trace_k_thread_name_set(thread, result) sys_trace_thread_name_set_user(thread)
#define sys_port_trace_k_thread_switched_in() sys_trace_thread_switched_in_user()
#define sys_port_trace_k_thread_switched_out() sys_trace_thread_switched_out_user()
#define sys_port_trace_k_thread_sched_priority_set(thread, priority) \
  sys_trace_thread_priority_set_user(thread, priority)
#define sys_port_trace_k_thread_sched_ready(thread) sys_trace_thread_sched_ready_user(thread)

#define BAREFXT_ZEPHYR_WAIT_(type, call)                                     \
  void sys_trace_k_##call##_blocking_user(struct type* object, k_timeout_t); \
  void sys_trace_k_##call##_exit_user(struct type* object, k_timeout_t, int);
BAREFXT_ZEPHYR_WAIT_(k_sem, sem_take)
BAREFXT_ZEPHYR_WAIT_(k_mutex, mutex_lock)
BAREFXT_ZEPHYR_WAIT_(k_msgq, msgq_get)
BAREFXT_ZEPHYR_WAIT_(k_msgq, msgq_put)
BAREFXT_ZEPHYR_WAIT_(k_msgq, msgq_put_front)
BAREFXT_ZEPHYR_WAIT_(k_mem_slab, mem_slab_alloc)
BAREFXT_ZEPHYR_WAIT_(k_mbox, mbox_get)
BAREFXT_ZEPHYR_WAIT_(k_mbox, mbox_message_put)
BAREFXT_ZEPHYR_WAIT_(k_thread, thread_join)
#undef BAREFXT_ZEPHYR_WAIT_
#define sys_port_trace_k_sem_take_blocking sys_trace_k_sem_take_blocking_user
#define sys_port_trace_k_sem_take_exit sys_trace_k_sem_take_exit_user
#define sys_port_trace_k_mutex_lock_blocking sys_trace_k_mutex_lock_blocking_user
#define sys_port_trace_k_mutex_lock_exit sys_trace_k_mutex_lock_exit_user
#define sys_port_trace_k_msgq_get_blocking sys_trace_k_msgq_get_blocking_user
#define sys_port_trace_k_msgq_get_exit sys_trace_k_msgq_get_exit_user
#define sys_port_trace_k_msgq_put_blocking sys_trace_k_msgq_put_blocking_user
#define sys_port_trace_k_msgq_put_exit sys_trace_k_msgq_put_exit_user
#define sys_port_trace_k_msgq_put_front_blocking sys_trace_k_msgq_put_front_blocking_user
#define sys_port_trace_k_msgq_put_front_exit sys_trace_k_msgq_put_front_exit_user
#define sys_port_trace_k_mem_slab_alloc_blocking sys_trace_k_mem_slab_alloc_blocking_user
#define sys_port_trace_k_mem_slab_alloc_exit sys_trace_k_mem_slab_alloc_exit_user
#define sys_port_trace_k_mbox_get_blocking sys_trace_k_mbox_get_blocking_user
#define sys_port_trace_k_mbox_get_exit sys_trace_k_mbox_get_exit_user
#define sys_port_trace_k_mbox_message_put_blocking sys_trace_k_mbox_message_put_blocking_user
#define sys_port_trace_k_mbox_message_put_exit sys_trace_k_mbox_message_put_exit_user
#define sys_port_trace_k_thread_join_blocking sys_trace_k_thread_join_blocking_user
#define sys_port_trace_k_thread_join_exit sys_trace_k_thread_join_exit_user

void sys_trace_k_condvar_wait_enter_user(struct k_condvar* object, k_timeout_t time);
void sys_trace_k_condvar_wait_exit_user(struct k_condvar* object, k_timeout_t time, int status);
void sys_trace_k_event_wait_blocking_user(struct k_event* event, uint32_t events, uint32_t options,
                                          k_timeout_t time);
void sys_trace_k_event_wait_exit_user(struct k_event* event, uint32_t events, int came);
#define sys_port_trace_k_condvar_wait_enter sys_trace_k_condvar_wait_enter_user
#define sys_port_trace_k_condvar_wait_exit sys_trace_k_condvar_wait_exit_user
#define sys_port_trace_k_event_wait_blocking sys_trace_k_event_wait_blocking_user
#define sys_port_trace_k_event_wait_exit sys_trace_k_event_wait_exit_user

#ifdef __cplusplus
}  // extern "C"
#endif

#endif

/* The kernel's: nothing for each hook that is not defined above. */
#include <zephyr/tracing/tracing_default_hooks.h>
#include <zephyr/tracing/tracing_hooks.h>

#endif
