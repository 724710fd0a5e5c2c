/* Settings for compiling the runtime, with their defaults. Set them as compile definitions of the
 * whole image (the CMake cache variables of the same names do), so that runtime and callers agree.
 */
#ifndef BAREFXT_CONFIG_H
#define BAREFXT_CONFIG_H

/* For images with little flash and RAM. 1: the options below that mention it default to their
 * smallest value, except BAREFXT_LINEAR; 2: BAREFXT_LINEAR, too. Each may still be set by itself.
 */
#ifndef BAREFXT_SMALL
#define BAREFXT_SMALL 0
#endif

/* CPUs that can have a ring; a power of two. Costs 128 bytes of RAM each. 1 if the ring has no
 * segments. */
#ifndef BAREFXT_MAX_CPUS
/* A number: the assembler reads it, too. */
#if BAREFXT_SMALL > 1
#define BAREFXT_MAX_CPUS 1
#else
#define BAREFXT_MAX_CPUS 8
#endif
#endif

/* Entries of the thread table; 40 bytes of RAM each, 32 without BAREFXT_REUSE_ENTRIES. With
 * BAREFXT_SNAPSHOTS as much again, for the names at the time of the snapshot. The first
 * 255 can have a thread index, which makes their records short. Processes, named objects and one
 * pseudo-thread a CPU take an entry each, too. */
#ifndef BAREFXT_MAX_THREADS
#define BAREFXT_MAX_THREADS (BAREFXT_SMALL ? 32 : 255)
#endif

/* Bytes of a segment, header included; a power of two from 512 to 16384. No record is larger,
 * and run-time text in a record is cut at a quarter of it. */
#ifndef BAREFXT_SEGMENT_BYTES
#define BAREFXT_SEGMENT_BYTES 4096
#endif

/* 1: a trace can survive a reset, see barefxt_recover and linker/barefxt_retained.ld. Costs the RAM
 * of a second table of threads and of CPUs, for the trace of the boot before. */
#ifndef BAREFXT_RETAINED
#define BAREFXT_RETAINED 0
#endif

/* The most segments of each CPU that barefxt_drain can keep after they were sent, for resends over
 * the way back: 24 bytes of RAM each, and 0.9 KiB of flash. A session's configuration sets the
 * number in use. */
#ifndef BAREFXT_RESEND_SEGMENTS
#define BAREFXT_RESEND_SEGMENTS 0
#endif

/* 1: the host may send requests over the line, see barefxt_receive. 1.2 KiB of flash, and 110 bytes
 * of RAM. 1 if segments are kept for resends. */
#ifndef BAREFXT_WAY_BACK
#define BAREFXT_WAY_BACK (BAREFXT_RESEND_SEGMENTS > 0)
#endif

/* ---- Parts that an image with little flash leaves out ----
 *
 * Flash is that of Cortex-M3 with GCC at -Os; docs/contributing/testing.md has the size of the
 * whole runtime. No setting weakens the promises about records: none is torn, and none is lost
 * uncounted, no matter which context interrupts which.
 */

/* 1: the texts of BAREFXT_STRING and of probes stay in the program's file, and so does their table:
 * they take no flash. A dump contains the build id instead, which barefxt_start asks for, and
 * `barefxt rebuild --elf` reads the texts. barefxt_dump_fxt returns BAREFXT_ERROR_LEFT_OUT. The
 * same for all objects of an image. */
#ifndef BAREFXT_STRINGS_IN_ELF
#define BAREFXT_STRINGS_IN_ELF 0
#endif

/* 1: the ring has no segments. It is one run of memory that is recorded into once, from its begin
 * to its end: for one CPU, in one-shot mode, and one session from boot on, a second start returns
 * BAREFXT_ERROR_LEFT_OUT. Saves 2.4 KiB, and 3.4 KiB with the dump. Without segments:
 *   - A debugger or the next boot cannot rebuild the trace.
 *   - The trace omits changes of the clock, and reports all losses at its end.
 *   - The table of threads does not reuse entries of threads that are gone.
 *   - Captures of boots that start at the same tick have one id.
 *   - The runtime borrows the configuration's `target` and `build_id` until the last dump.
 * At most 124 KiB are used, on CPUs of 64 bits 1 GiB. */
#ifndef BAREFXT_LINEAR
#define BAREFXT_LINEAR (BAREFXT_SMALL > 1)
#endif

/* The modes that barefxt_start takes, as a sum: 1 one-shot, 2 circular, 4 streaming. For others it
 * returns BAREFXT_ERROR_LEFT_OUT. Circular costs 400 bytes; streaming costs nothing but
 * barefxt_drain, in images that call it. */
#ifndef BAREFXT_MODES
#define BAREFXT_MODES (BAREFXT_SMALL ? 1 : 7)
#endif

/* 1: barefxt_snapshot works. 0: it returns BAREFXT_ERROR_LEFT_OUT. Costs 150 bytes, and 400 with
 * the dump. */
#ifndef BAREFXT_SNAPSHOTS
#define BAREFXT_SNAPSHOTS (!BAREFXT_SMALL)
#endif

/* 1: barefxt_trigger works. 0: it does not link. Costs 100 bytes. */
#ifndef BAREFXT_TRIGGERS
#define BAREFXT_TRIGGERS (!BAREFXT_SMALL)
#endif

/* 1: names of threads and processes without room in the table go into the ring, and records of such
 * threads contain their koids. 0: their names and records count as lost. So give the table room for
 * all, and register each thread before it runs. Costs 1300 bytes.
 */
#ifndef BAREFXT_INLINE_THREADS
#define BAREFXT_INLINE_THREADS (!BAREFXT_SMALL)
#endif

/* 1: while a session runs, a new thread, process or object takes the entry of one that is gone, if
 * no other is free; and a rename is an event in the trace. 0: entries of the gone are free again
 * from the next start on. Costs 900 bytes. Not with BAREFXT_LINEAR. */
#ifndef BAREFXT_REUSE_ENTRIES
#define BAREFXT_REUSE_ENTRIES (!BAREFXT_SMALL)
#endif

/* 1: barefxt_thread_unregister also ends the record that the thread was killed in. Costs 4 KiB of
 * flash, 168 bytes of RAM for each CPU (on CPUs of 64 bits 256), and with several CPUs 1 to 5
 * instructions of a wakeup and of an event on cpu-N. 0: such a record keeps its segment out of use,
 * see docs/how-to/recording.md. Needs BAREFXT_INLINE_THREADS. */
#ifndef BAREFXT_END_RECORDS
#define BAREFXT_END_RECORDS 0
#endif

/* 1: each kind of record has an undisturbed path of its own. 0: all go through one that is also
 * there for what disturbs them, which takes two to three times the instructions. Costs 400 bytes,
 * and 100 more for each number of words that events have beyond one. */
#ifndef BAREFXT_FAST_PATHS
#define BAREFXT_FAST_PATHS (!BAREFXT_SMALL)
#endif

/* 1: calls of instrumented functions can be recorded (docs/how-to/functions.md). Costs 50 bytes;
 * with patched sleds 3 KiB more, and a map with 32 bytes a sled, 16 in A32 code. */
#ifndef BAREFXT_FUNCTIONS
#define BAREFXT_FUNCTIONS 0
#endif

/* 1: short and deep calls can be left out (barefxt_limit_calls), if calls are recorded. Costs 900
 * bytes. */
#ifndef BAREFXT_CALL_LIMITS
#define BAREFXT_CALL_LIMITS (!BAREFXT_SMALL)
#endif

/* The forms of a dump, as a sum: 1 binary, 2 text, 4 coded. A dump in another returns
 * BAREFXT_ERROR_LEFT_OUT. Text beside binary costs 300 bytes, the coder 1 KiB. */
#ifndef BAREFXT_DUMP_FORMS
#define BAREFXT_DUMP_FORMS (BAREFXT_SMALL ? 1 : 7)
#endif

/* 1: barefxt_start tests its machine: that MMU and data cache are on, that exclusive stores succeed
 * and exclude, that the CPU's number is one of those counted, that the counter does not jump back.
 * barefxt_config's `skipped_checks` leaves out single ones. Not with BAREFXT_LINEAR. Costs 250
 * bytes. */
#ifndef BAREFXT_SELF_TEST
#define BAREFXT_SELF_TEST (!BAREFXT_SMALL)
#endif

/* 1: barefxt_config's `clean_caches` is obeyed. Costs 1300 bytes. */
#ifndef BAREFXT_CLEAN_CACHES
#define BAREFXT_CLEAN_CACHES (!BAREFXT_SMALL)
#endif

/* The number of the category `locks`, see lock.h: the same for the whole image. */
#ifndef BAREFXT_LOCK_CATEGORY
#define BAREFXT_LOCK_CATEGORY 26
#endif

/* The number of the category `samples`, see sample.h: the same for the whole image. */
#ifndef BAREFXT_SAMPLE_CATEGORY
#define BAREFXT_SAMPLE_CATEGORY 25
#endif

/* The most callers in a sample, beside the interrupted address: an even number from 2 to 64.
 * barefxt_sample has them on its stack for a moment. */
#ifndef BAREFXT_SAMPLE_CALLERS
#define BAREFXT_SAMPLE_CALLERS 16
#endif

/* The number of the category `heap`, see heap.h: the same for the whole image. */
#ifndef BAREFXT_HEAP_CATEGORY
#define BAREFXT_HEAP_CATEGORY 24
#endif

/* The number of the category `stacks`, see stack.h: the same for the whole image. */
#ifndef BAREFXT_STACK_CATEGORY
#define BAREFXT_STACK_CATEGORY 23
#endif

/* Define BAREFXT_DISABLED to 1 to compile every probe to nothing, its arguments unevaluated. */
#ifndef BAREFXT_DISABLED
#define BAREFXT_DISABLED 0
#endif

#endif
