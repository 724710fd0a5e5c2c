#include <algorithm>
#include <tuple>
#include <utility>

#include <barefxt/host/capture_index.h>
#include <barefxt/wire/frame.h>
#include <barefxt/wire/request.h>

#include "crc32c.h"
#include "record_decoder.h"
#include "record_walk.h"

namespace barefxt::host {
namespace {

// Mostly frames are in order, which a look shows at once.
template <typename Less>
void sort_where_needed(std::span<FrameEntry> frames, const Less& less) {
  if (!std::is_sorted(frames.begin(), frames.end(), less))
    std::sort(frames.begin(), frames.end(), less);
}

// The fixed part of a payload, by frame type; nothing where we know no such type.
std::optional<size_t> fixed_bytes(uint8_t type) {
  switch (static_cast<wire::FrameType>(type)) {
    case wire::FrameType::kHello:
      return wire::Hello::kNames;
    case wire::FrameType::kStrings:
      return wire::Strings::kEntries;
    case wire::FrameType::kThreads:
      return wire::Threads::kEntries;
    case wire::FrameType::kRecords:
      return wire::Records::kWords;
    case wire::FrameType::kEnd:
      return wire::End::kEntries;
    case wire::FrameType::kClocks:
      return wire::Clocks::kEntries;
    // These are not kept.
    case wire::FrameType::kRequest:
    case wire::FrameType::kAnswer:
    case wire::FrameType::kRefusal:
      break;
  }
  return {};
}

bool is(const Frame& frame, wire::FrameType type) {
  return frame.type == static_cast<uint8_t>(type);
}
// The first frame of a dump.
bool begins_dump(const FrameEntry& frame) {
  constexpr uint8_t kOther = wire::FrameFlags::kRepeated | wire::FrameFlags::kAsked;
  return frame.type == static_cast<uint8_t>(wire::FrameType::kHello) && frame.segment != 0 &&
         frame.sequence == 0 && (frame.flags & kOther) == 0;
}
bool is_records(const Frame& frame) { return is(frame, wire::FrameType::kRecords); }

ByteOrder word_order(const Frame& frame) {
  const bool big = (frame.flags & wire::FrameFlags::kBigEndianWords) != 0;
  return big ? ByteOrder::kBig : ByteOrder::kLittle;
}

bool is_readable(const Frame& frame) {
  const std::optional<size_t> fixed = fixed_bytes(frame.type);
  if (!fixed || frame.payload.size() < *fixed) return false;
  if (!is_records(frame)) return true;
  const uint8_t clock = frame.payload[wire::Records::kClock];
  const size_t words_at = wire::record_words_at(clock);
  return frame.payload[wire::Records::kCoding] == static_cast<uint8_t>(wire::RecordsCoding::kRaw) &&
         clock <= static_cast<uint8_t>(wire::RecordsClock::kGiven) &&
         frame.payload.size() >= words_at &&
         (frame.payload.size() - words_at) % fxt::kWordBytes == 0;
}

bool has_coding(const Frame& frame, wire::RecordsCoding coding) {
  return frame.payload.size() > wire::Records::kCoding &&
         frame.payload[wire::Records::kCoding] == static_cast<uint8_t>(coding);
}

// The one that a frame of its version has. Of kVersionOfCompact it is either of two.
wire::RecordsCoding coding_of(const Frame& frame) {
  using wire::RecordsCoding;
  if (frame.version == wire::kVersionOfPacked) return RecordsCoding::kPacked;
  const bool is_coded =
      frame.version == wire::kVersionOfCode ||
      (frame.version == wire::kVersionOfCompact && has_coding(frame, RecordsCoding::kCoded));
  return is_coded ? RecordsCoding::kCoded : RecordsCoding::kRaw;
}

void count_records(std::span<const uint8_t> words, ByteOrder order, FrameEntry& entry) {
  std::span<const uint8_t> left = words;
  while (const std::optional<RecordView> record = first_record(left, order)) {
    left = left.subspan(record->bytes.size());
    ++entry.records;
  }
  entry.record_bytes = static_cast<uint32_t>(words.size() - left.size());
}

// The linear ring's hello ends with the names.
bool has_number(std::span<const uint8_t> hello) {
  return hello.size() > wire::Hello::kNames &&
         hello.size() >= wire::Hello::kNames + size_t{hello[wire::Hello::kTargetBytes]} +
                             hello[wire::Hello::kBuildIdBytes] + wire::HelloRest::kBytes +
                             wire::HelloNumber::kBytes;
}

}  // namespace

void CaptureIndex::on_frame(const Frame& frame) {
  if (!status_.ok()) return;
  ++findings_.frames;
  if (frame.version == wire::kVersionOfRequests) {
    // A request comes back where a line echoes.
    if (is(frame, wire::FrameType::kRequest)) return;
    if (is(frame, wire::FrameType::kAnswer)) return note_answer(frame);
  }
  if (frame.version == wire::kVersionOfNumbers) {
    if (is(frame, wire::FrameType::kRefusal)) return note_refusal(frame);
    if (is(frame, wire::FrameType::kHello)) return keep_numbered(frame);
  }
  if (frame.version == wire::kVersionOfElfStrings) {
    if (is(frame, wire::FrameType::kHello))
      return has_number(frame.payload) ? keep_numbered(frame) : keep(frame);
    ++findings_.unreadable;
    return;
  }
  if ((frame.version == wire::kVersionOfReuse && !is(frame, wire::FrameType::kThreads)) ||
      frame.version == wire::kVersionOfNumbers) {
    ++findings_.unreadable;
    return;
  }
  if (frame.version == wire::kVersionOfCompact && !is_records(frame)) {
    ++findings_.unreadable;
    return;
  }
  const wire::RecordsCoding coding = coding_of(frame);
  if (coding == wire::RecordsCoding::kRaw) return keep(frame);
  // From here on it is one with raw records.
  Frame raw = frame;
  uncoded_.clear();
  if (!is_records(frame) || !has_coding(frame, coding) ||
      !uncode_records(frame.payload, word_order(frame), uncoded_)) {
    ++findings_.unreadable;
    return;
  }
  raw.payload = uncoded_;
  keep(raw);
}

// Two dumps of one capture have the same hello but for that.
void CaptureIndex::keep_numbered(const Frame& frame) {
  Frame hello = frame;
  if (frame.payload.size() < wire::Hello::kNames + wire::HelloNumber::kBytes) {
    ++findings_.unreadable;
    return;
  }
  hello.payload = frame.payload.first(frame.payload.size() - wire::HelloNumber::kBytes);
  hello.crc = crc32c(hello.payload);
  keep(hello, wire::load_u32(frame.payload.data() + hello.payload.size()));
}

void CaptureIndex::keep(const Frame& frame, uint32_t number) {
  if (!is_readable(frame)) {
    ++findings_.unreadable;
    return;
  }
  FrameEntry entry{};
  entry.payload_offset = payloads_.size();
  entry.position = frames_.size();
  entry.type = frame.type;
  entry.flags = frame.flags & static_cast<uint8_t>(~FrameEntry::kHasSince) &
                static_cast<uint8_t>(~FrameEntry::kHasStringsInElf);
  if (frame.version == wire::kVersionOfReuse) entry.flags |= FrameEntry::kHasSince;
  if (frame.version == wire::kVersionOfElfStrings) entry.flags |= FrameEntry::kHasStringsInElf;
  entry.payload_bytes = static_cast<uint32_t>(frame.payload.size());
  entry.capture = frame.capture;
  entry.sequence = frame.sequence;
  entry.crc = frame.crc;
  entry.segment = number;
  if (is_records(frame)) {
    const uint8_t* fixed = frame.payload.data();
    entry.cpu = wire::load_u16(fixed + wire::Records::kCpu);
    entry.segment = wire::load_u32(fixed + wire::Records::kSegment);
    entry.before = {.records = wire::load_u64(fixed + wire::Records::kRecordsBefore),
                    .bytes = wire::load_u64(fixed + wire::Records::kBytesBefore),
                    .records_lost = wire::load_u64(fixed + wire::Records::kRecordsLost),
                    .bytes_lost = wire::load_u64(fixed + wire::Records::kBytesLost)};
    if (fixed[wire::Records::kClock] == static_cast<uint8_t>(wire::RecordsClock::kGiven))
      entry.clock_since =
          wire::load_u64(fixed + wire::Records::kWords + 8 * fxt::ClockWords::kSince);
    count_records(frame.payload.subspan(wire::record_words_at(fixed[wire::Records::kClock])),
                  word_order(frame), entry);
  }
  note_arrival(frame, entry);
  if (listener_ != nullptr) {
    FrameEntry handed_on = entry;
    handed_on.payload_offset = std::exchange(handed_on_, handed_on_ + frame.payload.size());
    listener_->on_frame(handed_on, frame.payload);
  }
  if (!keeps_) return;
  status_ = payloads_.append(frame.payload);
  if (!status_.ok()) return;
  status_ = frames_.push_back(entry);
  count_read(sizeof entry);  // written, which is the same here
}

void CaptureIndex::note_answer(const Frame& frame) {
  if (frame.payload.size() < wire::Answer::kBytes) {
    ++findings_.unreadable;
    return;
  }
  const uint8_t* payload = frame.payload.data();
  arrival_.answer = Answer{.number = frame.sequence,
                           .capture = frame.capture,
                           .categories = wire::load_u32(payload + wire::Answer::kCategories),
                           .kind = payload[wire::Answer::kKind],
                           .status = payload[wire::Answer::kStatus],
                           .state = payload[wire::Answer::kState]};
}

void CaptureIndex::note_refusal(const Frame& frame) {
  if (frame.payload.size() < wire::Refusal::kName) {
    ++findings_.unreadable;
    return;
  }
  const std::span<const uint8_t> name = frame.payload.subspan(wire::Refusal::kName);
  findings_.refused = {.error = frame.payload[wire::Refusal::kError],
                       .name = {reinterpret_cast<const char*>(name.data()), name.size()}};
  // The target sends nothing else.
  if (frame.payload[wire::Refusal::kFollows] == 0) ++arrival_.ends;
}

void CaptureIndex::note_lost(size_t cpu, uint64_t records) {
  if (lost_of_cpu_.size() <= cpu) lost_of_cpu_.resize(cpu + 1);
  // A late frame has an older count.
  if (records <= lost_of_cpu_[cpu]) return;
  arrival_.records_lost += records - lost_of_cpu_[cpu];
  lost_of_cpu_[cpu] = records;
}

void CaptureIndex::note_arrival(const Frame& frame, const FrameEntry& entry) {
  const bool begins_anew = arriving_has_ended_ && begins_dump(entry);
  if (frame.capture != arrival_.capture || begins_anew) {
    arrival_.capture = frame.capture;
    arrival_.gaps.clear();
    arriving_has_ended_ = false;
    lost_of_cpu_.clear();
  }
  if (is_records(frame)) {
    arrival_.records += entry.records;
    arrival_.gaps.on_piece(entry.cpu, entry.before.records, entry.records);
    note_lost(entry.cpu, entry.before.records_lost);
  } else if (frame.type == static_cast<uint8_t>(wire::FrameType::kEnd)) {
    if (!arriving_has_ended_) ++arrival_.ends;
    arriving_has_ended_ = true;
    const size_t cpus = wire::load_u16(frame.payload.data() + wire::End::kCpuCount);
    for (size_t cpu = 0; cpu < cpus; ++cpu) {
      const size_t at = wire::End::kEntries + cpu * wire::EndEntry::kBytes;
      if (at + wire::EndEntry::kBytes > frame.payload.size()) break;
      const uint8_t* ring = frame.payload.data() + at;
      note_lost(cpu, wire::load_u64(ring + wire::EndEntry::kRecordsLost));
      arrival_.gaps.on_end(static_cast<uint16_t>(cpu),
                           wire::load_u64(ring + wire::EndEntry::kRecords));
    }
  }
}

void CaptureIndex::count_read(uint64_t bytes) const {
  touched_since_release_ += bytes;
  if (touched_since_release_ < kReleaseStep) return;
  touched_since_release_ = 0;
  payloads_.release_memory();
  frames_.release_memory();
}

void CaptureIndex::on_damaged(uint64_t input_offset) {
  if (findings_.damaged == 0) findings_.first_damaged = input_offset;
  ++findings_.damaged;
}

void CaptureIndex::on_other_version(uint8_t version, uint64_t /*input_offset*/) {
  if (findings_.other_version == 0) findings_.example_version = version;
  ++findings_.other_version;
}

InputFindings CaptureIndex::take_findings() {
  input_begins_.push_back(frames_.size());
  return std::exchange(findings_, {});
}

void CaptureIndex::close_range(uint64_t begin, uint64_t end, uint32_t assumed_boot) {
  const FrameEntry& first = frames_.all()[begin];
  status_ = captures_.push_back({.capture = first.capture,
                                 .assumed_boot = assumed_boot,
                                 .first_position = first.position,
                                 .begin = begin,
                                 .count = end - begin});
}

bool CaptureIndex::is_in_one_input(uint64_t position, uint64_t later) const {
  const auto next = std::upper_bound(input_begins_.begin(), input_begins_.end(), position);
  return next == input_begins_.end() || later < *next;
}

// Each frame against the one with its number that came before it; and how many a dump has.
void CaptureIndex::compare_dumps(std::span<FrameEntry> frames) {
  const auto by_sequence = [&](const FrameEntry& left, const FrameEntry& right) {
    count_read(sizeof left);
    return std::tie(left.sequence, left.position) < std::tie(right.sequence, right.position);
  };
  sort_where_needed(frames, by_sequence);
  const std::span<Dump> dumps = dumps_.all();
  const auto dump_of = [&](const FrameEntry& frame) {
    const auto next = std::upper_bound(
        dumps.begin(), dumps.end(), frame.position,
        [](uint64_t position, const Dump& dump) { return position < dump.position; });
    return static_cast<uint64_t>(next - dumps.begin()) - 1;
  };
  const FrameEntry* before = nullptr;
  for (const FrameEntry& frame : frames) {
    if ((frame.flags & wire::FrameFlags::kAsked) != 0) continue;
    Dump& dump = dumps[dump_of(frame)];
    if (dump.frames == 0 || dump.last != frame.sequence) ++dump.frames;
    dump.last = frame.sequence;
    if (before != nullptr && before->sequence == frame.sequence && before->crc != frame.crc)
      dump.contradicts = std::max(dump.contradicts, dump_of(*before) + 1);
    before = &frame;
  }
  sort_where_needed(frames, [](const FrameEntry& left, const FrameEntry& right) {
    return left.position < right.position;
  });
}

// A dump whose number is not above that of the dump before is another boot's, or doubled by the
// line. Lines double pieces: so a dump that is whole behind a whole one is not doubled, nor is one
// that contradicts another, or that has a frame behind the last one of a whole dump of its number.
void CaptureIndex::split_by_dumps(uint64_t begin, uint64_t end) {
  const std::span<FrameEntry> frames = frames_.all();
  dumps_.clear();
  status_ = dumps_.push_back(Dump{.begin = begin, .position = frames[begin].position});
  for (uint64_t i = begin; i < end && status_.ok(); ++i) {
    const FrameEntry& frame = frames[i];
    Dump& dump = dumps_.all().back();
    if (frame.type == static_cast<uint8_t>(wire::FrameType::kEnd)) dump.has_end = 1;
    if (!begins_dump(frame)) continue;
    if (i == begin)
      dump.number = frame.segment;
    else
      status_ =
          dumps_.push_back(Dump{.begin = i, .position = frame.position, .number = frame.segment});
  }
  if (!status_.ok()) return;
  const std::span<Dump> dumps = dumps_.all();
  if (dumps.size() > 1) compare_dumps(frames.subspan(begin, end - begin));
  uint32_t boot = 1;
  uint64_t first = 0;           // dump of the capture at hand
  uint32_t number = 0;          // of its last dump
  const Dump* whole = nullptr;  // its last one that is whole
  const Dump* last = nullptr;   // its last one with that number
  for (uint64_t i = 0; i < dumps.size() && status_.ok(); ++i) {
    const Dump& dump = dumps[i];
    const bool is_doubled_or_new = number != 0 && dump.number <= number;
    const bool is_whole = dump.has_end != 0 && dump.frames == uint64_t{dump.last} + 1;
    const bool is_whole_again =
        whole != nullptr && is_whole && is_in_one_input(whole->position, dump.position);
    const auto goes_beyond = [&dump](const Dump* one, const Dump* other) {
      return one != nullptr && other != nullptr && other->number == one->number &&
             one->number == dump.number && one->last > other->last;
    };
    const bool is_of_other_length =
        goes_beyond(&dump, whole) || (is_whole && goes_beyond(last, &dump));
    if (is_doubled_or_new && (is_whole_again || is_of_other_length || dump.contradicts > first)) {
      close_range(dumps[first].begin, dump.begin, boot == 1 ? 0 : boot);
      ++boot;
      first = i;
      whole = nullptr;
      last = nullptr;
      number = 0;
    }
    if (dump.number >= number) last = &dump;
    number = std::max(number, dump.number);
    if (is_whole) whole = &dump;
  }
  if (status_.ok()) close_range(dumps[first].begin, end, boot == 1 ? 0 : boot);
}

Status CaptureIndex::arrange() {
  if (status_.ok()) status_ = payloads_.finish();
  if (!status_.ok()) return status_;
  const std::span<FrameEntry> frames = frames_.all();
  const auto by_capture = [&](const FrameEntry& left, const FrameEntry& right) {
    count_read(sizeof left);
    return std::tie(left.capture, left.position) < std::tie(right.capture, right.position);
  };
  sort_where_needed(frames, by_capture);

  size_t begin = 0;
  bool has_start = false;
  uint64_t start_ticks = 0;
  const auto close = [&](size_t end) {
    has_start = false;
    if (begin != end) split_by_dumps(begin, end);
    begin = end;
  };
  for (size_t i = 0; i < frames.size() && status_.ok(); ++i) {
    count_read(sizeof(FrameEntry));
    if (frames[i].capture != frames[begin].capture) close(i);
    if (frames[i].type != static_cast<uint8_t>(wire::FrameType::kHello)) continue;
    const uint64_t ticks = wire::load_u64(payload(frames[i]).data() + wire::Hello::kStartTicks);
    if (has_start && start_ticks != ticks) close(i);
    has_start = true;
    start_ticks = ticks;
  }
  if (status_.ok()) close(frames.size());

  const std::span<CaptureRange> captures = captures_.all();
  std::sort(captures.begin(), captures.end(),
            [](const CaptureRange& left, const CaptureRange& right) {
              return left.first_position < right.first_position;
            });
  return status_;
}

}  // namespace barefxt::host
