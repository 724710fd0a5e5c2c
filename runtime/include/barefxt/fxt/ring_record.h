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
  // The clock of what is behind it, where that changed since recording started: header, then the
  // words of ClockWords. Stands where the clock changed, and first in every segment opened after.
  // It counts as no record, and is not sent as one.
  kClock = 2,
};

// A change of the clock: from `since` on the counter runs at another rate, or did not run before.
// Nominal ticks are those of the rate that recording started with, without any time left out.
struct ClockWords {
  static constexpr size_t kSince = 0;  // the counter then
  static constexpr size_t kTicksPerSecond = 1;
  static constexpr size_t kNominal = 2;               // nominal ticks then, behind the gap
  static constexpr size_t kTicksPerSecondBefore = 3;  // until then
  static constexpr size_t kGoneBy = 4;  // nominal ticks of the gap: while the counter stood still
  static constexpr size_t kCount = 5;
};

struct RingRecord : RecordHeader {
  using Subtype = Field<16, 19>;

  static constexpr size_t kTimedWords = 2;  // header and ticks, before the record within
  static constexpr size_t kClockWords = 1 + ClockWords::kCount;
  using ClockNumber = Field<32, 63>;  // of a clock: which change it is

  static constexpr Word make(RingRecordType subtype, size_t words) {
    return RecordHeader::make(kRingRecordType, words) | Subtype::of(static_cast<Word>(subtype));
  }
  static constexpr bool is(Word header, RingRecordType subtype) {
    return type(header) == kRingRecordType && Subtype::in(header) == static_cast<Word>(subtype);
  }
};

}  // namespace barefxt::fxt
