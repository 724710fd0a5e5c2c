// Record type 13, which the format leaves free, is the runtime's own inside a ring: it never leaves
// the project, and the host never lets it into an archive.
//
// Invariant: it keeps the common header, so that a walker steps over it by its size like over any
// other record.
#pragma once

#include <barefxt/fxt/record.h>

namespace barefxt::fxt {

inline constexpr RecordType kRingRecordType = static_cast<RecordType>(13);

enum class RingRecordType : uint8_t {
  // Reserved and not yet committed: the first store after a reservation. The size is the true one.
  kUnfinished = 0,
  // Header, ticks, then one whole record of the format that bears no time of its own (a blob, an
  // object). So it keeps its place among the records of all CPUs; the host unwraps it.
  kTimed = 1,
};

struct RingRecord : RecordHeader {
  using Subtype = Field<16, 19>;

  static constexpr size_t kTimedWords = 2;  // header and ticks, before the record within

  static constexpr Word make(RingRecordType subtype, size_t words) {
    return RecordHeader::make(kRingRecordType, words) | Subtype::of(static_cast<Word>(subtype));
  }
  static constexpr bool is(Word header, RingRecordType subtype) {
    return type(header) == kRingRecordType && Subtype::in(header) == static_cast<Word>(subtype);
  }
};

}  // namespace barefxt::fxt
