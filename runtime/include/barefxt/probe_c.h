/* The probe macros for C; barefxt.h describes them. */
#ifndef BAREFXT_PROBE_C_H
#define BAREFXT_PROBE_C_H

#include <barefxt/category.h>
#include <barefxt/checked.h>
#include <barefxt/event_c.h>
#include <barefxt/intern.h>
#include <barefxt/probe_records.h>
#include <barefxt/probe_scope.h>

/* An event that is two words or less besides its header and time goes in registers, as in C++. All
 * this is decided when it is compiled, if that is done with optimization. */
static inline __attribute__((always_inline)) void barefxt_probe_event(
    uint32_t type, barefxt_event_owner owner, uint64_t category_and_name, uint64_t trailing,
    const barefxt_argument* arguments, uint32_t count) {
  const int has_trailing = type == BAREFXT_EVENT_COUNTER || type >= BAREFXT_EVENT_DURATION_COMPLETE;
  const int is_words = count == 0 || (count == 1 && !arguments[0].payload && !arguments[0].name);
  const uint32_t argument_words = count == 0 ? 0 : (uint32_t)(arguments[0].header >> 4 & 0xfff);
  const uint32_t words = argument_words + (has_trailing ? 1 : 0);
  const uint64_t header = category_and_name + (count << 20 | type << 16 | (2 + words) << 4 | 4);
  if (!is_words || words > 2 || type == BAREFXT_EVENT_DURATION_COMPLETE ||
      (owner == BAREFXT_OWNER_CPU && words != 0))
    barefxt_write_event(owner, category_and_name + (type << 16), trailing, arguments, count);
  else if (owner == BAREFXT_OWNER_CPU)
    barefxt_write_cpu_event_0(header);
  else if (words == 0)
    barefxt_write_event_0(header);
  else if (words == 1)
    barefxt_write_event_1(header, has_trailing ? trailing : arguments[0].header);
  else
    barefxt_write_event_2(header, arguments[0].header,
                          has_trailing ? trailing : arguments[0].value);
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

#define BAREFXT_SCOPE_BEGIN_(category_and_name, ...)                                         \
  const barefxt_argument barefxt_arguments[] = {BAREFXT_NO_ARGUMENT_, ##__VA_ARGS__};        \
  BAREFXT_CHECK_COUNT_(barefxt_arguments);                                                   \
  barefxt_probe_event(2, BAREFXT_OWNER_CURRENT, category_and_name, 0, barefxt_arguments + 1, \
                      BAREFXT_COUNT_(barefxt_arguments))

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
