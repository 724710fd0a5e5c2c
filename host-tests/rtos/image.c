/* An image that runs a scenario, and sends its counts and then its trace; or, with WITHOUT, runs
 * the scenario alone.
 */
#include <barefxt/barefxt.h>
#include <barefxt_port.h>

#include "machine.h"
#include "scenario.h"

#ifndef IMAGE_RING_BYTES
#define IMAGE_RING_BYTES 524288
#endif

#ifndef WITHOUT
static void uart_write(void* context, const uint8_t* bytes, size_t count) {
  (void)context;
  for (size_t i = 0; i < count; ++i) machine_put(bytes[i]);
}

#endif

/* "COUNT name number" */
static void tell(const char* name, uint32_t number) {
  char digits[11];
  char* at = digits + sizeof digits;
  *--at = 0;
  do {
    *--at = (char)('0' + number % 10);
    number /= 10;
  } while (number != 0);
  const char* const parts[] = {"COUNT ", name, " ", at, "\n"};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i)
    for (const char* c = parts[i]; *c != 0; ++c) machine_put((uint8_t)*c);
}

int main(void) {
  static struct scenario_counts counts;
  machine_prepare();
  scenario_prepare();
#ifndef WITHOUT
#if defined(__aarch64__) && !BAREFXT_DISABLED
  /* A switch that is not recorded clears the monitor, too. On Cortex-M the exception does, and here
   * is none. */
  static uint32_t word;
  barefxt_port_monitor_probe_begin(&word);
  scenario_switch_away_and_back();
  if (!barefxt_port_monitor_probe_end(&word)) return 2;
#endif
  static uint64_t rings[IMAGE_RING_BYTES / sizeof(uint64_t)];
  const barefxt_config config = {
      .memory = rings, .bytes = sizeof rings, .cpus = 1, .categories = ~0u};
  if (barefxt_start(&config) != BAREFXT_OK) return 1;
#endif
  scenario_run(3000, &counts);
  uint32_t lost = 0;
#ifndef WITHOUT
  lost = (uint32_t)barefxt_stop().lost_records;
#endif
  tell("switches", counts.switches);
  tell("ticks", counts.ticks);
  tell("receives", counts.receives);
  tell("sends", counts.sends);
  tell("overruns", counts.overruns);
  tell("blocks", counts.blocks);
  tell("lost", lost);
#ifndef WITHOUT
  const barefxt_writer writer = {uart_write, 0};
  if (barefxt_dump(&writer, BAREFXT_DUMP_BINARY) != BAREFXT_OK) return 1;
#endif
  return 0;
}
