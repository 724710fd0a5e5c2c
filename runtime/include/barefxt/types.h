/* Types that C and C++ share. */
#ifndef BAREFXT_TYPES_H
#define BAREFXT_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <barefxt/config.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Types ---- */

/* A thread as the tracer knows it.
 *
 * Embed one in the thread control block, zero-initialised, which means "not registered". Only the
 * functions of barefxt.h may write it. Its words hold what records need, in the bit places of the
 * records. Each word is valid by itself, so a thread may be registered while it runs.
 */
typedef struct barefxt_thread {
  uint32_t reference;   /* for events: thread index in [24 .. 31]; 0 if there is none */
  uint32_t switch_bits; /* for context switches: index in [4 .. 11], priority in [20 .. 27]; with
                           its sign turned if there is an index */
  uint32_t koid;
  uint32_t process;
} barefxt_thread;

/* Stands for the pseudo-thread cpu-N of the CPU that records, in place of a thread. Viewers draw
 * interrupts on it. A null pointer stands for the thread that runs there.
 */
#if BAREFXT_DISABLED
#define BAREFXT_THIS_CPU ((const barefxt_thread*)0)
#else
extern const barefxt_thread barefxt_this_cpu;
#define BAREFXT_THIS_CPU (&barefxt_this_cpu)
#endif

/* Why a thread leaves its CPU: the thread states of the format.
 *
 * A thread that is preempted or yields is BAREFXT_STATE_RUNNABLE. The format has no name for that
 * state; readers show 0 as runnable.
 */
typedef enum barefxt_thread_state {
  BAREFXT_STATE_RUNNABLE = 0,
  BAREFXT_STATE_SUSPENDED = 2,
  BAREFXT_STATE_BLOCKED = 3,
  BAREFXT_STATE_DYING = 4,
  BAREFXT_STATE_DEAD = 5
} barefxt_thread_state;

/* Errors, with their usual causes. */
typedef enum barefxt_error {
  BAREFXT_OK = 0,
  BAREFXT_ERROR_MEMORY_TOO_SMALL, /* fewer than two segments a CPU, three in circular and streaming
                                     mode, four for snapshots: give more memory */
  BAREFXT_ERROR_MISALIGNED,       /* the memory is not aligned to 8 bytes */
  BAREFXT_ERROR_CPU_COUNT,        /* 0, or more than BAREFXT_MAX_CPUS */
  BAREFXT_ERROR_RUNNING, /* a session runs; or another context still stops or changes it, or writes
                          */
  BAREFXT_ERROR_NEVER_STARTED,    /* there is no trace to send */
  BAREFXT_ERROR_COUNTER_STOPPED,  /* the port's counter stands still: a million reads in a row gave
                                     one value. Is its clock on? Does it wait for a debugger? */
  BAREFXT_ERROR_MODE,             /* the mode of the session does not offer this */
  BAREFXT_ERROR_SNAPSHOT_HELD,    /* a snapshot is held already: dump or release it */
  BAREFXT_ERROR_HOLDS_OLD_TRACE,  /* this memory holds a trace of the boot before: dump it, then
                                     call barefxt_recovered_release, or choose other memory */
  BAREFXT_ERROR_COUNTER_RATE,     /* the port or the caller gave a rate of 0, or beyond 2^62 */
  BAREFXT_ERROR_CLOCK_STEADY,     /* the port declares a counter that neither changes nor stops */
  BAREFXT_ERROR_CLOCK_BUSY,       /* another call changes this clock, or the caller migrated */
  BAREFXT_ERROR_CLOCK_UNANSWERED, /* not all CPUs took part in time, or the caller migrated */
  BAREFXT_ERROR_LEFT_OUT,         /* the image was built without it, see config.h; or with
                                     BAREFXT_LINEAR, and recording was started before */
  BAREFXT_ERROR_NO_SLEDS,     /* no function has sleds: the section xray_instr_map is missing in the
                                 image. Compile with clang's -fxray-instrument, and link the
                                 section (linker/barefxt_sleds.ld) */
  BAREFXT_ERROR_NO_FUNCTION,  /* no function has such an id */
  BAREFXT_ERROR_OTHER_CODE,   /* the map names a sled at a place without one: it is another image's
                                 map, or somebody else has written there */
  BAREFXT_ERROR_CODE_TOO_FAR, /* a sled is farther from the runtime than a branch reaches: 128 MiB
                                 on AArch64, 32 MiB in A32 code, 2 GiB on x86-64 */
  BAREFXT_ERROR_CODE_READ_ONLY, /* code cannot be written: give a barefxt_code_access */
  BAREFXT_ERROR_STORES_FAIL,    /* exclusive stores never succeed, to the runtime's variables or to
                                   the memory given. Is the MMU on? Are the caches on? Is the memory
                                   normal and cacheable? */
  BAREFXT_ERROR_STORES_OVERLAP, /* an exclusive store succeeded behind another's load and store:
                                   this CPU, or its emulator, has no working exclusive monitor */
  BAREFXT_ERROR_CPU_NUMBER,     /* barefxt_port_cpu returns a number that is not below `cpus`. Are
                                   CPUs numbered from 0, by the right bits of their id? */
  BAREFXT_ERROR_COUNTER_JUMPS,  /* the port's counter went back. Is BAREFXT_PORT_COUNTER_BITS the
                                   number of its bits? Is it reset meanwhile? */
  /* From barefxt_check_cpus, and from starts after it; the second from any start as well. */
  BAREFXT_ERROR_CPU_NUMBER_TWICE,  /* barefxt_port_cpu returns one number on two CPUs */
  BAREFXT_ERROR_STORES_NOT_SHARED, /* exclusive stores of two CPUs do not exclude each other. Is the
                                      memory shareable? */
  BAREFXT_ERROR_COUNTERS_APART,    /* the port declares one counter for all CPUs, but theirs differ
                                    */
  BAREFXT_ERROR_MMU_OFF, /* this CPU's MMU or data cache is off: exclusive stores may fault. Skip
                            BAREFXT_CHECK_MEMORY in emulators, and on chips on which they work */
  BAREFXT_ERROR_RING_ADDRESS, /* the port reads another address of this CPU's ring than barefxt_ring
                                 returns: the kernel has not stored it */
  BAREFXT_ERROR_NO_BUILD_ID   /* built with BAREFXT_STRINGS_IN_ELF, and the configuration has no
                                 `build_id`, without which no host finds the texts */
} barefxt_error;

/* Tests of barefxt_start, for `skipped_checks` of barefxt_config. */
enum {
  BAREFXT_CHECK_STORES = 1,  /* exclusive stores succeed and exclude each other */
  BAREFXT_CHECK_CPU = 2,     /* the CPU's number is below `cpus`, and no other CPU has it */
  BAREFXT_CHECK_COUNTER = 4, /* the counter does not jump back, and is in step with other CPUs' */
  BAREFXT_CHECK_MEMORY =
      8 /* the MMU and the data cache are on, where the port can ask (A-profile) */
};

/* Decides which records are lost when a ring is full. */
typedef enum barefxt_mode {
  BAREFXT_MODE_ONE_SHOT, /* drops the newest: the trace begins with the start */
  BAREFXT_MODE_CIRCULAR, /* overwrites the oldest segment: the trace ends with the stop */
  BAREFXT_MODE_STREAMING /* barefxt_drain makes room while writers go on; else as one-shot */
} barefxt_mode;

/* Settings of a session, for barefxt_start. */
typedef struct barefxt_config {
  void* memory;  /* for the rings, aligned to 8 bytes; do not touch it until the next start */
  size_t bytes;  /* divided evenly among the CPUs, cut to whole segments, and to 2 GiB each; on CPUs
                    of 32 bits to 16 MiB */
  uint16_t cpus; /* number of CPUs; their numbers run from 0 */
  barefxt_mode mode;
  uint32_t categories;     /* bit N enables the category with number N */
  uint64_t wall_clock_ns;  /* nanoseconds since 1970; 0 if unknown */
  const char* target;      /* name shown for this trace, cut at 64 bytes; may be null. Copied, but
                              borrowed until the last dump with BAREFXT_LINEAR */
  const uint8_t* build_id; /* identifies the image, e.g. the GNU build id; may be null without
                              BAREFXT_STRINGS_IN_ELF, which needs the GNU build id. Copied, but
                              borrowed until the last dump with BAREFXT_LINEAR */
  uint8_t build_id_bytes;  /* at most 32 */
  uint64_t partial_after_ticks; /* streaming: the drain sends a segment that is not full this many
                                   ticks after its first look; 0: an eighth of a second */
  uint32_t resend_segments;     /* streaming: segments of each CPU kept after they were sent, for
                                   resends; writers have as many less. At most
                                   BAREFXT_RESEND_SEGMENTS; the ring needs 3 more */
  bool clean_caches; /* writes the trace back to memory, for resets that lose the caches without
                        barefxt_crash: the descriptor at the start, thread table and totals at each
                        change, a segment before its CPU leaves it. A reset then loses the last
                        segment of each CPU. In others only records are lost that were unfinished
                        when their CPU left the segment, until these and all ahead of them are
                        finished and the CPU leaves one of the next 7. Behind the third gap of such
                        records in a segment (below 4 KiB: the fourth) the rest is lost as well.
                        barefxt_recover takes nothing else, so leave it off if caches survive */
  uint8_t skipped_checks; /* sum of BAREFXT_CHECK_...: tests that barefxt_start skips */
} barefxt_config;

/* Counts of a session, from barefxt_stop. */
typedef struct barefxt_stop_report {
  uint32_t unfinished_records;  /* of this session, reserved and not committed yet */
  uint64_t recorded_records;    /* committed, and in the rings or taken out by the drain */
  uint64_t lost_records;        /* dropped because a ring was full */
  uint64_t overwritten_records; /* made room for newer ones */
  uint32_t cut_texts; /* names, texts and lists that were cut to their limit, since boot */
} barefxt_stop_report;

/* How much of a trace the memory kept over a reset. */
typedef enum barefxt_recovery {
  BAREFXT_RECOVERED_NOTHING, /* no trace: power was off, or there was none */
  BAREFXT_RECOVERED_PARTLY,  /* some memory lost its content (with `clean_caches` the segments that
                                were not written back yet), or another image runs now: the records
                                that are left can be dumped, names may be missing */
  BAREFXT_RECOVERED_WHOLE    /* the whole trace, of this image */
} barefxt_recovery;

/* How to write code that cannot be written where it is executed. Any of the functions may be null.
 */
typedef struct barefxt_code_access {
  /* Returns the place where `bytes` bytes at `code` can be written; null if there is none. It is
   * another mapping of the same memory, as cacheable as the first, or `code` itself if that is
   * writable from now on. The bytes may lie on two pages. If this function is null, code is written
   * where it is.
   */
  void* (*open)(void* context, void* code, size_t bytes);
  /* Ends the writing. */
  void (*close)(void* context, void* writable, size_t bytes);
  /* Returns when every CPU has synchronized itself, for example by taking an interrupt since.
   * Called before functions are turned on for the first time, and after each change. So all CPUs
   * follow the change when patch or unpatch returns. If this function is null, they follow sooner
   * or later; in an emulator perhaps never. Not needed if no other CPU runs, or if the others are
   * held in a handler.
   */
  void (*synchronize)(void* context);
  void* context;
} barefxt_code_access;

/* Limits for barefxt_limit_calls: calls outside of them are left out. */
typedef struct barefxt_call_limits {
  uint64_t least_ticks; /* shorter calls are left out */
  uint32_t deepest; /* calls of a thread that may lie in each other, the first one included, at most
                       65535; deeper ones are left out */
  void* memory;     /* holds calls until they end; aligned to 8 bytes. Do not touch it until there
                       are other limits */
  size_t bytes;     /* BAREFXT_CALL_LIMITS_BYTES has room for all threads; calls of threads without
                       room,     or without an index, are recorded as without limits */
} barefxt_call_limits;
/* Bytes that barefxt_call_limits needs for this number of threads. */
#define BAREFXT_CALL_LIMITS_BYTES(threads, deepest) \
  ((size_t)(threads) * (8 + 16 * (size_t)(deepest)))

/* Calls left out since the start, all exact once recording has stopped. */
typedef struct barefxt_left_out_calls {
  uint64_t too_short;
  uint64_t too_deep;
  uint64_t without_end; /* a call around them ended */
  uint64_t open;        /* not ended, and so not recorded yet */
} barefxt_left_out_calls;

/* The destination of a dump. `write` gets every byte in order and may block. */
typedef struct barefxt_writer {
  void (*write)(void* context, const uint8_t* bytes, size_t count);
  void* context;
} barefxt_writer;

/* The form of a dump or stream. */
typedef enum barefxt_dump_form {
  BAREFXT_DUMP_BINARY,       /* frames between zero bytes; console text may stand around them */
  BAREFXT_DUMP_TEXT,         /* a line of base64 a frame, for consoles that are shared with a log */
  BAREFXT_DUMP_BINARY_CODED, /* binary with coded records: a quarter of the bytes, for more
                                instructions a byte and 1 KiB more of stack */
  BAREFXT_DUMP_TEXT_CODED    /* text with coded records */
} barefxt_dump_form;

#ifdef __cplusplus
}  // extern "C"
#endif

#endif
