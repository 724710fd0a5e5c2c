/* ThreadX's hooks in random order. */
#include "scenario.h"

#include "stand_in.h"
#include "tx_api.h"

#define MOST_THREADS 20

static stand_in_thread* threads[MOST_THREADS];
static unsigned thread_count;

static void create(void) {
  if (thread_count < MOST_THREADS)
    threads[thread_count++] = stand_in_create("worker", scenario_random(32));
}

/* Any, which it makes ready where it is not. */
static stand_in_thread* choose(void) {
  stand_in_thread* const thread = threads[scenario_random(thread_count)];
  if (stand_in_state(thread) != TX_READY) stand_in_resume(thread);
  return thread;
}

/* The running thread is not known before the first switch away. */
static void go_to(stand_in_thread* to, struct scenario_counts* counts) {
  counts->switches += stand_in_running() != to;
  stand_in_switch(to);
}

static void end_one(struct scenario_counts* counts) {
  if (thread_count < 3) return;
  const unsigned index = scenario_random(thread_count);
  stand_in_thread* const thread = threads[index];
  threads[index] = threads[--thread_count];
  const bool runs = stand_in_running() == thread;
  stand_in_terminate(thread);
  if (runs) go_to(choose(), counts);
  stand_in_delete(thread);
}

void scenario_prepare(void) {
  create();
  create();
  stand_in_preempt_without_exit(threads[0]);
}

void scenario_switch_away_and_back(void) {
  stand_in_switch(threads[1]);
  stand_in_switch(threads[0]);
}

void scenario_run(uint32_t steps, struct scenario_counts* counts) {
  static const uint32_t states[] = {TX_READY, TX_SUSPENDED, TX_SLEEP, TX_QUEUE_SUSP, TX_MUTEX_SUSP};
  for (uint32_t step = 0; step < steps; ++step) {
    switch (scenario_random(12)) {
      case 0:
        create();
        break;
      case 1:
        if (scenario_random(2) == 0) end_one(counts);
        break;
      case 2:
        if (stand_in_running()) stand_in_switch(stand_in_running());
        break;
      case 3: {
        /* On every port, idle is left by an enter alone. */
        stand_in_thread* const to = choose();
        if (counts->switches == 0) break;
        counts->switches += stand_in_running() != to;
        stand_in_preempt_without_exit(to);
        break;
      }
      case 4:
        stand_in_interrupt_enter(15);
        stand_in_interrupt_exit(15);
        ++counts->ticks;
        break;
      case 5:
        stand_in_interrupt_exit(16 + scenario_random(8));
        break;
      case 6:
        stand_in_set_priority(threads[scenario_random(thread_count)], scenario_random(32));
        break;
      default: {
        stand_in_thread* const from = stand_in_running();
        stand_in_thread* const to = scenario_random(4) == 0 ? NULL : choose();
        const uint32_t state = states[scenario_random(5)];
        if (from != NULL && from != to) {
          stand_in_suspend(
              from, state,
              state == TX_QUEUE_SUSP ? stand_in_queue(0, "jobs") : stand_in_mutex(1, "lock"));
          counts->receives += state == TX_QUEUE_SUSP;
        }
        go_to(to, counts);
        break;
      }
    }
  }
}
