/* ThreadX's calls, traced: with TX_ENABLE_EVENT_LOGGING tx_api.h includes this in place of the
 * kernel's own log of events.
 *
 * Each macro stands at the beginning of the call that it is named after, and uses the names that
 * the objects have there. The result of the call is not known yet. The kernel wants all of the
 * names defined.
 */
#ifndef TX_EL_H
#define TX_EL_H

#ifdef __cplusplus
extern "C" {
#endif

typedef enum barefxt_threadx_call {
  BAREFXT_THREADX_GET, /* receive, wait, allocate; deactivate */
  BAREFXT_THREADX_PUT  /* send, set, release; activate */
} barefxt_threadx_call;

/* The kind of timers, for which no thread waits. */
#define BAREFXT_THREADX_TIMER 0x100

/* Only the macros below call these. Context: threads, timers and interrupts, where the kernel's
 * calls expand them.
 *
 * `kind` is the state of threads that wait for such an object. */
void barefxt_threadx_object_created(const void* object, uint32_t kind);
void barefxt_threadx_object_deleted(const void* object, uint32_t kind);
void barefxt_threadx_called(barefxt_threadx_call call, const void* object, uint32_t kind);
/* A pool, as the call finds it. */
void barefxt_threadx_pool(const void* pool, uint32_t kind, ULONG available);
void barefxt_threadx_created(struct TX_THREAD_STRUCT* thread);
void barefxt_threadx_deleted(struct TX_THREAD_STRUCT* thread);
void barefxt_threadx_priority_changed(struct TX_THREAD_STRUCT* thread, UINT priority);

/* Allocation writes its result into the last event: here that is a dummy. */
extern unsigned char* barefxt_threadx_event;

#ifdef __cplusplus
}  // extern "C"
#endif

#define _tx_el_current_event (&barefxt_threadx_event)
#define TX_EL_EVENT_TIME_UPPER_OFFSET 0
#define TX_EL_EVENT_TIME_LOWER_OFFSET 0
#define TX_EL_EVENT_INFO_3_OFFSET sizeof(ULONG)
#define TX_EL_EVENT_INFO_4_OFFSET sizeof(ULONG)

#define BAREFXT_THREADX_IF_(call) \
  if (BAREFXT_ENABLED(threadx)) call;
#define BAREFXT_THREADX_GETS_(object, kind) \
  BAREFXT_THREADX_IF_(barefxt_threadx_called(BAREFXT_THREADX_GET, object, kind))
#define BAREFXT_THREADX_PUTS_(object, kind) \
  BAREFXT_THREADX_IF_(barefxt_threadx_called(BAREFXT_THREADX_PUT, object, kind))

#define TX_EL_QUEUE_CREATE_INSERT barefxt_threadx_object_created(queue_ptr, TX_QUEUE_SUSP);
#define TX_EL_QUEUE_DELETE_INSERT barefxt_threadx_object_deleted(queue_ptr, TX_QUEUE_SUSP);
#define TX_EL_QUEUE_RECEIVE_INSERT BAREFXT_THREADX_GETS_(queue_ptr, TX_QUEUE_SUSP)
#define TX_EL_QUEUE_SEND_INSERT BAREFXT_THREADX_PUTS_(queue_ptr, TX_QUEUE_SUSP)
#define TX_EL_QUEUE_FRONT_SEND_INSERT BAREFXT_THREADX_PUTS_(queue_ptr, TX_QUEUE_SUSP)
#define TX_EL_SEMAPHORE_CREATE_INSERT \
  barefxt_threadx_object_created(semaphore_ptr, TX_SEMAPHORE_SUSP);
#define TX_EL_SEMAPHORE_DELETE_INSERT \
  barefxt_threadx_object_deleted(semaphore_ptr, TX_SEMAPHORE_SUSP);
#define TX_EL_SEMAPHORE_GET_INSERT BAREFXT_THREADX_GETS_(semaphore_ptr, TX_SEMAPHORE_SUSP)
#define TX_EL_SEMAPHORE_PUT_INSERT BAREFXT_THREADX_PUTS_(semaphore_ptr, TX_SEMAPHORE_SUSP)
#define TX_EL_SEMAPHORE_CEILING_PUT_INSERT BAREFXT_THREADX_PUTS_(semaphore_ptr, TX_SEMAPHORE_SUSP)
#define TX_EL_MUTEX_CREATE_INSERT barefxt_threadx_object_created(mutex_ptr, TX_MUTEX_SUSP);
#define TX_EL_MUTEX_DELETE_INSERT barefxt_threadx_object_deleted(mutex_ptr, TX_MUTEX_SUSP);
#define TX_EL_MUTEX_GET_INSERT BAREFXT_THREADX_GETS_(mutex_ptr, TX_MUTEX_SUSP)
#define TX_EL_MUTEX_PUT_INSERT BAREFXT_THREADX_PUTS_(mutex_ptr, TX_MUTEX_SUSP)
#define TX_EL_EVENT_FLAGS_CREATE_INSERT barefxt_threadx_object_created(group_ptr, TX_EVENT_FLAG);
#define TX_EL_EVENT_FLAGS_DELETE_INSERT barefxt_threadx_object_deleted(group_ptr, TX_EVENT_FLAG);
#define TX_EL_EVENT_FLAGS_GET_INSERT BAREFXT_THREADX_GETS_(group_ptr, TX_EVENT_FLAG)
#define TX_EL_EVENT_FLAGS_SET_INSERT BAREFXT_THREADX_PUTS_(group_ptr, TX_EVENT_FLAG)
#define TX_EL_BLOCK_POOL_CREATE_INSERT barefxt_threadx_object_created(pool_ptr, TX_BLOCK_MEMORY);
#define TX_EL_BLOCK_POOL_DELETE_INSERT barefxt_threadx_object_deleted(pool_ptr, TX_BLOCK_MEMORY);
#define TX_EL_BLOCK_ALLOCATE_INSERT \
  BAREFXT_THREADX_IF_(              \
      barefxt_threadx_pool(pool_ptr, TX_BLOCK_MEMORY, (ULONG)pool_ptr->tx_block_pool_available))
#define TX_EL_BLOCK_RELEASE_INSERT TX_EL_BLOCK_ALLOCATE_INSERT
#define TX_EL_BYTE_POOL_CREATE_INSERT barefxt_threadx_object_created(pool_ptr, TX_BYTE_MEMORY);
#define TX_EL_BYTE_POOL_DELETE_INSERT barefxt_threadx_object_deleted(pool_ptr, TX_BYTE_MEMORY);
#define TX_EL_BYTE_ALLOCATE_INSERT \
  BAREFXT_THREADX_IF_(             \
      barefxt_threadx_pool(pool_ptr, TX_BYTE_MEMORY, pool_ptr->tx_byte_pool_available))
#define TX_EL_BYTE_RELEASE_INSERT TX_EL_BYTE_ALLOCATE_INSERT
#define TX_EL_TIMER_CREATE_INSERT barefxt_threadx_object_created(timer_ptr, BAREFXT_THREADX_TIMER);
#define TX_EL_TIMER_DELETE_INSERT barefxt_threadx_object_deleted(timer_ptr, BAREFXT_THREADX_TIMER);
#define TX_EL_TIMER_ACTIVATE_INSERT BAREFXT_THREADX_PUTS_(timer_ptr, BAREFXT_THREADX_TIMER)
#define TX_EL_TIMER_DEACTIVATE_INSERT BAREFXT_THREADX_GETS_(timer_ptr, BAREFXT_THREADX_TIMER)
#define TX_EL_THREAD_CREATE_INSERT BAREFXT_THREADX_IF_(barefxt_threadx_created(thread_ptr))
#define TX_EL_THREAD_UNREGISTER(thread) barefxt_threadx_deleted(thread);
#define TX_EL_THREAD_PRIORITY_CHANGE_INSERT \
  BAREFXT_THREADX_IF_(barefxt_threadx_priority_changed(thread_ptr, new_priority))

/* Events that record nothing more. */
#define TX_EL_INITIALIZE
#define TX_EL_THREAD_REGISTER(thread)
#define TX_EL_THREAD_STATUS_CHANGE_INSERT(thread, state)
#define TX_EL_INTERRUPT_CONTROL_INSERT
#define TX_EL_QUEUE_FLUSH_INSERT
#define TX_EL_THREAD_DELETE_INSERT
#define TX_EL_THREAD_IDENTIFY_INSERT
#define TX_EL_THREAD_PREEMPTION_CHANGE_INSERT
#define TX_EL_THREAD_RELINQUISH_INSERT
#define TX_EL_THREAD_RESUME_INSERT
#define TX_EL_THREAD_SLEEP_INSERT
#define TX_EL_THREAD_SUSPEND_INSERT
#define TX_EL_THREAD_TERMINATE_INSERT
#define TX_EL_THREAD_TIME_SLICE_CHANGE_INSERT
#define TX_EL_TIME_GET_INSERT
#define TX_EL_TIME_SET_INSERT
#define TX_EL_TIMER_CHANGE_INSERT
#define TX_EL_BLOCK_POOL_INFO_GET_INSERT
#define TX_EL_BLOCK_POOL_PRIORITIZE_INSERT
#define TX_EL_BYTE_POOL_INFO_GET_INSERT
#define TX_EL_BYTE_POOL_PRIORITIZE_INSERT
#define TX_EL_EVENT_FLAGS_INFO_GET_INSERT
#define TX_EL_MUTEX_INFO_GET_INSERT
#define TX_EL_MUTEX_PRIORITIZE_INSERT
#define TX_EL_QUEUE_INFO_GET_INSERT
#define TX_EL_QUEUE_PRIORITIZE_INSERT
#define TX_EL_SEMAPHORE_INFO_GET_INSERT
#define TX_EL_SEMAPHORE_PRIORITIZE_INSERT
#define TX_EL_THREAD_INFO_GET_INSERT
#define TX_EL_THREAD_WAIT_ABORT_INSERT
#define TX_EL_TIMER_INFO_GET_INSERT
#define TX_EL_BLOCK_POOL_PERFORMANCE_INFO_GET_INSERT
#define TX_EL_BLOCK_POOL_PERFORMANCE_SYSTEM_INFO_GET_INSERT
#define TX_EL_BYTE_POOL_PERFORMANCE_INFO_GET_INSERT
#define TX_EL_BYTE_POOL_PERFORMANCE_SYSTEM_INFO_GET_INSERT
#define TX_EL_EVENT_FLAGS_PERFORMANCE_INFO_GET_INSERT
#define TX_EL_EVENT_FLAGS__PERFORMANCE_SYSTEM_INFO_GET_INSERT
#define TX_EL_EVENT_FLAGS_SET_NOTIFY_INSERT
#define TX_EL_MUTEX_PERFORMANCE_INFO_GET_INSERT
#define TX_EL_MUTEX_PERFORMANCE_SYSTEM_INFO_GET_INSERT
#define TX_EL_QUEUE_PERFORMANCE_INFO_GET_INSERT
#define TX_EL_QUEUE_PERFORMANCE_SYSTEM_INFO_GET_INSERT
#define TX_EL_QUEUE_SEND_NOTIFY_INSERT
#define TX_EL_SEMAPHORE_PERFORMANCE_INFO_GET_INSERT
#define TX_EL_SEMAPHORE_PERFORMANCE_SYSTEM_INFO_GET_INSERT
#define TX_EL_SEMAPHORE_PUT_NOTIFY_INSERT
#define TX_EL_THREAD_ENTRY_EXIT_NOTIFY_INSERT
#define TX_EL_THREAD_RESET_INSERT
#define TX_EL_THREAD_PERFORMANCE_INFO_GET_INSERT
#define TX_EL_THREAD_PERFORMANCE_SYSTEM_INFO_GET_INSERT
#define TX_EL_THREAD_STACK_ERROR_NOTIFY_INSERT
#define TX_EL_TIMER_PERFORMANCE_INFO_GET_INSERT
#define TX_EL_TIMER_PERFORMANCE_SYSTEM_INFO_GET_INSERT

#ifndef TX_SOURCE_CODE
#define _tx_el_user_event_insert(a, b, c, d, e)
#endif

#endif
