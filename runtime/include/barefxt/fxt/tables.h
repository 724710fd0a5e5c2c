// The records that set up a reader's tables: "Initialization record" (type 1), "String record"
// (type 2) and "Thread record" (type 3). Each affects only the records that follow it.
#pragma once

#include <barefxt/fxt/record.h>
#include <barefxt/fxt/reference.h>

namespace barefxt::fxt {

// Header, ticks per second.
struct Initialization : RecordHeader {
  using MustBeZero = Reserved<16, 63>;
  static constexpr size_t kWords = 2;

  static constexpr Word make() { return RecordHeader::make(RecordType::kInitialization, kWords); }
};

// Header, string stream. Index 0 is ignored by readers.
struct StringRecord : RecordHeader {
  using Index = Field<16, 30>;
  using MustBeZero31 = Reserved<31, 31>;
  using LengthBytes = Field<32, 46>;
  using MustBeZero47 = Reserved<47, 47>;
  using MustBeZero48 = Reserved<48, 63>;

  static constexpr Word make(unsigned index, size_t bytes) {
    return RecordHeader::make(RecordType::kString, 1 + words_for_bytes(bytes)) | Index::of(index) |
           LengthBytes::of(bytes);
  }
};

// Header, process koid, thread koid. Index 0 is ignored by readers.
struct ThreadRecord : RecordHeader {
  using Index = Field<16, 23>;
  using MustBeZero = Reserved<24, 63>;
  static constexpr size_t kWords = 3;

  static constexpr Word make(unsigned index) {
    return RecordHeader::make(RecordType::kThread, kWords) | Index::of(index);
  }
};

}  // namespace barefxt::fxt
