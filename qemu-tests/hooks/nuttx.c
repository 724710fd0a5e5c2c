/* NuttX: see costs.h. The kernel has no note of a mutex that is free: it costs nothing. */
#include <stddef.h>

#include "costs.h"
#include "stand_in.h"

static stand_in_thread* a;
static stand_in_thread* b;

void prepare_operations(void) {
#ifndef WITHOUT
  stand_in_register(1);
#endif
  a = stand_in_create("a", 100, 1);
  b = stand_in_create("b", 100, 2);
  stand_in_start(a);
  stand_in_start(b);
  stand_in_boot(a);
}

static void two_switches(void) {
  stand_in_switch(STAND_IN_READY, 0, b);
  stand_in_switch(STAND_IN_READY, 0, a);
}
static void wait(stand_in_leaves how) {
  stand_in_switch(how, 0, b);
  stand_in_wake(a, false);
  stand_in_switch(STAND_IN_READY, 0, a);
}
static void sleep(void) { wait(STAND_IN_SLEEPS); }
static void mutex_wait(void) { wait(STAND_IN_MUTEX); }
static void semaphore_wait(void) { wait(STAND_IN_SEMAPHORE); }
static void queue_wait(void) { wait(STAND_IN_QUEUE_EMPTY); }
static void interrupt(void) {
  stand_in_interrupt_enter(27);
  stand_in_interrupt_exit(27);
}
static void timer(void) { stand_in_timer(NULL); }
static void created_and_ended(void) {
  stand_in_thread* const c = stand_in_create("c", 100, 3);
  stand_in_start(c);
  stand_in_terminate(c);
}
static void allocate(void) { stand_in_allocate(16); }

const struct operation operations[] = {{"two_switches", two_switches},
                                       {"sleep", sleep},
                                       {"mutex_wait", mutex_wait},
                                       {"semaphore_wait", semaphore_wait},
                                       {"queue_wait", queue_wait},
                                       {"timer_interrupt", interrupt},
                                       {"timer", timer},
                                       {"allocate", allocate},
                                       {"thread_created_and_ended", created_and_ended},
                                       {NULL, NULL}};
