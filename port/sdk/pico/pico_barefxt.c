#include "pico_barefxt.h"

#include <hardware/sync.h>
#include <pico/time.h>

#include <barefxt_pl011.h>

static repeating_timer_t clock_tick;

static bool read_counter(repeating_timer_t* timer) {
  (void)timer;
  barefxt_clock_tick();
  return true;
}

void pico_barefxt_prepare_core(void) {
#if PICO_RP2350 && !defined(__riscv) && PICO_BAREFXT_CPUS > 1
  /* ACTLR.EXTEXCLALL: exclusive stores of both cores exclude each other. */
  *(volatile uint32_t*)0xe000e008 |= (uint32_t)1 << 29;
  __dsb();
#endif
}

barefxt_error pico_barefxt_start(const barefxt_config* config) {
  pico_barefxt_prepare_core();
#if PICO_RP2040 && PICO_BAREFXT_CPUS > 1
  const uint lock = 31; /* that of BAREFXT_ARMV6M_SPINLOCK in CMakeLists.txt */
  if (!spin_lock_is_claimed(lock)) {
    spin_lock_claim(lock);
    spin_lock_init(lock);
  }
#endif
  if (clock_tick.callback == NULL)
    add_repeating_timer_ms(20 * 60 * 1000, read_counter, NULL, &clock_tick);
  return barefxt_start(config);
}

barefxt_error pico_barefxt_dump(uart_inst_t* uart, uint64_t* unsent) {
  barefxt_pl011 line = {(volatile uint32_t*)uart_get_hw(uart), 0, 0};
  const barefxt_writer writer = {barefxt_pl011_write, &line};
  const barefxt_error error = barefxt_dump(&writer, BAREFXT_DUMP_BINARY);
  uart_tx_wait_blocking(uart);
  if (unsent != NULL) *unsent = line.unsent;
  return error;
}
