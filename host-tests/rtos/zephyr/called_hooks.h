/* The hooks that the stand-in for Zephyr calls: HOOK(name, parameters...) for each. The stand-in
   declares them by this list, and an image without hooks defines them empty. It has no include
   guard, as it is included once for each use. */
HOOK(sys_trace_thread_create_user, struct k_thread* thread)
#ifdef STAND_IN_ZEPHYR_3_2
HOOK(sys_trace_thread_abort_user, struct k_thread* thread)
#else
HOOK(sys_trace_k_thread_sched_abort_user, struct k_thread* thread)
#endif
HOOK(sys_trace_thread_suspend_user, struct k_thread* thread)
HOOK(sys_trace_thread_name_set_user, struct k_thread* thread)
HOOK(sys_trace_thread_switched_in_user, void)
HOOK(sys_trace_thread_switched_out_user, void)
HOOK(sys_trace_thread_priority_set_user, struct k_thread* thread, int priority)
HOOK(sys_trace_thread_sched_ready_user, struct k_thread* thread)
HOOK(sys_trace_isr_enter_user, void)
HOOK(sys_trace_isr_exit_user, void)
#define WAITS(type, call)                                                         \
  HOOK(sys_trace_k_##call##_blocking_user, struct type* object, k_timeout_t time) \
  HOOK(sys_trace_k_##call##_exit_user, struct type* object, k_timeout_t time, int status)
WAITS(k_sem, sem_take)
WAITS(k_mutex, mutex_lock)
WAITS(k_msgq, msgq_get)
WAITS(k_msgq, msgq_put)
WAITS(k_msgq, msgq_put_front)
WAITS(k_mem_slab, mem_slab_alloc)
WAITS(k_mbox, mbox_get)
WAITS(k_mbox, mbox_message_put)
WAITS(k_thread, thread_join)
HOOK(sys_trace_k_condvar_wait_enter_user, struct k_condvar* object, k_timeout_t time)
HOOK(sys_trace_k_condvar_wait_exit_user, struct k_condvar* object, k_timeout_t time, int status)
HOOK(sys_trace_k_event_wait_blocking_user, struct k_event* event, uint32_t events, uint32_t options,
     k_timeout_t time)
HOOK(sys_trace_k_event_wait_exit_user, struct k_event* event, uint32_t events, int came)
