/* Every probe and every kind of argument, in C and in C++. */
#ifndef EVERY_PROBE_H
#define EVERY_PROBE_H

#define USE_EVERY_PROBE(category, number, pointer)                                            \
  do {                                                                                        \
    const uint64_t begin = barefxt_ticks();                                                   \
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
  } while (0)

#endif
