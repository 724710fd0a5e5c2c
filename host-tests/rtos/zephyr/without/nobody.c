/* Stands for functions that the kernel calls: an image without hooks. */
#include <zephyr/kernel.h>

#define EMPTY(name, ...)  \
  void name(__VA_ARGS__); \
  void name(__VA_ARGS__) {}

#pragma GCC diagnostic ignored "-Wunused-parameter"

EMPTY(sys_trace_thread_create_user, struct k_thread* thread)
EMPTY(sys_trace_thread_abort_user, struct k_thread* thread)
EMPTY(sys_trace_thread_suspend_user, struct k_thread* thread)
EMPTY(sys_trace_thread_name_set_user, struct k_thread* thread)
EMPTY(sys_trace_thread_switched_in_user, void)
EMPTY(sys_trace_thread_switched_out_user, void)
EMPTY(sys_trace_thread_priority_set_user, struct k_thread* thread, int priority)
EMPTY(sys_trace_thread_sched_ready_user, struct k_thread* thread)
EMPTY(sys_trace_isr_enter_user, void)
EMPTY(sys_trace_isr_exit_user, void)
#define EMPTY_WAITS(type, call)                                                    \
  EMPTY(sys_trace_k_##call##_blocking_user, struct type* object, k_timeout_t time) \
  EMPTY(sys_trace_k_##call##_exit_user, struct type* object, k_timeout_t time, int status)
EMPTY_WAITS(k_sem, sem_take)
EMPTY_WAITS(k_mutex, mutex_lock)
EMPTY_WAITS(k_msgq, msgq_get)
EMPTY_WAITS(k_msgq, msgq_put)
EMPTY(sys_trace_k_condvar_wait_enter_user, struct k_condvar* object, k_timeout_t time)
EMPTY(sys_trace_k_condvar_wait_exit_user, struct k_condvar* object, k_timeout_t time, int status)
EMPTY(sys_trace_k_event_wait_blocking_user, struct k_event* event, uint32_t events,
      uint32_t options, k_timeout_t time)
EMPTY(sys_trace_k_event_wait_exit_user, struct k_event* event, uint32_t events, int came)
