/* A stand-in for ThreadX's headers: as much of them as the hooks look at, written anew. The
 * order matters: tx_user.h comes ahead of all types, the control block has the extension in it,
 * and tx_thread.h uses what tx_user.h has defined. */
#ifndef TX_API_H
#define TX_API_H

#include <stddef.h>

#include <barefxt/config.h>

#include "tx_user.h"

/* The kernel's default, without hooks. */
#ifndef TX_THREAD_USER_EXTENSION
#define TX_THREAD_USER_EXTENSION
#endif
#ifndef TX_THREAD_STATE_CHANGE
#define TX_THREAD_STATE_CHANGE(thread, state)
#endif

#if BAREFXT_MAX_CPUS > 1
#define TX_THREAD_SMP_MAX_CORES 2
#endif

#define VOID void
typedef char CHAR;
typedef unsigned int UINT;
typedef unsigned long ULONG;

#define TX_SUCCESS ((UINT)0)
#define TX_QUEUE_EMPTY ((UINT)10)
#define TX_NO_MEMORY ((UINT)16)
#define TX_PTR_ERROR ((UINT)3)
#define TX_READY ((UINT)0)
#define TX_COMPLETED ((UINT)1)
#define TX_TERMINATED ((UINT)2)
#define TX_SUSPENDED ((UINT)3)
#define TX_SLEEP ((UINT)4)
#define TX_QUEUE_SUSP ((UINT)5)
#define TX_SEMAPHORE_SUSP ((UINT)6)
#define TX_EVENT_FLAG ((UINT)7)
#define TX_BLOCK_MEMORY ((UINT)8)
#define TX_BYTE_MEMORY ((UINT)9)
#define TX_MUTEX_SUSP ((UINT)13)
#define TX_PRIORITY_CHANGE ((UINT)14)

#define TX_ENABLE_STACK_CHECKING
#define TX_INTERRUPT_SAVE_AREA
#define TX_DISABLE
#define TX_RESTORE

typedef struct TX_THREAD_STRUCT {
  VOID* tx_thread_stack_ptr;
  VOID* tx_thread_stack_start;
  ULONG tx_thread_stack_size;
  VOID* tx_thread_stack_highest_ptr;
  CHAR* tx_thread_name;
  UINT tx_thread_priority;
  UINT tx_thread_state;
  VOID* tx_thread_suspend_control_block;
  UINT tx_thread_suspend_status;
  UINT stand_in_is_used;
  TX_THREAD_USER_EXTENSION
} TX_THREAD;

typedef struct {
  ULONG tx_block_pool_id;
  CHAR* tx_block_pool_name;
  ULONG tx_block_pool_block_size;
  VOID* stand_in_free;
} TX_BLOCK_POOL;
typedef struct {
  ULONG tx_byte_pool_id;
  CHAR* tx_byte_pool_name;
  ULONG tx_byte_pool_available;
  CHAR* stand_in_next;
} TX_BYTE_POOL;
typedef struct {
  ULONG tx_queue_id;
  CHAR* tx_queue_name;
} TX_QUEUE;
typedef struct {
  ULONG tx_mutex_id;
  CHAR* tx_mutex_name;
  UINT tx_mutex_ownership_count;
  TX_THREAD* tx_mutex_owner;
} TX_MUTEX;
typedef struct {
  ULONG tx_semaphore_id;
  CHAR* tx_semaphore_name;
} TX_SEMAPHORE;
typedef struct {
  ULONG tx_event_flags_group_id;
  CHAR* tx_event_flags_group_name;
} TX_EVENT_FLAGS_GROUP;
typedef struct {
  ULONG tx_timer_id;
  CHAR* tx_timer_name;
} TX_TIMER;

#ifdef __cplusplus
extern "C" {
#endif
/* With error checking, which is the kernel's default. */
UINT _txe_byte_pool_create(TX_BYTE_POOL* pool, CHAR* name, VOID* begin, ULONG bytes,
                           UINT control_bytes);
UINT _txe_byte_allocate(TX_BYTE_POOL* pool, VOID** block, ULONG bytes, ULONG wait);
UINT _txe_byte_release(VOID* block);
UINT _txe_block_pool_create(TX_BLOCK_POOL* pool, CHAR* name, ULONG block_bytes, VOID* begin,
                            ULONG bytes, UINT control_bytes);
UINT _txe_block_allocate(TX_BLOCK_POOL* pool, VOID** block, ULONG wait);
UINT _txe_block_release(VOID* block);
#ifdef __cplusplus
}
#endif

#ifdef TX_ENABLE_EVENT_LOGGING
#include "tx_el.h"
#else
#define TX_EL_QUEUE_CREATE_INSERT
#define TX_EL_QUEUE_DELETE_INSERT
#define TX_EL_QUEUE_SEND_INSERT
#define TX_EL_QUEUE_RECEIVE_INSERT
#define TX_EL_MUTEX_GET_INSERT
#define TX_EL_MUTEX_PUT_INSERT
#define TX_EL_BYTE_ALLOCATE_INSERT
#define TX_EL_THREAD_PRIORITY_CHANGE_INSERT
#define TX_EL_THREAD_UNREGISTER(a)
#define TX_EL_THREAD_CREATE_INSERT
#define TX_EL_TIMER_CREATE_INSERT
#define TX_EL_TIMER_DELETE_INSERT
#define TX_EL_TIMER_ACTIVATE_INSERT
#define TX_EL_TIMER_DEACTIVATE_INSERT
#endif

#endif
