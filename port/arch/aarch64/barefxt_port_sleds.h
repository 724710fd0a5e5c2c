/* What trampolines of sleds (runtime/src/sleds/) do on this machine, in assembler. A port without
 * such a file has its calls recorded by C++ alone, which takes more instructions.
 */
#ifndef BAREFXT_PORT_SLEDS_H
#define BAREFXT_PORT_SLEDS_H

/* What says which CPU this is: the same there, another on all others. Its number begins at a bit.
 */
#ifndef BAREFXT_AARCH64_AFFINITY_SHIFT
#define BAREFXT_AARCH64_AFFINITY_SHIFT 0
#endif
#define BAREFXT_PORT_SLED_CPU(into) mrs into, mpidr_el1
#define BAREFXT_PORT_SLED_CPU_SHIFT BAREFXT_AARCH64_AFFINITY_SHIFT

/* The counter, read as barefxt_port_counter does. */
#define BAREFXT_PORT_SLED_COUNTER(into) \
  isb;                                  \
  mrs into, cntvct_el0

#endif
