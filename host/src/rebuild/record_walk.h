// Stepping through a run of record words, and the moment a record counts by.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include <barefxt/fxt/event.h>
#include <barefxt/fxt/record.h>
#include <barefxt/fxt/ring_record.h>

#include "../archive/ordered_words.h"

namespace barefxt::host {

struct RecordView {
  std::span<const uint8_t> bytes;
  uint64_t header = 0;

  fxt::RecordType type() const { return fxt::RecordHeader::type(header); }
  size_t words() const { return bytes.size() / fxt::kWordBytes; }
};

inline uint64_t word_at(const RecordView& record, size_t index, ByteOrder order) {
  return load_word(record.bytes.data() + index * fxt::kWordBytes, order);
}

// The record at the start of `run`; nothing where its size is 0 or more than is there.
inline std::optional<RecordView> first_record(std::span<const uint8_t> run, ByteOrder order) {
  if (run.size() < fxt::kWordBytes) return {};
  const uint64_t header = load_word(run.data(), order);
  const size_t words = fxt::RecordHeader::type(header) == fxt::RecordType::kLarge
                           ? fxt::LargeRecordHeader::SizeWords::in(header)
                           : fxt::RecordHeader::SizeWords::in(header);
  if (words == 0 || words > run.size() / fxt::kWordBytes) return {};
  return RecordView{run.first(words * fxt::kWordBytes), header};
}

// A record without a time of its own, unwrapped from the runtime's record: see
// fxt::RingRecordType::kTimed.
struct TimedRecord {
  uint64_t ticks;
  RecordView record;
};
// Nothing where `whole` is no wrapping, or does not hold exactly one record.
std::optional<TimedRecord> unwrap_timed(const RecordView& whole, ByteOrder order);
inline std::optional<TimedRecord> unwrap(const RecordView& whole, ByteOrder order) {
  // Hardly any is one.
  if (whole.type() != fxt::kRingRecordType) return {};
  return unwrap_timed(whole, order);
}

// The time in the record itself, when it was reserved: its timestamp, or the end of a complete
// duration. Nothing if the record has no time (or is too short for it).
std::optional<uint64_t> record_time_anywhere(const RecordView& record, ByteOrder order);
// In nearly all records it is the second word.
inline bool has_plain_time(const RecordView& record) {
  const bool is_complete = static_cast<fxt::EventType>(fxt::Event::Subtype::in(record.header)) ==
                           fxt::EventType::kDurationComplete;
  const bool is_plain = record.type() == fxt::RecordType::kScheduling ||
                        (record.type() == fxt::RecordType::kEvent && !is_complete);
  return is_plain && record.words() >= 2;
}
inline std::optional<uint64_t> record_time(const RecordView& record, ByteOrder order) {
  return has_plain_time(record) ? word_at(record, 1, order) : record_time_anywhere(record, order);
}

// The begin and end of a complete duration event that names its thread by `index` (or, with index
// 0, in any way). Nothing for all other records.
struct CompleteEvent {
  uint64_t begin;
  uint64_t end;
  uint8_t thread_index;
  uint64_t thread_koid;  // where the index is 0
};
std::optional<CompleteEvent> complete_event(const RecordView& record, ByteOrder order);

}  // namespace barefxt::host
