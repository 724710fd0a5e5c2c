/* A Cortex-M7 on Arm's MPS2 board, with one of these counters: a model of DWT's cycle counter
 * (DWT), the same left as it is at reset (DWT_OFF), the place where QEMU has none (DWT_MISSING), or
 * the kernel's SysTick. */
#ifndef BOARD_H
#define BOARD_H

#include <barefxt_cmsdk.h>

/* With SysTick a debugger is there. With the other counters the core is asked, and QEMU has none.
 */
#ifdef BAREFXT_ARMV7M_SYSTICK_PERIOD
static volatile uint32_t dhcsr_of_debugged_core = 0x00030001;
#define BAREFXT_SEMIHOSTING_DHCSR &dhcsr_of_debugged_core
#define HAS_DEBUGGER true
#else
#define HAS_DEBUGGER false
#endif
#include <barefxt_semihosting.h>

static barefxt_cmsdk uart = {(volatile uint32_t*)0x40004000, 0, 0};

#if defined(DWT_MISSING)
static inline void board_prepare(void) {
  barefxt_cmsdk_enable(&uart, 16);
  barefxt_armv7m_enable_cycle_counter();
}
static inline void board_step(void) {}
#elif defined(DWT) || defined(DWT_OFF)
#include "dwt.h"
#ifdef DWT
static int dwt_is_enabled;
#endif
static inline void board_prepare(void) {
  barefxt_cmsdk_enable(&uart, 16);
  dwt_start();
#ifdef DWT
  dwt_is_enabled = barefxt_armv7m_enable_cycle_counter();
#endif
}
/* 2 ms by the board's timer. */
static inline void board_step(void) {
  const uint32_t begin = dwt_timer();
  while (dwt_timer() - begin < 50000) {
  }
}
#else
#define BOARD_PERIOD 25000
#include "../systick.h"
static inline void board_prepare(void) {
  barefxt_cmsdk_enable(&uart, 16);
  systick_start();
}
static inline void board_step(void) { systick_wait(); }
#endif
static inline barefxt_writer board_writer(void) {
  return (barefxt_writer){barefxt_cmsdk_write, &uart};
}
static inline bool board_has_sent(void) {
#ifdef DWT
  if (dwt_is_enabled == 0) return false;
#endif
#ifdef BOARD_PERIOD
  if (systick_went_back != 0) return false;
#endif
  if (barefxt_semihosting_is_there() != HAS_DEBUGGER) return false;
  return uart.unsent == 0;
}

#endif
