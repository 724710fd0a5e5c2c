/* barefxt: the one header to include, from C (C99 with GNU extensions) and from C++17.
 *
 * Each comment has one shape: a summary; @param with units and ranges; @return; each @error and
 * when it is returned; @context; notes. toolchain/c_api.pl makes docs/reference/c-api.md from these
 * comments.
 *
 * @context lists the permitted callers. "any" is thread, interrupt, nested interrupt and NMI, on
 *   any CPU, with interrupts on or off. Such a function never blocks, takes no lock, masks nothing
 *   and calls no code of yours. Before the start and after the stop, probes and switches do
 *   nothing.
 */
#ifndef BAREFXT_BAREFXT_H
#define BAREFXT_BAREFXT_H

#include <barefxt/config.h>
#include <barefxt/types.h>
#include <barefxt/whole_frames.h>

/* Bytes of a buffer in which any frame of barefxt_drain fits. */
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

/* ---- Session ----
 *
 * Functions marked "one at a time" must not run concurrently with each other. barefxt_drain is the
 * exception: it may run beside them.
 */

/* Clears the rings and starts to record.
 *
 * @param config Settings of the session. The runtime copies the settings and their texts, and uses
 *   `memory` until the next start. With BAREFXT_LINEAR (BAREFXT_SMALL=2) it borrows `target` and
 *   `build_id` instead: barefxt_dump reads them, so keep both unchanged until the last dump.
 * @return BAREFXT_OK if recording has started.
 * @error BAREFXT_ERROR_RUNNING A session runs, or another context is about to start, stop or change
 *   one. Or the memory, its size or the number of CPUs differs from the last session, and a writer
 *   of that session is still unfinished: it could store into memory that is no longer the rings'.
 *   Wait until barefxt_unfinished returns 0.
 * @error BAREFXT_ERROR_CPU_COUNT `cpus` is 0 or more than BAREFXT_MAX_CPUS.
 * @error BAREFXT_ERROR_MISALIGNED `memory` is not aligned to 8 bytes.
 * @error BAREFXT_ERROR_MEMORY_TOO_SMALL A CPU gets fewer than 2 segments, or 3 in circular and
 *   streaming mode. In streaming mode `resend_segments` come on top.
 * @error BAREFXT_ERROR_LEFT_OUT The image lacks the mode, or has fewer than `resend_segments`
 *   segments for resends. With BAREFXT_LINEAR: recording was started before.
 * @error BAREFXT_ERROR_COUNTER_RATE The port reports a counter of 0 ticks a second.
 * @error BAREFXT_ERROR_COUNTER_STOPPED The port's counter stands still.
 * @error BAREFXT_ERROR_COUNTER_JUMPS The port's counter went back.
 * @error BAREFXT_ERROR_CPU_NUMBER barefxt_port_cpu returned a number that is not below `cpus`.
 * @error BAREFXT_ERROR_MMU_OFF The MMU or the data cache of this CPU is off (AArch64, ARMv7-A).
 * @error BAREFXT_ERROR_RING_ADDRESS The port reads another address of this CPU's ring than
 *   barefxt_ring returns.
 * @error BAREFXT_ERROR_NO_BUILD_ID The image has BAREFXT_STRINGS_IN_ELF, and `build_id` is null or
 *   empty.
 * @error BAREFXT_ERROR_STORES_FAIL Exclusive stores never succeed, to the runtime's variables or to
 *   `memory`.
 * @error BAREFXT_ERROR_STORES_OVERLAP This CPU has no working exclusive monitor.
 * @error BAREFXT_ERROR_HOLDS_OLD_TRACE `memory` holds a recovered trace. Dump it, then call
 *   barefxt_recovered_release.
 * @context threads or boot, one at a time
 *
 * Registered threads stay registered. With more than one CPU, the last error that
 * barefxt_check_cpus or a session found is returned as well. To find unfinished writers, a start
 * reads the memory of the last session, unless barefxt_stop or barefxt_unfinished found none.
 */
barefxt_error barefxt_start(const barefxt_config* config);

/* Returns the name of an error, such as "BAREFXT_ERROR_COUNTER_STOPPED".
 *
 * @param error The error, also BAREFXT_OK.
 * @return A constant string that ends with a zero.
 * @context any
 */
const char* barefxt_error_name(barefxt_error error);

/* Finds faults that no CPU finds alone, before recording starts.
 *
 * @param cpus Number of CPUs, 1 to BAREFXT_MAX_CPUS.
 * @param max_ticks Longest wait for other CPUs, in ticks of the counter.
 * @return BAREFXT_OK if no CPU found a fault. Otherwise all CPUs return the same error.
 * @error BAREFXT_ERROR_CPU_COUNT `cpus` is 0 or more than BAREFXT_MAX_CPUS.
 * @error BAREFXT_ERROR_COUNTER_STOPPED The port's counter stands still.
 * @error BAREFXT_ERROR_CPU_NUMBER barefxt_port_cpu returned a number that is not below `cpus`.
 * @error BAREFXT_ERROR_CPU_NUMBER_TWICE Two CPUs have the same number.
 * @error BAREFXT_ERROR_MMU_OFF The caller's MMU or data cache is off (AArch64, ARMv7-A). The other
 *   CPUs return BAREFXT_ERROR_CLOCK_UNANSWERED.
 * @error BAREFXT_ERROR_RING_ADDRESS As from barefxt_start, on the CPU that calls. The other CPUs
 *   return BAREFXT_ERROR_CLOCK_UNANSWERED.
 * @error BAREFXT_ERROR_STORES_FAIL Exclusive stores never succeed.
 * @error BAREFXT_ERROR_STORES_NOT_SHARED Exclusive stores of two CPUs do not exclude each other.
 * @error BAREFXT_ERROR_COUNTERS_APART The port declares one counter for all CPUs, but their
 *   counters differ. The test sees differences above the time of the quickest of 16 questions,
 *   usually a microsecond.
 * @error BAREFXT_ERROR_CLOCK_UNANSWERED A CPU did not take part within `max_ticks`. No start
 *   returns this error.
 * @context threads or boot, not during barefxt_start
 *
 * Call it on every CPU from 0 to `cpus` - 1 at about the same time, from boot or from a thread that
 * stays on its CPU. The next barefxt_start with more than one CPU returns the error as well, until
 * a later call finds no fault.
 *
 * Without the call a session finds large differences. A counter may be more than a millisecond
 * behind barefxt_start when its CPU opens its second segment, or its last record as far ahead of
 * barefxt_stop. Then the next start returns BAREFXT_ERROR_COUNTERS_APART.
 */
barefxt_error barefxt_check_cpus(uint16_t cpus, uint64_t max_ticks);

/* Returns the address that a port's option such as BAREFXT_X86_64_RING_OFFSET reads.
 *
 * @param cpu The CPU's number.
 * @return The address of its ring, the same for the life of the image.
 * @context any
 *
 * Each CPU's own memory has to hold it before the CPU records, hooks included. Without such an
 * option the port needs no address.
 */
void* barefxt_ring(uint32_t cpu);

/* Returns 32 bits that differ from boot to boot. You define this function.
 *
 * @return For example a random number, or a count of boots in flash.
 * @context called by the first barefxt_start of a boot
 *
 * Define BAREFXT_PORT_ENTROPY to 1 for the whole image if the port or the kernel defines this
 * function. The value goes into the capture's id, with the wall clock, the time of the start and
 * the former content of the memory. `barefxt rebuild` knows a capture by that id. With
 * BAREFXT_LINEAR nothing calls this function.
 */
uint32_t barefxt_port_entropy(void);

/* Ends recording and reports what was recorded.
 *
 * @return Counts of records, see barefxt_stop_report. After a trigger or barefxt_close it reports
 *   the session that has ended. During a start all counts are 0.
 * @context any; never waits
 *
 * When it returns, no reservation succeeds any more. A writer that this call interrupted may still
 * finish its record later.
 *
 * Beside a call of barefxt_drain, or in an interrupt of one, `recorded_records` lacks the records
 * that the drain takes out meanwhile. Call it again after the drain for the full count.
 *
 * The report reads all records: 10 us with 64 KiB, 18 ms with 128 MiB, on a fast CPU.
 */
barefxt_stop_report barefxt_stop(void);

/* Ends recording without a report, in a few instructions for each CPU.
 *
 * @context any; wait-free
 *
 * The time does not depend on the size of the memory, so it suits NMIs, watchdogs and panic
 * handlers. barefxt_stop reports later. It writes nothing back: call barefxt_crash before a reset
 * that loses the caches.
 */
void barefxt_close(void);

/* Returns the number of unfinished records and of writers between two segments.
 *
 * @return Records of this session and of earlier ones that are reserved but not committed, and
 *   writers between two segments. At 0 none of them stores into the memory any more.
 * @context threads or boot
 *
 * After the stop the number falls to 0 as interrupted writers go on.
 */
uint32_t barefxt_unfinished(void);

/* Waits until barefxt_unfinished is 0.
 *
 * @param ticks Longest wait, in ticks of the counter.
 * @return The number that is left: 0, unless the time was up.
 * @context threads, if the writers can go on meanwhile
 *
 * Writers can go on if they run on other CPUs, or if they can preempt the caller. Otherwise poll
 * barefxt_unfinished between sleeps.
 */
uint32_t barefxt_wait_unfinished(uint64_t ticks);

/* Forgets the writers that barefxt_unfinished counts.
 *
 * @return BAREFXT_OK if the next start may take all of the memory.
 * @error BAREFXT_ERROR_RUNNING A session records.
 * @error BAREFXT_ERROR_LEFT_OUT The image has BAREFXT_LINEAR.
 * @context threads or boot, nothing else meanwhile
 *
 * Call it if no unfinished writer will ever go on, because its thread, interrupt or CPU is gone for
 * good. A writer that does go on stores into memory that is no longer the rings'. No other function
 * of this header may run meanwhile, on any CPU. Dumps do not change.
 */
barefxt_error barefxt_forget_unfinished(void);

/* Returns true while a session records.
 *
 * @return True from the start until the stop, or until a trigger ends recording.
 * @context any
 */
bool barefxt_running(void);

/* Discards the records so far.
 *
 * @return BAREFXT_OK if the rings are empty now.
 * @error BAREFXT_ERROR_RUNNING Another context is about to stop or to change the session. The
 *   session is over, and can be started again.
 * @error BAREFXT_ERROR_NEVER_STARTED No session has started since boot.
 * @error BAREFXT_ERROR_LEFT_OUT The image has BAREFXT_LINEAR.
 * @context threads or boot, one at a time
 *
 * A running session goes on in empty rings under a new capture id, unless a stop or a trigger ends
 * it at the same time. It keeps the target's name and build id, and takes the present wall clock. A
 * session that was over stays over. This restarts the session, so it may return the errors of
 * barefxt_start, too.
 */
barefxt_error barefxt_rewind(void);

/* Ends recording after some further segments. Needs BAREFXT_TRIGGERS.
 *
 * @param segments Segments that one CPU fills before recording ends on all CPUs. 0 ends it now.
 * @context any
 *
 * The first call of a session counts. A circular recorder with N segments a CPU then holds about N
 * - `segments` segments from before the call.
 */
#if BAREFXT_TRIGGERS
void barefxt_trigger(uint32_t segments);
#endif

/* Enables exactly these categories of a running session.
 *
 * @param categories Mask: bit N enables the category with number N.
 * @context any
 *
 * Without `sched` events belong to the pseudo-thread cpu-N. This call may interrupt
 * barefxt_context_switch on its own CPU, in the few instructions between the reservation and the
 * store of the thread. Then events belong to that thread, which runs by then, until the CPU's next
 * barefxt_context_switch. If a kernel leaves these calls out while `sched` is off, that thread may
 * be seen until the CPU opens its next segment.
 */
void barefxt_set_categories(uint32_t categories);

/* Holds the present records for a dump, while recording goes on.
 *
 * @return BAREFXT_OK if the snapshot is held. barefxt_dump then sends this moment, and releases
 *   each segment once it is sent.
 * @error BAREFXT_ERROR_NEVER_STARTED No session records.
 * @error BAREFXT_ERROR_MODE The session streams.
 * @error BAREFXT_ERROR_SNAPSHOT_HELD A snapshot is held already. Dump or release it.
 * @error BAREFXT_ERROR_MEMORY_TOO_SMALL A circular ring has fewer than 4 segments.
 * @error BAREFXT_ERROR_LEFT_OUT The image lacks BAREFXT_SNAPSHOTS.
 * @context threads or boot, one at a time
 *
 * In circular mode the writers keep three segments of each CPU. The snapshot leaves out times for
 * which a CPU has no records any more. So the trace is complete for one interval common to all
 * CPUs, which the dump contains.
 */
barefxt_error barefxt_snapshot(void);

/* Releases the snapshot without a dump.
 *
 * @context threads or boot, one at a time
 */
void barefxt_snapshot_release(void);

/* ---- Dump and drain ---- */

/* Sends the records, frame by frame.
 *
 * @param writer Gets every byte in order, and may block.
 * @param form Binary or text, raw or coded.
 * @return BAREFXT_OK if everything was sent.
 * @error BAREFXT_ERROR_RUNNING A session records, and no snapshot is held.
 * @error BAREFXT_ERROR_NEVER_STARTED No session has started since boot.
 * @error BAREFXT_ERROR_LEFT_OUT The image lacks this form (BAREFXT_DUMP_FORMS).
 * @context threads or boot, one at a time; a fault handler that does not return, behind
 *   barefxt_close
 *
 * A dump sends the snapshot that is held, or else the session that is over. After a streaming
 * session it sends all records still in memory, sent before or not. A barefxt_drain beside it goes
 * on, and takes the segment in the dump afterwards.
 *
 * If the last barefxt_start was refused, the dump sends the error's name first, even if it then
 * returns BAREFXT_ERROR_NEVER_STARTED. Images with BAREFXT_SMALL do not.
 *
 * On CPUs of 32 bits it takes 1.5 KiB of stack, in a coded form 2.5 KiB (docs/reference/stack.md).
 * A fault handler must not call it if the fault came within a dump or a drain
 * (docs/how-to/crash.md).
 */
barefxt_error barefxt_dump(const barefxt_writer* writer, barefxt_dump_form form);

/* Sends the records as an FXT trace, without frames.
 *
 * @param writer Gets every byte in order. The line must lose nothing: semihosting, memory, a file.
 * @return BAREFXT_OK if everything was sent.
 * @error BAREFXT_ERROR_RUNNING A session records, and no snapshot is held.
 * @error BAREFXT_ERROR_NEVER_STARTED No session has started since boot.
 * @error BAREFXT_ERROR_LEFT_OUT The image has BAREFXT_LINEAR or BAREFXT_STRINGS_IN_ELF.
 * @context threads or boot, one at a time
 *
 * The trace needs no barefxt on the host. The records of one CPU follow those of the other, in this
 * CPU's byte order. The trace has no magic number, so that traces can be appended to each other.
 * `barefxt convert --to fxt` adds it. For a little-endian trace, writing its 8 bytes first does the
 * same.
 */
barefxt_error barefxt_dump_fxt(const barefxt_writer* writer);

/* Streams: fills a buffer with as many whole frames as there are and fit.
 *
 * @param to The buffer.
 * @param room Bytes of the buffer; BAREFXT_DRAIN_BYTES fit any frame.
 * @param form Binary or text, raw or coded.
 * @return Bytes in the buffer; 0 if there is nothing to send now.
 * @context any, one at a time; not during barefxt_start or barefxt_rewind
 *
 * It never waits. An idle task, a thread or the interrupt that feeds a line may call it, on any
 * CPU. After the stop, call it until barefxt_drain_is_over returns true: the end of the stream
 * reports the losses.
 */
size_t barefxt_drain(uint8_t* to, size_t room, barefxt_dump_form form);

/* Returns true if the drain has returned all of the stream.
 *
 * @return True after the end of the stream, and if no session streams.
 * @context any, one at a time
 */
bool barefxt_drain_is_over(void);

/* ---- Requests of the host ----
 *
 * The runtime has these functions if it is built with BAREFXT_WAY_BACK=1.
 */

#if BAREFXT_WAY_BACK
/* Takes a byte that came over the line.
 *
 * @param byte Any byte, also console input and noise.
 * @context any, one at a time, such as the interrupt of the line
 *
 * It only stores a request for barefxt_serve, in bounded time and without waiting.
 */
void barefxt_receive(uint8_t byte);

/* Performs the request that barefxt_receive has stored, and answers it.
 *
 * @param writer Gets the answer, and a dump if the host asks for one.
 * @param form Form of the answer.
 * @param start Settings for a start that the host requests, except for the mode and the categories
 *   if the host chose those. Null refuses starts.
 * @return True if there was a request.
 * @context threads or boot, one at a time, and not at once with barefxt_drain
 *
 * Call it best where the line is fed.
 */
bool barefxt_serve(const barefxt_writer* writer, barefxt_dump_form form,
                   const barefxt_config* start);
#endif

/* ---- Functions and their calls ----
 *
 * The runtime has these functions if it is built with BAREFXT_FUNCTIONS=1. Sleds are the places
 * that clang's -fxray-instrument leaves where functions begin and end.
 */

#if BAREFXT_FUNCTIONS
/* Returns the number of functions with sleds.
 *
 * @return The number; 0 if there are none. Their ids are 1 to this number, in the order of the
 *   image's map. LLVM's tools use the same ids.
 * @context any
 */
uint32_t barefxt_function_count(void);

/* Returns the id of a function.
 *
 * @param function The address of its first instruction.
 * @return The id; 0 if the function has no sleds.
 * @context any
 *
 * It searches the map.
 */
uint32_t barefxt_function_id(const void* function);

/* Makes functions record their calls.
 *
 * @param first The first id, 1 or more.
 * @param last The last id. Ids beyond barefxt_function_count are ignored, so 1 and UINT32_MAX mean
 *   all.
 * @param access How to write code; null if code can be written in place.
 * @return BAREFXT_OK if all of these functions record their calls now.
 * @error BAREFXT_ERROR_NO_SLEDS No function has sleds.
 * @error BAREFXT_ERROR_NO_FUNCTION `first` is 0, above `last`, or above barefxt_function_count.
 * @error BAREFXT_ERROR_OTHER_CODE Something other than a sled stands where the map names one.
 *   Nothing was written.
 * @error BAREFXT_ERROR_CODE_TOO_FAR A sled is too far from the runtime for a branch. Nothing was
 *   written.
 * @error BAREFXT_ERROR_CODE_READ_ONLY Code cannot be written. Functions with lower ids may have
 *   changed already.
 * @context threads or boot, one at a time
 *
 * Call it before or after the start. Calls are recorded while the category `function` is enabled.
 * Other CPUs follow when `synchronize` of the barefxt_code_access has returned. Other CPUs, and
 * interrupts on this one, may be in these functions meanwhile. Then the begin and the end of a call
 * are each recorded or not.
 */
barefxt_error barefxt_functions_patch(uint32_t first, uint32_t last,
                                      const barefxt_code_access* access);

/* Stops functions from recording their calls.
 *
 * @param first The first id, 1 or more.
 * @param last The last id, as for barefxt_functions_patch.
 * @param access How to write code; null if code can be written in place.
 * @return BAREFXT_OK, or an error of barefxt_functions_patch.
 * @context threads or boot, one at a time
 */
barefxt_error barefxt_functions_unpatch(uint32_t first, uint32_t last,
                                        const barefxt_code_access* access);
#endif

#if BAREFXT_FUNCTIONS && BAREFXT_CALL_LIMITS
/* Leaves out short and deep calls, from the next start on. Needs BAREFXT_CALL_LIMITS.
 *
 * @param limits The limits and their memory; null: none.
 * @return BAREFXT_OK if the limits hold from the next start on.
 * @error BAREFXT_ERROR_RUNNING A session runs, or a call that a stop interrupted is about to read
 *   the present limits.
 * @error BAREFXT_ERROR_MISALIGNED The memory is not aligned to 8 bytes.
 * @error BAREFXT_ERROR_MEMORY_TOO_SMALL `deepest` is 0 or above 65535, or the memory has no room
 *   for one thread.
 * @context threads or boot, one at a time, while nothing is recorded
 *
 * A call is then recorded when it ends, as one record, without an argument. The runtime counts the
 * calls that it leaves out.
 */
barefxt_error barefxt_limit_calls(const barefxt_call_limits* limits);

/* Returns the numbers of calls left out since the start. Needs BAREFXT_CALL_LIMITS.
 *
 * @return The counts, exact once recording has stopped.
 * @context any
 */
barefxt_left_out_calls barefxt_calls_left_out(void);
#endif

/* ---- Resets and caches ----
 *
 * barefxt_recover, barefxt_recovered_dump and barefxt_recovered_release need BAREFXT_RETAINED=1.
 */

/* Looks for the trace of the boot before in the retained memory.
 *
 * @return BAREFXT_RECOVERED_NOTHING, _PARTLY or _WHOLE.
 * @context boot, before any other function of this header
 *
 * If there is a trace, it is held: barefxt_start does not take its memory until the release.
 * Meanwhile you may register threads, and record in other memory.
 */
barefxt_recovery barefxt_recover(void);

/* Sends the recovered trace, frame by frame.
 *
 * @param writer Gets every byte in order, and may block.
 * @param form Binary or text, raw or coded.
 * @return BAREFXT_OK if everything was sent. The trace stays held.
 * @error BAREFXT_ERROR_NEVER_STARTED No recovered trace is held.
 * @error BAREFXT_ERROR_LEFT_OUT The image lacks this form (BAREFXT_DUMP_FORMS).
 * @context threads or boot, one at a time
 */
barefxt_error barefxt_recovered_dump(const barefxt_writer* writer, barefxt_dump_form form);

/* Frees the memory of the recovered trace.
 *
 * @context threads or boot, one at a time
 */
void barefxt_recovered_release(void);

/* Ends recording and writes the trace back to memory, out of the caches. For panic handlers.
 *
 * @context any; never waits
 *
 * Stop other CPUs first. If the reset loses the caches, a record that another CPU finishes
 * afterwards may be torn.
 */
void barefxt_crash(void);

/* Writes the trace back to memory, out of the caches, while recording goes on.
 *
 * @context any; never waits
 *
 * Readers that bypass the caches, such as DMA and many debuggers, then find all records that were
 * committed before the call. With `clean_caches` of barefxt_config, a reset then loses only later
 * records, and in the last segment of each CPU those behind an unfinished one.
 *
 * It does nothing before the first start and during a start. Dumps and drains read through the
 * caches and do not need it. The time it takes grows with the memory of the rings.
 */
void barefxt_clean_for_reader(void);

/* ---- Clock ---- */

/* Returns the time in the unit of records' timestamps.
 *
 * @return Ticks, always 64 bits, also if the counter has fewer.
 * @context any
 */
uint64_t barefxt_ticks(void);

/* Returns the rate of barefxt_ticks.
 *
 * @return Ticks per second, as the port reports them.
 * @context any
 */
uint64_t barefxt_ticks_per_second(void);

/* Extends a counter that wraps to 64 bits. Call it from the kernel's tick.
 *
 * @context any
 *
 * It is empty if BAREFXT_PORT_COUNTER_BITS is 64. Call it also while nothing is recorded, and on
 * every CPU if each has a counter of its own. Between two calls, less than half a period of the
 * counter may go by, all delays of the second call included: 2^23 ticks of a 24-bit counter, 2^31
 * of a 32-bit one. Then no time is ever lost.
 */
void barefxt_clock_tick(void);

/* Measures how the counters of the CPUs differ, so that the host can order their records.
 *
 * @param cpus Number of CPUs, 1 to BAREFXT_MAX_CPUS.
 * @param max_ticks Longest wait for other CPUs, in ticks of the counter.
 * @return BAREFXT_OK if this CPU has a measurement, or if all CPUs share one counter.
 * @error BAREFXT_ERROR_CPU_COUNT `cpus` is above BAREFXT_MAX_CPUS, or this CPU's number is not
 *   below it.
 * @error BAREFXT_ERROR_COUNTER_STOPPED The port's counter stands still.
 * @error BAREFXT_ERROR_CLOCK_UNANSWERED A CPU did not take part within `max_ticks`, or the caller
 *   moved to another CPU.
 * @context threads or boot, not during barefxt_start
 *
 * Call it on every CPU from 0 to `cpus` - 1 at about the same time, from boot or from a thread that
 * stays on its CPU. Interrupts may be on, which costs precision only.
 *
 * The dump contains the last measurement of each CPU, with its largest error. Call it best before
 * the start. A later or repeated call serves the host as well, but a duration that begins on one
 * CPU and ends on another uses only earlier measurements.
 */
barefxt_error barefxt_clock_sync(uint16_t cpus, uint64_t max_ticks);

/* Reports a new rate of the counter, or a time in which it stood still.
 *
 * @param ticks_per_second The rate from here on, 1 to 2^62.
 * @param nanoseconds_gone_by Time in which the counter did not count, in nanoseconds; 0 if it never
 *   stopped.
 * @return BAREFXT_OK if the clock was changed, or if no session records.
 * @error BAREFXT_ERROR_COUNTER_RATE The rate is out of range.
 * @error BAREFXT_ERROR_CLOCK_STEADY The port declares that its counter neither changes nor stops.
 * @error BAREFXT_ERROR_CLOCK_BUSY Another call changes this clock, or the caller moved to another
 *   CPU.
 * @error BAREFXT_ERROR_LEFT_OUT The image has BAREFXT_LINEAR.
 * @context any but NMI
 *
 * It holds for this CPU's counter, or for all CPUs if they share one. Times of the trace stay right
 * across any number of changes, to half a tick of the first rate for each. barefxt_start asks the
 * port for the rate, so there is nothing to report before. A CPU whose rate differs from that of
 * the CPU that called barefxt_start calls this once after the start.
 *
 * A kernel must not kill a thread within this call: later changes would be refused, and records
 * could have the old rate until the next segment opens.
 */
barefxt_error barefxt_clock_changed(uint64_t ticks_per_second, uint64_t nanoseconds_gone_by);

/* ---- Processes and threads ----
 *
 * You choose koids: unique among processes and threads together, not 0, and below 0x7d000000.
 * Higher ones are the tracer's. The runtime copies names, and cuts them to 16 bytes at a
 * character's boundary. A kernel object record may repeat the name in full.
 */

/* Names a process.
 *
 * @param koid The process, 1 to 0x7cffffff.
 * @param name Its name, ended by a zero; 16 bytes are kept.
 * @context any but NMI
 */
void barefxt_process_register(uint32_t koid, const char* name);

/* Gives a process another name.
 *
 * @param koid The process.
 * @param name Its new name, ended by a zero; 16 bytes are kept.
 * @context any but NMI
 *
 * The trace gets an instant "renamed" with both names, as it does if the process is registered
 * again. If the table has no room, the name goes into the ring.
 */
void barefxt_process_rename(uint32_t koid, const char* name);

/* Ends a process. Its threads are gone, too.
 *
 * @param koid The process.
 * @context any but NMI
 */
void barefxt_process_unregister(uint32_t koid);

/* Names a thread, and fills its barefxt_thread.
 *
 * @param thread Zero-initialised, in the thread control block, for as long as the thread lives.
 * @param process Koid of its process; 0 for an idle thread.
 * @param koid The thread, 1 to 0x7cffffff.
 * @param name Its name, ended by a zero; 16 bytes are kept.
 * @param priority 0 to 255; 0 for an idle thread.
 * @context any but NMI
 *
 * With process 0 and priority 0 it is an idle thread, by convention named "idle/N". If the table
 * has no room, records of the thread contain its koids inline, and its name goes into the ring. If
 * no session records then, the name is lost: register the thread again after the start.
 */
void barefxt_thread_register(barefxt_thread* thread, uint32_t process, uint32_t koid,
                             const char* name, uint8_t priority);

/* Sets the priority that later switches record.
 *
 * @param thread The thread.
 * @param priority 0 to 255.
 * @context any but NMI
 */
void barefxt_thread_set_priority(barefxt_thread* thread, uint8_t priority);

/* Ends a thread. It may still run until the switch away from it.
 *
 * @param thread The thread.
 * @context any but NMI
 *
 * No context switch that names the thread may be under way on another CPU, or below the caller.
 * Behind the switch away from it, or behind this call if recording is over, nothing reads `thread`.
 * Another thread may get its entry from here on, see BAREFXT_REUSE_ENTRIES.
 *
 * With BAREFXT_END_RECORDS, a record that the thread was killed in ends here, or at the switch away
 * from it, and counts as lost. The thread must not go on with that record. The context switches
 * around the record identify its owner. So report switches, keep the category `sched` on, and keep
 * `koid` unchanged while the record is open.
 *
 * The call then walks the segments opened since the last one, and those with unfinished records.
 * barefxt_start returns BAREFXT_ERROR_RUNNING meanwhile.
 */
void barefxt_thread_unregister(barefxt_thread* thread);

/* ---- Scheduling ----
 *
 * The category is `sched`.
 */

/* Records a switch. The scheduler calls it on the CPU that switches.
 *
 * @param outgoing The thread that leaves the CPU.
 * @param state The state in which it leaves.
 * @param incoming The thread that comes in. Later events on this CPU belong to it.
 * @context any
 */
void barefxt_context_switch(const barefxt_thread* outgoing, barefxt_thread_state state,
                            const barefxt_thread* incoming);

/* Records that a thread became ready to run.
 *
 * @param thread The thread.
 * @context any
 */
void barefxt_thread_wakeup(const barefxt_thread* thread);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif

/* ---- Events ----
 *
 * Declare a category once, at file or namespace scope, with a number of its own from 0 to 29:
 *
 *     BAREFXT_CATEGORY(net, 0);
 *
 * `sched` (31) and `irq` (30) are declared already. Names and argument names are string literals:
 * the linker numbers them, and nothing is looked up at run time. `...` are at most 15 arguments:
 *
 *     BAREFXT_INSTANT(net, "packet", BAREFXT_ARG_U32("length", length), BAREFXT_ARG_BOOL("ok", 1));
 *
 * A disabled category evaluates nothing. Events belong to the thread that the last context switch
 * brought in. `id` joins the events of one operation, 64 bits.
 *
 * @context any
 *
 * @macro BAREFXT_INSTANT(category, name, ...) Something happens now.
 * @macro BAREFXT_COUNTER(category, name, id, ...) A number changes. Each argument is a series.
 * @macro BAREFXT_DURATION_BEGIN(category, name, ...) Something begins on this thread.
 * @macro BAREFXT_DURATION_END(category, name, ...) It ends.
 * @macro BAREFXT_DURATION_COMPLETE(category, name, begin_ticks, ...) It began at `begin_ticks`
 *   (barefxt_ticks), and ends now. One record.
 * @macro BAREFXT_DURATION_SCOPE(category, name, ...) It begins here, and ends with the scope,
 *   however that is left. One a line. If the category is off at the begin, neither is recorded.
 * @macro BAREFXT_JOB(period_ns, deadline_ns) A job, from here to the end of the scope. `barefxt
 *   stats` counts the late ones. Put it behind the call that waits for the job. A deadline of 0 is
 *   the period, and a period of 0 is none. Category `sched`.
 * @macro BAREFXT_JOB_NAMED(name, period_ns, deadline_ns) A job with a name.
 * @macro BAREFXT_US(count) Microseconds in nanoseconds.
 * @macro BAREFXT_MS(count) Milliseconds in nanoseconds.
 * @macro BAREFXT_ASYNC_BEGIN(category, name, id, ...) An operation begins that no single thread
 *   performs.
 * @macro BAREFXT_ASYNC_INSTANT(category, name, id, ...) A moment of it.
 * @macro BAREFXT_ASYNC_END(category, name, id, ...) It ends.
 * @macro BAREFXT_FLOW_BEGIN(category, name, id, ...) An arrow begins, inside a duration.
 * @macro BAREFXT_FLOW_STEP(category, name, id, ...) The arrow passes a duration.
 * @macro BAREFXT_FLOW_END(category, name, id, ...) The arrow ends, inside a duration.
 * @macro BAREFXT_IRQ_ENTER(name, ...) An interrupt begins, on the pseudo-thread cpu-N. Category
 *   `irq`.
 * @macro BAREFXT_IRQ_EXIT(name, ...) It ends.
 * @macro BAREFXT_EVENT(category, type, thread, name, trailing, ...) Any of these events, with a
 *   thread and a name that run time knows. `name` is a barefxt_text. `type`, `thread` and
 *   `trailing` are those of barefxt_event.
 */

/* ---- Arguments ----
 *
 * `key` is a string literal. A constant that its type cannot hold does not compile, and neither
 * does a sixteenth argument. Text beyond a quarter of a segment is cut between two characters, and
 * counted.
 *
 * @macro BAREFXT_ARG_NULL(key) No value.
 * @macro BAREFXT_ARG_BOOL(key, value) True or false.
 * @macro BAREFXT_ARG_I32(key, value) A signed number of 32 bits.
 * @macro BAREFXT_ARG_U32(key, value) An unsigned number of 32 bits.
 * @macro BAREFXT_ARG_I64(key, value) A signed number of 64 bits.
 * @macro BAREFXT_ARG_U64(key, value) An unsigned number of 64 bits.
 * @macro BAREFXT_ARG_DOUBLE(key, value) A double, if kernel code may hold one.
 * @macro BAREFXT_ARG_DOUBLE_BITS(key, bits) A double by its IEEE 754 bits.
 * @macro BAREFXT_ARG_POINTER(key, value) An address.
 * @macro BAREFXT_ARG_KOID(key, value) A koid.
 * @macro BAREFXT_ARG_LITERAL(key, text) A string literal.
 * @macro BAREFXT_ARG_STRING(key, pointer, bytes) Text that run time knows.
 * @macro BAREFXT_ARG_BLOB(key, pointer, bytes) Bytes without a meaning to the format.
 */

/* ---- Records beyond events ----
 *
 * The macros write if their category is enabled, the functions of the same names whenever a session
 * records. `name` is a barefxt_text: BAREFXT_TEXT("literal") or BAREFXT_TEXT_INLINE(pointer,
 * bytes). `thread` is a barefxt_thread; null is the thread that runs on this CPU. A record is at
 * most a segment: a larger one counts as lost.
 *
 * @context any
 *
 * @macro BAREFXT_LOG(category, message, bytes) A message.
 * @macro BAREFXT_BLOB(category, name, type, payload, bytes) Bytes of any number, with a name.
 * @macro BAREFXT_LARGE_BLOB(category, name, payload, bytes) Bytes in one record.
 * @macro BAREFXT_LARGE_BLOB_EVENT(category, name, payload, bytes, ...) Bytes in one record, with
 *   time, thread and arguments.
 * @macro BAREFXT_USERSPACE_OBJECT(category, pointer, thread, name, ...) The meaning of an address
 *   in a process.
 * @macro BAREFXT_KERNEL_OBJECT(category, koid, object_type, name, ...) The meaning of a koid.
 * @macro BAREFXT_CONTEXT_SWITCH(outgoing, state, incoming, ...) The newer form of
 *   barefxt_context_switch, with arguments. Category `sched`.
 * @macro BAREFXT_THREAD_WAKEUP(thread, ...) barefxt_thread_wakeup with arguments. Category `sched`.
 * @macro BAREFXT_PROFILER_MODULE(category, thread, module, name, name_bytes, build_id, id_bytes) A
 *   module of code.
 * @macro BAREFXT_PROFILER_MMAP(category, thread, module, flags, start, range, vaddr) The place of a
 *   part of a module in memory.
 * @macro BAREFXT_PROFILER_BACKTRACE(category, thread, frames, count) A call stack.
 */

#define BAREFXT_US(count) ((uint64_t)(count) * 1000u)
#define BAREFXT_MS(count) ((uint64_t)(count) * 1000000u)

#ifdef __clang__
/* Headers put code into instrumented functions from here on; keep that code uninstrumented. GCC
 * needs a flag for it, see docs/how-to/functions.md.
 */
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
/* Hooks for kernels that are not yours: halves of switches, interrupts by number, ids, names of
 * objects.
 */
#include <barefxt/kernel_hooks.h>
/* Locks, their holders and the threads that wait for them. */
#include <barefxt/lock.h>
/* Samples of a profiler. */
#include <barefxt/sample.h>
/* Blocks of heaps and pools. */
#include <barefxt/heap.h>
/* How far stacks have been used. */
#include <barefxt/stack.h>

#if BAREFXT_FUNCTIONS || BAREFXT_DISABLED
/* Deprecated: the former name of barefxt_function_count. Version 0.3 drops it.
 *
 * @context any
 */
static inline __attribute__((deprecated("call barefxt_function_count"))) uint32_t
barefxt_functions(void) {
  return barefxt_function_count();
}
#endif
#ifdef __clang__
#pragma clang attribute pop
#pragma clang attribute pop
#endif

#endif
