/* The probe macros for C. What they mean is said in barefxt.h. */
#ifndef BAREFXT_PROBE_C_H
#define BAREFXT_PROBE_C_H

#include <barefxt/category.h>
#include <barefxt/checked.h>
#include <barefxt/event_c.h>
#include <barefxt/intern.h>
#include <barefxt/probe_records.h>

/* An event that is words alone goes there in registers, as in C++, where it has at most one
 * argument and the compiler sees that it is a single word. */
static inline __attribute__((always_inline)) void barefxt_probe_event(
    uint32_t type, barefxt_event_owner owner, uint64_t category_and_name, uint64_t trailing,
    const barefxt_argument* arguments, uint32_t count) {
  const int has_trailing = type == 1 || type >= 4;
  const uint32_t words = count + (has_trailing ? 1u : 0u);
  const uint64_t header = category_and_name + (count << 20 | type << 16 | (2 + words) << 4 | 4);
  const int short_argument = count == 1 && arguments[0].payload == 0 && arguments[0].name == 0 &&
                             (arguments[0].header >> 4 & 0xfff) == 1;
  if (type != 4 && owner == BAREFXT_OWNER_CURRENT && count == 0) {
    if (has_trailing)
      barefxt_write_event_1(header, trailing);
    else
      barefxt_write_event_0(header);
  } else if (type != 4 && owner == BAREFXT_OWNER_CPU && count == 0) {
    barefxt_write_cpu_event_0(header);
  } else if (type != 4 && owner == BAREFXT_OWNER_CURRENT && __builtin_constant_p(short_argument) &&
             short_argument) {
    if (has_trailing)
      barefxt_write_event_2(header, arguments[0].header, trailing);
    else
      barefxt_write_event_1(header, arguments[0].header);
  } else {
    barefxt_write_event(owner, header, trailing, arguments, count);
  }
}

#define BAREFXT_EVENT_(type, owner, category, name, trailing, ...)                           \
  do {                                                                                       \
    if (BAREFXT_ENABLED(category)) {                                                         \
      const barefxt_argument barefxt_arguments[] = {BAREFXT_NO_ARGUMENT_, ##__VA_ARGS__};    \
      BAREFXT_CHECK_COUNT_(barefxt_arguments);                                               \
      barefxt_probe_event(type, owner, BAREFXT_CATEGORY_AND_NAME(#category, name), trailing, \
                          barefxt_arguments + 1, BAREFXT_COUNT_(barefxt_arguments));         \
    }                                                                                        \
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

#define BAREFXT_ARG_NULL(key) barefxt_arg_null(BAREFXT_TEXT(key))
#define BAREFXT_ARG_BOOL(key, value) barefxt_arg_bool(BAREFXT_TEXT(key), (value) ? 1 : 0)
#define BAREFXT_ARG_I32(key, value) barefxt_arg_i32(BAREFXT_TEXT(key), BAREFXT_CHECKED_I32_(value))
#define BAREFXT_ARG_U32(key, value) barefxt_arg_u32(BAREFXT_TEXT(key), BAREFXT_CHECKED_U32_(value))
#define BAREFXT_ARG_I64(key, value) barefxt_arg_i64(BAREFXT_TEXT(key), BAREFXT_CHECKED_I64_(value))
#define BAREFXT_ARG_U64(key, value) barefxt_arg_u64(BAREFXT_TEXT(key), BAREFXT_CHECKED_U64_(value))
#define BAREFXT_ARG_DOUBLE(key, value) \
  barefxt_arg_double_bits(BAREFXT_TEXT(key), BAREFXT_DOUBLE_BITS_(value))
#define BAREFXT_ARG_DOUBLE_BITS(key, bits) barefxt_arg_double_bits(BAREFXT_TEXT(key), bits)
#define BAREFXT_ARG_POINTER(key, value) \
  barefxt_arg_pointer(BAREFXT_TEXT(key), (const volatile void*)(value))
#define BAREFXT_ARG_KOID(key, value) \
  barefxt_arg_koid(BAREFXT_TEXT(key), BAREFXT_CHECKED_U64_(value))
#define BAREFXT_ARG_LITERAL(key, text) barefxt_arg_text(BAREFXT_TEXT(key), BAREFXT_TEXT(text))
#define BAREFXT_ARG_STRING(key, pointer, bytes) \
  barefxt_arg_text(BAREFXT_TEXT(key), BAREFXT_TEXT_INLINE(pointer, bytes))
#define BAREFXT_ARG_BLOB(key, pointer, bytes) barefxt_arg_blob(BAREFXT_TEXT(key), pointer, bytes)

#endif
