/* Assembler for the trampolines of sleds (runtime/src/sleds/) on this machine. Without such a file
 * C++ alone records a port's calls, which takes more instructions.
 */
#ifndef BAREFXT_PORT_SLEDS_H
#define BAREFXT_PORT_SLEDS_H

/* C++ alone records where the kernel has expressions for the CPU's number or the counter. */
#if !defined(BAREFXT_AARCH64_CPU) && !defined(BAREFXT_AARCH64_COUNTER_READ) && \
    !defined(BAREFXT_AARCH64_COUNTER_TWICE)

/* The bits of MPIDR that identify this CPU: the same there, another on all others. The CPU's number
 * begins at this bit.
 */
#ifndef BAREFXT_AARCH64_AFFINITY_SHIFT
#define BAREFXT_AARCH64_AFFINITY_SHIFT 0
#endif
#define BAREFXT_PORT_SLED_CPU(into) mrs into, mpidr_el1
#define BAREFXT_PORT_SLED_CPU_SHIFT BAREFXT_AARCH64_AFFINITY_SHIFT

/* The counter, read as barefxt_port_counter does. */
#if defined(BAREFXT_AARCH64_PHYSICAL_COUNTER) && BAREFXT_AARCH64_PHYSICAL_COUNTER
#define BAREFXT_PORT_SLED_COUNTER(into) \
  isb;                                  \
  mrs into, cntpct_el0
#else
#define BAREFXT_PORT_SLED_COUNTER(into) \
  isb;                                  \
  mrs into, cntvct_el0
#endif

#endif

#endif
