/* The kernel's cycle counter as that of the ports for Cortex-M: it has a rate that is known, every
 * board has it, and it runs on in idle, as DWT's and the CPU's own do not. The ports include this
 * where CONFIG_BAREFXT_OPTIONS names no counter.
 *
 * Its driver takes a lock of the kernel's. Interrupts that this does not mask, NMI and zero-latency
 * ones, must not record.
 */
#ifndef BAREFXT_ZEPHYR_CLOCK_H
#define BAREFXT_ZEPHYR_CLOCK_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
uint32_t sys_clock_cycle_get_32(void);
__attribute__((weak)) uint32_t barefxt_zephyr_cycles;
#ifdef __cplusplus
}
#endif

/* An interrupt in between leaves a later time, which is as good: the caller's record comes next. */
static inline uintptr_t barefxt_zephyr_capture(void) {
  *(volatile uint32_t*)&barefxt_zephyr_cycles = sys_clock_cycle_get_32();
  return (uintptr_t)&barefxt_zephyr_cycles;
}

#ifndef BAREFXT_ARMV6M_FREQUENCY
#define BAREFXT_ARMV6M_COUNTER barefxt_zephyr_capture()
#define BAREFXT_ARMV6M_COUNTER_BITS 32
#define BAREFXT_ARMV6M_FREQUENCY CONFIG_SYS_CLOCK_HW_CYCLES_PER_SEC
#endif
#ifndef BAREFXT_ARMV7M_FREQUENCY
#define BAREFXT_ARMV7M_COUNTER barefxt_zephyr_capture()
#define BAREFXT_ARMV7M_FREQUENCY CONFIG_SYS_CLOCK_HW_CYCLES_PER_SEC
#endif

#endif
