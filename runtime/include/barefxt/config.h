/* What a user may set when the runtime is compiled, here as defaults. Set them as compile
 * definitions of the whole image (the CMake cache variables of the same names do), so that runtime
 * and callers agree.
 */
#ifndef BAREFXT_CONFIG_H
#define BAREFXT_CONFIG_H

/* CPUs that can have a ring; a power of two. Costs 128 bytes of RAM each. */
#ifndef BAREFXT_MAX_CPUS
#define BAREFXT_MAX_CPUS 8
#endif

/* Bytes of a segment, header included; a power of two from 512 to 16384. No record is larger,
 * and run-time text in a record is cut at a quarter of it. */
#ifndef BAREFXT_SEGMENT_BYTES
#define BAREFXT_SEGMENT_BYTES 4096
#endif

/* Entries of the thread table; 32 bytes of RAM each. The first 255 can have a thread index, which
 * makes their records short. Processes and one pseudo-thread a CPU take an entry each, too. */
#ifndef BAREFXT_MAX_THREADS
#define BAREFXT_MAX_THREADS 255
#endif

/* 1: a trace can survive a reset, see barefxt_recover and linker/barefxt_retained.ld. Costs the RAM
 * of a second table of threads and of CPUs, for the trace of the boot before. */
#ifndef BAREFXT_RETAINED
#define BAREFXT_RETAINED 0
#endif

/* Define BAREFXT_DISABLED to 1 to compile every probe to nothing, its arguments unevaluated. */
#ifndef BAREFXT_DISABLED
#define BAREFXT_DISABLED 0
#endif

#endif
