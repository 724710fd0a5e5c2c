/* A stand-in for the kernel's, and for the calls in its code: the stand-in calls the functions that
 * CONFIG_TRACING_USER calls, and here each of them becomes the macro that a format defines. A macro
 * that is missing is a function that nobody has. No call is expanded twice.
 */
#ifndef TRACING_HOOKS_H
#define TRACING_HOOKS_H

#define sys_trace_thread_create_user(thread) sys_port_trace_k_thread_create(thread)
#define sys_trace_k_thread_sched_abort_user(thread) sys_port_trace_k_thread_sched_abort(thread)
#define sys_trace_thread_suspend_user(thread) sys_port_trace_k_thread_suspend_enter(thread)
#define sys_trace_thread_resume_user(thread) sys_port_trace_k_thread_resume_enter(thread)
#define sys_trace_thread_name_set_user(thread) sys_port_trace_k_thread_name_set(thread, 0)
#define sys_trace_thread_switched_in_user() sys_port_trace_k_thread_switched_in()
#define sys_trace_thread_switched_out_user() sys_port_trace_k_thread_switched_out()
#define sys_trace_thread_priority_set_user(thread, priority) \
  sys_port_trace_k_thread_sched_priority_set(thread, priority)
#define sys_trace_thread_sched_ready_user(thread) sys_port_trace_k_thread_sched_ready(thread)
#define sys_trace_k_sem_take_blocking_user(object, time) \
  sys_port_trace_k_sem_take_blocking(object, time)
#define sys_trace_k_sem_take_exit_user(object, time, status) \
  sys_port_trace_k_sem_take_exit(object, time, status)
#define sys_trace_k_mutex_lock_blocking_user(object, time) \
  sys_port_trace_k_mutex_lock_blocking(object, time)
#define sys_trace_k_mutex_lock_exit_user(object, time, status) \
  sys_port_trace_k_mutex_lock_exit(object, time, status)
#define sys_trace_k_msgq_get_blocking_user(object, time) \
  sys_port_trace_k_msgq_get_blocking(object, time)
#define sys_trace_k_msgq_get_exit_user(object, time, status) \
  sys_port_trace_k_msgq_get_exit(object, time, status)
#define sys_trace_k_msgq_put_blocking_user(object, time) \
  sys_port_trace_k_msgq_put_blocking(object, time)
#define sys_trace_k_msgq_put_exit_user(object, time, status) \
  sys_port_trace_k_msgq_put_exit(object, time, status)
#define sys_trace_k_msgq_put_front_blocking_user(object, time) \
  sys_port_trace_k_msgq_put_front_blocking(object, time)
#define sys_trace_k_msgq_put_front_exit_user(object, time, status) \
  sys_port_trace_k_msgq_put_front_exit(object, time, status)
#define sys_trace_k_mem_slab_alloc_blocking_user(object, time) \
  sys_port_trace_k_mem_slab_alloc_blocking(object, time)
#define sys_trace_k_mem_slab_alloc_exit_user(object, time, status) \
  sys_port_trace_k_mem_slab_alloc_exit(object, time, status)
#define sys_trace_k_mbox_get_blocking_user(object, time) \
  sys_port_trace_k_mbox_get_blocking(object, time)
#define sys_trace_k_mbox_get_exit_user(object, time, status) \
  sys_port_trace_k_mbox_get_exit(object, time, status)
#define sys_trace_k_mbox_message_put_blocking_user(object, time) \
  sys_port_trace_k_mbox_message_put_blocking(object, time)
#define sys_trace_k_mbox_message_put_exit_user(object, time, status) \
  sys_port_trace_k_mbox_message_put_exit(object, time, status)
#define sys_trace_k_thread_join_blocking_user(object, time) \
  sys_port_trace_k_thread_join_blocking(object, time)
#define sys_trace_k_thread_join_exit_user(object, time, status) \
  sys_port_trace_k_thread_join_exit(object, time, status)
#define sys_trace_k_condvar_wait_enter_user(object, time) \
  sys_port_trace_k_condvar_wait_enter(object, time)
#define sys_trace_k_condvar_wait_exit_user(object, time, status) \
  sys_port_trace_k_condvar_wait_exit(object, time, status)
#define sys_trace_k_event_wait_blocking_user(object, events, options, time) \
  sys_port_trace_k_event_wait_blocking(object, events, options, time)
#define sys_trace_k_event_wait_exit_user(object, events, came) \
  sys_port_trace_k_event_wait_exit(object, events, came)
#define sys_trace_isr_enter_user sys_trace_isr_enter
#define sys_trace_isr_exit_user sys_trace_isr_exit
#define sys_trace_idle_user sys_trace_idle

#endif
