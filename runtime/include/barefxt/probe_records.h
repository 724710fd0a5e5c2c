/* The macros of the records beyond events, for C and C++. Each checks its category, and evaluates
 * nothing if that is off. records.h and event_c.h describe the records. */
#ifndef BAREFXT_PROBE_RECORDS_H
#define BAREFXT_PROBE_RECORDS_H

#include <barefxt/category.h>
#include <barefxt/checked.h>
#include <barefxt/event_c.h>
#include <barefxt/records.h>
#ifdef __cplusplus
#include <barefxt/argument_array.h>
#endif

/* An array cannot be empty, so C's begins with an element that is not handed on. */
#define BAREFXT_NO_ARGUMENT_ {0, 0, 0, 0}
#define BAREFXT_COUNT_(list) ((uint32_t)(sizeof(list) / sizeof((list)[0])) - 1)
#define BAREFXT_CHECK_COUNT_(list)                                   \
  BAREFXT_STATIC_ASSERT_(sizeof(list) / sizeof((list)[0]) - 1 <= 15, \
                         "a record has at most 15 arguments")

/* `call` hands its arguments on by BAREFXT_LIST_(them): in C the array from above it, in C++ an
 * object of the same expression, so that what the arguments point to still lives when the record is
 * written. */
#ifdef __cplusplus
#define BAREFXT_LIST_(...) ::barefxt::argument_array(__VA_ARGS__)
#define BAREFXT_CALL_WITH_(category, call, ...) BAREFXT_CALL_(category, call)
#else
#define BAREFXT_LIST_(...) barefxt_arguments + 1, BAREFXT_COUNT_(barefxt_arguments)
#define BAREFXT_CALL_WITH_(category, call, ...)                                           \
  do {                                                                                    \
    if (BAREFXT_ENABLED(category)) {                                                      \
      const barefxt_argument barefxt_arguments[] = {BAREFXT_NO_ARGUMENT_, ##__VA_ARGS__}; \
      BAREFXT_CHECK_COUNT_(barefxt_arguments);                                            \
      call;                                                                               \
    }                                                                                     \
  } while (0)
#endif
#define BAREFXT_CALL_(category, call)    \
  do {                                   \
    if (BAREFXT_ENABLED(category)) call; \
  } while (0)

#define BAREFXT_EVENT(category, type, thread, name, trailing, ...)                        \
  BAREFXT_CALL_WITH_(category,                                                            \
                     barefxt_event(type, thread, BAREFXT_TEXT(#category), name, trailing, \
                                   BAREFXT_LIST_(__VA_ARGS__)),                           \
                     ##__VA_ARGS__)

#define BAREFXT_LOG(category, message, bytes) BAREFXT_CALL_(category, barefxt_log(message, bytes))
#define BAREFXT_BLOB(category, name, type, payload, bytes) \
  BAREFXT_CALL_(category, barefxt_blob(name, type, payload, bytes))
#define BAREFXT_LARGE_BLOB(category, name, payload, bytes) \
  BAREFXT_CALL_(category, barefxt_large_blob(BAREFXT_TEXT(#category), name, payload, bytes))
#define BAREFXT_LARGE_BLOB_EVENT(category, name, payload, bytes, ...)                        \
  BAREFXT_CALL_WITH_(category,                                                               \
                     barefxt_large_blob_event(BAREFXT_TEXT(#category), name, payload, bytes, \
                                              BAREFXT_LIST_(__VA_ARGS__)),                   \
                     ##__VA_ARGS__)
#define BAREFXT_USERSPACE_OBJECT(category, pointer, thread, name, ...)                            \
  BAREFXT_CALL_WITH_(category,                                                                    \
                     barefxt_userspace_object(pointer, thread, name, BAREFXT_LIST_(__VA_ARGS__)), \
                     ##__VA_ARGS__)
#define BAREFXT_KERNEL_OBJECT(category, koid, object_type, name, ...)                            \
  BAREFXT_CALL_WITH_(category,                                                                   \
                     barefxt_kernel_object(koid, object_type, name, BAREFXT_LIST_(__VA_ARGS__)), \
                     ##__VA_ARGS__)
#define BAREFXT_CONTEXT_SWITCH(outgoing, state, incoming, ...)                                   \
  BAREFXT_CALL_WITH_(                                                                            \
      sched, barefxt_context_switch_with(outgoing, state, incoming, BAREFXT_LIST_(__VA_ARGS__)), \
      ##__VA_ARGS__)
#define BAREFXT_THREAD_WAKEUP(thread, ...)                                                  \
  BAREFXT_CALL_WITH_(sched, barefxt_thread_wakeup_with(thread, BAREFXT_LIST_(__VA_ARGS__)), \
                     ##__VA_ARGS__)
#define BAREFXT_PROFILER_MODULE(category, thread, module, name, name_bytes, build_id, id_bytes) \
  BAREFXT_CALL_(category,                                                                       \
                barefxt_profiler_module(thread, module, name, name_bytes, build_id, id_bytes))
#define BAREFXT_PROFILER_MMAP(category, thread, module, flags, start, range, vaddr)                \
  BAREFXT_CALL_(category,                                                                          \
                barefxt_profiler_mmap(thread, module, BAREFXT_CHECKED_(flags, (flags) > 7), start, \
                                      range, vaddr))
#define BAREFXT_PROFILER_BACKTRACE(category, thread, frames, count) \
  BAREFXT_CALL_(category, barefxt_profiler_backtrace(thread, frames, count))

#endif
