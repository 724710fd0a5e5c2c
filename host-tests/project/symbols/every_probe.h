/* Every probe and every kind of argument, in C and in C++. */
#ifndef EVERY_PROBE_H
#define EVERY_PROBE_H

#define USE_EVERY_RECORD(category, number, pointer)                                               \
  do {                                                                                            \
    const barefxt_text name = BAREFXT_TEXT_INLINE("bytes", (number));                             \
    const uintptr_t frame = (number);                                                             \
    (void)name;                                                                                   \
    (void)frame;                                                                                  \
    (void)(pointer);                                                                              \
    BAREFXT_INSTANT(category, "named", barefxt_arg_null(name), barefxt_arg_bool(name, 1),         \
                    barefxt_arg_i32(name, -1), barefxt_arg_u32(name, (number)),                   \
                    barefxt_arg_i64(name, -1), barefxt_arg_u64(name, (number)),                   \
                    barefxt_arg_double_bits(name, 1), barefxt_arg_pointer(name, (pointer)),       \
                    barefxt_arg_koid(name, 1), barefxt_arg_text(name, name),                      \
                    barefxt_arg_text(name, BAREFXT_TEXT("literal")),                              \
                    barefxt_arg_blob(name, (pointer), (number)),                                  \
                    BAREFXT_ARG_BLOB("blob", (pointer), (number)), BAREFXT_ARG_NULL("null"),      \
                    BAREFXT_ARG_BOOL("bool", 1));                                                 \
    BAREFXT_EVENT(category, BAREFXT_EVENT_COUNTER, 0, name, 1, BAREFXT_ARG_U32("u32", (number))); \
    BAREFXT_LOG(category, "message", (number));                                                   \
    BAREFXT_BLOB(category, name, BAREFXT_BLOB_DATA, (pointer), (number));                         \
    BAREFXT_LARGE_BLOB(category, name, (pointer), (number));                                      \
    BAREFXT_LARGE_BLOB_EVENT(category, name, (pointer), (number),                                 \
                             BAREFXT_ARG_U32("u32", (number)));                                   \
    BAREFXT_USERSPACE_OBJECT(category, (pointer), 0, name, BAREFXT_ARG_U32("u32", (number)));     \
    BAREFXT_KERNEL_OBJECT(category, 1, 1, name, BAREFXT_ARG_KOID("process", (number)));           \
    BAREFXT_CONTEXT_SWITCH((const barefxt_thread*)(pointer), BAREFXT_STATE_BLOCKED,               \
                           (const barefxt_thread*)(pointer),                                      \
                           BAREFXT_ARG_I32("outgoing_weight", 1));                                \
    BAREFXT_THREAD_WAKEUP((const barefxt_thread*)(pointer), BAREFXT_ARG_I32("weight", 1));        \
    BAREFXT_PROFILER_MODULE(category, 0, 1, "module", 6, (pointer), (number));                    \
    BAREFXT_PROFILER_MMAP(category, 0, 1, 5, 0, (number), 0);                                     \
    BAREFXT_PROFILER_BACKTRACE(category, 0, &frame, 1);                                           \
  } while (0)

#define USE_EVERY_PROBE(category, number, pointer)                                            \
  do {                                                                                        \
    const uint64_t begin = barefxt_ticks();                                                   \
    (void)begin;                                                                              \
    BAREFXT_INSTANT(category, "nothing");                                                     \
    BAREFXT_INSTANT(category, "small", BAREFXT_ARG_NULL("null"), BAREFXT_ARG_BOOL("bool", 1), \
                    BAREFXT_ARG_I32("i32", -1), BAREFXT_ARG_U32("u32", (number)));            \
    BAREFXT_INSTANT(category, "wide", BAREFXT_ARG_I64("i64", -1),                             \
                    BAREFXT_ARG_U64("u64", (number)),                                         \
                    BAREFXT_ARG_DOUBLE_BITS("double", 0x3ff0000000000000u),                   \
                    BAREFXT_ARG_POINTER("pointer", (pointer)), BAREFXT_ARG_KOID("koid", 1));  \
    BAREFXT_INSTANT(category, "text", BAREFXT_ARG_LITERAL("literal", "a literal"),            \
                    BAREFXT_ARG_STRING("string", "bytes", (number)));                         \
    BAREFXT_COUNTER(category, "counter", 1, BAREFXT_ARG_U32("series", (number)));             \
    BAREFXT_DURATION_SCOPE(category, "scope", BAREFXT_ARG_U32("u32", (number)));              \
    do { /* a scope has its line for a name */                                                \
      BAREFXT_JOB_NAMED("job", BAREFXT_MS(10), BAREFXT_US(number));                           \
    } while (0);                                                                              \
    BAREFXT_DURATION_BEGIN(category, "duration", BAREFXT_ARG_U32("u32", (number)));           \
    BAREFXT_FLOW_BEGIN(category, "flow", 1);                                                  \
    BAREFXT_FLOW_STEP(category, "flow", 1);                                                   \
    BAREFXT_FLOW_END(category, "flow", 1);                                                    \
    BAREFXT_DURATION_END(category, "duration");                                               \
    BAREFXT_DURATION_COMPLETE(category, "complete", begin, BAREFXT_ARG_U32("u32", (number))); \
    BAREFXT_ASYNC_BEGIN(category, "async", 1);                                                \
    BAREFXT_ASYNC_INSTANT(category, "async", 1);                                              \
    BAREFXT_ASYNC_END(category, "async", 1);                                                  \
    BAREFXT_IRQ_ENTER("interrupt", BAREFXT_ARG_U32("number", (number)));                      \
    BAREFXT_IRQ_EXIT("interrupt");                                                            \
    USE_EVERY_RECORD(category, number, pointer);                                              \
  } while (0)

#endif
