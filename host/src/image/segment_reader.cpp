#include "segment_reader.h"

#include <algorithm>

#include <barefxt/fxt/ring_record.h>

#include "../archive/ordered_words.h"
#include "../rebuild/record_walk.h"
#include "fields.h"

namespace barefxt::host {

size_t SegmentReader::read(uint64_t address) {
  there_ = memory_.read(address, buffer_) / fxt::kWordBytes * fxt::kWordBytes;
  return there_;
}

uint64_t SegmentReader::word(size_t at) const { return load_word(buffer_.data() + at, order_); }

SegmentFacts SegmentReader::facts() const {
  const ImageFields fields(buffer_, order_);
  const auto amount = [&](size_t at) {
    return Amount{fields.u64(at + offsetof(Amount, records)),
                  fields.u64(at + offsetof(Amount, bytes))};
  };
  SegmentFacts facts{
      .state = fields.u32(offsetof(SegmentHeader, state)),
      .capture = fields.u32(offsetof(SegmentHeader, capture)),
      .sequence = fields.u32(offsetof(SegmentHeader, sequence)),
      .end = fields.u32(offsetof(SegmentHeader, end)),
      .records_lost = fields.u64(offsetof(SegmentHeader, records_lost)),
      .bytes_lost = fields.u64(offsetof(SegmentHeader, bytes_lost)),
      .cpu = fields.u32(offsetof(SegmentHeader, cpu)),
      .overwritten = amount(offsetof(SegmentHeader, overwritten)),
      .overwritten_with_content = amount(offsetof(SegmentHeader, overwritten_with_content)),
  };
  SegmentHeader header{};
  header.capture.store_relaxed(facts.capture);
  header.sequence = facts.sequence;
  header.records_lost = facts.records_lost;
  header.bytes_lost = facts.bytes_lost;
  header.cpu = facts.cpu;
  facts.checksum_is_right =
      header_checksum(header) == fields.u32(offsetof(SegmentHeader, checksum));
  return facts;
}

Clock SegmentReader::clock_at(size_t at) const {
  static constexpr size_t kBytes = fxt::RingRecord::kClockWords * fxt::kWordBytes;
  if (there_ < at + kBytes) return {};
  const uint64_t header = word(at);
  if (!fxt::RingRecord::is(header, fxt::RingRecordType::kClock) ||
      fxt::RecordHeader::SizeWords::in(header) != fxt::RingRecord::kClockWords)
    return {};
  Clock clock = Clock::value_type{};
  for (size_t i = 0; i < clock->size(); ++i) (*clock)[i] = word(at + (1 + i) * fxt::kWordBytes);
  return clock;
}

bool SegmentReader::is_empty() const {
  size_t at = kSegmentHeaderBytes;
  if (clock_at(at)) at += fxt::RingRecord::kClockWords * fxt::kWordBytes;
  return std::all_of(buffer_.begin() + static_cast<ptrdiff_t>(at),
                     buffer_.begin() + static_cast<ptrdiff_t>(there_),
                     [](uint8_t byte) { return byte == 0; });
}

// As SegmentWalker does on the target.
SegmentRecords SegmentReader::records(const SegmentFacts& facts) const {
  SegmentRecords content;
  const bool end_is_possible = facts.end >= kSegmentHeaderBytes && facts.end < buffer_.size() &&
                               facts.end % fxt::kWordBytes == 0;
  size_t end = there_;
  if (end_is_possible) end = std::min<size_t>(end, facts.end);
  if (facts.end != 0 && !end_is_possible) content.is_damaged = true;

  // Zeros are reservations that have not even their placeholder, one or more of them; or the unused
  // rest, where the end is not known.
  bool saw_zeros = false;
  size_t at = kSegmentHeaderBytes;
  const uint8_t* run_end = nullptr;
  Clock clock;
  while (at < end) {
    const Bytes rest = Bytes(buffer_).subspan(at, end - at);
    if (word(at) == 0) {
      saw_zeros = true;
      at += fxt::kWordBytes;
      continue;
    }
    const std::optional<RecordView> record = first_record(rest, order_);
    if (!record) {
      content.is_damaged = true;
      break;
    }
    if (saw_zeros) ++content.unfinished.records;
    saw_zeros = false;
    at += record->bytes.size();
    // The ring counts it as lost.
    if (fxt::RingRecord::is_given_up(record->header)) continue;
    if (fxt::RingRecord::is(record->header, fxt::RingRecordType::kUnfinished)) {
      ++content.unfinished.records;
      content.unfinished.bytes += record->bytes.size();
      continue;
    }
    if (fxt::RingRecord::is(record->header, fxt::RingRecordType::kClock)) {
      clock = clock_at(at - record->bytes.size());
      if (!clock) content.is_damaged = true;
      continue;
    }
    if (content.runs.empty() || run_end != record->bytes.data())
      content.runs.push_back({record->bytes, 0, clock});
    RecordRun& run = content.runs.back();
    run_end = record->bytes.data() + record->bytes.size();
    run.words = {run.words.data(), run_end};
    ++run.records;
  }
  if (end_is_possible) {
    if (saw_zeros) ++content.unfinished.records;
    // Free words are zero, and no record is reserved behind the end.
    for (size_t behind = end; behind < there_; behind += fxt::kWordBytes)
      if (word(behind) != 0) content.is_damaged = true;
  }
  return content;
}

}  // namespace barefxt::host
