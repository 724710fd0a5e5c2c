// When a record in a ring was reserved.
#pragma once

#include <barefxt/fxt/blob.h>
#include <barefxt/fxt/event.h>
#include <barefxt/fxt/reference.h>
#include <barefxt/segment.h>

namespace barefxt {

inline bool is_timed(const SegmentWalker::Record& record) {
  return fxt::RingRecord::is(record.words[0], fxt::RingRecordType::kTimed);
}

inline bool is_call(const SegmentWalker::Record& record) {
  return fxt::CallRecord::is_call(record.words[0]);
}

inline bool is_sample(const SegmentWalker::Record& record) {
  return fxt::SampleRecord::is_sample(record.words[0]);
}

inline bool is_heap(const SegmentWalker::Record& record) {
  return fxt::HeapRecord::is_heap(record.words[0]);
}

// Returns the word with the time: the second of all records but a complete duration, which ends
// then. Null for large ones and for calls in one word: the time of the record before suffices.
inline const fxt::Word* time_of(const SegmentWalker::Record& record) {
  const fxt::Word header = record.words[0];
  if (fxt::RecordHeader::type(header) == fxt::RecordType::kLarge) return nullptr;
  if (record.bytes == fxt::CallRecord::kWords * fxt::kWordBytes) return nullptr;
  const bool is_complete =
      fxt::RecordHeader::type(header) == fxt::RecordType::kEvent &&
      fxt::Event::Subtype::in(header) == static_cast<fxt::Word>(fxt::EventType::kDurationComplete);
  return record.words + (is_complete ? record.bytes / fxt::kWordBytes - 1 : 1);
}
inline uint64_t ticks_of(const SegmentWalker::Record& record, uint64_t before) {
  const fxt::Word* time = time_of(record);
  return time == nullptr ? before : *time;
}

// Finds the times in a record, without the wrapping. In a damaged record none stands behind its
// end, nor in one that is cleared meanwhile, which race detectors do not see.
class TimePlaces {
 public:
  BAREFXT_UNSEEN_BY_RACE_DETECTORS_ explicit TimePlaces(const SegmentWalker::Record& record)
      : size_(record.bytes / fxt::kWordBytes) {
    if (size_ < 2) return;
    const fxt::Word header = record.words[0];
    switch (fxt::RecordHeader::type(header)) {
      case fxt::RecordType::kEvent:
        first_ = 1;
        if (fxt::Event::Subtype::in(header) ==
                static_cast<fxt::Word>(fxt::EventType::kDurationComplete) &&
            size_ > 2)
          second_ = size_ - 1;
        break;
      case fxt::RecordType::kScheduling:
      case fxt::RecordType::kLog:
      case fxt::RecordType::kProfiler:
        first_ = 1;
        break;
      case fxt::RecordType::kLarge:
        if (fxt::LargeBlob::Format::in(header) == fxt::LargeBlob::kFormatEvent)
          first_ = 2 + inline_words(fxt::LargeBlob::Category::in(record.words[1])) +
                   inline_words(fxt::LargeBlob::Name::in(record.words[1]));
        break;
      default:
        if (fxt::RingRecord::is_compact(header)) first_ = 1;
        break;
    }
  }

  // 0 behind the last.
  size_t next() {
    const size_t place = first_;
    first_ = second_;
    second_ = 0;
    return place < size_ ? place : 0;
  }

 private:
  static size_t inline_words(fxt::Word reference) {
    return fxt::StringRef{static_cast<uint16_t>(reference)}.inline_words();
  }

  size_t size_;
  size_t first_ = 0;
  size_t second_ = 0;
};

}  // namespace barefxt
