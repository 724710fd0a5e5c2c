/* Assembler for the trampolines of sleds (runtime/src/sleds/) on this machine. Without such a file
 * C++ alone records a port's calls, which takes more instructions.
 */
#ifndef BAREFXT_PORT_SLEDS_H
#define BAREFXT_PORT_SLEDS_H

/* C++ alone records where the kernel has an expression for the CPU's number. */
#if !defined(BAREFXT_X86_64_CPU) && !defined(BAREFXT_X86_64_HEADER)

/* The offset of this CPU's number. */
#ifndef BAREFXT_X86_64_CPU_OFFSET
#define BAREFXT_X86_64_CPU_OFFSET 0
#endif
#define BAREFXT_PORT_SLED_CPU % gs : BAREFXT_X86_64_CPU_OFFSET

/* The counter into EDX:EAX, read in order as by barefxt_port_counter. RCX may be lost. */
#define BAREFXT_PORT_SLED_COUNTER rdtscp
/* The same where RCX is in use, if the port has it: saving RCX takes an instruction more. */
#if defined(BAREFXT_X86_64_LFENCE) && BAREFXT_X86_64_LFENCE
#define BAREFXT_PORT_SLED_COUNTER_KEEPING_RCX \
  lfence;                                     \
  rdtsc
#endif

#endif

#endif
