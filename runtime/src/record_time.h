// When a record in a ring was reserved.
#pragma once

#include <barefxt/fxt/event.h>
#include <barefxt/segment.h>

namespace barefxt {

inline bool is_timed(const SegmentWalker::Record& record) {
  return fxt::RingRecord::is(record.words[0], fxt::RingRecordType::kTimed);
}

// The second word of all records but a duration complete, which ends then, and large ones, for
// which the time of the record before will do.
inline uint64_t ticks_of(const SegmentWalker::Record& record, uint64_t before) {
  const fxt::Word header = record.words[0];
  if (fxt::RecordHeader::type(header) == fxt::RecordType::kLarge) return before;
  const bool is_complete =
      fxt::RecordHeader::type(header) == fxt::RecordType::kEvent &&
      fxt::Event::Subtype::in(header) == static_cast<fxt::Word>(fxt::EventType::kDurationComplete);
  return record.words[is_complete ? record.bytes / fxt::kWordBytes - 1 : 1];
}

}  // namespace barefxt
