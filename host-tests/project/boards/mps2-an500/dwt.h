/* DWT of a Cortex-M7, which QEMU does not have: its registers lie where the MPU lets nobody go, and
 * the handler of the fault does what they do. As on the chip CTRL and CYCCNT cannot be stored while
 * the lock is closed, and nothing counts without TRCENA and CYCCNTENA. A cycle is one of the
 * board's timer. BAREFXT_ARMV7M_DWT is where the model is, and DEMCR lies 0xdfc behind it. */
#ifndef DWT_H
#define DWT_H

#include <stdint.h>

enum {
  DWT_CTRL = 0x000,
  DWT_CYCCNT = 0x004,
  DWT_DEMCR = 0xdfc,
  DWT_LAR = 0xfb0,
  DWT_LSR = 0xfb4,
};
#define DWT_TRCENA ((uint32_t)1 << 24)

static struct {
  uint32_t control;
  uint32_t demcr;
  uint32_t cycles; /* at `since` */
  uint32_t since;
  int is_open;
} dwt_model;

static inline uint32_t dwt_timer(void) { return ~*(volatile const uint32_t*)0x40000004; }

static int dwt_counts(void) {
  return (dwt_model.demcr & DWT_TRCENA) != 0 && (dwt_model.control & 1) != 0;
}

static uint32_t dwt_load(uint32_t offset) {
  if (offset == DWT_DEMCR) return dwt_model.demcr;
  if ((dwt_model.demcr & DWT_TRCENA) == 0) return 0;
  if (offset == DWT_CTRL) return (uint32_t)4 << 28 | dwt_model.control;
  if (offset == DWT_LSR) return dwt_model.is_open ? 1 : 3;
  if (offset != DWT_CYCCNT) return 0;
  return dwt_model.cycles + (dwt_counts() ? dwt_timer() - dwt_model.since : 0);
}

static void dwt_store(uint32_t offset, uint32_t value) {
  dwt_model.cycles = dwt_load(DWT_CYCCNT);
  dwt_model.since = dwt_timer();
  if (offset == DWT_DEMCR) dwt_model.demcr = value;
  if ((dwt_model.demcr & DWT_TRCENA) == 0) return;
  if (offset == DWT_LAR) dwt_model.is_open = value == 0xc5acce55;
  if (!dwt_model.is_open) return;
  if (offset == DWT_CTRL) dwt_model.control = value & 1;
  if (offset == DWT_CYCCNT) dwt_model.cycles = value;
}

/* The load or store that faulted, done by the model. `high` has r4 to r11, `frame` r0 to r3, r12,
 * lr and the address of the instruction. */
void dwt_access(uint32_t* high, uint32_t* frame);
__attribute__((used)) void dwt_access(uint32_t* high, uint32_t* frame) {
  const uint32_t offset = *(volatile const uint32_t*)0xe000ed34 - BAREFXT_ARMV7M_DWT; /* MMFAR */
  const uint16_t* const code = (const uint16_t*)frame[6];
  const int is_wide = code[0] >> 11 >= 0x1d;
  const uint32_t number = is_wide ? code[1] >> 12 : code[0] & 7u;
  /* LDR and STR with an offset, or with a register for it in 16 bits. */
  const int is_load = is_wide ? (code[0] & 0x10) != 0 : (code[0] & 0x0800) != 0;
  uint32_t* const value = number < 4    ? &frame[number]
                          : number < 12 ? &high[number - 4]
                                        : &frame[number == 12 ? 4 : 5];
  if (is_load)
    *value = dwt_load(offset);
  else
    dwt_store(offset, *value);
  frame[6] += is_wide ? 4 : 2;
  *(volatile uint8_t*)0xe000ed28 = 0xff; /* MMFSR: done with */
}

__attribute__((naked)) void board_memory_fault(void);
__attribute__((naked)) void board_memory_fault(void) {
  __asm__ volatile(
      "mov r1, sp\n\tpush {r3, r4-r11, lr}\n\tadd r0, sp, #4\n\tbl dwt_access\n\t"
      "pop {r3, r4-r11, pc}");
}

static inline void dwt_start(void) {
  volatile uint32_t* const timer = (volatile uint32_t*)0x40000000;
  volatile uint32_t* const mpu = (volatile uint32_t*)0xe000ed94;
  timer[2] = 0xffffffff; /* RELOAD */
  timer[1] = 0xffffffff; /* VALUE */
  timer[0] = 1;          /* CTRL: enable */
  mpu[1] = 0;            /* RNR */
  mpu[2] = BAREFXT_ARMV7M_DWT;
  mpu[3] = (uint32_t)1 << 28 | 11 << 1 | 1;    /* RASR: no access, no execution, 4 KiB */
  mpu[0] = 5;                                  /* CTRL: on; elsewhere as without */
  *(volatile uint32_t*)0xe000ed24 |= 1u << 16; /* SHCSR: the fault has a handler */
  __asm__ volatile("dsb\n\tisb" : : : "memory");
}

#endif
