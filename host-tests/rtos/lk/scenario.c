/* LK's hooks in random order. */
#include "scenario.h"

#include <stddef.h>

#include "stand_in.h"

#define MOST_THREADS 20
#define TIMER_INTERRUPT 27

static stand_in_thread* threads[MOST_THREADS];
static unsigned thread_count;
static struct scenario_counts* counting;
static stand_in_thread* waiting;

static void create(void) {
  if (thread_count == MOST_THREADS) return;
  stand_in_thread* const thread = stand_in_create("worker", (int)scenario_random(32));
  stand_in_resume(thread);
  threads[thread_count++] = thread;
}

/* One that is ready, or runs already. */
static stand_in_thread* choose(void) {
  for (;;) {
    stand_in_thread* const thread = threads[scenario_random(thread_count)];
    if (thread == stand_in_running() || stand_in_is_ready(thread)) return thread;
  }
}

static void go_to(stand_in_thread* to) {
  counting->switches += stand_in_running() != to;
  stand_in_switch(to);
}

static void end_running(void) {
  stand_in_thread* const gone = stand_in_running();
  stand_in_thread* const to = choose();
  if (thread_count < 4 || to == gone || gone == threads[0]) return;
  for (unsigned i = 0; i < thread_count; ++i)
    if (threads[i] == gone) threads[i] = threads[--thread_count];
  stand_in_end(to);
  ++counting->switches;
}

static void wake_who_waits(void) {
  if (scenario_random(2) == 0) {
    stand_in_wake_one(STAND_IN_SEMAPHORE_TIMED, 0, NULL);
  } else {
    stand_in_time_out(waiting);
  }
  go_to(waiting);
}

void scenario_prepare(void) {
  threads[thread_count++] = stand_in_create("bootstrap", 31);
  stand_in_boot(threads[0]);
  stand_in_become_idle();
  create();
  create();
}

void scenario_switch_away_and_back(void) {
  stand_in_switch(threads[1]);
  stand_in_switch(threads[0]);
}

void scenario_run(uint32_t steps, struct scenario_counts* counts) {
  counting = counts;
  for (uint32_t step = 0; step < steps; ++step) {
    switch (scenario_random(8)) {
      case 0:
        create();
        break;
      case 1:
        end_running();
        break;
      case 2:
        go_to(choose());
        break;
      case 3: {
        stand_in_thread* const sleeper = stand_in_running();
        stand_in_thread* const to = choose();
        if (to == sleeper) break;
        stand_in_sleep(to);
        stand_in_sleep_is_over(sleeper);
        ++counts->switches;
        break;
      }
      case 4:
        stand_in_interrupt_enter(TIMER_INTERRUPT);
        stand_in_interrupt_exit(TIMER_INTERRUPT);
        ++counts->ticks;
        break;
      case 5:
        stand_in_interrupt_exit(40 + scenario_random(8));
        break;
      case 6:
        stand_in_set_priority(threads[scenario_random(thread_count)], (int)scenario_random(32));
        break;
      default: {
        stand_in_thread* const to = choose();
        waiting = stand_in_running();
        if (to == waiting || waiting == threads[0]) break;
        ++counts->switches;
        ++counts->receives;
        stand_in_wait(STAND_IN_SEMAPHORE_TIMED, 0, to, wake_who_waits);
        break;
      }
    }
  }
}
