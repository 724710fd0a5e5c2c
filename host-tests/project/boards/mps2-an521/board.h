/* Two Cortex-M33 that run code for Cortex-M0+, as RP2040 has two of: no exclusives. */
#ifndef BOARD_H
#define BOARD_H

#include <barefxt_cmsdk.h>

static barefxt_cmsdk uart = {(volatile uint32_t*)0x50200000, 0, 0};

static inline void board_prepare(void) {
  volatile uint32_t* const timer = (volatile uint32_t*)0x50000000;
  volatile uint32_t* const systick = (volatile uint32_t*)0xe000e010;
  barefxt_cmsdk_enable(&uart, 16);
  timer[2] = 0xffffffff; /* RELOAD */
  timer[1] = 0xffffffff; /* VALUE */
  timer[0] = 1;          /* CTRL: enable */
  /* By -icount QEMU runs one CPU up to the next event of any timer, then the other: each stops
   * after any of its instructions. */
  systick[1] = 36; /* every 29 instructions of 64 ns */
  systick[2] = 0;
  systick[0] = 5; /* without an interrupt */
}

/* CPU 1 runs run_cpu_1, on a stack of its own. QEMU reads its vectors from the image, not from
 * memory. */
static void run_cpu_1(void);
void board_nmi(void);
static uint64_t stack_1[512];
__attribute__((aligned(512))) static const struct {
  void* stack;
  void (*handlers[15])(void);
} vectors_1 = {&stack_1[512], {run_cpu_1, board_nmi}};

static inline void board_release_cpu_1(void) {
  *(volatile uint32_t*)0x50021114 = (uint32_t)(uintptr_t)&vectors_1; /* INITSVTOR1 */
  __asm__ volatile("dsb" : : : "memory");
  *(volatile uint32_t*)0x50021118 = 0; /* CPUWAIT */
}

static inline barefxt_writer board_writer(void) {
  return (barefxt_writer){barefxt_cmsdk_write, &uart};
}
static inline bool board_has_sent(void) { return uart.unsent == 0; }

#endif
