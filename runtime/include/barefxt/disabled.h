/* The functions of a build without tracing (BAREFXT_DISABLED=1): stubs, so that an application that
 * starts, stops and dumps stays as it is, and its image is as large as without those calls.
 *
 * Each returns what lets its caller go on: BAREFXT_OK, 0, an empty report. barefxt_drain_is_over
 * returns true, since callers loop until then, and barefxt_ticks_per_second 1, since they divide by
 * it.
 */
#ifndef BAREFXT_DISABLED_H
#define BAREFXT_DISABLED_H

#include <barefxt/event_c.h>
#include <barefxt/heap.h>
#include <barefxt/kernel_hooks.h>
#include <barefxt/records.h>
#include <barefxt/sample.h>
#include <barefxt/stack.h>
#include <barefxt/types.h>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Session ---- */

/* The port or the kernel defines it, as in other builds. Never called. */
uint32_t barefxt_port_entropy(void);

static inline barefxt_error barefxt_start(const barefxt_config* config) { return BAREFXT_OK; }
static inline const char* barefxt_error_name(barefxt_error error) { return ""; }
static inline void* barefxt_ring(uint32_t cpu) {
  (void)cpu;
  return NULL;
}
static inline barefxt_error barefxt_check_cpus(uint16_t cpus, uint64_t max_ticks) {
  return BAREFXT_OK;
}
static inline barefxt_stop_report barefxt_stop(void) {
  barefxt_stop_report report;
  report.unfinished_records = 0;
  report.recorded_records = 0;
  report.lost_records = 0;
  report.overwritten_records = 0;
  report.cut_texts = 0;
  return report;
}
static inline void barefxt_close(void) {}
static inline uint32_t barefxt_unfinished(void) { return 0; }
static inline uint32_t barefxt_wait_unfinished(uint64_t ticks) { return 0; }
static inline barefxt_error barefxt_forget_unfinished(void) { return BAREFXT_OK; }
static inline bool barefxt_running(void) { return false; }
static inline barefxt_error barefxt_rewind(void) { return BAREFXT_OK; }
static inline void barefxt_trigger(uint32_t segments) {}
static inline void barefxt_set_categories(uint32_t categories) {}
static inline barefxt_error barefxt_snapshot(void) { return BAREFXT_OK; }
static inline void barefxt_snapshot_release(void) {}

/* ---- The way out, and back ---- */

static inline barefxt_error barefxt_dump(const barefxt_writer* writer, barefxt_dump_form form) {
  return BAREFXT_OK;
}
static inline barefxt_error barefxt_dump_fxt(const barefxt_writer* writer) { return BAREFXT_OK; }
static inline size_t barefxt_drain(uint8_t* to, size_t room, barefxt_dump_form form) { return 0; }
static inline bool barefxt_drain_is_over(void) { return true; }
static inline void barefxt_receive(uint8_t byte) {}
static inline bool barefxt_serve(const barefxt_writer* writer, barefxt_dump_form form,
                                 const barefxt_config* start) {
  return false;
}
static inline barefxt_recovery barefxt_recover(void) { return BAREFXT_RECOVERED_NOTHING; }
static inline barefxt_error barefxt_recovered_dump(const barefxt_writer* writer,
                                                   barefxt_dump_form form) {
  return BAREFXT_OK;
}
static inline void barefxt_recovered_release(void) {}
static inline void barefxt_crash(void) {}
static inline void barefxt_clean_for_reader(void) {}

/* ---- Calls of functions ---- */

static inline uint32_t barefxt_function_count(void) { return 0; }
static inline uint32_t barefxt_function_id(const void* function) { return 0; }
static inline barefxt_error barefxt_functions_patch(uint32_t first, uint32_t last,
                                                    const barefxt_code_access* access) {
  return BAREFXT_OK;
}
static inline barefxt_error barefxt_functions_unpatch(uint32_t first, uint32_t last,
                                                      const barefxt_code_access* access) {
  return BAREFXT_OK;
}
static inline barefxt_error barefxt_limit_calls(const barefxt_call_limits* limits) {
  return BAREFXT_OK;
}
static inline barefxt_left_out_calls barefxt_calls_left_out(void) {
  barefxt_left_out_calls calls;
  calls.too_short = 0;
  calls.too_deep = 0;
  calls.without_end = 0;
  calls.open = 0;
  return calls;
}

/* ---- Clock ---- */

static inline uint64_t barefxt_ticks(void) { return 0; }
static inline uint64_t barefxt_ticks_per_second(void) { return 1; }
static inline void barefxt_clock_tick(void) {}
static inline barefxt_error barefxt_clock_sync(uint16_t cpus, uint64_t max_ticks) {
  return BAREFXT_OK;
}
static inline barefxt_error barefxt_clock_changed(uint64_t ticks_per_second,
                                                  uint64_t nanoseconds_gone_by) {
  return BAREFXT_OK;
}

/* ---- Processes, threads, objects ---- */

static inline void barefxt_process_register(uint32_t koid, const char* name) {}
static inline void barefxt_process_rename(uint32_t koid, const char* name) {}
static inline void barefxt_process_unregister(uint32_t koid) {}
static inline void barefxt_thread_register(barefxt_thread* thread, uint32_t process, uint32_t koid,
                                           const char* name, uint8_t priority) {}
static inline void barefxt_thread_set_priority(barefxt_thread* thread, uint8_t priority) {}
static inline void barefxt_thread_rename(barefxt_thread* thread, const char* name) {}
static inline void barefxt_thread_unregister(barefxt_thread* thread) {}
static inline void barefxt_object_register(uint32_t koid, barefxt_object_type type,
                                           const char* name) {}
static inline void barefxt_object_unregister(uint32_t koid) {}
static inline uint32_t barefxt_session_number(void) { return 0; }
static inline uint32_t barefxt_koid_new(void) { return 0; }

/* ---- Scheduling, interrupts, locks ---- */

static inline void barefxt_context_switch(const barefxt_thread* outgoing,
                                          barefxt_thread_state state,
                                          const barefxt_thread* incoming) {}
static inline void barefxt_context_switch_with(const barefxt_thread* outgoing,
                                               barefxt_thread_state state,
                                               const barefxt_thread* incoming,
                                               const barefxt_argument* arguments, uint32_t count) {}
static inline void barefxt_switch_out(const barefxt_thread* thread, barefxt_thread_state state) {}
static inline void barefxt_switch_in(const barefxt_thread* thread) {}
static inline void barefxt_switch_unrecorded(void) {}
static inline void barefxt_clear_exclusive(void) {}
static inline void barefxt_thread_wakeup(const barefxt_thread* thread) {}
static inline void barefxt_thread_wakeup_with(const barefxt_thread* thread,
                                              const barefxt_argument* arguments, uint32_t count) {}
static inline void barefxt_interrupt_enter(uint32_t number, barefxt_text name) {}
static inline void barefxt_interrupt_exit(uint32_t number) {}
static inline void barefxt_thread_wakeup_in_interrupt(const barefxt_thread* thread,
                                                      uint32_t number) {}
static inline uint64_t barefxt_lock_contended(uintptr_t lock, barefxt_text name,
                                              const barefxt_thread* holder) {
  return 0;
}
static inline void barefxt_lock_acquired(uintptr_t lock, barefxt_text name, uint64_t contended) {}
static inline void barefxt_lock_given_up(uintptr_t lock, barefxt_text name, uint64_t contended) {}
static inline void barefxt_lock_released(uintptr_t lock, barefxt_text name) {}

/* ---- Events and records ---- */

static inline barefxt_text barefxt_text_inline(const char* bytes, size_t count) {
  return barefxt_text_interned(0);
}
static inline void barefxt_event(barefxt_event_type type, const barefxt_thread* thread,
                                 barefxt_text category, barefxt_text name, uint64_t trailing,
                                 const barefxt_argument* arguments, uint32_t count) {}
static inline void barefxt_log(const char* message, size_t bytes) {}
static inline void barefxt_blob(barefxt_text name, barefxt_blob_type type, const void* payload,
                                size_t bytes) {}
static inline void barefxt_large_blob(barefxt_text category, barefxt_text name, const void* payload,
                                      size_t bytes) {}
static inline void barefxt_large_blob_event(barefxt_text category, barefxt_text name,
                                            const void* payload, size_t bytes,
                                            const barefxt_argument* arguments, uint32_t count) {}
static inline void barefxt_userspace_object(const volatile void* pointer,
                                            const barefxt_thread* thread, barefxt_text name,
                                            const barefxt_argument* arguments, uint32_t count) {}
static inline void barefxt_kernel_object(uint64_t koid, uint8_t object_type, barefxt_text name,
                                         const barefxt_argument* arguments, uint32_t count) {}
static inline void barefxt_sample(uintptr_t pc, uintptr_t fp, uintptr_t sp, uintptr_t stack_end) {}
static inline void barefxt_heap_alloc(const volatile void* address, size_t size,
                                      const volatile void* caller) {}
static inline void barefxt_heap_free(const volatile void* address, const volatile void* caller) {}
static inline void barefxt_heap_realloc(const volatile void* from, const volatile void* address,
                                        size_t size, const volatile void* caller) {}
static inline void barefxt_heap_pool(barefxt_text name, const volatile void* begin, size_t bytes,
                                     size_t used) {}
static inline void barefxt_stack_register(barefxt_stack* stack, uint32_t koid, uintptr_t begin,
                                          size_t bytes, uint32_t paint) {}
static inline void barefxt_stack_unregister(barefxt_stack* stack) {}
static inline void barefxt_stack_lower(barefxt_stack* stack, uintptr_t sp) {}
static inline void barefxt_stack_reached(barefxt_stack* stack, uintptr_t sp) {}
static inline void barefxt_stack_left(barefxt_stack* stack, size_t bytes) {}
static inline bool barefxt_stack_scan(uint32_t words) { return true; }
static inline void barefxt_profiler_module(const barefxt_thread* thread, uint16_t module,
                                           const char* name, size_t name_bytes,
                                           const void* build_id, size_t build_id_bytes) {}
static inline void barefxt_profiler_mmap(const barefxt_thread* thread, uint16_t module,
                                         uint8_t flags, uint64_t start, uint64_t range,
                                         uint64_t vaddr) {}
static inline void barefxt_profiler_backtrace(const barefxt_thread* thread, const uintptr_t* frames,
                                              size_t count) {}

#ifdef __cplusplus
}  // extern "C"
#endif

#pragma GCC diagnostic pop

#endif
