/* FreeRTOS: see costs.h. */
#include <stddef.h>

#include "costs.h"
#include "stand_in.h"

static stand_in_task* a;
static stand_in_task* b;
static stand_in_object* mutex;
static stand_in_object* semaphore;
static stand_in_object* queue;
static stand_in_object* timer;
static stand_in_object* reloading_timer;
static stand_in_object* group;
static stand_in_object* stream;

void prepare_operations(void) {
  a = stand_in_create("a", 1);
  b = stand_in_create("b", 1);
  stand_in_start_scheduler(a);
  mutex = stand_in_queue_create(1);
  semaphore = stand_in_queue_create(3);
  queue = stand_in_queue_create(0);
  timer = stand_in_timer_create("timer");
  reloading_timer = stand_in_timer_create("reloading");
  stand_in_timer_reloads(reloading_timer, 10);
  group = stand_in_event_group_create();
  stream = stand_in_stream_create();
}

static void two_switches(void) {
  stand_in_switch(b);
  stand_in_switch(a);
}
static void wakeup(void) {
  stand_in_move(b, STAND_IN_SUSPENDED);
  stand_in_make_ready(b);
}
static void mutex_pair(void) {
  stand_in_queue_received(mutex);
  stand_in_queue_sent(mutex);
}
static void semaphore_pair(void) {
  stand_in_queue_received(semaphore);
  stand_in_queue_sent(semaphore);
}
static void queue_pair(void) {
  stand_in_queue_sent(queue);
  stand_in_queue_received(queue);
}
static void mutex_wait(void) {
  stand_in_queue_blocks(mutex);
  stand_in_queue_received(mutex);
  stand_in_queue_sent(mutex);
}
static void queue_timeout(void) {
  stand_in_queue_blocks(queue);
  stand_in_queue_timed_out(queue);
}
static void send_from_interrupt(void) { stand_in_queue_sent_from_interrupt(queue); }
static void notify(void) { stand_in_notify(b); }
static void timer_expired(void) { stand_in_timer_expired(timer); }
static void event_group_wait(void) { stand_in_event_group_wait(group, false); }
static void stream_receive(void) { stand_in_stream_receive(stream); }
static void job(void) { stand_in_delay_until(10, false); }
static void malloc_and_free(void) {
  stand_in_malloc(64);
  stand_in_free(64);
}
static void task_created_and_deleted(void) { stand_in_delete(stand_in_create("c", 1)); }
static void queue_created_and_deleted(void) { stand_in_queue_delete(stand_in_queue_create(0)); }
static void priority_inherited(void) {
  stand_in_inherit(b, 2);
  stand_in_disinherit(b, 1);
}
static void timer_reloads(void) { stand_in_timer_expired(reloading_timer); }
static void priority(void) { stand_in_set_priority(b, 1); }

const struct operation operations[] = {{"two_switches", two_switches},
                                       {"suspend_and_wakeup", wakeup},
                                       {"tick_interrupt", stand_in_tick},
                                       {"mutex_pair", mutex_pair},
                                       {"mutex_pair_after_wait", mutex_wait},
                                       {"semaphore_pair", semaphore_pair},
                                       {"queue_pair", queue_pair},
                                       {"queue_timeout", queue_timeout},
                                       {"send_from_interrupt", send_from_interrupt},
                                       {"notify", notify},
                                       {"notification_wait", stand_in_notification_wait},
                                       {"timer_expired", timer_expired},
                                       {"timer_reloads", timer_reloads},
                                       {"event_group_wait", event_group_wait},
                                       {"stream_receive", stream_receive},
                                       {"job", job},
                                       {"priority_set", priority},
                                       {"priority_inherited", priority_inherited},
                                       {"task_created_and_deleted", task_created_and_deleted},
                                       {"queue_created_and_deleted", queue_created_and_deleted},
                                       {"malloc_and_free", malloc_and_free},
                                       {NULL, NULL}};
