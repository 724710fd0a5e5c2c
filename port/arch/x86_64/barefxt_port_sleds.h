/* What trampolines of sleds (runtime/src/sleds/) do on this machine, in assembler. A port without
 * such a file has its calls recorded by C++ alone, which takes more instructions.
 */
#ifndef BAREFXT_PORT_SLEDS_H
#define BAREFXT_PORT_SLEDS_H

/* Where the number of this CPU is. */
#ifndef BAREFXT_X86_64_CPU_OFFSET
#define BAREFXT_X86_64_CPU_OFFSET 0
#endif
#define BAREFXT_PORT_SLED_CPU % gs : BAREFXT_X86_64_CPU_OFFSET

/* The counter into EDX:EAX, read as barefxt_port_counter does; RCX may be lost. */
#define BAREFXT_PORT_SLED_COUNTER rdtscp

#endif
