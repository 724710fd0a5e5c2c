// Common parts of all records: "Record header" and "Large record header" of the specification.
//
// Invariant: the low 16 bits of every record, large ones apart, hold its type and its size in
// words, header included. A walker needs nothing else to step from record to record.
#pragma once

#include <barefxt/fxt/field.h>

namespace barefxt::fxt {

enum class RecordType : uint8_t {
  kMetadata = 0,
  kInitialization = 1,
  kString = 2,
  kThread = 3,
  kEvent = 4,
  kBlob = 5,
  kUserspaceObject = 6,
  kKernelObject = 7,
  kScheduling = 8,
  kLog = 9,
  kProfiler = 10,
  // Types 11 to 14 are unassigned. The runtime uses 13 inside its rings only (ring_record.h).
  kLarge = 15,
};

inline constexpr size_t kMaxRecordWords = 4095;  // the 12-bit size field
inline constexpr size_t kMaxArguments = 15;      // a 4-bit count

struct RecordHeader {
  using Type = Field<0, 3>;
  using SizeWords = Field<4, 15>;

  static constexpr Word make(RecordType type, size_t words) {
    return Type::of(static_cast<Word>(type)) | SizeWords::of(words);
  }
  static constexpr RecordType type(Word header) {
    return static_cast<RecordType>(Type::in(header));
  }
};

struct LargeRecordHeader {
  using Type = Field<0, 3>;
  using SizeWords = Field<4, 35>;
  using LargeType = Field<36, 39>;

  static constexpr Word make(unsigned large_type, Word words) {
    return Type::of(static_cast<Word>(RecordType::kLarge)) | SizeWords::of(words) |
           LargeType::of(large_type);
  }
};

}  // namespace barefxt::fxt
