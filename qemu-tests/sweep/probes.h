// The text that is compiled for each writer. The includer defines SWEEP_WRITER, the enumerator;
// SWEEP_TEXT, the literal that distinguishes this writer's records from the others'; and
// SWEEP_C_PROBE, its probe in C.

#include <barefxt/records.h>

#include "kernel/categories.h"
#include "sweep/paths.h"

namespace kernel::sweep {
namespace {

constexpr uint32_t kNumber = 40 + SWEEP_WRITER;

// Text that the compiler takes for one that only run time knows.
const char* volatile run_time_text = SWEEP_TEXT;
constexpr uint32_t kTextBytes = sizeof SWEEP_TEXT - 1;
barefxt_text name_of_run_time() { return BAREFXT_TEXT_INLINE(run_time_text, kTextBytes); }

// More than one record holds: a full one, and a small rest.
constexpr size_t kPayloadBytes = BAREFXT_SEGMENT_BYTES / 4 + 16;
struct Payload {
  uint8_t bytes[kPayloadBytes];
  constexpr Payload() : bytes() {
    for (size_t i = 0; i < kPayloadBytes; ++i)
      bytes[i] = static_cast<uint8_t>(i * 7 + size_t{SWEEP_WRITER} * 3 + 1);
  }
};
constexpr Payload kPayload;

// There and back: an interrupted writer finds the thread again that ran.
void switch_threads(const Threads& threads) {
  barefxt_context_switch(&threads.running, BAREFXT_STATE_BLOCKED, &threads.of_writer[SWEEP_WRITER]);
  barefxt_context_switch(&threads.of_writer[SWEEP_WRITER], BAREFXT_STATE_SUSPENDED,
                         &threads.running);
}
void context_switch() { switch_threads(indexed); }
void context_switch_inline_threads() { switch_threads(inlined); }
void context_switch_mixed_threads() {
  barefxt_context_switch(&indexed.running, BAREFXT_STATE_DYING, &inlined.of_writer[SWEEP_WRITER]);
  barefxt_context_switch(&inlined.of_writer[SWEEP_WRITER], BAREFXT_STATE_DEAD, &indexed.running);
}
void context_switch_with() {
  BAREFXT_CONTEXT_SWITCH(&indexed.running, BAREFXT_STATE_BLOCKED, &indexed.of_writer[SWEEP_WRITER],
                         BAREFXT_ARG_I32("outgoing_weight", 3));
  BAREFXT_CONTEXT_SWITCH(&inlined.of_writer[SWEEP_WRITER], BAREFXT_STATE_BLOCKED, &indexed.running);
}
void thread_wakeup() { barefxt_thread_wakeup(&indexed.of_writer[SWEEP_WRITER]); }
void thread_wakeup_with() {
  BAREFXT_THREAD_WAKEUP(&inlined.of_writer[SWEEP_WRITER], BAREFXT_ARG_I32("weight", 9));
}

void instant() { BAREFXT_INSTANT(probe, SWEEP_TEXT); }
void instant_with_arguments() {
  BAREFXT_INSTANT(probe, SWEEP_TEXT, BAREFXT_ARG_U32("u32", kNumber),
                  BAREFXT_ARG_U64("u64", 0x1122334455667788 + kNumber),
                  BAREFXT_ARG_STRING("text", run_time_text, kTextBytes));
}
void duration_begin() { BAREFXT_DURATION_BEGIN(probe, SWEEP_TEXT, BAREFXT_ARG_BOOL("bool", 1)); }
void duration_end() { BAREFXT_DURATION_END(probe, SWEEP_TEXT); }
void duration_complete() {
  BAREFXT_DURATION_COMPLETE(probe, SWEEP_TEXT, 1, BAREFXT_ARG_U32("u32", kNumber));
}
void counter() { BAREFXT_COUNTER(load, SWEEP_TEXT, kNumber, BAREFXT_ARG_I64("i64", -5)); }
void async_begin() { BAREFXT_ASYNC_BEGIN(job, SWEEP_TEXT, kNumber); }
void flow_begin() { BAREFXT_FLOW_BEGIN(message, SWEEP_TEXT, kNumber); }
void irq_enter() { BAREFXT_IRQ_ENTER(SWEEP_TEXT, BAREFXT_ARG_U32("irq", kNumber)); }
void c_probe() { SWEEP_C_PROBE(); }
void event_named_at_run_time() {
  BAREFXT_EVENT(probe, BAREFXT_EVENT_DURATION_COMPLETE, &inlined.of_writer[SWEEP_WRITER],
                name_of_run_time(), 1, BAREFXT_ARG_NULL("null"));
}

void log() { BAREFXT_LOG(probe, run_time_text, kTextBytes); }
void blob_of_parts() {
  BAREFXT_BLOB(probe, name_of_run_time(), BAREFXT_BLOB_DATA, kPayload.bytes, kPayloadBytes);
}
void blob() { BAREFXT_BLOB(probe, BAREFXT_TEXT(SWEEP_TEXT), BAREFXT_BLOB_DATA, kPayload.bytes, 9); }
void large_blob() { BAREFXT_LARGE_BLOB(probe, name_of_run_time(), kPayload.bytes, 20); }
void large_blob_event() {
  BAREFXT_LARGE_BLOB_EVENT(probe, name_of_run_time(), kPayload.bytes, 9,
                           BAREFXT_ARG_I32("i32", -3));
}
void kernel_object() {
  BAREFXT_KERNEL_OBJECT(probe, kNumber, 5, BAREFXT_TEXT("object"), BAREFXT_ARG_KOID("koid", 1));
}
void userspace_object() {
  BAREFXT_USERSPACE_OBJECT(probe, reinterpret_cast<void*>(uintptr_t{kNumber}), nullptr,
                           name_of_run_time(), BAREFXT_ARG_U32("u32", 1));
}
void profiler() {
  const uintptr_t frames[] = {kNumber, 2, 3};
  BAREFXT_PROFILER_MODULE(probe, nullptr, 5, run_time_text, kTextBytes, kPayload.bytes, 11);
  BAREFXT_PROFILER_MMAP(probe, &inlined.of_writer[SWEEP_WRITER], 5, 5, 1, 2, 3);
  BAREFXT_PROFILER_BACKTRACE(probe, nullptr, frames, 3);
}

// Nothing that is off is recorded.
void off() {
  barefxt_set_categories(0);
  barefxt_context_switch(&indexed.running, BAREFXT_STATE_BLOCKED, &indexed.running);
  barefxt_thread_wakeup(&indexed.running);
  instant();
}

// Texts that are cut, between two characters: each of these bytes belongs to one that began before.
struct LongText {
  char bytes[BAREFXT_SEGMENT_BYTES / 4 + 8];
  constexpr LongText() : bytes() {
    for (char& byte : bytes) byte = 'a' + SWEEP_WRITER;
    for (size_t i = BAREFXT_SEGMENT_BYTES / 4 - 1; i < sizeof bytes; ++i)
      bytes[i] = static_cast<char>(0x80);
  }
};
constexpr LongText kLongText;
void text_that_is_cut() { BAREFXT_LOG(probe, kLongText.bytes, sizeof kLongText.bytes); }
void name_that_is_cut() {
  BAREFXT_KERNEL_OBJECT(probe, kNumber, 5,
                        BAREFXT_TEXT_INLINE(kLongText.bytes, sizeof kLongText.bytes));
}

// More than any segment holds: counted as lost.
void too_large() {
  BAREFXT_LARGE_BLOB_EVENT(probe, name_of_run_time(), kLongText.bytes, BAREFXT_SEGMENT_BYTES);
}

// More arguments than a record has, in all records that have arguments.
constexpr uint32_t kTooMany = 16;
struct TooManyArguments {
  explicit TooManyArguments(barefxt_text name) : argument() {
    for (barefxt_argument& each : argument) each = barefxt_arg_null(name);
  }
  barefxt_argument argument[kTooMany];
};
void too_many_arguments() {
  const barefxt_text name = BAREFXT_TEXT(SWEEP_TEXT);
  const TooManyArguments list{name};
  const barefxt_argument* const arguments = list.argument;
  barefxt_write_event(BAREFXT_OWNER_CURRENT,
                      barefxt::fxt::Event::make(barefxt::fxt::EventType::kInstant, 0, 0, {},
                                                {static_cast<uint16_t>(name.reference)},
                                                {static_cast<uint16_t>(name.reference)}),
                      0, arguments, kTooMany);
  barefxt_large_blob_event(name, name, kPayload.bytes, 1, arguments, kTooMany);
  barefxt_userspace_object(nullptr, nullptr, name, arguments, kTooMany);
  barefxt_kernel_object(kNumber, 5, name, arguments, kTooMany);
  barefxt_context_switch_with(&indexed.running, BAREFXT_STATE_BLOCKED, &indexed.running, arguments,
                              kTooMany);
  barefxt_thread_wakeup_with(&indexed.running, arguments, kTooMany);
}
// And inline names, in the one that has three.
void nothing_interned() {
  const barefxt_text name = name_of_run_time();
  const TooManyArguments list{name};
  barefxt_event(BAREFXT_EVENT_COUNTER, nullptr, name, name, kNumber, list.argument, kTooMany);
  barefxt_event(BAREFXT_EVENT_INSTANT, BAREFXT_THIS_CPU, name, name, 0, nullptr, 0);
}

void large_blobs_with_inline_names() {
  const barefxt_text name = name_of_run_time();
  barefxt_large_blob(name, name, kPayload.bytes, 5);
  barefxt_large_blob(name, BAREFXT_TEXT("blob"), kPayload.bytes, 5);
  barefxt_large_blob_event(name, BAREFXT_TEXT("blob"), kPayload.bytes, 5, nullptr, 0);
}

// Named, or the CPU itself.
void of_other_threads() {
  const barefxt_thread* const threads[] = {&indexed.of_writer[SWEEP_WRITER],
                                           &inlined.of_writer[SWEEP_WRITER], BAREFXT_THIS_CPU};
  for (const barefxt_thread* thread : threads)
    BAREFXT_USERSPACE_OBJECT(probe, reinterpret_cast<void*>(uintptr_t{kNumber}), thread,
                             BAREFXT_TEXT("object"));
  const uint64_t words[] = {BAREFXT_CATEGORY_AND_NAME("probe", SWEEP_TEXT) | 1u << 20 |
                                BAREFXT_EVENT_DURATION_COMPLETE << 16 | 4 << 4 | 4,
                            kNumber, barefxt_arg_null(BAREFXT_TEXT("argument")).header};
  barefxt_write_event_words(threads[0], words);
  barefxt_write_event_words(threads[1], words);
  barefxt_write_event_words(nullptr, words);
  BAREFXT_PROFILER_MMAP(probe, BAREFXT_THIS_CPU, kNumber, 5, 1, 2, 3);
  BAREFXT_PROFILER_MODULE(probe, &indexed.of_writer[SWEEP_WRITER], kNumber, run_time_text,
                          kTextBytes, kPayload.bytes, 0);
}

// Names that end in the first half of a word, and in the second.
void names_of_other_lengths() {
  constexpr uint32_t kLengths[] = {3, 6};
  for (const uint32_t bytes : kLengths) {
    const barefxt_text name = BAREFXT_TEXT_INLINE(run_time_text, bytes);
    BAREFXT_KERNEL_OBJECT(probe, kNumber, 5, name);
    BAREFXT_USERSPACE_OBJECT(probe, reinterpret_cast<void*>(uintptr_t{kNumber}), nullptr, name);
    BAREFXT_LARGE_BLOB_EVENT(probe, name, kPayload.bytes, bytes);
  }
}

void all_inline_of_other_lengths() {
  constexpr uint32_t kLengths[] = {3, 6};
  for (const uint32_t bytes : kLengths) {
    const barefxt_text name = BAREFXT_TEXT_INLINE(run_time_text, bytes);
    barefxt_large_blob(name, name, kPayload.bytes, bytes);
    barefxt_large_blob_event(name, name, kPayload.bytes, bytes, nullptr, 0);
    barefxt_event(BAREFXT_EVENT_COUNTER, BAREFXT_THIS_CPU, name, name, kNumber, nullptr, 0);
  }
}

void arguments_of_other_lengths() {
  constexpr uint32_t kLengths[] = {3, 14};
  for (const uint32_t bytes : kLengths) {
    BAREFXT_INSTANT(probe, SWEEP_TEXT, BAREFXT_ARG_U32("u32", kNumber),
                    BAREFXT_ARG_U64("u64", 0x1122334455667788 + kNumber),
                    BAREFXT_ARG_STRING("text", kLongText.bytes, bytes));
    BAREFXT_INSTANT(probe, SWEEP_TEXT, BAREFXT_ARG_STRING("text", kLongText.bytes, bytes));
    BAREFXT_ASYNC_BEGIN(job, SWEEP_TEXT, kNumber,
                        BAREFXT_ARG_STRING("text", kLongText.bytes, bytes));
  }
}

void little_in_it() {
  BAREFXT_INSTANT(probe, SWEEP_TEXT, BAREFXT_ARG_STRING("text", run_time_text, 0));
  BAREFXT_INSTANT(probe, SWEEP_TEXT, BAREFXT_ARG_STRING("text", run_time_text, kTextBytes));
  BAREFXT_THREAD_WAKEUP(&indexed.of_writer[SWEEP_WRITER]);
}

void more_than_a_profile_holds() {
  constexpr size_t kFrames = 256;
  static const uintptr_t frames[kFrames] = {kNumber, 2, 3};
  BAREFXT_PROFILER_MODULE(probe, nullptr, kNumber, kLongText.bytes, sizeof kLongText.bytes,
                          kPayload.bytes, kPayloadBytes);
  BAREFXT_PROFILER_BACKTRACE(probe, nullptr, frames, kFrames);
}

constexpr Path kPaths[] = {
    {"context_switch", &context_switch, Runs::kIndexed, Length::kShort},
    {"context_switch_inline_threads", &context_switch_inline_threads, Runs::kIndexed,
     Length::kShort},
    {"context_switch_mixed_threads", &context_switch_mixed_threads, Runs::kIndexed, Length::kShort},
    {"context_switch_with", &context_switch_with, Runs::kIndexed, Length::kShort},
    {"thread_wakeup", &thread_wakeup, Runs::kIndexed, Length::kShort},
    {"thread_wakeup_with", &thread_wakeup_with, Runs::kIndexed, Length::kShort},
    {"instant", &instant, Runs::kIndexed, Length::kShort},
    {"instant_of_inline_thread", &instant, Runs::kInline, Length::kShort},
    {"instant_of_unknown_thread", &instant, Runs::kUnknown, Length::kShort},
    {"instant_with_arguments", &instant_with_arguments, Runs::kIndexed, Length::kShort},
    {"instant_with_arguments_of_inline_thread", &instant_with_arguments, Runs::kInline,
     Length::kShort},
    {"duration_begin", &duration_begin, Runs::kIndexed, Length::kShort},
    {"duration_end", &duration_end, Runs::kIndexed, Length::kShort},
    {"duration_complete", &duration_complete, Runs::kIndexed, Length::kShort},
    {"counter", &counter, Runs::kIndexed, Length::kShort},
    {"async_begin", &async_begin, Runs::kIndexed, Length::kShort},
    {"flow_begin", &flow_begin, Runs::kIndexed, Length::kShort},
    {"irq_enter", &irq_enter, Runs::kIndexed, Length::kShort},
    {"c_probe", &c_probe, Runs::kIndexed, Length::kShort},
    {"event_named_at_run_time", &event_named_at_run_time, Runs::kIndexed, Length::kShort},
    {"log", &log, Runs::kIndexed, Length::kShort},
    {"log_of_inline_thread", &log, Runs::kInline, Length::kShort},
    {"blob", &blob, Runs::kIndexed, Length::kShort},
    {"blob_of_parts", &blob_of_parts, Runs::kIndexed, Length::kLong},
    {"large_blob", &large_blob, Runs::kIndexed, Length::kShort},
    {"large_blob_event", &large_blob_event, Runs::kIndexed, Length::kShort},
    {"large_blob_event_of_inline_thread", &large_blob_event, Runs::kInline, Length::kShort},
    {"kernel_object", &kernel_object, Runs::kIndexed, Length::kShort},
    {"userspace_object", &userspace_object, Runs::kIndexed, Length::kShort},
    {"userspace_object_of_inline_thread", &userspace_object, Runs::kInline, Length::kShort},
    {"profiler", &profiler, Runs::kIndexed, Length::kShort},
    {"profiler_of_inline_thread", &profiler, Runs::kInline, Length::kShort},
    {"large_blobs_with_inline_names", &large_blobs_with_inline_names, Runs::kIndexed,
     Length::kShort},
    {"of_other_threads", &of_other_threads, Runs::kIndexed, Length::kShort},
    {"names_of_other_lengths", &names_of_other_lengths, Runs::kIndexed, Length::kLong},
    {"all_inline_of_other_lengths", &all_inline_of_other_lengths, Runs::kIndexed, Length::kLong},
    {"arguments_of_other_lengths", &arguments_of_other_lengths, Runs::kIndexed, Length::kShort},
    {"little_in_it", &little_in_it, Runs::kIndexed, Length::kShort},
    {"more_than_a_profile_holds", &more_than_a_profile_holds, Runs::kIndexed, Length::kLong},
    {"too_many_arguments", &too_many_arguments, Runs::kIndexed, Length::kLong},
    {"off", &off, Runs::kIndexed, Length::kShort},
    {"text_that_is_cut", &text_that_is_cut, Runs::kIndexed, Length::kLong},
    {"name_that_is_cut", &name_that_is_cut, Runs::kIndexed, Length::kLong},
    {"too_large", &too_large, Runs::kIndexed, Length::kShort},
    {"nothing_interned", &nothing_interned, Runs::kIndexed, Length::kLong},
};
constexpr unsigned kPathCount = sizeof kPaths / sizeof kPaths[0];
static_assert(kPathCount <= kMaxPaths);

}  // namespace
}  // namespace kernel::sweep
