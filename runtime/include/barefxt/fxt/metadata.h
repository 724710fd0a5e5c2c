// "Metadata record" (record type 0): the trace manager's part of an archive. The host writes these;
// the runtime has no way to, since a metadata record inside a provider's own trace is garbage.
#pragma once

#include <barefxt/fxt/record.h>

namespace barefxt::fxt {

enum class MetadataType : uint8_t {
  kProviderInfo = 1,
  kProviderSection = 2,
  kProviderEvent = 3,
  kTraceInfo = 4,
};

struct MetadataHeader : RecordHeader {
  using Subtype = Field<16, 19>;

  static constexpr Word make(MetadataType subtype, size_t words) {
    return RecordHeader::make(RecordType::kMetadata, words) |
           Subtype::of(static_cast<Word>(subtype));
  }
};

// "Provider info metadata" (metadata type 1), followed by the name stream.
struct ProviderInfo : MetadataHeader {
  using Id = Field<20, 51>;
  using NameBytes = Field<52, 59>;
  using MustBeZero = Reserved<60, 63>;

  static constexpr Word make(uint32_t id, size_t name_bytes) {
    return MetadataHeader::make(MetadataType::kProviderInfo, 1 + words_for_bytes(name_bytes)) |
           Id::of(id) | NameBytes::of(name_bytes);
  }
};

// "Provider section metadata" (metadata type 2).
struct ProviderSection : MetadataHeader {
  using Id = Field<20, 51>;
  using MustBeZero = Reserved<52, 63>;

  static constexpr Word make(uint32_t id) {
    return MetadataHeader::make(MetadataType::kProviderSection, 1) | Id::of(id);
  }
};

// "Provider event metadata" (metadata type 3).
struct ProviderEvent : MetadataHeader {
  using Id = Field<20, 51>;
  using Event = Field<52, 55>;
  using MustBeZero = Reserved<56, 63>;

  static constexpr unsigned kBufferFull = 0;

  static constexpr Word make(uint32_t id, unsigned event) {
    return MetadataHeader::make(MetadataType::kProviderEvent, 1) | Id::of(id) | Event::of(event);
  }
};

// "Trace info metadata" (metadata type 4) and its one known type, the magic number record.
struct TraceInfo : MetadataHeader {
  using InfoType = Field<20, 23>;
};

struct MagicNumber : TraceInfo {
  using Magic = Field<24, 55>;
  using MustBeZero = Reserved<56, 63>;

  static constexpr Word kMagic = 0x16547846;
  static constexpr Word make() {
    return MetadataHeader::make(MetadataType::kTraceInfo, 1) | Magic::of(kMagic);
  }
};
static_assert(MagicNumber::make() == 0x0016547846040010, "the value the specification spells out");

}  // namespace barefxt::fxt
