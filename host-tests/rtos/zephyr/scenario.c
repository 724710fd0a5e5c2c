/* Zephyr's hooks in random order. */
#include "scenario.h"

#include <stddef.h>
#include <zephyr/kernel.h>

#include "stand_in.h"

#define MOST_THREADS 20
#define IDLE_PRIORITY 15
#define TICK_INTERRUPT 15

static stand_in_thread* threads[MOST_THREADS];
static stand_in_leaves waits_in[MOST_THREADS];
static unsigned thread_count;

static void create(void) {
  if (thread_count == MOST_THREADS) return;
  waits_in[thread_count] = STAND_IN_READY;
  threads[thread_count++] = stand_in_create("worker", (int)scenario_random(IDLE_PRIORITY));
}

static unsigned index_of(const stand_in_thread* thread) {
  unsigned index = 0;
  while (threads[index] != thread) ++index;
  return index;
}

/* Any, which it makes ready where it is not. */
static stand_in_thread* choose(void) {
  stand_in_thread* const thread = threads[scenario_random(thread_count)];
  if (thread != stand_in_running() && !stand_in_is_ready(thread)) stand_in_ready(thread);
  return thread;
}

static void go_to(stand_in_thread* to, stand_in_leaves how, struct scenario_counts* counts) {
  counts->switches += stand_in_running() != to;
  stand_in_switch(how, 0, to);
  stand_in_return(waits_in[index_of(to)], 0, false);
  waits_in[index_of(to)] = STAND_IN_READY;
}

static void end_one(struct scenario_counts* counts) {
  const unsigned index = 1 + scenario_random(thread_count - 1);
  stand_in_thread* const gone = threads[index];
  if (thread_count < 4) return;
  threads[index] = threads[--thread_count];
  waits_in[index] = waits_in[thread_count];
  if (gone != stand_in_running()) return stand_in_abort(gone);
  stand_in_end(choose());
  ++counts->switches;
}

void scenario_prepare(void) {
  stand_in_make_system_heap();
  threads[thread_count++] = stand_in_create("idle", IDLE_PRIORITY);
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
    switch (scenario_random(10)) {
      case 0:
        create();
        break;
      case 1:
        end_one(counts);
        break;
      case 2:
        stand_in_interrupt_enter(TICK_INTERRUPT);
        stand_in_interrupt_exit(TICK_INTERRUPT);
        ++counts->ticks;
        break;
      case 3:
        stand_in_interrupt_exit(16 + scenario_random(8));
        break;
      case 4:
        stand_in_set_priority(threads[1 + scenario_random(thread_count - 1)],
                              (int)scenario_random(IDLE_PRIORITY));
        break;
      case 5:
        stand_in_take(0);
        break;
      case 6:
        ++counts->blocks;
        k_free(k_malloc(1 + scenario_random(40)));
        break;
      default: {
        stand_in_thread* const from = stand_in_running();
        stand_in_thread* const to = choose();
        stand_in_leaves how = STAND_IN_READY;
        if (from != to && from != threads[0])
          how = (stand_in_leaves)scenario_random(STAND_IN_CONDITION + 1);
        counts->receives += how == STAND_IN_QUEUE_EMPTY || how == STAND_IN_QUEUE_FULL;
        waits_in[index_of(from)] = how;
        go_to(to, how, counts);
        break;
      }
    }
  }
}
