#include "record_walk.h"

#include <barefxt/fxt/argument.h>
#include <barefxt/fxt/blob.h>
#include <barefxt/fxt/event.h>
#include <barefxt/fxt/ring_record.h>

namespace barefxt::host {
namespace {

size_t string_words(uint64_t ref) {
  return fxt::StringRef{static_cast<uint16_t>(ref)}.inline_words();
}

}  // namespace

std::optional<TimedRecord> unwrap_timed(const RecordView& whole, ByteOrder order) {
  using fxt::RingRecord;
  if (!RingRecord::is(whole.header, fxt::RingRecordType::kTimed) ||
      whole.words() < RingRecord::kTimedWords)
    return {};
  const auto inside = whole.bytes.subspan(RingRecord::kTimedWords * fxt::kWordBytes);
  const std::optional<RecordView> record = first_record(inside, order);
  if (!record || record->bytes.size() != inside.size()) return {};
  return TimedRecord{.ticks = word_at(whole, 1, order), .record = *record};
}

std::optional<CompleteEvent> complete_event(const RecordView& record, ByteOrder order) {
  if (record.type() != fxt::RecordType::kEvent) return {};
  const auto type = static_cast<fxt::EventType>(fxt::Event::Subtype::in(record.header));
  if (type != fxt::EventType::kDurationComplete) return {};
  const auto thread = static_cast<uint8_t>(fxt::Event::Thread::in(record.header));
  const size_t thread_words = fxt::ThreadRef::index(thread).inline_words();
  size_t at = fxt::Event::kFixedWords + thread_words +
              string_words(fxt::Event::Category::in(record.header)) +
              string_words(fxt::Event::Name::in(record.header));
  for (size_t left = fxt::Event::ArgumentCount::in(record.header); left != 0; --left) {
    if (at >= record.words()) return {};
    at += fxt::ArgumentHeader::SizeWords::in(word_at(record, at, order));
  }
  if (at >= record.words()) return {};
  return CompleteEvent{
      .begin = word_at(record, 1, order),
      .end = word_at(record, at, order),
      .thread_index = thread,
      .thread_koid = thread_words != 0 ? word_at(record, 3, order) : 0,
  };
}

std::optional<uint64_t> record_time_anywhere(const RecordView& record, ByteOrder order) {
  if (record.words() < 2) return {};
  switch (record.type()) {
    case fxt::RecordType::kEvent:
      if (const std::optional<CompleteEvent> complete = complete_event(record, order))
        return complete->end;
      return word_at(record, 1, order);
    case fxt::RecordType::kScheduling:
    case fxt::RecordType::kLog:
    case fxt::RecordType::kProfiler:
      return word_at(record, 1, order);
    case fxt::RecordType::kLarge: {
      if (fxt::LargeBlob::Format::in(record.header) != fxt::LargeBlob::kFormatEvent) return {};
      const uint64_t format = word_at(record, 1, order);
      const size_t at = 2 + string_words(fxt::LargeBlob::Category::in(format)) +
                        string_words(fxt::LargeBlob::Name::in(format));
      if (at >= record.words()) return {};
      return word_at(record, at, order);
    }
    default:
      if (fxt::RingRecord::is_compact(record.header)) return word_at(record, 1, order);
      return {};
  }
}

}  // namespace barefxt::host
