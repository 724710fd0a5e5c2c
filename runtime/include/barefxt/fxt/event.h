// "Event record" (record type 4).
//
// Header, timestamp, [process koid, thread koid], [category stream], [name stream], arguments, then
// one trailing word for every event type from 1 on but the duration begin and end.
#pragma once

#include <barefxt/fxt/record.h>
#include <barefxt/fxt/reference.h>

namespace barefxt::fxt {

enum class EventType : uint8_t {
  kInstant = 0,
  kCounter = 1,  // trailing word: counter id
  kDurationBegin = 2,
  kDurationEnd = 3,
  kDurationComplete = 4,  // trailing word: end timestamp
  kAsyncBegin = 5,        // async and flow, trailing word: correlation id
  kAsyncInstant = 6,
  kAsyncEnd = 7,
  kFlowBegin = 8,
  kFlowStep = 9,
  kFlowEnd = 10,
};

// The 2017 dialect has no duration complete: async events are 4 to 6 and flow events 7 to 9.
enum class EventType2017 : uint8_t {
  kInstant = 0,
  kCounter = 1,
  kDurationBegin = 2,
  kDurationEnd = 3,
  kAsyncBegin = 4,
  kAsyncInstant = 5,
  kAsyncEnd = 6,
  kFlowBegin = 7,
  kFlowStep = 8,
  kFlowEnd = 9,
};

struct Event : RecordHeader {
  using Subtype = Field<16, 19>;
  using ArgumentCount = Field<20, 23>;
  using Thread = Field<24, 31>;    // thread ref
  using Category = Field<32, 47>;  // string ref
  using Name = Field<48, 63>;      // string ref

  static constexpr size_t kFixedWords = 2;  // header and timestamp

  static constexpr bool has_trailing_word(EventType type) {
    return type == EventType::kCounter || type >= EventType::kDurationComplete;
  }

  static constexpr Word make(EventType type, size_t words, size_t arguments, ThreadRef thread,
                             StringRef category, StringRef name) {
    return RecordHeader::make(RecordType::kEvent, words) | Subtype::of(static_cast<Word>(type)) |
           ArgumentCount::of(arguments) | Thread::of(thread.value) | Category::of(category.value) |
           Name::of(name.value);
  }
};

// Fuchsia's userspace writer appends one word to instant events, documented nowhere.
// Readers accept it, the runtime never emits it.
enum class InstantScope : uint8_t { kThread = 0, kProcess = 1, kGlobal = 2 };

}  // namespace barefxt::fxt
