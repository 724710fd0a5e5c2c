/* The CPU's number on x86-64 with several: GS leads to the CPU's task state segment, which points
 * to what the kernel knows about the CPU. The port includes this, also in C++, where the kernel's
 * own headers do not go with the runtime's: barefxt_zephyr.c defines the two distances.
 */
#ifndef BAREFXT_ZEPHYR_CPU_H
#define BAREFXT_ZEPHYR_CPU_H

#include <stdint.h>

static inline uint32_t barefxt_zephyr_cpu(void) {
  uint64_t cpu;
  __asm__ volatile("movq %%gs:barefxt_zephyr_tss_cpu, %0\n\tmovzbl barefxt_zephyr_cpu_id(%0), %k0"
                   : "=r"(cpu));
  return (uint32_t)cpu;
}
#define BAREFXT_X86_64_CPU barefxt_zephyr_cpu()

#endif
