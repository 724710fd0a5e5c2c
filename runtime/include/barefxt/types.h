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

/* A thread as the tracer knows it: embed one in the thread control block, zero-initialised (which
 * means "not registered"), and hand its address to the functions below, which alone write it.
 *
 * What records need of it lies ready in their own bit places. Each word is right by itself, so that
 * a thread may be registered while it runs.
 */
typedef struct barefxt_thread {
  uint32_t reference;   /* an event's: thread index in [24 .. 31], 0 where there is none */
  uint32_t switch_bits; /* a context switch's: index in [4 .. 11], priority in [20 .. 27], and bit
                         * 31 set where there is an index */
  uint32_t koid;
  uint32_t process;
} barefxt_thread;

/* Where a function or macro wants to know whose a record is: the pseudo-thread cpu-N of the CPU
 * that writes it, on which interrupts are drawn. A null pointer is the thread that runs there. */
#if BAREFXT_DISABLED
#define BAREFXT_THIS_CPU ((const barefxt_thread*)0)
#else
extern const barefxt_thread barefxt_this_cpu;
#define BAREFXT_THIS_CPU (&barefxt_this_cpu)
#endif

/* Why a thread left its CPU: the thread states of the format. A thread that was preempted or yields
 * is BAREFXT_STATE_RUNNABLE: the format has no name for it, and readers show 0 as runnable. */
typedef enum barefxt_thread_state {
  BAREFXT_STATE_RUNNABLE = 0,
  BAREFXT_STATE_SUSPENDED = 2,
  BAREFXT_STATE_BLOCKED = 3,
  BAREFXT_STATE_DYING = 4,
  BAREFXT_STATE_DEAD = 5
} barefxt_thread_state;

typedef enum barefxt_error {
  BAREFXT_OK = 0,
  BAREFXT_ERROR_MEMORY_TOO_SMALL, /* less than two segments a CPU, three in circular and streaming
                                     mode, four for snapshots: give more */
  BAREFXT_ERROR_MISALIGNED,       /* memory is not aligned to 8 bytes */
  BAREFXT_ERROR_CPU_COUNT,        /* 0 or more than BAREFXT_MAX_CPUS */
  BAREFXT_ERROR_RUNNING, /* started and not stopped, or who stops it, changes it or writes is not
                            done yet */
  BAREFXT_ERROR_NEVER_STARTED,    /* there is nothing to dump */
  BAREFXT_ERROR_COUNTER_STOPPED,  /* the port's counter stands still: a million reads in a row gave
                                     one value. Is its clock on, does it wait for a debugger? */
  BAREFXT_ERROR_MODE,             /* the mode it was started in has no such thing */
  BAREFXT_ERROR_SNAPSHOT_HELD,    /* there is one already: dump or release it */
  BAREFXT_ERROR_HOLDS_OLD_TRACE,  /* this memory holds a trace of the boot before: dump it, then
                                     barefxt_recovered_release, or choose other memory */
  BAREFXT_ERROR_COUNTER_RATE,     /* a rate of 0, from the port or the caller, or beyond 2^62 */
  BAREFXT_ERROR_CLOCK_STEADY,     /* the port says that its counter neither changes nor stops */
  BAREFXT_ERROR_CLOCK_BUSY,       /* another call changes this clock, or the caller migrated */
  BAREFXT_ERROR_CLOCK_UNANSWERED, /* not all CPUs took part in time, or the caller migrated */
  BAREFXT_ERROR_LEFT_OUT,         /* the image was built without it, see <barefxt/config.h>; or with
                                     BAREFXT_LINEAR, and recording was started before */
  BAREFXT_ERROR_NO_SLEDS,     /* no function has sleds: the section xray_instr_map is missing in the
                                 image. Compile with clang's -fxray-instrument, and link the
                                 section (linker/barefxt_sleds.ld) */
  BAREFXT_ERROR_NO_FUNCTION,  /* no function has such an id */
  BAREFXT_ERROR_OTHER_CODE,   /* where the map says that a sled is, no sled is: another image's map,
                                 or somebody else has written there */
  BAREFXT_ERROR_CODE_TOO_FAR, /* a sled is farther from the runtime than a branch reaches: 128 MiB
                                 on AArch64, 32 MiB in A32 code, 2 GiB on x86-64 */
  BAREFXT_ERROR_CODE_READ_ONLY, /* code cannot be written: give a barefxt_code_access */
  BAREFXT_ERROR_STORES_FAIL,    /* exclusive stores never succeed, to the runtime's variables or to
                                   the memory given: is the MMU on, are caches, is the memory normal
                                   and cacheable? */
  BAREFXT_ERROR_STORES_OVERLAP, /* an exclusive store succeeded behind another's load and store:
                                   this CPU, or its emulator, has no working exclusive monitor */
  BAREFXT_ERROR_CPU_NUMBER,    /* barefxt_port_cpu gives a number that is not below `cpus`: are CPUs
                                  numbered from 0, by the right bits of their id? */
  BAREFXT_ERROR_COUNTER_JUMPS, /* the port's counter went back: is BAREFXT_PORT_COUNTER_BITS the
                                  number of its bits, is it reset meanwhile? */
  /* From barefxt_check_cpus, and from starts after it. */
  BAREFXT_ERROR_CPU_NUMBER_TWICE,  /* barefxt_port_cpu gives two CPUs one number */
  BAREFXT_ERROR_STORES_NOT_SHARED, /* exclusive stores of two CPUs do not exclude each other: is the
                                      memory shareable? */
  BAREFXT_ERROR_COUNTERS_APART /* the port says that all CPUs share one counter, and theirs differ
                                */
} barefxt_error;

/* What barefxt_start tests before it records, for barefxt_config's `skipped_checks`. */
enum {
  BAREFXT_CHECK_STORES = 1, /* exclusive stores succeed and exclude each other */
  BAREFXT_CHECK_CPU = 2,    /* the CPU's number is below `cpus`, and no other CPU's */
  BAREFXT_CHECK_COUNTER = 4 /* the counter does not jump back, and is in step with other CPUs' */
};

/* What becomes of records when a ring is full. */
typedef enum barefxt_mode {
  BAREFXT_MODE_ONE_SHOT, /* the newest are dropped: what happened from the start on */
  BAREFXT_MODE_CIRCULAR, /* the oldest segment is overwritten: what happened before the stop */
  BAREFXT_MODE_STREAMING /* barefxt_drain makes room while writers go on; else as one-shot */
} barefxt_mode;

typedef struct barefxt_config {
  void* memory;  /* the rings', aligned to 8 bytes, untouched by the caller until the next start */
  size_t bytes;  /* divided evenly among the CPUs, cut to whole segments, and to 2 GiB each, on CPUs
                    of 32 bits 16 MiB */
  uint16_t cpus; /* how many; their numbers run from 0 */
  barefxt_mode mode;
  uint32_t categories;     /* bit N enables the category with number N */
  uint64_t wall_clock_ns;  /* since 1970, or 0 where unknown */
  const char* target;      /* the name shown for this trace, cut at 64 bytes; may be null. Copied,
                            * but borrowed until the last dump with BAREFXT_LINEAR */
  const uint8_t* build_id; /* identifies the image, e.g. the GNU build id; may be null. Copied, but
                            * borrowed until the last dump with BAREFXT_LINEAR */
  uint8_t build_id_bytes;  /* at most 32 */
  uint64_t partial_after_ticks; /* streaming: so long after its first look at a segment the drain
                                   sends it though it is not full; 0: an eighth of a second */
  uint32_t resend_segments;     /* streaming: so many of each CPU's are kept after they were sent,
                                   for resends, and are missing to the writers; at most
                                   BAREFXT_RESEND_SEGMENTS; the ring has 3 more than that or more */
  bool clean_caches; /* for resets that lose the caches, without barefxt_crash: writes the trace
                        back to memory. The descriptor at the start, thread table and totals at
                        each change, a segment when its CPU leaves it. The reset loses of each CPU
                        the last segment, and one that it was leaving; and from a record on that was
                        unfinished when its segment was left, until the CPU leaves one of the next
                        7. barefxt_recover takes nothing else: leave it off where caches survive */
  uint8_t skipped_checks; /* a sum of BAREFXT_CHECK_...: what barefxt_start does not test */
} barefxt_config;

typedef struct barefxt_stop_report {
  uint32_t unfinished_records; /* of this session, reserved and not committed yet */
  uint64_t recorded_records;
  uint64_t lost_records;        /* dropped for want of room */
  uint64_t overwritten_records; /* made room for newer ones */
  uint32_t cut_texts; /* names, texts and lists cut to what holds them, since the image started */
} barefxt_stop_report;

/* What the memory kept over a reset. */
typedef enum barefxt_recovery {
  BAREFXT_RECOVERED_NOTHING, /* no trace: power was off, or there was none */
  BAREFXT_RECOVERED_PARTLY,  /* some memory lost its content (with `clean_caches` the segments that
                                were not written back yet), or another image runs now: records that
                                are left can be dumped, names may be missing */
  BAREFXT_RECOVERED_WHOLE
} barefxt_recovery;

/* How code is written that cannot be written where it is executed. Any of the functions may be
 * null. */
typedef struct barefxt_code_access {
  /* Where `bytes` bytes at `code` can be written: another mapping of the same memory, cacheable as
   * the first; or `code` itself, which is writable from now on. They may lie on two pages. Null:
   * nowhere. If not given, code is written where it is. */
  void* (*open)(void* context, void* code, size_t bytes);
  /* They are written. */
  void (*close)(void* context, void* writable, size_t bytes);
  /* Returns when every CPU has synchronized itself, that is, taken an interrupt or the like since.
   * Called before functions are turned on for the first time, and behind each change, so that all
   * CPUs go by it when patch or unpatch returns. If not given they do so when they come to it; in
   * an emulator perhaps never. Not needed where this CPU is the only one that runs, or the others
   * are held in a handler. */
  void (*synchronize)(void* context);
  void* context;
} barefxt_code_access;

/* Which calls of functions are left out. */
typedef struct barefxt_call_limits {
  uint64_t least_ticks; /* calls that take fewer are left out */
  uint32_t deepest; /* of a thread's calls so many may lie in each other, the first one included, at
                       most 65535; those within are left out */
  void* memory;     /* where calls wait for their end, aligned to 8 bytes, untouched by the caller
                       until there are other limits */
  size_t bytes; /* BAREFXT_CALL_LIMITS_BYTES of it has room for all threads; calls of those without
                   room, or without an index, are recorded as without limits */
} barefxt_call_limits;
#define BAREFXT_CALL_LIMITS_BYTES(threads, deepest) \
  ((size_t)(threads) * (8 + 16 * (size_t)(deepest)))

/* Since the start, all exact once recording has stopped. */
typedef struct barefxt_left_out_calls {
  uint64_t too_short;
  uint64_t too_deep;
  uint64_t without_end; /* a call around them ended */
  uint64_t open;        /* that have not ended, and so are not recorded yet */
} barefxt_left_out_calls;

/* Where a dump goes. `write` gets every byte in order and may block. */
typedef struct barefxt_writer {
  void (*write)(void* context, const uint8_t* bytes, size_t count);
  void* context;
} barefxt_writer;

typedef enum barefxt_dump_form {
  BAREFXT_DUMP_BINARY, /* frames between zero bytes; console text may stand around them */
  BAREFXT_DUMP_TEXT,   /* a line of base64 a frame, for consoles that are shared with a log */
  /* As these, with records coded: a quarter of the bytes, for more instructions for each of them,
   * and 1 KiB more of stack. */
  BAREFXT_DUMP_BINARY_CODED,
  BAREFXT_DUMP_TEXT_CODED
} barefxt_dump_form;

#ifdef __cplusplus
}  // extern "C"
#endif

#endif
