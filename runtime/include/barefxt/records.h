/* Records beyond events: logs, blobs, objects, switches and wakeups with arguments, profiler.
 *
 * The functions write whenever a session records. The macros of the same names (probe_records.h)
 * check a category first; a kernel calls those. A record is at most a segment; a larger one counts
 * as lost.
 */
#ifndef BAREFXT_RECORDS_H
#define BAREFXT_RECORDS_H

#include <barefxt/argument_c.h>
#include <barefxt/config.h>
#include <barefxt/types.h>

/* ---- Records beyond events ---- */

#ifdef __cplusplus
extern "C" {
#endif

/* Content of a blob, by the numbers of the specification. */
typedef enum barefxt_blob_type {
  BAREFXT_BLOB_DATA = 1,
  BAREFXT_BLOB_LAST_BRANCH = 2,
  BAREFXT_BLOB_PERFETTO = 3 /* a Perfetto protobuf; newer than most readers */
} barefxt_blob_type;

#if !BAREFXT_DISABLED

/* Records a message of the thread that runs on this CPU. "Log record".
 *
 * @param message The message.
 * @param bytes Its length; cut at a quarter of a segment.
 * @context any
 */
void barefxt_log(const char* message, size_t bytes);

/* Records bytes of any number. "Blob record".
 *
 * @param name Its name. Do not write two blobs of one name at the same time.
 * @param type Its content.
 * @param payload The bytes.
 * @param bytes Number of bytes.
 * @context any
 *
 * The bytes are split over records of a quarter of a segment each, which readers join by the name.
 * If a part finds no room, the rest counts as lost with it. So a blob may be cut, but never has a
 * hole.
 */
void barefxt_blob(barefxt_text name, barefxt_blob_type type, const void* payload, size_t bytes);

/* Records bytes in one record, without a time. "Large BLOB record".
 *
 * @param category The category's name.
 * @param name Its name.
 * @param payload The bytes.
 * @param bytes Number of bytes. The record must fit a segment.
 * @context any
 */
void barefxt_large_blob(barefxt_text category, barefxt_text name, const void* payload,
                        size_t bytes);
/* Records bytes in one record, with time, thread and arguments. "Large BLOB record".
 *
 * @param category The category's name.
 * @param name Its name.
 * @param payload The bytes.
 * @param bytes Number of bytes. The record must fit a segment.
 * @param arguments Its arguments.
 * @param count Number of arguments, at most 15.
 * @context any
 */
void barefxt_large_blob_event(barefxt_text category, barefxt_text name, const void* payload,
                              size_t bytes, const barefxt_argument* arguments, uint32_t count);

/* Names an address in a process. Pointer arguments refer to it. "Userspace object record".
 *
 * @param pointer The address.
 * @param thread A thread of the process; null for the thread that runs on this CPU.
 * @param name Its name.
 * @param arguments Its arguments.
 * @param count Number of arguments, at most 15.
 * @context any
 */
void barefxt_userspace_object(const volatile void* pointer, const barefxt_thread* thread,
                              barefxt_text name, const barefxt_argument* arguments, uint32_t count);

/* Names a koid. Koid arguments refer to it. "Kernel object record".
 *
 * @param koid The koid.
 * @param object_type A number of ZX_OBJ_TYPE_, e.g. 1 a process, 2 a thread, 3 memory, 5 an event,
 *   17 a job.
 * @param name Its name.
 * @param arguments Its arguments.
 * @param count Number of arguments, at most 15.
 * @context any
 */
void barefxt_kernel_object(uint64_t koid, uint8_t object_type, barefxt_text name,
                           const barefxt_argument* arguments, uint32_t count);

/* Records a switch in the newer form, with arguments in place of the priorities.
 *
 * @param outgoing The thread that leaves the CPU.
 * @param state The state in which it leaves.
 * @param incoming The thread that comes in.
 * @param arguments By convention the int32s "outgoing_weight" and "incoming_weight".
 * @param count Number of arguments, at most 15.
 * @context any
 *
 * Otherwise it is as barefxt_context_switch.
 */
void barefxt_context_switch_with(const barefxt_thread* outgoing, barefxt_thread_state state,
                                 const barefxt_thread* incoming, const barefxt_argument* arguments,
                                 uint32_t count);
/* Records that a thread became ready to run, with arguments.
 *
 * @param thread The thread.
 * @param arguments By convention the int32 "weight" and the koid "waker".
 * @param count Number of arguments, at most 15.
 * @context any
 */
void barefxt_thread_wakeup_with(const barefxt_thread* thread, const barefxt_argument* arguments,
                                uint32_t count);

/* Records a module of code. "Profiler record", newer than many readers.
 *
 * @param thread A thread of the process; null for the thread that runs on this CPU.
 * @param module A number of your choice.
 * @param name Its name.
 * @param name_bytes Length of the name, cut at 255.
 * @param build_id Its build id.
 * @param build_id_bytes Length of the build id, cut at 255.
 * @context any
 */
void barefxt_profiler_module(const barefxt_thread* thread, uint16_t module, const char* name,
                             size_t name_bytes, const void* build_id, size_t build_id_bytes);
/* Records the place of a part of a module in memory. "Profiler record".
 *
 * @param thread A thread of the process; null for the thread that runs on this CPU.
 * @param module The module's number.
 * @param flags Sum of 1 readable, 2 writable, 4 executable.
 * @param start Its first address.
 * @param range Its bytes.
 * @param vaddr Its address in the module's file.
 * @context any
 */
void barefxt_profiler_mmap(const barefxt_thread* thread, uint16_t module, uint8_t flags,
                           uint64_t start, uint64_t range, uint64_t vaddr);
/* Records a call stack. "Profiler record".
 *
 * @param thread The thread; null for the thread that runs on this CPU.
 * @param frames Return addresses, innermost first.
 * @param count Number of frames. Above 255 the outer ones are left out.
 * @context any
 */
void barefxt_profiler_backtrace(const barefxt_thread* thread, const uintptr_t* frames,
                                size_t count);

#endif

#ifdef __cplusplus
}  // extern "C"
#endif

#endif
