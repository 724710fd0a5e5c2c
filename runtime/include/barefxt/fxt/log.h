// "Log record" (record type 9): header, timestamp, [process koid, thread koid], message stream.
#pragma once

#include <barefxt/fxt/record.h>
#include <barefxt/fxt/reference.h>

namespace barefxt::fxt {

struct Log : RecordHeader {
  using MessageBytes = Field<16, 30>;
  using MustBeZero31 = Reserved<31, 31>;
  using Thread = Field<32, 39>;  // thread ref
  using MustBeZero40 = Reserved<40, 63>;
  static constexpr size_t kFixedWords = 2;

  static constexpr Word make(size_t words, size_t message_bytes, ThreadRef thread) {
    return RecordHeader::make(RecordType::kLog, words) | MessageBytes::of(message_bytes) |
           Thread::of(thread.value);
  }
};

}  // namespace barefxt::fxt
