/* The stand-in for ThreadX. */
#define TX_THREAD_SMP_SOURCE_CODE
#include <barefxt_port.h>

#include "stand_in.h"
#include "tx_thread.h"

unsigned stand_in_interrupt;

#ifdef TX_THREAD_SMP_MAX_CORES
TX_THREAD* _tx_thread_current_ptr[TX_THREAD_SMP_MAX_CORES];
TX_THREAD* _tx_thread_execute_ptr[TX_THREAD_SMP_MAX_CORES];
#define CURRENT _tx_thread_current_ptr[barefxt_port_cpu()]
#define EXECUTE _tx_thread_execute_ptr[barefxt_port_cpu()]
#else
TX_THREAD* _tx_thread_current_ptr;
TX_THREAD* _tx_thread_execute_ptr;
#define CURRENT _tx_thread_current_ptr
#define EXECUTE _tx_thread_execute_ptr
#endif

#ifdef TX_ENABLE_EXECUTION_CHANGE_NOTIFY
VOID _tx_execution_initialize(VOID);
VOID _tx_execution_thread_enter(VOID);
VOID _tx_execution_thread_exit(VOID);
VOID _tx_execution_isr_enter(VOID);
VOID _tx_execution_isr_exit(VOID);
#else
#define _tx_execution_thread_enter()
#define _tx_execution_thread_exit()
#define _tx_execution_isr_enter()
#define _tx_execution_isr_exit()
#endif

static TX_THREAD threads[24];
#if BAREFXT_THREADX_STACKS
#include "../painted_stacks.h"
void stand_in_leave_stack(stand_in_thread* thread, uint32_t left, uint32_t least) {
  thread->tx_thread_stack_ptr = (char*)thread->tx_thread_stack_start + left;
  thread->tx_thread_stack_highest_ptr = (char*)thread->tx_thread_stack_start + least;
}
#endif

stand_in_thread* stand_in_running(void) { return CURRENT; }
uint32_t stand_in_state(const stand_in_thread* thread) { return thread->tx_thread_state; }

static void clear(TX_THREAD* thread) {
  volatile unsigned char* const bytes = (volatile unsigned char*)thread;
  for (size_t i = 0; i < sizeof *thread; ++i) bytes[i] = 0;
}

stand_in_thread* stand_in_create(const char* name, uint32_t priority) {
  for (unsigned i = 0; i < sizeof threads / sizeof *threads; ++i) {
    TX_THREAD* const thread = &threads[i];
    TX_THREAD* const thread_ptr = thread;
    (void)thread_ptr;
    if (thread->stand_in_is_used) continue;
    clear(thread);
    thread->stand_in_is_used = 1;
#if BAREFXT_THREADX_STACKS
    thread->tx_thread_stack_start = paint_stack(i, 0xefefefefu);
    thread->tx_thread_stack_size = STAND_IN_STACK_BYTES;
    stand_in_leave_stack(thread, STAND_IN_STACK_BYTES, STAND_IN_STACK_BYTES);
#endif
    thread->tx_thread_name = (CHAR*)(uintptr_t)name;
    thread->tx_thread_priority = priority;
    thread->tx_thread_state = TX_SUSPENDED;
    TX_EL_THREAD_CREATE_INSERT
    stand_in_resume(thread);
    return thread;
  }
  return NULL;
}

void stand_in_delete(stand_in_thread* thread) {
  TX_EL_THREAD_UNREGISTER(thread)
  thread->stand_in_is_used = 0;
}

void stand_in_restart(stand_in_thread* thread) {
  thread->tx_thread_state = TX_SUSPENDED;
  stand_in_resume(thread);
}

void stand_in_resume(stand_in_thread* thread) {
  thread->tx_thread_state = TX_READY;
  thread->tx_thread_suspend_status = TX_SUCCESS;
  TX_THREAD_STATE_CHANGE(thread, TX_READY)
}

void stand_in_suspend(stand_in_thread* thread, uint32_t state, void* object) {
  thread->tx_thread_state = state;
  thread->tx_thread_suspend_control_block = object;
  TX_THREAD_STATE_CHANGE(thread, thread->tx_thread_state)
}

void stand_in_terminate(stand_in_thread* thread) {
  thread->tx_thread_state = TX_TERMINATED;
  TX_THREAD_STATE_CHANGE(thread, TX_TERMINATED)
}

void stand_in_set_priority(stand_in_thread* thread_ptr, uint32_t new_priority) {
  TX_EL_THREAD_PRIORITY_CHANGE_INSERT
  const bool is_ready = thread_ptr->tx_thread_state == TX_READY;
  if (is_ready) {
    thread_ptr->tx_thread_state = TX_PRIORITY_CHANGE;
    TX_THREAD_STATE_CHANGE(thread_ptr, thread_ptr->tx_thread_state)
  }
  thread_ptr->tx_thread_priority = new_priority;
  if (is_ready) {
    thread_ptr->tx_thread_state = TX_READY;
    TX_THREAD_STATE_CHANGE(thread_ptr, TX_READY)
  }
}

void stand_in_wait_failed(stand_in_thread* thread) {
  thread->tx_thread_suspend_status = TX_QUEUE_EMPTY;
}

void stand_in_switch(stand_in_thread* to) {
  EXECUTE = to;
  _tx_execution_thread_exit();
  CURRENT = to;
  if (to != NULL) {
    _tx_execution_thread_enter();
  }
}

void stand_in_preempt_without_exit(stand_in_thread* to) {
  EXECUTE = to;
  CURRENT = to;
  _tx_execution_thread_enter();
}

void stand_in_leave_without_exit(void) {
  EXECUTE = NULL;
  CURRENT = NULL;
}

void stand_in_interrupted_by(unsigned number) { stand_in_interrupt = number; }
void stand_in_interrupt_enter(unsigned number) {
  stand_in_interrupt = number;
  _tx_execution_isr_enter();
}

void stand_in_interrupt_exit(unsigned number) {
  stand_in_interrupt = number;
  _tx_execution_isr_exit();
  stand_in_interrupt = 0;
}

/* One kind where there was another, as in memory that is used again. */
static union {
  TX_QUEUE queue;
  TX_MUTEX mutex;
} objects[4];

void* stand_in_queue(unsigned place, const char* name) {
  objects[place].queue.tx_queue_name = (CHAR*)(uintptr_t)name;
  return &objects[place];
}

void* stand_in_mutex(unsigned place, const char* name) {
  objects[place].mutex.tx_mutex_name = (CHAR*)(uintptr_t)name;
  return &objects[place];
}

void stand_in_hold(void* mutex, stand_in_thread* thread) {
  ((TX_MUTEX*)mutex)->tx_mutex_owner = thread;
  ((TX_MUTEX*)mutex)->tx_mutex_ownership_count = thread != NULL;
}

void stand_in_queue_create(void* queue) {
  TX_QUEUE* const queue_ptr = (TX_QUEUE*)queue;
  (void)queue_ptr;
  TX_EL_QUEUE_CREATE_INSERT
}

void stand_in_queue_delete(void* queue) {
  TX_QUEUE* const queue_ptr = (TX_QUEUE*)queue;
  (void)queue_ptr;
  TX_EL_QUEUE_DELETE_INSERT
}

void stand_in_queue_send(void* queue) {
  TX_QUEUE* const queue_ptr = (TX_QUEUE*)queue;
  (void)queue_ptr;
  TX_EL_QUEUE_SEND_INSERT
}

void stand_in_queue_receive(void* queue) {
  TX_QUEUE* const queue_ptr = (TX_QUEUE*)queue;
  (void)queue_ptr;
  TX_EL_QUEUE_RECEIVE_INSERT
}

void stand_in_mutex_get(void* mutex) {
  TX_MUTEX* const mutex_ptr = (TX_MUTEX*)mutex;
  (void)mutex_ptr;
  TX_EL_MUTEX_GET_INSERT
}

void stand_in_mutex_put(void* mutex) {
  TX_MUTEX* const mutex_ptr = (TX_MUTEX*)mutex;
  (void)mutex_ptr;
  TX_EL_MUTEX_PUT_INSERT
}

void stand_in_use_timer(const char* name) {
  static TX_TIMER timer;
  TX_TIMER* const timer_ptr = &timer;
  timer_ptr->tx_timer_name = (CHAR*)(uintptr_t)name;
  TX_EL_TIMER_CREATE_INSERT
  TX_EL_TIMER_ACTIVATE_INSERT
  TX_EL_TIMER_DEACTIVATE_INSERT
  TX_EL_TIMER_DELETE_INSERT
}

void stand_in_allocate(unsigned bytes) {
  static TX_BYTE_POOL pool;
  TX_BYTE_POOL* const pool_ptr = &pool;
  if (pool.tx_byte_pool_name == NULL) pool.tx_byte_pool_available = 1000;
  pool.tx_byte_pool_name = (CHAR*)(uintptr_t)"bytes";
  TX_EL_BYTE_ALLOCATE_INSERT
#ifdef TX_ENABLE_EVENT_LOGGING
  /* Which the kernel does. */
  *((ULONG*)(*(unsigned char**)_tx_el_current_event + TX_EL_EVENT_INFO_4_OFFSET)) = (ULONG)-1;
#endif
  pool_ptr->tx_byte_pool_available -= bytes;
}

#ifdef TX_ENABLE_EVENT_LOGGING
UINT _tx_thread_interrupt_control(UINT new_posture);
UINT _tx_thread_interrupt_control(UINT new_posture) { return new_posture; }
#endif

void stand_in_reset(void) {
#ifdef TX_THREAD_SMP_MAX_CORES
  for (unsigned core = 0; core < TX_THREAD_SMP_MAX_CORES; ++core)
    _tx_thread_current_ptr[core] = NULL;
#else
  _tx_thread_current_ptr = NULL;
#endif
  for (unsigned i = 0; i < sizeof threads / sizeof *threads; ++i) {
    if (!threads[i].stand_in_is_used) continue;
    stand_in_terminate(&threads[i]);
    stand_in_delete(&threads[i]);
  }
}
