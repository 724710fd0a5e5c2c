// The probe macros for C++; barefxt.h describes them.
//
// A disabled probe costs the load of the mask, a test and a branch; its arguments are not
// evaluated.
#pragma once

#include <barefxt/category.h>
#include <barefxt/checked.h>
#include <barefxt/event.h>
#include <barefxt/intern.h>
#include <barefxt/probe_records.h>
#include <barefxt/probe_scope.h>

#define BAREFXT_EVENT_(type, owner, category, name, trailing, ...)                             \
  do {                                                                                         \
    if (BAREFXT_ENABLED(category))                                                             \
      ::barefxt::EventWriter<::barefxt::fxt::EventType::type, ::barefxt::Owner::owner>::write( \
          BAREFXT_CATEGORY_AND_NAME(#category, name), trailing, ##__VA_ARGS__);                \
  } while (false)

#define BAREFXT_INSTANT(category, name, ...) \
  BAREFXT_EVENT_(kInstant, kCurrent, category, name, 0, ##__VA_ARGS__)
#define BAREFXT_COUNTER(category, name, id, ...) \
  BAREFXT_EVENT_(kCounter, kCurrent, category, name, id, ##__VA_ARGS__)
#define BAREFXT_DURATION_BEGIN(category, name, ...) \
  BAREFXT_EVENT_(kDurationBegin, kCurrent, category, name, 0, ##__VA_ARGS__)
#define BAREFXT_DURATION_END(category, name, ...) \
  BAREFXT_EVENT_(kDurationEnd, kCurrent, category, name, 0, ##__VA_ARGS__)
#define BAREFXT_DURATION_COMPLETE(category, name, begin_ticks, ...) \
  BAREFXT_EVENT_(kDurationComplete, kCurrent, category, name, begin_ticks, ##__VA_ARGS__)
#define BAREFXT_ASYNC_BEGIN(category, name, id, ...) \
  BAREFXT_EVENT_(kAsyncBegin, kCurrent, category, name, id, ##__VA_ARGS__)
#define BAREFXT_ASYNC_INSTANT(category, name, id, ...) \
  BAREFXT_EVENT_(kAsyncInstant, kCurrent, category, name, id, ##__VA_ARGS__)
#define BAREFXT_ASYNC_END(category, name, id, ...) \
  BAREFXT_EVENT_(kAsyncEnd, kCurrent, category, name, id, ##__VA_ARGS__)
#define BAREFXT_FLOW_BEGIN(category, name, id, ...) \
  BAREFXT_EVENT_(kFlowBegin, kCurrent, category, name, id, ##__VA_ARGS__)
#define BAREFXT_FLOW_STEP(category, name, id, ...) \
  BAREFXT_EVENT_(kFlowStep, kCurrent, category, name, id, ##__VA_ARGS__)
#define BAREFXT_FLOW_END(category, name, id, ...) \
  BAREFXT_EVENT_(kFlowEnd, kCurrent, category, name, id, ##__VA_ARGS__)
#define BAREFXT_IRQ_ENTER(name, ...) \
  BAREFXT_EVENT_(kDurationBegin, kCpu, irq, name, 0, ##__VA_ARGS__)
#define BAREFXT_IRQ_EXIT(name, ...) BAREFXT_EVENT_(kDurationEnd, kCpu, irq, name, 0, ##__VA_ARGS__)

#define BAREFXT_SCOPE_BEGIN_(category_and_name, ...)                \
  ::barefxt::EventWriter<::barefxt::fxt::EventType::kDurationBegin, \
                         ::barefxt::Owner::kCurrent>::write(category_and_name, 0, ##__VA_ARGS__)

#define BAREFXT_ARG_NULL(key) ::barefxt::argument::null(BAREFXT_STRING(key))
#define BAREFXT_ARG_BOOL(key, value) \
  ::barefxt::argument::boolean(BAREFXT_STRING(key), (value) ? true : false)
#define BAREFXT_ARG_I32(key, value) \
  ::barefxt::argument::int32(BAREFXT_STRING(key), BAREFXT_CHECKED_I32_(value))
#define BAREFXT_ARG_U32(key, value) \
  ::barefxt::argument::uint32(BAREFXT_STRING(key), BAREFXT_CHECKED_U32_(value))
#define BAREFXT_ARG_I64(key, value) \
  ::barefxt::argument::int64(BAREFXT_STRING(key), BAREFXT_CHECKED_I64_(value))
#define BAREFXT_ARG_U64(key, value) \
  ::barefxt::argument::uint64(BAREFXT_STRING(key), BAREFXT_CHECKED_U64_(value))
#define BAREFXT_ARG_DOUBLE(key, value) \
  ::barefxt::argument::double_bits(BAREFXT_STRING(key), BAREFXT_DOUBLE_BITS_(value))
#define BAREFXT_ARG_DOUBLE_BITS(key, bits) \
  ::barefxt::argument::double_bits(BAREFXT_STRING(key), bits)
#define BAREFXT_ARG_POINTER(key, value) \
  ::barefxt::argument::pointer(BAREFXT_STRING(key), (const volatile void*)(value))
#define BAREFXT_ARG_KOID(key, value) \
  ::barefxt::argument::koid(BAREFXT_STRING(key), BAREFXT_CHECKED_U64_(value))
#define BAREFXT_ARG_LITERAL(key, text) \
  ::barefxt::argument::literal(BAREFXT_STRING(key), BAREFXT_STRING(text))
#define BAREFXT_ARG_STRING(key, pointer, bytes) \
  ::barefxt::argument::text(BAREFXT_STRING(key), pointer, bytes)
#define BAREFXT_ARG_BLOB(key, pointer, bytes) ::barefxt_arg_blob(BAREFXT_TEXT(key), pointer, bytes)
