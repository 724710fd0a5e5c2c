/* A control loop on each core of a Pico, traced: an alarm samples a sensor every millisecond, and
 * the loops filter. The trace leaves by the default UART.
 */
#include <pico/multicore.h>
#include <pico/stdlib.h>
#include <pico_barefxt.h>
#include <stdio.h>

BAREFXT_CATEGORY(control, 0);

enum { ROUNDS = 30, SAMPLES_A_ROUND = 5, CORES = PICO_BAREFXT_CPUS };

static uint64_t rings[2048 * CORES]; /* 16 KiB a core */
static barefxt_thread idle[2];
static barefxt_thread loops[2];
static volatile uint32_t samples; /* only the alarm writes it */
static volatile bool is_done[2];

static bool sample(repeating_timer_t* timer) {
  (void)timer;
  BAREFXT_IRQ_ENTER("alarm");
  ++samples;
  BAREFXT_COUNTER(control, "samples", 0, BAREFXT_ARG_U32("taken", samples));
  BAREFXT_IRQ_EXIT("alarm");
  return true;
}

/* The trace shows the wait as a switch to idle and back. */
static void wait_until(unsigned core, uint32_t sample_count) {
  barefxt_context_switch(&loops[core], BAREFXT_STATE_BLOCKED, &idle[core]);
  while ((int32_t)(samples - sample_count) < 0) tight_loop_contents();
  barefxt_thread_wakeup(&loops[core]);
  barefxt_context_switch(&idle[core], BAREFXT_STATE_RUNNABLE, &loops[core]);
}

static void run(unsigned core) {
  const uint32_t first = samples;
  for (uint32_t round = 1; round <= ROUNDS; ++round) {
    wait_until(core, first + round * SAMPLES_A_ROUND);
    BAREFXT_JOB_NAMED("control", BAREFXT_MS(5), BAREFXT_MS(2));
    BAREFXT_DURATION_SCOPE(control, "filter", BAREFXT_ARG_U32("round", round));
    for (volatile uint32_t work = 0; work < 1000; ++work) tight_loop_contents();
  }
  is_done[core] = true;
}

static void run_core_1(void) {
  pico_barefxt_prepare_core();
  run(1);
}

int main(void) {
  static const barefxt_config config = {.memory = rings,
                                        .bytes = sizeof rings,
                                        .cpus = CORES,
                                        .categories = ~0u,
                                        .target = "Pico example"};
  stdio_init_all();
  barefxt_process_register(1, "firmware");
  for (unsigned core = 0; core < CORES; ++core) {
    barefxt_thread_register(&idle[core], 0, 2 + core, core == 0 ? "idle/0" : "idle/1", 0);
    barefxt_thread_register(&loops[core], 1, 4 + core, core == 0 ? "loop/0" : "loop/1", 1);
  }
  const barefxt_error error = pico_barefxt_start(&config);
  if (error != BAREFXT_OK) {
    printf("not traced: %s\n", barefxt_error_name(error));
    return 1;
  }
  static repeating_timer_t timer;
  add_repeating_timer_ms(-1, sample, NULL, &timer);
  if (CORES > 1) multicore_launch_core1(run_core_1);
  run(0);
  while (CORES > 1 && !is_done[1]) tight_loop_contents();
  barefxt_stop();
  cancel_repeating_timer(&timer);
  pico_barefxt_dump(uart_default, NULL);
  printf("done: %lu samples\n", (unsigned long)samples);
}
