/* A stand-in for LK's headers: as much of them as the hooks look at, written anew. The
 * distribution over files matters: the linker leads calls between files to the hooks, and leaves
 * those within one. */
#ifndef KERNEL_THREAD_H
#define KERNEL_THREAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef int status_t;
typedef uint32_t lk_time_t;
typedef unsigned int uint;
#define NO_ERROR 0
#define ERR_TIMED_OUT (-13)
#define INFINITE_TIME UINT32_MAX

struct list_node {
  struct list_node* prev;
  struct list_node* next;
};
#define containerof(pointer, type, member) ((type*)((uintptr_t)(pointer) - offsetof(type, member)))
#define list_peek_head_type(list, type, member) \
  ((list)->next == (list) ? NULL : containerof((list)->next, type, member))
#define list_for_every_entry(list, entry, type, member)                               \
  for ((entry) = containerof((list)->next, type, member); &(entry)->member != (list); \
       (entry) = containerof((entry)->member.next, type, member))

typedef struct wait_queue {
  struct list_node list;
} wait_queue_t;

enum thread_state {
  THREAD_SUSPENDED = 0,
  THREAD_READY,
  THREAD_RUNNING,
  THREAD_BLOCKED,
  THREAD_SLEEPING,
  THREAD_DEATH,
};
#define THREAD_FLAG_IDLE (1u << 4)

#define THREAD_STACK_HIGHWATER 1

typedef struct thread {
  struct list_node queue_node;
  int priority;
  enum thread_state state;
  unsigned int flags;
  int pinned_cpu;
  wait_queue_t* blocking_wait_queue;
  status_t wait_queue_block_ret;
  wait_queue_t retcode_wait_queue;
  void* stack;
  size_t stack_size;
  char name[32];
  bool stand_in_is_used;
} thread_t;

static inline int thread_pinned_cpu(const thread_t* thread) { return thread->pinned_cpu; }
thread_t* get_current_thread(void);

/* Counts takes of an object that is taken, and gives of one that is not. */
void stand_in_lock(void);
void stand_in_unlock(void);
#define THREAD_LOCK(state) \
  const int state = 0;     \
  stand_in_lock()
#define THREAD_UNLOCK(state) \
  (void)(state);             \
  stand_in_unlock()

status_t thread_resume(thread_t* thread);
status_t thread_detach_and_resume(thread_t* thread);
void thread_unblock(thread_t* thread, bool reschedule);
status_t thread_unblock_from_wait_queue(thread_t* thread, status_t error);
void thread_set_name(const char* name);
status_t thread_join(thread_t* thread, int* code, lk_time_t timeout);
status_t wait_queue_block(wait_queue_t* wait, lk_time_t timeout);
int wait_queue_wake_one(wait_queue_t* wait, bool reschedule, status_t error);
int wait_queue_wake_all(wait_queue_t* wait, bool reschedule, status_t error);
void wait_queue_init(wait_queue_t* wait);

#endif
