/* Records beyond events: logs, blobs, objects, switches and wakeups with arguments, profiler.
 *
 * From C and C++. The functions write whenever a session is running; the macros of the same names
 * (probe_records.h) ask for a category first, and are what a kernel calls.
 *
 * Each takes as much of the ring as it has bytes: a record is at most a segment, and what does not
 * fit is counted as lost.
 */
#ifndef BAREFXT_RECORDS_H
#define BAREFXT_RECORDS_H

#include <barefxt/argument_c.h>
#include <barefxt/config.h>
#include <barefxt/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a blob holds; the numbers are those of the specification. */
typedef enum barefxt_blob_type {
  BAREFXT_BLOB_DATA = 1,
  BAREFXT_BLOB_LAST_BRANCH = 2,
  BAREFXT_BLOB_PERFETTO = 3 /* a Perfetto protobuf; newer than most readers */
} barefxt_blob_type;

#if !BAREFXT_DISABLED

/* "Log record". A message of the thread that runs on this CPU, cut at a quarter of a segment.
 * Context: any. */
void barefxt_log(const char* message, size_t bytes);

/* "Blob record". Of any size: split over records, a quarter of a segment each, which readers join
 * by the name; so two blobs of one name must not be written at the same time. When a part finds no
 * room the rest is counted as lost with it: a blob is cut, but never has a hole. Context: any. */
void barefxt_blob(barefxt_text name, barefxt_blob_type type, const void* payload, size_t bytes);

/* "Large BLOB record", without and with time, thread and arguments. The record must fit a segment.
 * Context: any. */
void barefxt_large_blob(barefxt_text category, barefxt_text name, const void* payload,
                        size_t bytes);
void barefxt_large_blob_event(barefxt_text category, barefxt_text name, const void* payload,
                              size_t bytes, const barefxt_argument* arguments, uint32_t count);

/* "Userspace object record": what an address means in the process of `thread` (null: of the thread
 * that runs on this CPU). Pointer arguments refer to it. Context: any. */
void barefxt_userspace_object(const volatile void* pointer, const barefxt_thread* thread,
                              barefxt_text name, const barefxt_argument* arguments, uint32_t count);

/* "Kernel object record": what a koid means. Koid arguments refer to it. `object_type` is one of
 * the ZX_OBJ_TYPE_ numbers, e.g. 1 a process, 2 a thread, 3 memory, 5 an event, 17 a job. Context:
 * any. */
void barefxt_kernel_object(uint64_t koid, uint8_t object_type, barefxt_text name,
                           const barefxt_argument* arguments, uint32_t count);

/* The newer context switch, with arguments (by convention the int32s "outgoing_weight" and
 * "incoming_weight") in place of the priorities. Otherwise as barefxt_context_switch. Context: any.
 */
void barefxt_context_switch_with(const barefxt_thread* outgoing, barefxt_thread_state state,
                                 const barefxt_thread* incoming, const barefxt_argument* arguments,
                                 uint32_t count);
/* By convention the int32 "weight" and the koid "waker". Context: any. */
void barefxt_thread_wakeup_with(const barefxt_thread* thread, const barefxt_argument* arguments,
                                uint32_t count);

/* "Profiler record", newer than many readers: which code lies where, and call stacks.
 * `thread` null: the thread that runs on this CPU. */

/* A module with a number of the caller's choice. Name and build id are cut at 255 bytes. Context:
 * any. */
void barefxt_profiler_module(const barefxt_thread* thread, uint16_t module, const char* name,
                             size_t name_bytes, const void* build_id, size_t build_id_bytes);
/* A part of a module in memory. Flags: 1 readable, 2 writable, 4 executable. Context: any. */
void barefxt_profiler_mmap(const barefxt_thread* thread, uint16_t module, uint8_t flags,
                           uint64_t start, uint64_t range, uint64_t vaddr);
/* Return addresses, innermost first. Of more than 255 frames the outer ones are left out. Context:
 * any. */
void barefxt_profiler_backtrace(const barefxt_thread* thread, const uintptr_t* frames,
                                size_t count);

#endif

#ifdef __cplusplus
}  // extern "C"
#endif

#endif
