/* The probe macros for C. What they mean is said in barefxt.h. */
#ifndef BAREFXT_PROBE_C_H
#define BAREFXT_PROBE_C_H

#include <barefxt/category.h>
#include <barefxt/event_c.h>
#include <barefxt/intern.h>

#define BAREFXT_EVENT_(type, owner, category, name, trailing, ...)                             \
  do {                                                                                         \
    if (BAREFXT_ENABLED(category)) {                                                           \
      const barefxt_argument barefxt_arguments[] = {{0, 0, 0}, ##__VA_ARGS__};                 \
      barefxt_write_event(type, owner, BAREFXT_STRING(#category) | BAREFXT_STRING(name) << 16, \
                          trailing, barefxt_arguments + 1,                                     \
                          sizeof barefxt_arguments / sizeof barefxt_arguments[0] - 1);         \
    }                                                                                          \
  } while (0)

#define BAREFXT_INSTANT(category, name, ...) \
  BAREFXT_EVENT_(0, BAREFXT_OWNER_CURRENT, category, name, 0, ##__VA_ARGS__)
#define BAREFXT_COUNTER(category, name, id, ...) \
  BAREFXT_EVENT_(1, BAREFXT_OWNER_CURRENT, category, name, id, ##__VA_ARGS__)
#define BAREFXT_DURATION_BEGIN(category, name, ...) \
  BAREFXT_EVENT_(2, BAREFXT_OWNER_CURRENT, category, name, 0, ##__VA_ARGS__)
#define BAREFXT_DURATION_END(category, name, ...) \
  BAREFXT_EVENT_(3, BAREFXT_OWNER_CURRENT, category, name, 0, ##__VA_ARGS__)
#define BAREFXT_DURATION_COMPLETE(category, name, begin_ticks, ...) \
  BAREFXT_EVENT_(4, BAREFXT_OWNER_CURRENT, category, name, begin_ticks, ##__VA_ARGS__)
#define BAREFXT_ASYNC_BEGIN(category, name, id, ...) \
  BAREFXT_EVENT_(5, BAREFXT_OWNER_CURRENT, category, name, id, ##__VA_ARGS__)
#define BAREFXT_ASYNC_INSTANT(category, name, id, ...) \
  BAREFXT_EVENT_(6, BAREFXT_OWNER_CURRENT, category, name, id, ##__VA_ARGS__)
#define BAREFXT_ASYNC_END(category, name, id, ...) \
  BAREFXT_EVENT_(7, BAREFXT_OWNER_CURRENT, category, name, id, ##__VA_ARGS__)
#define BAREFXT_FLOW_BEGIN(category, name, id, ...) \
  BAREFXT_EVENT_(8, BAREFXT_OWNER_CURRENT, category, name, id, ##__VA_ARGS__)
#define BAREFXT_FLOW_STEP(category, name, id, ...) \
  BAREFXT_EVENT_(9, BAREFXT_OWNER_CURRENT, category, name, id, ##__VA_ARGS__)
#define BAREFXT_FLOW_END(category, name, id, ...) \
  BAREFXT_EVENT_(10, BAREFXT_OWNER_CURRENT, category, name, id, ##__VA_ARGS__)
#define BAREFXT_IRQ_ENTER(name, ...) \
  BAREFXT_EVENT_(2, BAREFXT_OWNER_CPU, irq, name, 0, ##__VA_ARGS__)
#define BAREFXT_IRQ_EXIT(name, ...) \
  BAREFXT_EVENT_(3, BAREFXT_OWNER_CPU, irq, name, 0, ##__VA_ARGS__)

/* Type, size in words, name: bits [0 .. 3], [4 .. 15], [16 .. 31] of an argument header. */
static inline barefxt_argument barefxt_argument_make(uint32_t type, uint32_t words, uint32_t name,
                                                     uint32_t upper, uint64_t value) {
  barefxt_argument argument = {(uint64_t)upper << 32 | name << 16 | words << 4 | type, value, 0};
  return argument;
}

#define BAREFXT_ARG_NULL(key) barefxt_argument_make(0, 1, BAREFXT_STRING(key), 0, 0)
#define BAREFXT_ARG_I32(key, value) \
  barefxt_argument_make(1, 1, BAREFXT_STRING(key), (uint32_t)(int32_t)(value), 0)
#define BAREFXT_ARG_U32(key, value) \
  barefxt_argument_make(2, 1, BAREFXT_STRING(key), (uint32_t)(value), 0)
#define BAREFXT_ARG_I64(key, value) \
  barefxt_argument_make(3, 2, BAREFXT_STRING(key), 0, (uint64_t)(int64_t)(value))
#define BAREFXT_ARG_U64(key, value) \
  barefxt_argument_make(4, 2, BAREFXT_STRING(key), 0, (uint64_t)(value))
#define BAREFXT_ARG_DOUBLE_BITS(key, bits) \
  barefxt_argument_make(5, 2, BAREFXT_STRING(key), 0, (uint64_t)(bits))
#define BAREFXT_ARG_LITERAL(key, text) \
  barefxt_argument_make(6, 1, BAREFXT_STRING(key), BAREFXT_STRING(text), 0)
#define BAREFXT_ARG_STRING(key, pointer, bytes) \
  barefxt_text_argument(BAREFXT_STRING(key), pointer, bytes)
#define BAREFXT_ARG_POINTER(key, value) \
  barefxt_argument_make(7, 2, BAREFXT_STRING(key), 0, (uint64_t)(uintptr_t)(value))
#define BAREFXT_ARG_KOID(key, value) \
  barefxt_argument_make(8, 2, BAREFXT_STRING(key), 0, (uint64_t)(value))
#define BAREFXT_ARG_BOOL(key, value) \
  barefxt_argument_make(9, 1, BAREFXT_STRING(key), (value) ? 1u : 0u, 0)

#endif
