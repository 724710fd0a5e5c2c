/* SysTick as a kernel's tick, every BOARD_PERIOD ticks, which the trace shares. */
#ifndef SYSTICK_H
#define SYSTICK_H

#include <stdint.h>

static volatile uint32_t board_ticks;

void board_systick(void);
void board_systick(void) {
  ++board_ticks;
  barefxt_clock_tick();
}

static inline void systick_start(void) {
  volatile uint32_t* const systick = (volatile uint32_t*)0xe000e010;
  systick[1] = BOARD_PERIOD - 1; /* RVR */
  systick[2] = 0;                /* CVR */
  systick[0] = 7;                /* CSR: the CPU's clock, an interrupt, on */
}
/* Until the kernel's tick came 5 times. The trace's counter never goes back meanwhile. */
static int systick_went_back;
static inline void systick_wait(void) {
  const uint32_t begin = board_ticks;
  uint32_t last = (uint32_t)barefxt_port_counter();
  while (board_ticks - begin < 5) {
    const uint32_t now = (uint32_t)barefxt_port_counter();
    if ((int32_t)(now - last) < 0) systick_went_back = 1;
    last = now;
  }
}

#endif
