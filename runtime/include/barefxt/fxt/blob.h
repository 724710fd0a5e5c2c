// "Blob record" (record type 5) and "Large BLOB record" (record type 15, large type 0).
#pragma once

#include <barefxt/fxt/record.h>
#include <barefxt/fxt/reference.h>

namespace barefxt::fxt {

enum class BlobType : uint8_t {
  kData = 1,
  kLastBranch = 2,
  kPerfetto = 3,  // newer than the revision of 2020: a Perfetto protobuf
};

// Header, [name stream], payload stream. Blobs of one name are chunks of one blob.
struct Blob : RecordHeader {
  using Name = Field<16, 31>;  // string ref
  using PayloadBytes = Field<32, 46>;
  using MustBeZero47 = Reserved<47, 47>;
  using Subtype = Field<48, 55>;
  using MustBeZero56 = Reserved<56, 63>;

  using PayloadBytes2017 = Field<32, 47>;
  static constexpr size_t kMaxPayloadBytes = 0x7fff;

  static constexpr Word make(size_t words, StringRef name, size_t payload_bytes, BlobType type) {
    return RecordHeader::make(RecordType::kBlob, words) | Name::of(name.value) |
           PayloadBytes::of(payload_bytes) | Subtype::of(static_cast<Word>(type));
  }
};

// Header, format header, [category stream], [name stream], for format 0 also timestamp, [process
// koid, thread koid] and arguments, then the payload's size in bytes in a word of its own, and the
// payload stream.
struct LargeBlob : LargeRecordHeader {
  using Format = Field<40, 43>;
  using MustBeZero = Reserved<44, 63>;

  static constexpr unsigned kLargeType = 0;
  static constexpr unsigned kFormatEvent = 0;
  static constexpr unsigned kFormatBare = 1;

  // The format header word; format 1 has category and name only.
  using Category = Field<0, 15>;        // string ref
  using Name = Field<16, 31>;           // string ref
  using ArgumentCount = Field<32, 35>;  // format 0
  using Thread = Field<36, 43>;         // format 0, thread ref
  using EventMustBeZero = Reserved<44, 63>;
  using BareMustBeZero = Reserved<32, 63>;

  static constexpr Word make(unsigned format, Word words) {
    return LargeRecordHeader::make(kLargeType, words) | Format::of(format);
  }
};

}  // namespace barefxt::fxt
