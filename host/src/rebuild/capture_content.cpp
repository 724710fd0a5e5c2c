#include "capture_content.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include <barefxt/fxt/reference.h>
#include <barefxt/wire/frame.h>

namespace barefxt::host {
namespace {

bool is(const FrameEntry& frame, wire::FrameType type) {
  return frame.type == static_cast<uint8_t>(type);
}

// Its number is none of the capture's.
bool was_asked_for(const FrameEntry& frame) {
  return (frame.flags & wire::FrameFlags::kAsked) != 0;
}

}  // namespace

template <typename Key>
void CaptureContent::sort_by(std::span<FrameEntry> frames, const Key& key) const {
  const auto less = [&](const FrameEntry& left, const FrameEntry& right) {
    index_->count_read(sizeof left);
    return key(left) < key(right);
  };
  if (!std::is_sorted(frames.begin(), frames.end(), less))
    std::sort(frames.begin(), frames.end(), less);
}

CaptureContent::CaptureContent(CaptureIndex& index, const CaptureRange& range)
    : index_(&index),
      frames_(index.frames(range)),
      id_(range.capture),
      assumed_boot_(range.assumed_boot) {
  drop_doubles();
  find_whole_end();
  for (const FrameEntry& frame : frames_) {
    index.count_read(sizeof frame + frame.payload_bytes);
    if (is(frame, wire::FrameType::kRecords)) {
      if (words_at(frame) + frame.record_bytes != frame.payload_bytes) ++findings_.unreadable;
    } else {
      read_table(frame);
    }
  }
  count_missing_entries();
  collect_rings();
}

void CaptureContent::read_table(const FrameEntry& frame) {
  switch (static_cast<wire::FrameType>(frame.type)) {
    case wire::FrameType::kHello:
      return read_hello(frame);
    case wire::FrameType::kStrings:
      return read_strings(frame);
    case wire::FrameType::kThreads:
      return read_threads(frame);
    case wire::FrameType::kClocks:
      return read_clocks(frame);
    case wire::FrameType::kEnd:
      return read_end(frame);
    case wire::FrameType::kRecords:
    case wire::FrameType::kRequest:
    case wire::FrameType::kAnswer:
    case wire::FrameType::kRefusal:
      break;
  }
}

void CaptureContent::add(const FrameEntry& frame, std::span<const uint8_t> payload) {
  arrived_[frame.payload_offset].assign(payload.begin(), payload.end());
  if (is(frame, wire::FrameType::kRecords)) return;
  read_table(frame);
  forget(frame);
}

std::span<const uint8_t> CaptureContent::payload(const FrameEntry& frame) const {
  return index_ != nullptr ? index_->payload(frame) : arrived_.at(frame.payload_offset);
}

bool CaptureContent::same_payload(const FrameEntry& left, const FrameEntry& right) const {
  const std::span<const uint8_t> one = payload(left);
  const std::span<const uint8_t> other = payload(right);
  return std::equal(one.begin(), one.end(), other.begin(), other.end());
}

// From which frame on all are there, up to the second copies: a piece that is missing was sent
// before it. Frames are in order of their sequence.
void CaptureContent::find_whole_end() {
  const std::span<FrameEntry> numbered = frames_.subspan(
      static_cast<size_t>(std::count_if(frames_.begin(), frames_.end(), was_asked_for)));
  const auto is_behind_records = [](const FrameEntry& frame) {
    return (frame.flags & wire::FrameFlags::kRepeated) != 0 || is(frame, wire::FrameType::kEnd);
  };
  // All frames ahead of one of these are tables.
  const auto is_ahead_of_records = [](const FrameEntry& frame) {
    return is(frame, wire::FrameType::kClocks) || is(frame, wire::FrameType::kStrings);
  };
  auto frame = std::find_if(numbered.begin(), numbered.end(), is_behind_records);
  if (frame == numbered.end()) return;
  for (whole_from_ = frame->sequence; frame != numbered.begin(); --frame) {
    const FrameEntry& before = *(frame - 1);
    if (before.sequence + uint64_t{1} < whole_from_) return;
    whole_from_ = before.sequence;
    if (is_ahead_of_records(before)) break;
  }
  if (frame != numbered.begin()) whole_from_ = 0;
}

bool CaptureContent::last_pieces_are_there() const {
  return std::none_of(rings_.begin(), rings_.end(),
                      [](const Ring& ring) { return ring.maybe_behind == Behind::kPiece; });
}

// Puts frames in order. Those that were asked for come first, since the tables in the others are at
// least as new.
void CaptureContent::drop_doubles() {
  sort_by(frames_, [](const FrameEntry& frame) {
    return std::tuple(!was_asked_for(frame), frame.sequence, frame.crc, frame.position);
  });
  size_t kept = 0;
  uint64_t numbers = 0;
  for (const FrameEntry& frame : frames_) {
    const bool same_number = kept != 0 && frames_[kept - 1].sequence == frame.sequence &&
                             was_asked_for(frames_[kept - 1]) == was_asked_for(frame);
    const bool doubled =
        same_number && frames_[kept - 1].crc == frame.crc && same_payload(frames_[kept - 1], frame);
    if (!doubled) frames_[kept++] = frame;
    if (was_asked_for(frame))
      ++findings_.asked_for;
    else if (doubled)
      ++findings_.doubled;
    else
      ++(same_number ? findings_.conflicting : numbers);
  }
  frames_ = frames_.first(kept);
  findings_.frames = kept;
  if (numbers != 0) findings_.missing = uint64_t{frames_[kept - 1].sequence} + 1 - numbers;
}

std::string_view CaptureContent::text(std::span<const uint8_t> bytes) {
  const std::string_view view(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return index_ != nullptr ? view : *texts_.emplace(view).first;
}

void CaptureContent::read_hello(const FrameEntry& frame) {
  const std::span<const uint8_t> payload = this->payload(frame);
  const size_t target_bytes = payload[wire::Hello::kTargetBytes];
  const size_t build_id_bytes = payload[wire::Hello::kBuildIdBytes];
  const uint64_t ticks = wire::load_u64(payload.data() + wire::Hello::kTicksPerSecond);
  if (ticks == 0 || payload.size() - wire::Hello::kNames < target_bytes + build_id_bytes) {
    ++findings_.unreadable;
    return;
  }
  // The second copy of a long capture may know of more threads than the first.
  if (!hello_) hello_.emplace();
  hello_->ticks_per_second = ticks;
  hello_->start_ticks = wire::load_u64(payload.data() + wire::Hello::kStartTicks);
  const auto raise = [&](unsigned& count, size_t offset) {
    count = std::max<unsigned>(count, wire::load_u16(payload.data() + offset));
  };
  raise(hello_->thread_count, wire::Hello::kThreadCount);
  raise(hello_->string_count, wire::Hello::kStringCount);
  raise(hello_->cpu_count, wire::Hello::kCpuCount);
  hello_->has_strings_in_elf = (frame.flags & FrameEntry::kHasStringsInElf) != 0;
  hello_->segment_bytes = wire::load_u32(payload.data() + wire::Hello::kSegmentBytes);
  hello_->mode = static_cast<wire::Mode>(payload[wire::Hello::kMode]);
  hello_->kind = static_cast<wire::TraceKind>(payload[wire::Hello::kKind]);
  const std::span<const uint8_t> rest =
      payload.subspan(wire::Hello::kNames + target_bytes + build_id_bytes);
  if (rest.size() >= wire::HelloRest::kBytes) {
    hello_->interval_begin = wire::load_u64(rest.data() + wire::HelloRest::kIntervalBegin);
    hello_->interval_end = wire::load_u64(rest.data() + wire::HelloRest::kIntervalEnd);
  }
  hello_->one_counter = (payload[wire::Hello::kCounter] & wire::CounterFlags::kSystemWide) != 0;
  hello_->target = text(payload.subspan(wire::Hello::kNames, target_bytes));
  hello_->build_id = text(payload.subspan(wire::Hello::kNames + target_bytes, build_id_bytes));
}

void CaptureContent::read_strings(const FrameEntry& frame) {
  const std::span<const uint8_t> payload = this->payload(frame);
  unsigned string_index = wire::load_u16(payload.data() + wire::Strings::kFirstIndex);
  std::span<const uint8_t> left = payload.subspan(wire::Strings::kEntries);
  static constexpr size_t kLengthBytes = 2;
  for (; !left.empty(); ++string_index) {
    const size_t bytes = left.size() < kLengthBytes ? 0 : wire::load_u16(left.data());
    if (left.size() < kLengthBytes + bytes || string_index == 0 ||
        string_index > fxt::kMaxStringIndex) {
      ++findings_.unreadable;
      return;
    }
    if (strings_.size() <= string_index) strings_.resize(string_index + size_t{1});
    strings_[string_index] = text(left.subspan(kLengthBytes, bytes));
    max_string_index_ = std::max(max_string_index_, string_index);
    left = left.subspan(kLengthBytes + bytes);
  }
}

void CaptureContent::read_threads(const FrameEntry& frame) {
  const std::span<const uint8_t> payload = this->payload(frame);
  size_t number = wire::load_u16(payload.data() + wire::Threads::kFirstEntry);
  std::span<const uint8_t> left = payload.subspan(wire::Threads::kEntries);
  static constexpr size_t kMaxEntries = 65536;
  const bool has_since = (frame.flags & FrameEntry::kHasSince) != 0;
  const size_t name_at = has_since ? wire::ThreadsEntrySince::kName : wire::ThreadsEntry::kName;
  for (; !left.empty(); ++number) {
    const bool fixed_part = left.size() >= name_at;
    const size_t name_bytes = fixed_part ? left[wire::ThreadsEntry::kNameBytes] : 0;
    const uint8_t kind = left[wire::ThreadsEntry::kKind];
    if (!fixed_part || left.size() < name_at + name_bytes || kind == 0 ||
        kind > static_cast<uint8_t>(wire::ThreadsEntryKind::kObject) || number >= kMaxEntries) {
      ++findings_.unreadable;
      return;
    }
    if (threads_.size() <= number) threads_.resize(number + 1);
    ThreadFacts facts{
        .kind = kind,
        .index = left[wire::ThreadsEntry::kIndex],
        .koid = wire::load_u32(left.data() + wire::ThreadsEntry::kKoid),
        .process = wire::load_u32(left.data() + wire::ThreadsEntry::kProcess),
        .has_since = has_since,
        .since = has_since ? wire::load_u64(left.data() + wire::ThreadsEntrySince::kSince) : 0,
        .name = text(left.subspan(name_at, name_bytes)),
    };
    // The name was being changed when this entry was sent: the earlier one is better than none.
    ThreadFacts& known = threads_[number];
    if (name_bytes == 0 && known.kind == kind && known.koid == facts.koid) facts.name = known.name;
    known = facts;
    left = left.subspan(name_at + name_bytes);
  }
}

void CaptureContent::read_clocks(const FrameEntry& frame) {
  const std::span<const uint8_t> payload = this->payload(frame);
  size_t cpu = wire::load_u16(payload.data() + wire::Clocks::kFirstCpu);
  std::span<const uint8_t> left = payload.subspan(wire::Clocks::kEntries);
  for (; !left.empty(); ++cpu, left = left.subspan(wire::ClocksEntry::kBytes)) {
    if (left.size() < wire::ClocksEntry::kBytes || cpu >= kMaxCpus) {
      ++findings_.unreadable;
      return;
    }
    if (clock_offsets_.size() <= cpu) clock_offsets_.resize(cpu + 1);
    const uint64_t error = wire::load_u64(left.data() + wire::ClocksEntry::kError);
    ClockOffset& offset = clock_offsets_[cpu].emplace();
    if (error == wire::ClocksEntry::kUnknownError) continue;
    offset.ticks = static_cast<int64_t>(wire::load_u64(left.data() + wire::ClocksEntry::kOffset));
    offset.error = error;
  }
}

void CaptureContent::read_end(const FrameEntry& frame) {
  const std::span<const uint8_t> payload = this->payload(frame);
  const size_t cpus = wire::load_u16(payload.data() + wire::End::kCpuCount);
  if ((payload.size() - wire::End::kEntries) / wire::EndEntry::kBytes < cpus) {
    ++findings_.unreadable;
    return;
  }
  stop_ticks_ = wire::load_u64(payload.data() + wire::End::kStopTicks);
  ends_.resize(std::min<size_t>(cpus, kMaxCpus));
  for (size_t cpu = 0; cpu < ends_.size(); ++cpu) {
    const uint8_t* entry = payload.data() + wire::End::kEntries + cpu * wire::EndEntry::kBytes;
    ends_[cpu] = RingEnd{
        .totals = {.records = wire::load_u64(entry + wire::EndEntry::kRecords),
                   .bytes = wire::load_u64(entry + wire::EndEntry::kBytesOfRecords),
                   .records_lost = wire::load_u64(entry + wire::EndEntry::kRecordsLost),
                   .bytes_lost = wire::load_u64(entry + wire::EndEntry::kBytesLost)},
        .unfinished_records = wire::load_u32(entry + wire::EndEntry::kUnfinishedRecords),
        .unfinished_bytes = wire::load_u32(entry + wire::EndEntry::kUnfinishedBytes),
    };
  }
  const std::span<const uint8_t> rest =
      payload.subspan(wire::End::kEntries + cpus * wire::EndEntry::kBytes);
  if (rest.size() >= wire::EndRest::kBytes)
    cut_texts_ = wire::load_u32(rest.data() + wire::EndRest::kCutTexts);
  if (rest.size() >= wire::EndRest::kBytes + wire::EndCalls::kBytes) {
    const uint8_t* calls = rest.data() + wire::EndRest::kBytes;
    left_out_calls_ = LeftOutCalls{
        .too_short = wire::load_u64(calls + wire::EndCalls::kTooShort),
        .too_deep = wire::load_u64(calls + wire::EndCalls::kTooDeep),
        .without_end = wire::load_u64(calls + wire::EndCalls::kWithoutEnd),
        .open = wire::load_u64(calls + wire::EndCalls::kOpen),
    };
  }
}

void CaptureContent::count_missing_entries() {
  if (!hello_) return;
  const unsigned strings = std::min(hello_->string_count, fxt::kMaxStringIndex);
  max_string_index_ = std::max(max_string_index_, strings);
  for (unsigned i = 1; i <= strings; ++i)
    if (!string(i)) ++findings_.strings_missing;
  const auto known = static_cast<size_t>(
      std::count_if(threads_.begin(), threads_.end(),
                    [](const ThreadFacts& thread) { return thread.kind != 0; }));
  if (hello_->thread_count > known) findings_.threads_missing = hello_->thread_count - known;
  if (hello_->one_counter) return;
  for (size_t cpu = 0; cpu < std::min(hello_->cpu_count, kMaxCpus); ++cpu)
    if (cpu >= clock_offsets_.size() || !clock_offsets_[cpu]) ++findings_.clocks_missing;
}

const ProgramStrings* CaptureContent::program_strings() const {
  const bool is_here = program_ != nullptr && hello_ && hello_->has_strings_in_elf &&
                       program_->are_of(hello_->build_id);
  return is_here ? program_ : nullptr;
}

unsigned CaptureContent::max_string_index() const {
  const ProgramStrings* program = program_strings();
  return program != nullptr ? program->count() : max_string_index_;
}

std::optional<std::string_view> CaptureContent::string(unsigned target_index) const {
  if (const ProgramStrings* program = program_strings()) return program->text(target_index);
  if (target_index >= strings_.size()) return {};
  return strings_[target_index];
}

std::span<const uint8_t> CaptureContent::words(const FrameEntry& piece) const {
  if (index_ != nullptr) index_->count_read(sizeof piece + piece.payload_bytes);
  return payload(piece).subspan(words_at(piece), piece.record_bytes);
}

void CaptureContent::prefetch(const FrameEntry& piece) const {
  if (index_ == nullptr) return;
  constexpr size_t kLine = 64;
  const std::span<const uint8_t> bytes = index_->payload(piece);
  for (size_t at = 0; at < std::min(bytes.size(), 4 * kLine); at += kLine)
    __builtin_prefetch(bytes.data() + at);
}

size_t CaptureContent::words_at(const FrameEntry& piece) const {
  return wire::record_words_at(payload(piece)[wire::Records::kClock]);
}

ClockMap CaptureContent::clock_map(const FrameEntry& piece) const {
  std::optional<ClockChange> change;
  if (words_at(piece) != wire::Records::kWords) {
    const uint8_t* words = payload(piece).data() + wire::Records::kWords;
    const auto word = [&](size_t index) { return wire::load_u64(words + 8 * index); };
    using Piece = fxt::ClockWords;
    change = ClockChange{
        .since = word(Piece::kSince),
        .ticks_per_second = word(Piece::kTicksPerSecond),
        .nominal = word(Piece::kNominal),
        .ticks_per_second_before = word(Piece::kTicksPerSecondBefore),
        .gone_by = word(Piece::kGoneBy),
    };
  }
  int64_t offset = 0;
  if (piece.cpu < clock_offsets_.size()) {
    const std::optional<ClockOffset>& known = clock_offsets_[piece.cpu];
    if (known) offset = known->ticks;
  }
  return {change, hello_ ? hello_->ticks_per_second : 0, offset};
}

// Keeps, among the pieces of one CPU in the order of sending, those that follow on what is kept
// already; returns where they end. An overlap is a piece sent twice, or the work of a target gone
// wrong.
size_t CaptureContent::drop_overlaps(size_t begin, size_t end) {
  size_t kept = begin;
  for (size_t i = begin; i < end; ++i) {
    if (kept != begin) {
      const FrameEntry& before = frames_[kept - 1];
      const bool overlaps = frames_[i].before.records - before.before.records < before.records ||
                            frames_[i].before.records < before.before.records;
      if (overlaps && same_payload(before, frames_[i])) {
        ++findings_.doubled;
        continue;
      }
      if (overlaps) {
        ++findings_.contradicting_pieces;
        findings_.contradicting_records += frames_[i].records;
        continue;
      }
    }
    frames_[kept++] = frames_[i];
  }
  return kept;
}

// Finds gaps between pieces in the order of sending, then sorts the pieces into the order of the
// ring. A stream sends segments as they are done.
void CaptureContent::arrange_pieces(Ring& ring, size_t begin, size_t end) {
  const std::span<FrameEntry> pieces = frames_.subspan(begin, end - begin);
  for (FrameEntry& piece : pieces) {
    RingTotals& sent = ring.behind_pieces;
    const auto growth = [](uint64_t before, uint64_t after) {
      return after > before ? after - before : 0;
    };
    piece.missing_records = growth(sent.records, piece.before.records);
    piece.missing_bytes = growth(sent.bytes, piece.before.bytes);
    sent.records = piece.before.records + piece.records;
    sent.bytes = piece.before.bytes + piece.record_bytes;
  }
  // Numbers of segments wrap: they count from that of the first piece, in either direction.
  const uint32_t base = pieces.empty() ? 0 : pieces.front().segment;
  sort_by(pieces, [base](const FrameEntry& piece) {
    return std::tuple(static_cast<int32_t>(piece.segment - base), piece.before.records);
  });
  if (!pieces.empty()) {
    ring.behind_pieces.records_lost = pieces.back().before.records_lost;
    ring.behind_pieces.bytes_lost = pieces.back().before.bytes_lost;
  }
  ring.pieces = pieces;
}

// The rings of which no piece need be there: those that the end frame counts records in, and
// without one those that a missing frame may be of.
void CaptureContent::expect_rings() {
  const auto ring_of = [this](size_t cpu) -> Ring& {
    Ring& ring = rings_.emplace_back();
    ring.cpu = static_cast<uint16_t>(cpu);
    return ring;
  };
  for (size_t cpu = 0; cpu < ends_.size(); ++cpu) {
    const RingEnd& end = ends_[cpu];
    if (end.totals.records != 0 || end.totals.records_lost != 0 || end.unfinished_records != 0)
      ring_of(cpu).end = end;
  }
  if (!has_end() && whole_from_ != 0 && hello_)
    for (unsigned cpu = 0; cpu < std::min(hello_->cpu_count, kMaxCpus); ++cpu)
      ring_of(cpu).maybe_behind = Behind::kPiece;
}

// All pieces of one CPU, in the order of sending. The first `expected` rings are in the order of
// CPUs.
void CaptureContent::add_pieces(size_t begin, size_t end, size_t expected) {
  const uint16_t cpu = frames_[begin].cpu;
  if (cpu >= kMaxCpus) {
    findings_.contradicting_pieces += end - begin;
    for (size_t i = begin; i < end; ++i) findings_.contradicting_records += frames_[i].records;
    return;
  }
  const size_t kept = drop_overlaps(begin, end);
  const auto found =
      std::ranges::lower_bound(std::span(rings_).first(expected), cpu, {}, &Ring::cpu);
  const auto at = static_cast<size_t>(found - std::span(rings_).begin());
  Ring& ring = at < expected && rings_[at].cpu == cpu ? rings_[at] : rings_.emplace_back();
  ring.cpu = cpu;
  if (!has_end()) {
    const FrameEntry& last = frames_[kept - 1];
    const bool may_miss_one =
        was_asked_for(last) ? whole_from_ != 0 : last.sequence + uint64_t{1} < whole_from_;
    ring.maybe_behind = may_miss_one ? Behind::kPiece : Behind::kDropped;
  }
  arrange_pieces(ring, begin, kept);
  if (!ring.end && cpu < ends_.size()) ring.end = ends_[cpu];
}

// Pieces by their CPUs, otherwise in the order in which they are, and all other frames behind them:
// for most captures that is the order of collect_rings(), at a few instructions a frame.
void CaptureContent::group_by_cpu() {
  constexpr size_t kNoRing = kMaxCpus;
  const auto group_of = [](const FrameEntry& frame) -> size_t {
    return is(frame, wire::FrameType::kRecords) && frame.cpu < kMaxCpus ? frame.cpu : kNoRing;
  };
  std::vector<size_t> next(kNoRing + 2);  // by group, where its next frame goes
  for (const FrameEntry& frame : frames_) {
    index_->count_read(sizeof frame);
    ++next[group_of(frame) + 1];
  }
  std::partial_sum(next.begin(), next.end(), next.begin());
  std::vector<uint32_t> places(frames_.size());
  for (size_t i = 0; i < frames_.size(); ++i)
    places[i] = static_cast<uint32_t>(next[group_of(frames_[i])]++);
  for (uint32_t i = 0; i < frames_.size(); ++i)
    while (places[i] != i) {
      index_->count_read(sizeof(FrameEntry));
      std::swap(frames_[i], frames_[places[i]]);
      std::swap(places[i], places[places[i]]);
    }
}

void CaptureContent::collect_rings() {
  group_by_cpu();
  sort_by(frames_, [](const FrameEntry& frame) {
    return std::tuple(!is(frame, wire::FrameType::kRecords), frame.cpu, frame.before.records,
                      frame.segment, frame.sequence, frame.crc);
  });
  expect_rings();
  const size_t expected = rings_.size();
  const auto is_piece = [this](size_t i) {
    return i < frames_.size() && is(frames_[i], wire::FrameType::kRecords);
  };
  for (size_t begin = 0, end = 0; is_piece(begin); begin = end) {
    while (is_piece(end) && frames_[end].cpu == frames_[begin].cpu) ++end;
    add_pieces(begin, end, expected);
  }
  for (Ring& ring : rings_) ring.overwrites = hello_ && hello_->mode == wire::Mode::kCircular;
  std::sort(rings_.begin(), rings_.end(),
            [](const Ring& left, const Ring& right) { return left.cpu < right.cpu; });
}

}  // namespace barefxt::host
