/* ThreadX: see costs.h. */
#include <stddef.h>

#include "costs.h"
#include "stand_in.h"
#include "tx_api.h"

static stand_in_thread* a;
static stand_in_thread* b;
static void* mutex;
static void* queue;

void prepare_operations(void) {
  a = stand_in_create("a", 1);
  b = stand_in_create("b", 1);
  stand_in_preempt_without_exit(a);
  mutex = stand_in_mutex(0, "mutex");
  queue = stand_in_queue(1, "queue");
}

static void two_switches(void) {
  stand_in_switch(b);
  stand_in_switch(a);
}
static void wait(void* object, uint32_t state) {
  stand_in_suspend(a, state, object);
  stand_in_switch(b);
  stand_in_resume(a);
  stand_in_switch(a);
}
static void mutex_wait(void) { wait(mutex, TX_MUTEX_SUSP); }
static void queue_wait(void) { wait(queue, TX_QUEUE_SUSP); }
static void sleep(void) { wait(NULL, TX_SLEEP); }
static void interrupt(void) {
  stand_in_interrupt_enter(15);
  stand_in_interrupt_exit(15);
}
static void mutex_pair(void) {
  stand_in_mutex_get(mutex);
  stand_in_mutex_put(mutex);
}
static void queue_pair(void) {
  stand_in_queue_send(queue);
  stand_in_queue_receive(queue);
}
static void allocate(void) { stand_in_allocate(0); }
static void timer(void) { stand_in_use_timer("timer"); }
static void created_and_ended(void) {
  stand_in_thread* const c = stand_in_create("c", 1);
  stand_in_terminate(c);
  stand_in_delete(c);
}
static void created_and_deleted(void) {
  stand_in_queue_create(queue);
  stand_in_queue_delete(queue);
}
static void priority(void) { stand_in_set_priority(b, 1); }

const struct operation operations[] = {{"two_switches", two_switches},
                                       {"sleep", sleep},
                                       {"mutex_wait", mutex_wait},
                                       {"queue_wait", queue_wait},
                                       {"tick_interrupt", interrupt},
                                       {"mutex_pair", mutex_pair},
                                       {"queue_pair", queue_pair},
                                       {"allocate", allocate},
                                       {"priority_set", priority},
                                       {"timer", timer},
                                       {"thread_created_and_ended", created_and_ended},
                                       {"queue_created_and_deleted", created_and_deleted},
                                       {NULL, NULL}};
