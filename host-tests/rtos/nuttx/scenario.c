/* NuttX's notes in random order. */
#include "scenario.h"

#include <stddef.h>

#include "stand_in.h"

#define MOST_THREADS 20
#define TIMER_INTERRUPT 27

static stand_in_thread* threads[MOST_THREADS];
static unsigned thread_count;

static void create(void) {
  if (thread_count == MOST_THREADS) return;
  stand_in_thread* const thread =
      stand_in_create("pool", (uint8_t)(1 + scenario_random(255)), 10 + (int)thread_count);
  stand_in_set_name(thread, "worker");
  stand_in_start(thread);
  threads[thread_count++] = thread;
}

/* Any, which it makes ready where it is not. */
static stand_in_thread* choose(void) {
  stand_in_thread* const thread = threads[scenario_random(thread_count)];
  if (thread != stand_in_running() && !stand_in_is_ready(thread)) stand_in_wake(thread, false);
  return thread;
}

static void end_one(struct scenario_counts* counts) {
  const unsigned index = 1 + scenario_random(thread_count - 1);
  stand_in_thread* const gone = threads[index];
  if (thread_count < 4) return;
  threads[index] = threads[--thread_count];
  if (gone != stand_in_running()) return stand_in_terminate(gone);
  stand_in_end(choose(), scenario_random(2) == 0);
  ++counts->switches;
}

void scenario_prepare(void) {
  stand_in_register(1);
  threads[thread_count++] = stand_in_create("CPU0 IDLE", 0, 0);
  stand_in_boot(threads[0]);
  create();
  create();
}

void scenario_switch_away_and_back(void) {
  stand_in_switch(STAND_IN_READY, 0, threads[1]);
  stand_in_switch(STAND_IN_READY, 0, threads[0]);
}

void scenario_run(uint32_t steps, struct scenario_counts* counts) {
  for (uint32_t step = 0; step < steps; ++step) {
    switch (scenario_random(9)) {
      case 0:
        create();
        break;
      case 1:
        end_one(counts);
        break;
      case 2:
        stand_in_interrupt_enter(TIMER_INTERRUPT);
        stand_in_interrupt_exit(TIMER_INTERRUPT);
        ++counts->ticks;
        break;
      case 3:
        stand_in_interrupt_exit(40 + (int)scenario_random(8));
        break;
      case 4: {
        const unsigned index = 1 + scenario_random(thread_count - 1);
        stand_in_set_priority(threads[index], (uint8_t)(1 + scenario_random(255)));
        if (stand_in_is_ready(threads[index])) stand_in_requeue(threads[index]);
        break;
      }
      default: {
        stand_in_thread* const from = stand_in_running();
        stand_in_thread* const to = choose();
        const bool is_idle = from == threads[0] || from == to;
        const stand_in_leaves how =
            is_idle ? STAND_IN_READY : (stand_in_leaves)scenario_random(STAND_IN_STOPPED + 1);
        stand_in_switch(how, 0, to);
        counts->switches += from != to;
        counts->receives += how == STAND_IN_QUEUE_EMPTY || how == STAND_IN_QUEUE_FULL;
        break;
      }
    }
  }
}
