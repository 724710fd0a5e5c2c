#include "memory_trace.h"

#include <algorithm>
#include <tuple>

#include <barefxt/clock_offset.h>
#include <barefxt/fxt/reference.h>
#include <barefxt/half_periods.h>
#include <barefxt/thread_entry.h>

#include "../rebuild/record_walk.h"
#include "fields.h"
#include "interned_strings.h"

namespace barefxt::host {
namespace {

bool is_one(uint32_t state, SegmentState of) { return state == static_cast<uint32_t>(of); }

void add(Amount& sum, const Amount& amount) {
  sum.records += amount.records;
  sum.bytes += amount.bytes;
}

// An entry in that state describes a thread.
bool has_entry(uint32_t word) {
  return state_in(word) >= EntryState::kLive && state_in(word) <= kLastEntryState;
}

// The entry at these bytes of the table; false where no target wrote it. One whose name was being
// changed has none, unless the name is whole.
bool read_entry(const ImageFields& table, Bytes bytes, size_t at, bool has_since,
                ThreadEntry& entry) {
  entry.state.store_relaxed(table.u32(at + offsetof(ThreadEntry, state)));
  entry.koid = table.u32(at + offsetof(ThreadEntry, koid));
  entry.process = table.u32(at + offsetof(ThreadEntry, process));
  entry.kind = static_cast<wire::ThreadsEntryKind>(table.u8(at + offsetof(ThreadEntry, kind)));
  entry.name_bytes = table.u8(at + offsetof(ThreadEntry, name_bytes));
  entry.checksum = table.u16(at + offsetof(ThreadEntry, checksum));
  for (size_t i = 0; i < sizeof entry.name; ++i)
    entry.name[i] = static_cast<char>(bytes[at + offsetof(ThreadEntry, name) + i]);
  entry.since = has_since ? table.u64(at + offsetof(ThreadEntry, since)) : 0;
  const auto kind = static_cast<uint8_t>(entry.kind);
  const bool is_whole = entry.checksum == entry_checksum(entry);
  const bool may_differ = is_renamed(state_in(entry.state.load_relaxed()));
  if (may_differ && !is_whole) entry.name_bytes = 0;
  return (is_whole || may_differ) && entry.name_bytes <= sizeof entry.name && kind != 0 &&
         kind <= static_cast<uint8_t>(wire::ThreadsEntryKind::kObject);
}

}  // namespace

MemoryTrace::MemoryTrace(const MemoryImage& image, const TargetMemory& memory,
                         const TargetMemory& program, const FoundDescriptor& descriptor)
    : image_(image),
      memory_(memory),
      program_(program),
      descriptor_(descriptor),
      content_(descriptor_.content),
      reader_(memory, descriptor.content.segment_bytes, descriptor.order) {}

uint64_t MemoryTrace::address_of(uint32_t cpu, uint64_t slot) const {
  return content_.memory +
         (uint64_t{cpu} * content_.segments_per_cpu + slot) * content_.segment_bytes;
}

void MemoryTrace::release_memory_at_times(uint64_t bytes) {
  static constexpr uint64_t kReleaseBytes = uint64_t{16} << 20;
  read_since_release_ += bytes;
  if (read_since_release_ < kReleaseBytes) return;
  read_since_release_ = 0;
  image_.release_memory();
}

template <typename Each>
uint64_t MemoryTrace::for_each_segment(uint32_t cpu, Each each) {
  const uint64_t bytes = content_.segment_bytes;
  uint64_t missing = 0;
  for (uint64_t slot = 0; slot < content_.segments_per_cpu; ++slot) {
    const uint64_t address = address_of(cpu, slot);
    const size_t there = reader_.read(address);
    release_memory_at_times(there);
    if (there >= kSegmentHeaderBytes) {
      each(static_cast<uint32_t>(slot), reader_.facts());
      continue;
    }
    // On to where there is something again: what is claimed may be far more than there is.
    const uint64_t in_image = address - memory_.shift;
    const std::optional<uint64_t> next = memory_.memory->next(in_image + there + 1);
    const uint64_t left = content_.segments_per_cpu - slot;
    const uint64_t skipped = !next || *next < in_image
                                 ? left
                                 : std::clamp<uint64_t>((*next - in_image) / bytes, 1, left);
    missing += skipped;
    slot += skipped - 1;
  }
  return missing;
}

uint64_t MemoryTrace::sound_segments() {
  uint64_t sound = 0;
  for (uint32_t cpu = 0; cpu < content_.cpus; ++cpu)
    for_each_segment(cpu, [&](uint32_t, const SegmentFacts& facts) {
      if (facts.capture == content_.capture && facts.checksum_is_right) ++sound;
    });
  return sound;
}

bool MemoryTrace::has_records(const SegmentFacts& facts, uint32_t cpu, RingFindings& ring) const {
  const auto damaged = [&] {
    ++ring.damaged_segments;
    return false;
  };
  if (facts.state > static_cast<uint32_t>(SegmentState::kHeldLeaving)) return damaged();
  const auto state = static_cast<SegmentState>(facts.state);
  if (facts.capture != content_.capture) {
    // A start clears all segments but those with an unfinished record or an owner.
    const bool was_opened = state == SegmentState::kLive || is_held(state);
    return was_opened && is_current_ ? damaged() : false;
  }
  if (state == SegmentState::kRetired && !is_streamed()) return damaged();
  if (state == SegmentState::kFree && !reader_.is_empty()) return damaged();
  if (!holds_records(state)) return false;
  if (!facts.checksum_is_right || facts.cpu != cpu) return damaged();
  // One that was prepared and is not published has the sequence number of another.
  return facts.end != 0 || !reader_.is_empty();
}

void MemoryTrace::read_totals() {
  rings_.assign(content_.max_cpus, {});
  has_control_words_ = is_current_;
  std::vector<uint8_t> control(content_.ring_bytes);
  for (uint32_t cpu = 0; cpu < content_.max_cpus && has_control_words_; ++cpu) {
    const uint64_t address = content_.rings + uint64_t{cpu} * content_.ring_bytes;
    if (memory_.read(address, control) != control.size()) {
      has_control_words_ = false;
      break;
    }
    const ImageFields fields(control, descriptor_.order);
    const auto total = [&](size_t at) {
      return content_.address_bits == 64
                 ? fields.u64(at)
                 : HalfPeriods<32>::extend(fields.u32(at + sizeof(uint32_t)), fields.u32(at));
    };
    rings_[cpu].lost = {total(content_.records_lost_at), total(content_.bytes_lost_at)};
  }
  size_t cpus = content_.cpus;
  for (size_t cpu = cpus; cpu < rings_.size(); ++cpu)
    if (rings_[cpu].lost.records != 0) cpus = cpu + 1;
  rings_.resize(cpus);
}

void MemoryTrace::make_hello(FrameMaker& frames) const {
  frames.begin(wire::FrameType::kHello,
               content_.strings == 0 ? wire::kVersionOfElfStrings : wire::kVersion);
  frames.u64(content_.ticks_per_second);
  frames.u64(content_.start_ticks);
  frames.u64(content_.wall_clock_ns);
  frames.u32(content_.segment_bytes);
  frames.u16(named_threads_);
  frames.u16(std::min(content_.string_count, fxt::kMaxStringIndex));
  frames.u16(rings_.size());
  frames.u8(content_.mode);
  frames.u8(content_.counter_flags);
  frames.u8(content_.address_bits);
  frames.u8(content_.target_bytes);
  frames.u8(content_.build_id_bytes);
  frames.u8(static_cast<uint8_t>(wire::TraceKind::kMemory));
  frames.bytes(Bytes(content_.target).first(content_.target_bytes));
  frames.bytes(Bytes(content_.build_id).first(content_.build_id_bytes));
  frames.end();
}

// The offsets between CPUs' counters. A later session overwrites them, and a descriptor of version
// 1 does not point to them.
void MemoryTrace::make_clocks(FrameMaker& frames) const {
  if ((content_.counter_flags & wire::CounterFlags::kSystemWide) != 0) return;
  const bool is_stored = is_current_ && content_.clock_offsets != 0;
  std::vector<uint8_t> offsets(rings_.size() * sizeof(StoredClockOffset));
  offsets.resize(is_stored ? memory_.read(content_.clock_offsets, offsets) : 0);
  const ImageFields fields(offsets, descriptor_.order);
  size_t cpu = 0;
  while (cpu < rings_.size()) {
    frames.begin(wire::FrameType::kClocks);
    frames.u16(cpu);
    for (; cpu < rings_.size() && frames.size() < wire::kPreferredPayloadBytes; ++cpu) {
      const size_t at = cpu * sizeof(StoredClockOffset);
      const uint32_t error = fields.has(at, sizeof(StoredClockOffset))
                                 ? fields.u32(at + offsetof(StoredClockOffset, error))
                                 : StoredClockOffset::kUnknownError;
      const bool is_known = error != StoredClockOffset::kUnknownError;
      frames.u64(is_known ? fields.u64(at + offsetof(StoredClockOffset, ticks)) : 0);
      frames.u64(is_known ? error : cpu == 0 ? 0 : wire::ClocksEntry::kUnknownError);
    }
    frames.end();
  }
}

bool MemoryTrace::make_strings(FrameMaker& frames, const Rebuild::Report& say) const {
  // More text than any program has: so that a table whose entries all name one long text ends.
  static constexpr size_t kMaxTextBytes = size_t{8} << 20;
  const InternedStrings strings(memory_, program_, descriptor_);
  if (const std::string complaint = strings.complaint(); !complaint.empty())
    say(image_.name() + ": " + complaint);
  size_t bytes = 0;
  bool is_open = false;
  for (uint32_t index = 1; index <= strings.count() && bytes < kMaxTextBytes; ++index) {
    const std::optional<std::string> text = strings.text(index);
    const bool fits =
        text && frames.size() + sizeof(uint16_t) + text->size() <= wire::kMaxPayloadBytes;
    if (is_open && !fits) {
      frames.end();
      is_open = false;
    }
    if (!text) continue;
    if (!is_open) {
      frames.begin(wire::FrameType::kStrings);
      frames.u16(index);
      is_open = true;
    }
    frames.u16(text->size());
    frames.bytes(Bytes(reinterpret_cast<const uint8_t*>(text->data()), text->size()));
    bytes += text->size();
  }
  if (is_open) frames.end();
  return strings.is_found();
}

bool MemoryTrace::make_threads(FrameMaker& frames, const Rebuild::Report& say) {
  const ImageFields table(threads_, descriptor_.order);
  uint64_t damaged = 0;
  const size_t each = content_.thread_entry_bytes;
  for (size_t i = 0; i < threads_.size() / each; ++i) {
    const uint32_t state = table.u32(i * each + offsetof(ThreadEntry, state));
    if (!has_entry(state)) {
      if (state_in(state) > kLastEntryState) ++damaged;
      continue;
    }
    ThreadEntry entry;
    if (!read_entry(table, threads_, i * each, each == sizeof(ThreadEntry), entry)) {
      ++damaged;
      continue;
    }
    const bool has_index = wire::is_thread(entry.kind) && i < fxt::kMaxThreadIndex;
    frames.begin(wire::FrameType::kThreads, wire::kVersionOfReuse);
    frames.u16(i);
    frames.u8(static_cast<uint8_t>(entry.kind));
    frames.u8(has_index ? i + 1 : 0);
    frames.u8(entry.name_bytes);
    frames.u32(entry.koid);
    frames.u32(entry.process);
    frames.u64(entry.since);
    frames.bytes(Bytes(reinterpret_cast<const uint8_t*>(entry.name), entry.name_bytes));
    frames.end();
  }
  if (damaged != 0)
    say(formatted("{}: {} of threads", image_.name(), counted(damaged, "damaged entry")));
  return damaged == 0;
}

Status MemoryTrace::make_ring(uint32_t cpu, FrameMaker& frames) {
  RingFindings& ring = rings_[cpu];
  SpooledArray<Slot> slots;
  Status status;
  uint64_t opened = 0;
  ring.missing_segments = for_each_segment(cpu, [&](uint32_t number, const SegmentFacts& facts) {
    if (facts.capture == content_.capture && facts.checksum_is_right)
      opened = std::max(opened, uint64_t{facts.sequence} + 1);
    if (facts.capture == content_.capture)
      add(ring.overwritten, is_one(facts.state, SegmentState::kClaimed)
                                ? facts.overwritten_with_content
                                : facts.overwritten);
    if (has_records(facts, cpu, ring) && status.ok())
      status = slots.push_back({facts.sequence, number});
  });
  if (!status.ok()) return status;
  // Numbers of segments wrap: they count from that of any slot, in either direction.
  const uint32_t base = slots.size() == 0 ? 0 : slots.all().front().sequence;
  const auto from_base = [base](const Slot& slot) {
    return static_cast<int32_t>(slot.sequence - base);
  };
  std::sort(slots.all().begin(), slots.all().end(), [&](const Slot& left, const Slot& right) {
    return std::tuple(from_base(left), left.number) < std::tuple(from_base(right), right.number);
  });

  if (is_streamed()) ring.streamed_segments = opened - std::min<uint64_t>(opened, slots.size());
  const bool keeps_all = content_.mode == static_cast<uint8_t>(wire::Mode::kOneShot);
  int64_t next = 0;
  for (const Slot& slot : slots.all()) {
    const Slot& first = slots.all().front();
    const int64_t sequence = int64_t{first.sequence} + from_base(slot) - from_base(first);
    // Two with one number: the memory changed while it was copied.
    if (sequence < next) {
      ++ring.damaged_segments;
      continue;
    }
    if (keeps_all && sequence > next && ring.damaged_segments + ring.missing_segments == 0)
      ++ring.damaged_segments;
    next = sequence + 1;
    reader_.read(address_of(cpu, slot.number));
    make_segment(reader_.facts(), ring, frames);
  }
  return {};
}

void MemoryTrace::make_segment(const SegmentFacts& facts, RingFindings& ring, FrameMaker& frames) {
  const SegmentRecords content = reader_.records(facts);
  add(ring.unfinished, content.unfinished);
  if (content.is_damaged || reader_.is_cut()) ++ring.damaged_segments;
  if (ring.lost.records < facts.records_lost || ring.lost.bytes < facts.bytes_lost) {
    ring.totals_are_older = has_control_words_;
    ring.lost.records = std::max(ring.lost.records, facts.records_lost);
    ring.lost.bytes = std::max(ring.lost.bytes, facts.bytes_lost);
  }
  for (const RecordRun& run : content.runs) {
    look_at_times(run, ring);
    frames.begin(wire::FrameType::kRecords);
    frames.u16(facts.cpu);
    frames.u8(static_cast<uint8_t>(wire::RecordsCoding::kRaw));
    frames.u8(
        static_cast<uint8_t>(run.clock ? wire::RecordsClock::kGiven : wire::RecordsClock::kHello));
    frames.u32(facts.sequence);
    frames.u64(ring.sent.records);
    frames.u64(ring.sent.bytes);
    // Overwritten records were lost before all that are left.
    frames.u64(facts.records_lost + ring.overwritten.records);
    frames.u64(facts.bytes_lost + ring.overwritten.bytes);
    if (run.clock)
      for (const uint64_t word : *run.clock) frames.u64(word);
    frames.bytes(run.words);
    frames.end();
    add(ring.sent, {run.records, run.words.size()});
  }
}

void MemoryTrace::look_at_times(const RecordRun& run, RingFindings& ring) {
  Bytes left = run.words;
  while (const std::optional<RecordView> record = first_record(left, descriptor_.order)) {
    left = left.subspan(record->bytes.size());
    std::optional<uint64_t> ticks;
    if (const std::optional<TimedRecord> timed = unwrap(*record, descriptor_.order))
      ticks = timed->ticks;
    else
      ticks = record_time(*record, descriptor_.order);
    if (!ticks) continue;
    if (*ticks < ring.last_ticks) ++ring.steps_back;
    ring.last_ticks = *ticks;
    last_ticks_ = std::max(last_ticks_, *ticks);
  }
}

void MemoryTrace::make_end(FrameMaker& frames) const {
  frames.begin(wire::FrameType::kEnd);
  frames.u64(std::max(last_ticks_, content_.start_ticks));
  frames.u16(rings_.size());
  for (const RingFindings& ring : rings_) {
    frames.u64(ring.sent.records);
    frames.u64(ring.sent.bytes);
    frames.u64(ring.lost.records + ring.overwritten.records);
    frames.u64(ring.lost.bytes + ring.overwritten.bytes);
    frames.u32(ring.unfinished.records);
    frames.u32(ring.unfinished.bytes);
  }
  frames.end();
}

bool MemoryTrace::say_rings(const Rebuild::Report& say) const {
  bool is_whole = true;
  for (size_t cpu = 0; cpu < rings_.size(); ++cpu) {
    const RingFindings& ring = rings_[cpu];
    const std::string about = formatted("{}: cpu {}: ", image_.name(), cpu);
    // No failure: the stream has them.
    if (ring.streamed_segments != 0)
      say(about + counted(ring.streamed_segments, "segment") +
          " streamed before: their records are in the capture of the line");
    if (ring.is_whole()) continue;
    is_whole = false;
    if (ring.missing_segments != 0)
      say(about + counted(ring.missing_segments, "segment") +
          " not in the image: an unknown number of records missing");
    if (ring.damaged_segments != 0)
      say(about + counted(ring.damaged_segments, "segment") +
          " damaged: an unknown number of records missing");
    if (ring.steps_back != 0)
      say(about + counted(ring.steps_back, "record") +
          " earlier than the one before: did the target run while its memory was copied?");
    if (ring.totals_are_older)
      say(about +
          "the total of losses is less than that of a segment: did the target run while its memory "
          "was copied?");
  }
  return is_whole;
}

Result<bool> MemoryTrace::make_frames(FrameSink& sink, uint32_t capture,
                                      const Rebuild::Report& say) {
  bool is_whole = true;
  read_totals();
  if (!is_current_)
    say(image_.name() +
        ": a later session has overwritten this one's threads and final losses: they are unknown");
  else if (!has_control_words_)
    say(image_.name() +
        ": the rings' control words are not in the image: the losses at the end are unknown");
  is_whole = has_control_words_;
  if (is_current_) {
    threads_.resize(size_t{content_.thread_entries} * content_.thread_entry_bytes);
    const size_t there = memory_.read(content_.threads, threads_);
    if (there < threads_.size()) {
      say(image_.name() + ": the table of threads is not in the image, or not all of it");
      is_whole = false;
    }
    threads_.resize(there - there % content_.thread_entry_bytes);
  }
  const ImageFields table(threads_, descriptor_.order);
  for (size_t at = 0; at < threads_.size(); at += content_.thread_entry_bytes) {
    const uint32_t state = table.u32(at + offsetof(ThreadEntry, state));
    if (has_entry(state)) ++named_threads_;
  }

  FrameMaker frames(sink, capture, descriptor_.order);
  make_hello(frames);
  make_clocks(frames);
  is_whole = make_strings(frames, say) && is_whole;
  is_whole = make_threads(frames, say) && is_whole;
  for (uint32_t cpu = 0; cpu < content_.cpus; ++cpu)
    if (Status status = make_ring(cpu, frames); !status.ok()) return status.error();
  make_end(frames);
  return say_rings(say) && is_whole;
}

}  // namespace barefxt::host
