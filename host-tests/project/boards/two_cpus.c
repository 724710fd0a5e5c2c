/* Two CPUs record at once, each into its own ring, and change words that they share: koids, the
 * session, the positions of both rings. Nothing may be lost uncounted. Then one stops recording
 * under the other, again and again: nothing may be recorded after that. */
#include <barefxt/barefxt.h>
#include <barefxt/kernel_hooks.h>

#include "board.h"
#include "library.h"
#include "lock.h"

volatile uint32_t lock_wanted[2];
volatile uint32_t lock_turns;
volatile uint32_t lock_control = (uint32_t)1 << 29;

BAREFXT_CATEGORY(boot, 0);

enum { EACH = 20000, KOIDS = 2000, STOPS = 100, SEGMENT_WORDS = 128, TICKS = 1200000000 };

/* The position of each CPU's ring comes first in it. */
extern volatile uint32_t ring_words[2][32] __asm__("_ZN7barefxt5ringsE");

static uint64_t rings[2048 * SEGMENT_WORDS];
static volatile uint32_t attempted[2];  /* by the CPU's thread */
static volatile uint32_t interrupts[2]; /* NMIs that record as well */
static volatile uint32_t phases[2];
static volatile uint32_t is_exact; /* NMIs record */
static volatile uint32_t is_over;
static uint32_t koids[2][KOIDS];

void board_nmi(void);
__attribute__((used)) void board_nmi(void) {
  const uint32_t cpu = barefxt_port_cpu();
  if (is_exact == 0) return;
  interrupts[cpu] = interrupts[cpu] + 1;
  BAREFXT_INSTANT(boot, "nmi");
}

static void meet(uint32_t phase) {
  const uint32_t cpu = barefxt_port_cpu();
  __asm__ volatile("dmb" : : : "memory");
  phases[cpu] = phase;
  while (phases[1 - cpu] < phase) {
  }
  __asm__ volatile("dmb" : : : "memory");
}

static __attribute__((noinline)) void record(uint32_t cpu) {
  BAREFXT_INSTANT(boot, "step", BAREFXT_ARG_U32("number", cpu << 24 | attempted[cpu]));
  attempted[cpu] = attempted[cpu] + 1;
}

static void record_and_share(uint32_t cpu) {
  for (uint32_t i = 0; i < EACH; ++i) {
    record(cpu);
    if (i < KOIDS) koids[cpu][i] = barefxt_koid_new();
    /* Without the category of switches this changes the positions of both rings, over and over. */
    if (cpu == 0 && i % 256 == 0) barefxt_set_categories(BAREFXT_CATEGORY_BIT(boot));
  }
}

static void run_cpu_1(void) {
  barefxt_check_cpus(2, TICKS);
  meet(1);
  record_and_share(1);
  meet(2);
  meet(3);
  while (is_over == 0) record(1);
  meet(4);
  while (1) {
  }
}

/* Each CPU's grow. */
static int has_each_koid_once(void) {
  uint32_t others = 0;
  for (uint32_t i = 0; i < KOIDS; ++i) {
    if (i != 0 && (koids[0][i] <= koids[0][i - 1] || koids[1][i] <= koids[1][i - 1])) return 0;
    while (others < KOIDS && koids[1][others] < koids[0][i]) ++others;
    if (others < KOIDS && koids[1][others] == koids[0][i]) return 0;
  }
  return 1;
}

static void wait_for_records(void) {
  const uint32_t begin = attempted[1];
  while (attempted[1] - begin < 8) {
  }
}

static int is_closed(uint32_t cpu) { return (ring_words[cpu][0] & 7) != 0; }

/* False: a ring is open after a stop, or something was recorded then. */
static int stays_stopped(const barefxt_config* config) {
  for (uint32_t i = 0; i < STOPS; ++i) {
    if (barefxt_start(config) != BAREFXT_OK) return 0;
    wait_for_records();
    barefxt_close();
    if (!is_closed(0) || !is_closed(1)) return 0;
    if (barefxt_wait_unfinished(TICKS) != 0) return 0;
    const uint64_t recorded = barefxt_stop().recorded_records;
    wait_for_records();
    if (barefxt_stop().recorded_records != recorded) return 0;
  }
  return 1;
}

int main(void) {
  board_prepare();
  board_release_cpu_1();
  const barefxt_error fault = barefxt_check_cpus(2, TICKS);
  if (fault != BAREFXT_OK) return 100 + (int)fault;
  barefxt_config config = {
      .memory = rings, .bytes = sizeof rings, .cpus = 2, .categories = BAREFXT_CATEGORY_BIT(boot)};
  const barefxt_writer writer = board_writer();
  if (barefxt_start(&config) != BAREFXT_OK) {
    barefxt_dump(&writer, BAREFXT_DUMP_BINARY);
    return 1;
  }
  is_exact = 1;
  meet(1);
  record_and_share(0);
  meet(2);
  is_exact = 0;
  if (!has_each_koid_once()) return 4;
  const uint32_t nmis = interrupts[0] + interrupts[1];
  barefxt_close();
  const barefxt_stop_report report = barefxt_stop();
  if (report.unfinished_records != 0) return 5;
  if (report.recorded_records + report.lost_records != 2 * EACH + nmis) return 6;
#ifdef NMI
  if (nmis < 100) return 7;
#else
  if (report.lost_records != 0) return 8;
#endif
  meet(3);
  config.bytes = sizeof rings / 64;
  if (!stays_stopped(&config)) return 9;
  is_over = 1;
  meet(4);
  barefxt_dump(&writer, BAREFXT_DUMP_BINARY);
  return board_has_sent() ? 0 : 10;
}
