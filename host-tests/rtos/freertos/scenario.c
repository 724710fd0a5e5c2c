/* FreeRTOS's hooks in random order. */
#include "scenario.h"

#include <stddef.h>

#include "stand_in.h"

#define MOST_TASKS 20

static stand_in_task* tasks[MOST_TASKS];
static unsigned task_count;
static stand_in_object* queue;

static void create(void) {
  if (task_count < MOST_TASKS)
    tasks[task_count++] = stand_in_create("worker", 1 + scenario_random(5));
}

static void forget(unsigned index) { tasks[index] = tasks[--task_count]; }

/* Any, which it makes ready where it is not. */
static stand_in_task* choose(void) {
  stand_in_task* const task = tasks[scenario_random(task_count)];
  if (stand_in_place_of(task) != STAND_IN_READY) stand_in_make_ready(task);
  return task;
}

static void leave_and_switch(stand_in_place place, struct scenario_counts* counts) {
  stand_in_task* const from = stand_in_running();
  stand_in_task* const to = choose();
  if (from != to) stand_in_move(from, place);
  stand_in_switch(to);
  counts->switches += from != to;
}

static void delete_one(struct scenario_counts* counts) {
  if (task_count < 3) return;
  const unsigned index = scenario_random(task_count);
  stand_in_task* const task = tasks[index];
  const bool is_running = task == stand_in_running();
  forget(index);
  stand_in_delete(task);
  if (!is_running) return;
  stand_in_switch(choose());
  ++counts->switches;
}

void scenario_prepare(void) {
  tasks[task_count++] = stand_in_create("IDLE", 0);
  create();
  stand_in_start_scheduler(tasks[0]);
  queue = stand_in_queue_create(0);
  stand_in_queue_name(queue, "jobs");
}

void scenario_switch_away_and_back(void) {
  stand_in_switch(tasks[1]);
  stand_in_switch(tasks[0]);
}

void scenario_run(uint32_t steps, struct scenario_counts* counts) {
  static const stand_in_place places[] = {
      STAND_IN_READY,     STAND_IN_DELAYED,          STAND_IN_DELAYED_BEYOND_OVERFLOW,
      STAND_IN_SUSPENDED, STAND_IN_WAITING_FOR_EVER, STAND_IN_NOTIFIED_FOR_EVER};
  for (uint32_t step = 0; step < steps; ++step) {
    switch (scenario_random(13)) {
      case 0:
        create();
        break;
      case 1:
        if (scenario_random(2) == 0) delete_one(counts);
        break;
      case 2:
        stand_in_switch(stand_in_running());
        break;
      case 3: {
        stand_in_task* const from = stand_in_running();
        stand_in_task* const to = choose();
        /* The first thing in a session must be a switch away: the running task is not known before.
         */
        if (counts->switches == 0) break;
        stand_in_switch_without_out(to);
        counts->switches += from != to;
        break;
      }
      case 4:
        stand_in_tick();
        ++counts->ticks;
        break;
      case 5:
        stand_in_handler_without_enter(16 + scenario_random(8));
        break;
      case 6:
        stand_in_queue_blocks(queue);
        leave_and_switch(STAND_IN_WAITING_FOR_EVER, counts);
        stand_in_queue_sent_from_interrupt(queue);
        ++counts->sends;
        break;
      case 7:
        stand_in_queue_received(queue);
        ++counts->receives;
        break;
      case 8:
        stand_in_set_priority(tasks[scenario_random(task_count)], 1 + scenario_random(5));
        break;
      case 9: {
        stand_in_task* const from = stand_in_running();
        stand_in_task* const to = choose();
        if (stand_in_delay_until(1 + scenario_random(5), from != to)) {
          stand_in_switch(to);
          ++counts->switches;
        } else {
          ++counts->overruns;
        }
        break;
      }
      default:
        leave_and_switch(places[scenario_random(6)], counts);
        break;
    }
  }
}
