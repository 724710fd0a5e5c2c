/* Tonbandgeraet, into its snapshot buffer. */
#include "tband.h"
#include "tracer.h"

/* One of its hooks for FreeRTOS: the kernel's macro calls it. */
void impl_tband_freertos_task_switched_in(uint32_t task);

static volatile uint32_t number;

static void context_switch(void) { impl_tband_freertos_task_switched_in(2); }
static void interrupt(void) {
  tband_isr_enter(17);
  tband_isr_exit(17);
}
static void mark(void) { tband_evtmarker(1, ""); }
static void mark_with_number(void) { tband_valmarker(1, number); }

const struct operation tracer_operations[] = {{"context switch", context_switch},
                                              {"interrupt, entry and exit", interrupt},
                                              {"mark", mark},
                                              {"mark with a number", mark_with_number},
                                              {0, 0}};

uint64_t comparison_time(void) {
  static uint32_t latest, high;
  const uint32_t now = ~COMPARISON_TIMER;
  high += now < latest;
  latest = now;
  return (uint64_t)high << 32 | now;
}

int tracer_start(void) { return tband_trigger_snapshot() == 0; }

/* Only of a recorder that has stopped. */
uint32_t tracer_bytes(void) {
  tband_stop_snapshot();
  const uint32_t bytes = tband_get_core_snapshot_buf_amnt(0);
  tband_trigger_snapshot();
  return bytes;
}
