/* Kinds of causes that make a thread late under a real kernel, one at a time, again and again with
 * other lengths: those of qemu-tests/injected/, two of which need two CPUs. Right ahead of each an
 * instant of the category `probe`
 *
 *   injected   arguments cause: its number among injected_cause; ticks: how long it is to last, at
 *              most if the cause is INJECTED_TICK
 *
 * says what will be to blame. `barefxt explain` does not read it; injected_causes.h in
 * host-tests/explain compares. The thread that is late is "victim".
 *
 * One file of each kernel includes this. It defines the functions of "The kernel's" below, calls
 * injected_in_tick() in each interrupt of the kernel's timer and injected_in_device() in that of
 * the device, and then injected_create(). With INJECTED_TWO_CPUS the threads run on the first CPU,
 * and the second one idles.
 */
#ifndef INJECTED_H
#define INJECTED_H

#include <barefxt/barefxt.h>

BAREFXT_CATEGORY(probe, 2);

/* In this order on the host, too. */
enum injected_cause {
  INJECTED_HELD_LOCK,     /* "low" holds lock "outer", and runs */
  INJECTED_INVERSION,     /* "low" holds lock "plain", and "mid", of a priority in between, runs */
  INJECTED_MASKED,        /* "low" runs with interrupts off, and wakes the victim itself */
  INJECTED_LONG_HANDLER,  /* of the device, with the timer's nested in it */
  INJECTED_STORM,         /* interrupts of the device one behind the other */
  INJECTED_NOT_PREEMPTED, /* "low" runs with switches off, and interrupts on */
  INJECTED_AFFINITY, /* the second CPU, on which the victim ran last, idles; it waits for "high" */
  INJECTED_LATE_WAKEUP, /* the second CPU, which the victim is to run on, gets no interrupt */
  INJECTED_TICK,        /* "peer", of the same priority, runs until its tick is over */
  INJECTED_STALL,       /* the timer's handler does not come back */
  INJECTED_STARVATION,  /* "high" runs */
  INJECTED_CHAIN,       /* of three locks, behind which "low" runs */
  INJECTED_CAUSES
};

/* ---- The kernel's. Levels: 1 is the lowest, and above the idle thread. ---- */

enum { LOW, MID, UPPER, VICTIM, PEER, HIGH, CONDUCTOR, INJECTED_THREADS };
enum { INJECTED_LOWEST = 1, INJECTED_HIGHEST = 6 };
/* A semaphore of each thread, and one more. They begin with 0. */
enum { PLAYED = INJECTED_THREADS, INJECTED_SEMAPHORES };
/* "outer", "middle", "inner"; and "plain", through which no priority is inherited. All are traced
 * with their holders. */
enum { OUTER, MIDDLE, INNER, PLAIN, INJECTED_LOCKS };

static void kernel_create_thread(unsigned number, const char* name, unsigned level,
                                 void (*entry)(unsigned number));
static void kernel_up(unsigned semaphore);
/* From the handlers of timer and device. */
static void kernel_up_in_interrupt(unsigned semaphore);
static void kernel_down(unsigned semaphore);
static void kernel_lock(unsigned lock);
static void kernel_unlock(unsigned lock);
static void kernel_sleep_ms(unsigned milliseconds);
/* Thereafter the caller runs on until it allows switches, whomever it wakes, with interrupts on. */
static void kernel_forbid_switches(void);
static void kernel_allow_switches(void);
/* The same, with interrupts off. */
static void kernel_mask(void);
static void kernel_unmask(void);
/* The device asks for an interrupt. */
static void kernel_ask_device(void);
#ifdef INJECTED_TWO_CPUS
/* The victim, which is blocked, is to run on this CPU from now on. */
static void kernel_move_victim(unsigned cpu);
/* The second CPU gets no interrupts of the kernel's, and then all at once. */
static void kernel_hold_back(void);
static void kernel_tell(void);
#endif
/* The trace is over. */
static void kernel_finish(void);

/* ---- The causes ---- */

#ifndef INJECTED_ROUNDS
#define INJECTED_ROUNDS 25
#endif
#ifndef INJECTED_SEED
#define INJECTED_SEED 1
#endif
/* As long as a thread's turn among equals takes, or longer. */
#ifndef INJECTED_TURN_MS
#define INJECTED_TURN_MS 2
#endif

static void (*injected_part[INJECTED_THREADS])(void);
static uint32_t injected_random = INJECTED_SEED;
static uint32_t injected_per_ms; /* the clock's ticks */
static uint32_t injected_number; /* of the cause */
static uint64_t injected_length; /* of the cause, in the clock's ticks */
static uint64_t injected_step;   /* of what lies around it */
static uint32_t injected_signals;
static volatile bool injected_has_run; /* the victim */
/* For the next interrupt. */
static void (*volatile injected_in_next_tick)(void);
static void (*volatile injected_in_next_device)(void);
static volatile uint64_t injected_storm_end; /* until then each interrupt brings the next */
static volatile uint32_t injected_ticks;     /* of the kernel's timer */

static uint32_t injected_below(uint32_t end) {
  injected_random = injected_random * 1664525u + 1013904223u;
  return (uint32_t)((uint64_t)injected_random * end >> 32);
}

static void injected_spin(uint64_t ticks) {
  const uint64_t end = barefxt_ticks() + ticks;
  while (barefxt_ticks() < end) {
  }
}

static void injected_signal(unsigned thread) {
  __atomic_store_n(&injected_signals, injected_signals + 1, __ATOMIC_RELAXED);
  kernel_up(thread);
}

static void injected_announce(void) {
  BAREFXT_INSTANT(probe, "injected", BAREFXT_ARG_U32("cause", injected_number),
                  BAREFXT_ARG_U64("ticks", injected_length));
}

static void injected_make_late(void) {
  injected_announce();
  injected_signal(VICTIM);
}

static void injected_make_late_in_interrupt(void) {
  injected_announce();
  __atomic_store_n(&injected_signals, injected_signals + 1, __ATOMIC_RELAXED);
  kernel_up_in_interrupt(VICTIM);
  injected_spin(injected_length);
}

/* ---- The victim's parts ---- */

static void injected_run_a_little(void) {
  injected_has_run = true;
  injected_spin(injected_step);
}

static void injected_take(unsigned lock) {
  kernel_lock(lock);
  injected_run_a_little();
  kernel_unlock(lock);
}
static void injected_take_outer(void) { injected_take(OUTER); }
static void injected_take_plain(void) { injected_take(PLAIN); }

static void injected_work_in_storm(void) {
  injected_announce();
  const uint64_t begin = barefxt_ticks();
  injected_storm_end = begin + injected_length;
  kernel_ask_device();
  injected_spin(injected_step);
  BAREFXT_DURATION_COMPLETE(probe, "work", begin);
}

/* ---- The others' parts ---- */

static void injected_spin_for_length(void) { injected_spin(injected_length); }

static void injected_wake_and_spin(void) {
  injected_make_late();
  injected_spin_for_length();
}

static void injected_hold_outer(void) {
  kernel_lock(OUTER);
  injected_wake_and_spin();
  kernel_unlock(OUTER);
}

static void injected_hold_plain_below_mid(void) {
  kernel_lock(PLAIN);
  injected_make_late();
  injected_spin(injected_step);
  injected_signal(MID);
  injected_spin(injected_step);
  kernel_unlock(PLAIN);
}

static void injected_hold_inner(void) {
  kernel_lock(INNER);
  injected_signal(MID);
  injected_signal(UPPER);
  injected_wake_and_spin();
  kernel_unlock(INNER);
}
static void injected_hold_both(unsigned outer, unsigned inner) {
  kernel_lock(outer);
  kernel_lock(inner);
  kernel_unlock(inner);
  kernel_unlock(outer);
}
static void injected_hold_middle(void) { injected_hold_both(MIDDLE, INNER); }
static void injected_hold_outer_for_middle(void) { injected_hold_both(OUTER, MIDDLE); }

static void injected_run_with_switches_off(void) {
  kernel_forbid_switches();
  injected_wake_and_spin();
  kernel_allow_switches();
}

static void injected_run_masked(void) {
  kernel_mask();
  injected_wake_and_spin();
  kernel_unmask();
}

static void injected_wait_in_device(void) {
  injected_in_next_device = injected_make_late_in_interrupt;
  kernel_ask_device();
  while (!injected_has_run) {
  }
}

static void injected_wait_in_tick(void) {
  injected_in_next_tick = injected_make_late_in_interrupt;
  while (!injected_has_run) {
  }
}

/* From the beginning of a tick on. */
static void injected_run_until_its_tick_is_over(void) {
  const uint32_t tick = injected_ticks;
  while (injected_ticks == tick) {
  }
  injected_wake_and_spin();
}

#ifdef INJECTED_TWO_CPUS
/* The victim leaves the second CPU, which idles then. QEMU runs the CPUs by turns. */
static void injected_move_back(void) {
  while (!injected_has_run) {
  }
  injected_spin(4 * injected_per_ms);
  kernel_move_victim(0);
}
/* The victim ran there first. */
static void injected_keep_from_idle_cpu(void) {
  kernel_move_victim(1);
  injected_signal(VICTIM);
  injected_move_back();
  injected_wake_and_spin();
}
/* Then it runs on the first CPU, as ever. */
static void injected_hold_back_wakeup(void) {
  kernel_move_victim(1);
  kernel_hold_back();
  injected_wake_and_spin();
  kernel_tell();
  injected_move_back();
  injected_signal(VICTIM);
}
#endif

/* ---- Who plays what ---- */

struct injected_play {
  unsigned first;
  void (*of_first)(void);
  void (*of_victim)(void);
  void (*of_mid)(void);
  void (*of_upper)(void);
};
static const struct injected_play injected_plays[INJECTED_CAUSES] = {
    [INJECTED_HELD_LOCK] = {LOW, injected_hold_outer, injected_take_outer, NULL, NULL},
    [INJECTED_INVERSION] = {LOW, injected_hold_plain_below_mid, injected_take_plain,
                            injected_spin_for_length, NULL},
    [INJECTED_MASKED] = {LOW, injected_run_masked, injected_run_a_little, NULL, NULL},
    [INJECTED_LONG_HANDLER] = {LOW, injected_wait_in_device, injected_run_a_little, NULL, NULL},
    [INJECTED_STORM] = {VICTIM, injected_work_in_storm, injected_work_in_storm, NULL, NULL},
    [INJECTED_NOT_PREEMPTED] = {LOW, injected_run_with_switches_off, injected_run_a_little, NULL,
                                NULL},
#ifdef INJECTED_TWO_CPUS
    [INJECTED_AFFINITY] = {HIGH, injected_keep_from_idle_cpu, injected_run_a_little, NULL, NULL},
    [INJECTED_LATE_WAKEUP] = {LOW, injected_hold_back_wakeup, injected_run_a_little, NULL, NULL},
#endif
    [INJECTED_TICK] = {PEER, injected_run_until_its_tick_is_over, injected_run_a_little, NULL,
                       NULL},
    [INJECTED_STALL] = {LOW, injected_wait_in_tick, injected_run_a_little, NULL, NULL},
    [INJECTED_STARVATION] = {HIGH, injected_wake_and_spin, injected_run_a_little, NULL, NULL},
    [INJECTED_CHAIN] = {LOW, injected_hold_inner, injected_take_outer, injected_hold_middle,
                        injected_hold_outer_for_middle},
};

static void injected_inject(void) {
  const struct injected_play* const play = &injected_plays[injected_number];
  if (play->of_first == NULL) return;
  const uint32_t least_ms = injected_number == INJECTED_TICK ? INJECTED_TURN_MS : 2;
  injected_length = least_ms * injected_per_ms + injected_below(8 * injected_per_ms);
  injected_step = injected_per_ms / 20 + injected_below(injected_per_ms / 10);
  injected_has_run = false;
  injected_signals = 0;
  injected_part[VICTIM] = play->of_victim;
  injected_part[MID] = play->of_mid;
  injected_part[UPPER] = play->of_upper;
  injected_part[play->first] = play->of_first;
  kernel_sleep_ms(2);
  injected_spin(injected_below(injected_per_ms));
  injected_signal(play->first);
  /* The first one at least, which signals to others before it is over. */
  for (uint32_t i = 0; i == 0 || i < __atomic_load_n(&injected_signals, __ATOMIC_RELAXED); ++i)
    kernel_down(PLAYED);
}

/* ---- Threads and interrupts ---- */

static void injected_play(unsigned number) {
  for (;;) {
    kernel_down(number);
    injected_part[number]();
    kernel_up(PLAYED);
  }
}

/* Above all others. */
static void injected_conduct(unsigned number) {
  (void)number;
  kernel_sleep_ms(12);
  for (uint32_t round = 0; round < INJECTED_ROUNDS; ++round)
    for (injected_number = 0; injected_number < INJECTED_CAUSES; ++injected_number)
      injected_inject();
  kernel_sleep_ms(2);
  kernel_finish();
}

static void injected_in_tick(void) {
  ++injected_ticks;
  void (*const what)(void) = injected_in_next_tick;
  if (what == NULL) return;
  injected_in_next_tick = NULL;
  what();
}

static void injected_in_device(void) {
  if (barefxt_ticks() < injected_storm_end) {
    injected_spin(injected_per_ms / 10);
    kernel_ask_device();
  }
  void (*const what)(void) = injected_in_next_device;
  if (what == NULL) return;
  injected_in_next_device = NULL;
  what();
}

static void injected_create(uint32_t clock_ticks_per_ms) {
  static const struct {
    const char* name;
    unsigned level;
  } threads[] = {[LOW] = {"low", 1},       [MID] = {"mid", 2},   [UPPER] = {"upper", 3},
                 [VICTIM] = {"victim", 4}, [PEER] = {"peer", 4}, [HIGH] = {"high", 5}};
  injected_per_ms = clock_ticks_per_ms;
  for (unsigned i = LOW; i <= HIGH; ++i)
    kernel_create_thread(i, threads[i].name, threads[i].level, injected_play);
  kernel_create_thread(CONDUCTOR, "conductor", INJECTED_HIGHEST, injected_conduct);
}

#endif
