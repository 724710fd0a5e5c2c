/* Probes of a build without tracing: nothing is left of them, their arguments are not evaluated. */
#ifndef BAREFXT_PROBE_DISABLED_H
#define BAREFXT_PROBE_DISABLED_H

#include <barefxt/category.h>
#include <barefxt/event_c.h>
#include <barefxt/records.h>

/* Types stay, for variables of users, but no string gets into the image. */
#undef BAREFXT_TEXT
#undef BAREFXT_TEXT_INLINE
#define BAREFXT_TEXT(literal) barefxt_text_interned(0)
#define BAREFXT_TEXT_INLINE(pointer, count) \
  ((void)(pointer), (void)(count), barefxt_text_interned(0))

#undef BAREFXT_ENABLED
#define BAREFXT_ENABLED(category) 0
/* Values count as used, so that a variable for a probe alone draws no warning. They are not
 * evaluated, and the function does not exist. A call behind if (0) would vanish as well, but
 * without optimization the room for its arguments would stay on the stack. In a loop around it
 * clang would leave a jump. */
#ifdef __cplusplus
extern "C"
#endif
    int
    barefxt_disabled(int, ...);
#define BAREFXT_UNUSED_(...) ((void)sizeof(barefxt_disabled(0, __VA_ARGS__)))

#define BAREFXT_INSTANT(category, name, ...) BAREFXT_UNUSED_(0, ##__VA_ARGS__)
#define BAREFXT_COUNTER(category, name, id, ...) BAREFXT_UNUSED_(id, ##__VA_ARGS__)
#define BAREFXT_DURATION_BEGIN(category, name, ...) BAREFXT_UNUSED_(0, ##__VA_ARGS__)
#define BAREFXT_DURATION_END(category, name, ...) BAREFXT_UNUSED_(0, ##__VA_ARGS__)
#define BAREFXT_DURATION_SCOPE(category, name, ...) BAREFXT_UNUSED_(0, ##__VA_ARGS__)
#define BAREFXT_JOB_NAMED(name, period_ns, deadline_ns) BAREFXT_UNUSED_(period_ns, deadline_ns)
#define BAREFXT_JOB(period_ns, deadline_ns) BAREFXT_UNUSED_(period_ns, deadline_ns)
#define BAREFXT_DURATION_COMPLETE(category, name, begin_ticks, ...) \
  BAREFXT_UNUSED_(begin_ticks, ##__VA_ARGS__)
#define BAREFXT_ASYNC_BEGIN(category, name, id, ...) BAREFXT_UNUSED_(id, ##__VA_ARGS__)
#define BAREFXT_ASYNC_INSTANT(category, name, id, ...) BAREFXT_UNUSED_(id, ##__VA_ARGS__)
#define BAREFXT_ASYNC_END(category, name, id, ...) BAREFXT_UNUSED_(id, ##__VA_ARGS__)
#define BAREFXT_FLOW_BEGIN(category, name, id, ...) BAREFXT_UNUSED_(id, ##__VA_ARGS__)
#define BAREFXT_FLOW_STEP(category, name, id, ...) BAREFXT_UNUSED_(id, ##__VA_ARGS__)
#define BAREFXT_FLOW_END(category, name, id, ...) BAREFXT_UNUSED_(id, ##__VA_ARGS__)
#define BAREFXT_IRQ_ENTER(name, ...) BAREFXT_UNUSED_(0, ##__VA_ARGS__)
#define BAREFXT_IRQ_EXIT(name, ...) BAREFXT_UNUSED_(0, ##__VA_ARGS__)
#define BAREFXT_EVENT(category, type, thread, name, trailing, ...) \
  BAREFXT_UNUSED_(type, thread, name, trailing, ##__VA_ARGS__)
#define BAREFXT_LARGE_BLOB_EVENT(category, name, payload, bytes, ...) \
  BAREFXT_UNUSED_(name, payload, bytes, ##__VA_ARGS__)
#define BAREFXT_USERSPACE_OBJECT(category, pointer, thread, name, ...) \
  BAREFXT_UNUSED_(pointer, thread, name, ##__VA_ARGS__)
#define BAREFXT_KERNEL_OBJECT(category, koid, object_type, name, ...) \
  BAREFXT_UNUSED_(koid, object_type, name, ##__VA_ARGS__)
#define BAREFXT_CONTEXT_SWITCH(outgoing, state, incoming, ...) \
  BAREFXT_UNUSED_(outgoing, state, incoming, ##__VA_ARGS__)
#define BAREFXT_THREAD_WAKEUP(thread, ...) BAREFXT_UNUSED_(thread, ##__VA_ARGS__)
#define BAREFXT_LOG(category, message, bytes) BAREFXT_UNUSED_(message, bytes)
#define BAREFXT_BLOB(category, name, type, payload, bytes) \
  BAREFXT_UNUSED_(name, type, payload, bytes)
#define BAREFXT_LARGE_BLOB(category, name, payload, bytes) BAREFXT_UNUSED_(name, payload, bytes)
#define BAREFXT_PROFILER_MODULE(category, thread, module, name, name_bytes, build_id, id_bytes) \
  BAREFXT_UNUSED_(thread, module, name, name_bytes, build_id, id_bytes)
#define BAREFXT_PROFILER_MMAP(category, thread, module, flags, start, range, vaddr) \
  BAREFXT_UNUSED_(thread, module, flags, start, range, vaddr)
#define BAREFXT_PROFILER_BACKTRACE(category, thread, frames, count) \
  BAREFXT_UNUSED_(thread, frames, count)

/* Arguments stay what they are, without their names. */
#define BAREFXT_NO_NAME_ barefxt_text_interned(0)
#define BAREFXT_ARG_NULL(key) barefxt_arg_null(BAREFXT_NO_NAME_)
#define BAREFXT_ARG_BOOL(key, value) barefxt_arg_bool(BAREFXT_NO_NAME_, (value) ? 1 : 0)
#define BAREFXT_ARG_I32(key, value) barefxt_arg_i32(BAREFXT_NO_NAME_, value)
#define BAREFXT_ARG_U32(key, value) barefxt_arg_u32(BAREFXT_NO_NAME_, value)
#define BAREFXT_ARG_I64(key, value) barefxt_arg_i64(BAREFXT_NO_NAME_, value)
#define BAREFXT_ARG_U64(key, value) barefxt_arg_u64(BAREFXT_NO_NAME_, value)
#define BAREFXT_ARG_DOUBLE(key, value) barefxt_arg_double_bits(BAREFXT_NO_NAME_, (uint64_t)(value))
#define BAREFXT_ARG_DOUBLE_BITS(key, bits) barefxt_arg_double_bits(BAREFXT_NO_NAME_, bits)
#define BAREFXT_ARG_POINTER(key, value) \
  barefxt_arg_pointer(BAREFXT_NO_NAME_, (const volatile void*)(value))
#define BAREFXT_ARG_KOID(key, value) barefxt_arg_koid(BAREFXT_NO_NAME_, value)
#define BAREFXT_ARG_LITERAL(key, text) barefxt_arg_text(BAREFXT_NO_NAME_, BAREFXT_NO_NAME_)
#define BAREFXT_ARG_STRING(key, pointer, bytes) barefxt_arg_blob(BAREFXT_NO_NAME_, pointer, bytes)
#define BAREFXT_ARG_BLOB(key, pointer, bytes) barefxt_arg_blob(BAREFXT_NO_NAME_, pointer, bytes)

#endif
