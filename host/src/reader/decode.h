// From the words of one record to its typed view. Framing is the reader's business.
#pragma once

#include <barefxt/host/reader.h>

namespace barefxt::host {

// The size that a header claims, in words.
inline std::uint64_t claimed_words(Word header) {
  return fxt::RecordHeader::type(header) == fxt::RecordType::kLarge
             ? fxt::LargeRecordHeader::SizeWords::in(header)
             : fxt::RecordHeader::SizeWords::in(header);
}

// Fills content and extra_words from exactly the words of the record.
Fault decode(Words words, Dialect dialect, const ProviderState& state, Record& out);

}  // namespace barefxt::host
