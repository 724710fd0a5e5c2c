/* barefxt: the one header to include, from C (C99 with GNU extensions) and C++17 alike.
 *
 * Contexts. "Any" means thread, interrupt, nested interrupt and NMI, on any CPU, with interrupts on
 * or off: such a function never blocks, takes no lock, masks nothing and calls nobody. Before start
 * and after stop, probes and switches do nothing.
 */
#ifndef BAREFXT_BAREFXT_H
#define BAREFXT_BAREFXT_H

#include <barefxt/config.h>
#include <barefxt/types.h>
#include <barefxt/whole_frames.h>

/* Room that any frame of barefxt_drain fits. */
#define BAREFXT_DRAIN_BYTES                                                  \
  ((BAREFXT_SEGMENT_BYTES > 40 * BAREFXT_MAX_CPUS ? BAREFXT_SEGMENT_BYTES    \
                                                  : 40 * BAREFXT_MAX_CPUS) * \
       4 / 3 +                                                               \
   256)

#if BAREFXT_DISABLED
#include <barefxt/disabled.h>
#else

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Session. What is said here to be called one at a time is so called with all others of which
 * that is said, but barefxt_drain, which may go on beside them. ---- */

/* Clears the rings and begins to record. The threads known so far stay known. `config`, and what it
 * points to other than the memory, may be gone afterwards. With BAREFXT_LINEAR
 * (BAREFXT_SMALL=2) `target` and what `build_id` points to are BORROWED instead: barefxt_dump reads
 * them, so they must live, unchanged, until the last dump. With other memory, size or CPUs than
 * before it returns BAREFXT_ERROR_RUNNING until barefxt_unfinished() is 0: a writer that goes on
 * would store into memory that is not the rings' any more. To find out it reads the memory of the
 * session before, unless barefxt_stop or barefxt_unfinished found no writer. Context: threads or
 * boot, one at a time. */
barefxt_error barefxt_start(const barefxt_config* config);

/* The error's name, "BAREFXT_ERROR_COUNTER_STOPPED". Context: any. */
const char* barefxt_error_name(barefxt_error error);

/* Tests what no CPU finds out alone, ahead of barefxt_start: that each CPU has a number of its own
 * (BAREFXT_ERROR_CPU_NUMBER, BAREFXT_ERROR_CPU_NUMBER_TWICE), that exclusive stores of two CPUs
 * exclude each other (BAREFXT_ERROR_STORES_NOT_SHARED), and, where the port says that all CPUs
 * share one counter, that it is later on one CPU than on another by no more than the quickest of 16
 * questions takes, a microsecond as a rule (BAREFXT_ERROR_COUNTERS_APART). Every CPU from 0 to
 * cpus - 1 calls it at about the same time, from boot or from a thread that stays on its CPU. All
 * return what one finds, and the next barefxt_start with more than one CPU returns it as well,
 * until a later call finds nothing. Gives up after `max_ticks`: BAREFXT_ERROR_CLOCK_UNANSWERED,
 * which no start returns. Context: threads or boot, not during barefxt_start. */
barefxt_error barefxt_check_cpus(uint16_t cpus, uint64_t max_ticks);

/* For the port or the kernel to define, and to say so by defining BAREFXT_PORT_ENTROPY to 1 for the
 * whole image: 32 bits that differ from boot to boot, a random number or a count of boots that is
 * kept in flash. The first start of a boot calls it. With the wall clock, the start's time and what
 * the memory held, this makes the id by which `barefxt rebuild` knows a capture. Not called with
 * BAREFXT_LINEAR. */
uint32_t barefxt_port_entropy(void);

/* Ends recording: when it returns, no reservation succeeds any more. A writer that this call
 * interrupted may still finish its record afterwards. Where recording is over already (a trigger)
 * it reports; in the middle of a start there is nothing yet to end or report. Beside a call of
 * barefxt_drain, or from an interrupt of one, recorded_records lacks what that takes out of the
 * rings meanwhile; called again after it this reports all. For the report it reads all records:
 * 10 us with 64 KiB, 18 ms with 128 MiB, on a fast CPU. Context: any; waits for nobody. */
barefxt_stop_report barefxt_stop(void);

/* Ends recording like barefxt_stop, without a report: a few instructions for each CPU, however much
 * memory there is. For NMIs, watchdogs and panic handlers. barefxt_stop reports later. Writes
 * nothing back: before a reset that loses the caches call barefxt_crash. Context: any; wait-free.
 */
void barefxt_close(void);

/* Returns the records, of this session or an earlier one, that are reserved but not committed, and
 * the writers between two segments. After stop it falls to 0 as the interrupted writers go on. At 0
 * none of them stores into the memory any more. Context: threads or boot. */
uint32_t barefxt_unfinished(void);

/* Waits until it is 0, or for so many ticks of the counter, and returns what is left. Context:
 * threads, where the writers can go on meanwhile: on other CPUs, or on this one by preempting the
 * caller. Elsewhere poll barefxt_unfinished between sleeps. */
uint32_t barefxt_wait_unfinished(uint64_t ticks);

/* Forgets the writers that barefxt_unfinished counts: the caller knows that none of them will go
 * on, since their threads, interrupts and CPUs are gone for good. The next start takes all of the
 * memory. Without effect on what a dump tells. Returns BAREFXT_ERROR_RUNNING while something is
 * recorded. If a writer does go on, it stores into memory that is not the rings' any more. Context:
 * threads or boot, nothing else meanwhile: no other function here, on any CPU. */
barefxt_error barefxt_forget_unfinished(void);

/* Whether it records: from start until stop, or until a trigger's time has come. Context: any. */
bool barefxt_running(void);

/* Forgets what was recorded. A running session goes on in empty rings, under a new capture id,
 * with the target's name and build id that it was started with, and the wall clock as of now;
 * unless a stop or a trigger elsewhere ends it at the same time. BAREFXT_ERROR_RUNNING: somebody
 * elsewhere is about to stop or to change the session; it is over, and can be started. Context:
 * threads or boot, one at a time. */
barefxt_error barefxt_rewind(void);

/* Something has happened: recording goes on until a CPU has filled so many segments more, then ends
 * by itself. So a circular recorder of N segments a CPU holds about N - `segments` from before. The
 * first call counts. 0: ends now. Context: any. */
#if BAREFXT_TRIGGERS
void barefxt_trigger(uint32_t segments);
#endif

/* Enables exactly these categories of a running session. Without `sched` events belong to cpu-N. If
 * this call interrupts a context switch on its own CPU in the few instructions that store the
 * thread, events may still belong to that thread until the CPU opens its next segment. Context:
 * any. */
void barefxt_set_categories(uint32_t categories);

/* Holds what is recorded now, while recording goes on: barefxt_dump then tells of this moment, and
 * lets each segment go when it is sent. Three segments of each CPU stay with the writers. What not
 * all CPUs have any more is left out, so that the trace is complete for an interval common to all,
 * which the dump tells. Not in streaming mode. Context: threads or boot, one at a time. */
barefxt_error barefxt_snapshot(void);
/* Lets go of it without a dump. Context: threads or boot, one at a time. */
void barefxt_snapshot_release(void);

/* Sends what was recorded, frame by frame: the snapshot that is held, else what there is after
 * stop; of a stream what is in memory yet, sent or not. A barefxt_drain beside it goes on, and
 * takes the segment that is being dumped when that is done. If the last barefxt_start was refused,
 * it sends the error's name first, also where it returns BAREFXT_ERROR_NEVER_STARTED (not with
 * BAREFXT_SMALL). On 32 bits it takes 1.5 KiB of stack, coded 2.5 (docs/reference/stack.md).
 * Context: threads or boot, one at a time; also a fault handler that does not return, behind
 * barefxt_close, unless the fault came within a dump or drain (docs/how-to/crash.md). */
barefxt_error barefxt_dump(const barefxt_writer* writer, barefxt_dump_form form);

/* Sends it as a trace in the format itself, without frames: for ways that lose nothing
 * (semihosting, memory, a file), and hosts without barefxt. The records of one CPU follow those of
 * the other, in this CPU's byte order. It lacks the magic number, which belongs to who merges
 * traces: `barefxt convert --to fxt` adds it, or 8 bytes ahead of a little-endian trace do.
 * Context: threads or boot, one at a time. */
barefxt_error barefxt_dump_fxt(const barefxt_writer* writer);

/* Streaming: puts whole frames into a buffer, as many as there are and fit, and returns their
 * bytes; 0 while there is nothing to send. Never waits. After stop call it until
 * barefxt_drain_is_over(): the end of the stream says what was lost. Context: any, one at a time,
 * on any CPU: an idle task, a thread, an interrupt that feeds a line; not while start or rewind is
 * at work. */
size_t barefxt_drain(uint8_t* to, size_t room, barefxt_dump_form form);
bool barefxt_drain_is_over(void);

/* ---- The way back: only where the runtime is built with BAREFXT_WAY_BACK=1. ---- */

#if BAREFXT_WAY_BACK
/* A byte that came over the line: all of them, console input and noise as well. Only marks what is
 * asked, in bounded time and without waiting. Context: any, one at a time, such as the interrupt of
 * the line. */
void barefxt_receive(uint8_t byte);

/* Performs what was asked, if anything was, and answers over `writer` in the form `form`; a dump
 * that is asked for goes there, too. True: something was. `start` is what a start that is asked for
 * starts with, but for the mode and the categories where the host chose those; null: starts are
 * refused. Context: threads or boot, one at a time, and not at once with barefxt_drain: best where
 * the line is fed. */
bool barefxt_serve(const barefxt_writer* writer, barefxt_dump_form form,
                   const barefxt_config* start);
#endif

/* ---- Sleds, which clang's -fxray-instrument puts where functions begin and end: only where the
 * runtime is built with BAREFXT_FUNCTIONS=1. ---- */

#if BAREFXT_FUNCTIONS
/* How many functions have sleds. Their ids are 1 to this, in the order of the image's map: the ids
 * of LLVM's tools. 0: none. Context: any. */
uint32_t barefxt_functions(void);

/* The id of the function that begins there; 0: it has no sleds. Looks through the map. Context:
 * any.
 */
uint32_t barefxt_function_id(const void* function);

/* From here on these functions record their calls (patch), or no longer do (unpatch), on other CPUs
 * as barefxt_code_access.synchronize says: those with
 * the ids from `first` to `last`, of which those beyond the last there is do not count, so that 1
 * and UINT32_MAX are all. Other CPUs, and interrupts on this one, may be in these functions
 * meanwhile: each call is recorded or not, its begin and its end each by itself. Nothing is written
 * if any of the sleds is not as it should be. Where code turns out not to be writable, functions
 * with lower ids have been changed already. `access` may be null: then code can be written where it
 * is. Calls are recorded while the category `function` is enabled, as all calls. Context: threads
 * or boot, one at a time, before or after the start. */
barefxt_error barefxt_functions_patch(uint32_t first, uint32_t last,
                                      const barefxt_code_access* access);
barefxt_error barefxt_functions_unpatch(uint32_t first, uint32_t last,
                                        const barefxt_code_access* access);
#endif

#if BAREFXT_FUNCTIONS && BAREFXT_CALL_LIMITS
/* From the next start on calls that are short or deep are left out, and counted; null: none. A call
 * is then recorded when it ends, as one record, without an argument. BAREFXT_ERROR_RUNNING: not
 * now, a session runs, or a call that a stop interrupted is about to look at the limits there are.
 * Context: threads or boot, one at a time, while nothing is recorded. */
barefxt_error barefxt_limit_calls(const barefxt_call_limits* limits);

/* How many were left out since the start. Context: any. */
barefxt_left_out_calls barefxt_calls_left_out(void);
#endif

/* ---- Over a reset: only where the runtime is built with BAREFXT_RETAINED=1. ---- */

/* Whether the memory still holds the trace of the boot before. It is then held: barefxt_start does
 * not take its memory before it is released. Threads may be registered, and recording started in
 * other memory, meanwhile. Context: boot, before anything else here. */
barefxt_recovery barefxt_recover(void);
/* Sends that trace, and gives its memory free. Context: threads or boot, one at a time. */
barefxt_error barefxt_recovered_dump(const barefxt_writer* writer, barefxt_dump_form form);
void barefxt_recovered_release(void);

/* For a panic handler: ends recording and writes the trace back to memory, out of the caches. Stop
 * other CPUs first: where a reset loses the caches, a record that one finishes afterwards may be
 * torn. Context: any. */
void barefxt_crash(void);

/* Writes the trace back to memory, out of the caches, while recording goes on. For readers that
 * bypass them, such as DMA and many debuggers: they find what was committed before the call. With
 * `clean_caches` of barefxt_config, a reset then loses only what was recorded since, and in each
 * segment what lies behind a record that was unfinished. Does nothing before the first start and
 * during a start. Dumps and drains read through the caches and do not need it. Takes time in
 * proportion to the rings' memory. Context: any; waits for nobody. */
void barefxt_clean_for_reader(void);

/* ---- The clock ---- */

/* The time that records bear, in ticks of 64 bits whatever the counter has. Context: any. */
uint64_t barefxt_ticks(void);
uint64_t barefxt_ticks_per_second(void);

/* For counters that wrap (BAREFXT_PORT_COUNTER_BITS below 64; empty for others): to be called from
 * the kernel's tick, whether anything is recorded or not, and where each CPU has a counter of its
 * own on every CPU. From one call to the next less than half a period of the counter may go by,
 * with all that can delay the second: then no time is ever lost. 2^23 ticks of a 24-bit counter,
 * 2^31 of one with 32. Context: any. */
void barefxt_clock_tick(void);

/* For counters that each CPU has for itself (nothing to do for others): measures how CPU 1 and the
 * others differ from CPU 0, so that the host can put their records in one order. Every CPU from 0
 * to cpus - 1 calls it at about the same time, from boot or from a thread that stays on its CPU;
 * with interrupts off, or on, which costs precision only. Gives up after `max_ticks`, having waited
 * for the others. The dump tells the last measurement of each CPU, and how far that may be off.
 * Best before the start; later, or again, is as good for what the host makes of it, but a duration
 * that begins on one CPU and ends on another knows only what was measured by then. Context: threads
 * or boot, not during barefxt_start. */
barefxt_error barefxt_clock_sync(uint16_t cpus, uint64_t max_ticks);

/* For counters whose rate changes, or that stop while the CPU sleeps: from here on this CPU's
 * counter (all CPUs', where they share one) runs at that rate, and so much time went by before, in
 * which it did not count. Times that the trace shows are right across any number of these, to half
 * a tick of the rate that recording started with each. While nothing is recorded there is nothing
 * to tell: barefxt_start asks the port for the rate. A CPU that runs at another rate than the one
 * that called barefxt_start says so once with this, after the start. Context: any but NMI. */
barefxt_error barefxt_clock_changed(uint64_t ticks_per_second, uint64_t nanoseconds_gone_by);

/* ---- Processes and threads ---- */

/* Koids are the caller's choice: unique among processes and threads together, not 0, and below
 * 0x7d000000, from where on they are the tracer's. Names are copied, cut at 16 bytes at a
 * character's boundary; in full they may be given again as a kernel object record. Context: any but
 * NMI. */
void barefxt_process_register(uint32_t koid, const char* name);
/* Names it anew, as registering it again does: an instant "renamed" with both names. Where the
 * table has no room the name goes into the ring. Context: any but NMI. */
void barefxt_process_rename(uint32_t koid, const char* name);
/* The process is gone, and its threads are. Context: any but NMI. */
void barefxt_process_unregister(uint32_t koid);

/* Fills `thread`. With process 0 and priority 0 it is an idle thread, by convention named "idle/N".
 * A thread for which the table has no room is recorded with its koids inline; its name goes into
 * the ring, or, where nothing is being recorded, nowhere: register again after the start. Context:
 * any but NMI. */
void barefxt_thread_register(barefxt_thread* thread, uint32_t process, uint32_t koid,
                             const char* name, uint8_t priority);
/* Its priority from here on. Context: any but NMI. */
void barefxt_thread_set_priority(barefxt_thread* thread, uint8_t priority);

/* The thread is gone; it may still run, until the switch away from it. Others may have its entry
 * from here on, see BAREFXT_REUSE_ENTRIES. With BAREFXT_END_RECORDS a record that it was in the
 * middle of ends here, or at the switch away from it, and counts as lost: it must not go on with
 * that record. The context switches around the record identify its owner. So switches are reported,
 * the category `sched` is on, and `koid` has not changed since the record began. Walks the segments
 * opened since the last call, and those with unfinished records; barefxt_start returns
 * BAREFXT_ERROR_RUNNING meanwhile. No context switch that names the thread is under way on another
 * CPU or below the caller. Context: any but NMI. */
void barefxt_thread_unregister(barefxt_thread* thread);

/* ---- Scheduling (category `sched`) ---- */

/* To be called on the CPU that switches, by the scheduler, with the thread that leaves, the state
 * it leaves in, and the thread that comes in. Events that follow on this CPU belong to the latter.
 * Context: any. */
void barefxt_context_switch(const barefxt_thread* outgoing, barefxt_thread_state state,
                            const barefxt_thread* incoming);

/* A thread became ready to run. Context: any. */
void barefxt_thread_wakeup(const barefxt_thread* thread);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif

/* ---- Probes ----
 *
 * Declare a category once, at file or namespace scope, with a number of its own from 0 to 29:
 *
 *     BAREFXT_CATEGORY(net, 0);
 *
 * `sched` (31) and `irq` (30) are declared already. Names and argument names are string literals:
 * the linker numbers them, nothing is looked up at run time. Arguments, at most 15:
 *
 *     BAREFXT_INSTANT(net, "packet", BAREFXT_ARG_U32("length", length), BAREFXT_ARG_BOOL("ok", 1));
 *
 *     BAREFXT_ARG_NULL(key)            BAREFXT_ARG_BOOL(key, value)
 *     BAREFXT_ARG_I32(key, value)      BAREFXT_ARG_U32(key, value)
 *     BAREFXT_ARG_I64(key, value)      BAREFXT_ARG_U64(key, value)
 *     BAREFXT_ARG_DOUBLE(key, value)   where kernel code may hold a double, else
 *     BAREFXT_ARG_DOUBLE_BITS(key, bits)   its IEEE 754 bits
 *     BAREFXT_ARG_POINTER(key, value)  BAREFXT_ARG_KOID(key, value)
 *     BAREFXT_ARG_LITERAL(key, "text") BAREFXT_ARG_STRING(key, pointer, bytes)
 *     BAREFXT_ARG_BLOB(key, pointer, bytes)
 *
 * A constant that its type cannot hold, and a sixteenth argument, do not compile. Text beyond a
 * quarter of a segment is cut between two characters, and counted.
 *
 * Events belong to the thread that runs on the CPU, as the last context switch told. Context: any.
 *
 *     BAREFXT_INSTANT(category, name, arguments...)
 *     BAREFXT_COUNTER(category, name, id, arguments...)      each argument is a series
 *     BAREFXT_DURATION_BEGIN(category, name, arguments...)
 *     BAREFXT_DURATION_END(category, name, arguments...)
 *     BAREFXT_DURATION_COMPLETE(category, name, begin_ticks, arguments...)   ends now
 *     BAREFXT_DURATION_SCOPE(category, name, arguments...)   from here to the end of the scope,
 *                                             however it is left; one a line
 *     BAREFXT_JOB(period_ns, deadline_ns)     a job, from here to the end of the scope: `barefxt
 *                                             stats` counts the late ones. Put it behind the call
 *                                             that waits for the job. A deadline of 0 is the
 *                                             period, and a period of 0 is none. Category `sched`
 *     BAREFXT_JOB_NAMED(name, period_ns, deadline_ns)
 *     BAREFXT_ASYNC_BEGIN(category, name, id, arguments...)  ..._INSTANT, ..._END
 *     BAREFXT_FLOW_BEGIN(category, name, id, arguments...)   ..._STEP, ..._END; inside a duration
 *     BAREFXT_IRQ_ENTER(name, arguments...)   a duration on the pseudo-thread cpu-N, category `irq`
 *     BAREFXT_IRQ_EXIT(name, arguments...)
 *
 * Where names, or the thread, are known at run time only: names are barefxt_text, that is
 * BAREFXT_TEXT("literal") or BAREFXT_TEXT_INLINE(pointer, bytes), and the arguments above have
 * twins that take such a name, barefxt_arg_u32(name, value) and so on (argument_c.h), which go
 * wherever the above do. `thread` is a const barefxt_thread*, null for the thread that runs on the
 * CPU.
 *
 *     BAREFXT_EVENT(category, BAREFXT_EVENT_INSTANT, thread, name, trailing, arguments...)
 *
 * Records beyond events; what each says, and its limits, is in records.h. Names are barefxt_text.
 *
 *     BAREFXT_LOG(category, message, bytes)
 *     BAREFXT_BLOB(category, name, type, payload, bytes)     of any size
 *     BAREFXT_LARGE_BLOB(category, name, payload, bytes)
 *     BAREFXT_LARGE_BLOB_EVENT(category, name, payload, bytes, arguments...)
 *     BAREFXT_USERSPACE_OBJECT(category, pointer, thread, name, arguments...)
 *     BAREFXT_KERNEL_OBJECT(category, koid, object_type, name, arguments...)
 *     BAREFXT_CONTEXT_SWITCH(outgoing, state, incoming, arguments...)   the newer form of
 *     BAREFXT_THREAD_WAKEUP(thread, arguments...)                       barefxt_context_switch
 *     BAREFXT_PROFILER_MODULE(category, thread, module, name, name_bytes, build_id, id_bytes)
 *     BAREFXT_PROFILER_MMAP(category, thread, module, flags, start, range, vaddr)
 *     BAREFXT_PROFILER_BACKTRACE(category, thread, frames, count)
 */
/* Times in nanoseconds. */
#define BAREFXT_US(count) ((uint64_t)(count) * 1000u)
#define BAREFXT_MS(count) ((uint64_t)(count) * 1000000u)

#ifdef __clang__
/* What is compiled into instrumented functions from here is not instrumented itself. GCC is told by
 * a flag, see docs/how-to/functions.md. */
#pragma clang attribute push(__attribute__((no_instrument_function)), apply_to = function)
#pragma clang attribute push(__attribute__((xray_never_instrument)), apply_to = function)
#endif
#if BAREFXT_DISABLED
#include <barefxt/probe_disabled.h>
#elif defined(__cplusplus)
#include <barefxt/probe.h>
#else
#include <barefxt/probe_c.h>
#endif
/* Switches in halves, interrupts by number, ids, names of objects: for kernels of others. */
#include <barefxt/kernel_hooks.h>
/* Locks, their holders and who waits for them. */
#include <barefxt/lock.h>
#ifdef __clang__
#pragma clang attribute pop
#pragma clang attribute pop
#endif

#endif
