/* LK: see costs.h. */
#include <stddef.h>

#include "costs.h"
#include "stand_in.h"

static stand_in_thread* a;
static stand_in_thread* b;

void prepare_operations(void) {
  a = stand_in_create("a", 16);
  b = stand_in_create("b", 16);
  stand_in_boot(a);
  stand_in_resume(b);
}

static void two_switches(void) {
  stand_in_switch(b);
  stand_in_switch(a);
}
static void wake_mutex(void) { stand_in_wake_one(STAND_IN_MUTEX, 1, a); }
static void wake_event(void) { stand_in_wake_one(STAND_IN_EVENT, 0, a); }
static void wake_semaphore(void) { stand_in_wake_one(STAND_IN_SEMAPHORE, 0, a); }
static void mutex_wait(void) { stand_in_wait(STAND_IN_MUTEX, 1, b, wake_mutex); }
static void event_wait(void) { stand_in_wait(STAND_IN_EVENT, 0, b, wake_event); }
static void semaphore_wait(void) { stand_in_wait(STAND_IN_SEMAPHORE, 0, b, wake_semaphore); }
static void sleep(void) {
  stand_in_sleep(b);
  stand_in_sleep_is_over(a);
  stand_in_switch(a);
}
static void interrupt(void) {
  stand_in_interrupt_enter(27);
  stand_in_interrupt_exit(27);
}
static void mutex_pair(void) { stand_in_take_and_give(1); }
static void timer(void) { stand_in_timer(NULL); }
static void created_and_ended(void) {
  stand_in_thread* const c = stand_in_create("c", 16);
  stand_in_resume(c);
  stand_in_switch(c);
  stand_in_end(a);
}
static void malloc_and_free(void) { stand_in_free(stand_in_allocate(STAND_IN_MALLOC, 16)); }

const struct operation operations[] = {{"two_switches", two_switches},
                                       {"sleep", sleep},
                                       {"mutex_wait", mutex_wait},
                                       {"semaphore_wait", semaphore_wait},
                                       {"event_wait", event_wait},
                                       {"timer_interrupt", interrupt},
                                       {"mutex_pair", mutex_pair},
                                       {"timer", timer},
                                       {"malloc_and_free", malloc_and_free},
                                       {"thread_that_ends", created_and_ended},
                                       {NULL, NULL}};
