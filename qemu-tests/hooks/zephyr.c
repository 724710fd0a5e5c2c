/* Zephyr: see costs.h. */
#include <stddef.h>

#include "costs.h"
#include "stand_in.h"

static stand_in_thread* a;
static stand_in_thread* b;

void prepare_operations(void) {
  a = stand_in_create("a", 5);
  b = stand_in_create("b", 5);
  stand_in_boot(a);
}

static void two_switches(void) {
  stand_in_switch(STAND_IN_READY, 0, b);
  stand_in_switch(STAND_IN_READY, 0, a);
}
static void wait(stand_in_leaves how) {
  stand_in_switch(how, 0, b);
  stand_in_ready(a);
  stand_in_switch(STAND_IN_READY, 0, a);
  stand_in_return(how, 0, false);
}
static void sleep(void) { wait(STAND_IN_SLEEPS); }
static void mutex_wait(void) { wait(STAND_IN_MUTEX); }
static void semaphore_wait(void) { wait(STAND_IN_SEMAPHORE); }
static void queue_wait(void) { wait(STAND_IN_QUEUE_EMPTY); }
static void event_wait(void) { wait(STAND_IN_EVENT); }
static void interrupt(void) {
  stand_in_interrupt_enter(15);
  stand_in_interrupt_exit(15);
}
/* Its unlock has no hook. */
static void mutex_pair(void) { stand_in_lock(0); }
static void semaphore_take(void) { stand_in_take(0); }
static void condition_wait(void) { wait(STAND_IN_CONDITION); }
static void created_and_ended(void) { stand_in_abort(stand_in_create("c", 5)); }
static void suspend(void) { wait(STAND_IN_SUSPENDED); }
static void priority(void) { stand_in_set_priority(b, 5); }

const struct operation operations[] = {{"two_switches", two_switches},
                                       {"sleep", sleep},
                                       {"mutex_wait", mutex_wait},
                                       {"semaphore_wait", semaphore_wait},
                                       {"queue_wait", queue_wait},
                                       {"event_wait", event_wait},
                                       {"tick_interrupt", interrupt},
                                       {"mutex_pair", mutex_pair},
                                       {"semaphore_take", semaphore_take},
                                       {"priority_set", priority},
                                       {"condition_wait", condition_wait},
                                       {"suspend", suspend},
                                       {"thread_created_and_ended", created_and_ended},
                                       {NULL, NULL}};
