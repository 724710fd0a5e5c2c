#include <barefxt/config.h>

#if !BAREFXT_DISABLED

#include <barefxt/barefxt.h>
#include <barefxt/fxt/reference.h>
#include <barefxt/utf8.h>

#include "call_limits.h"
#include "cut_text.h"
#include "string_table.h"
#include "trace_frames.h"

#if !BAREFXT_LINEAR

namespace barefxt {
namespace {

constexpr size_t kLengthBytes = 2;

}  // namespace

[[gnu::noinline]] bool copy_entry(const ThreadEntry& entry, EntryCopy& copy) {
  using Word [[gnu::may_alias]] = uint32_t;
  static_assert(offsetof(ThreadEntry, koid) == sizeof(Word));
  const auto* words = reinterpret_cast<const Word*>(&entry);
  // A CPU that renames it all the time leaves it alone in between.
  unsigned tries = 8;
  if (!is_named(entry)) return false;
  do {
    if (kReusesEntries && !is_named(entry)) return false;
    for (size_t i = 1; i < sizeof entry / sizeof(Word); ++i)
      copy.words[i] = BAREFXT_LOAD_RELAXED_(words[i]);
    if (copy.entry.checksum == entry_checksum(copy.entry)) return true;
  } while (--tries != 0);
  copy.entry.name_bytes = 0;
  return !kReusesEntries || is_named(entry);
}

void TraceFrames::hello(uint8_t flags) {
  const Descriptor& trace = trace_.descriptor;
  frame_.begin(wire::FrameType::kHello, flags,
               kStringsInElf ? wire::kVersionOfElfStrings : wire::kVersionOfNumbers);
  frame_.u64(trace.ticks_per_second);
  frame_.u64(trace.start_ticks);
  frame_.u64(trace.wall_clock_ns);
  frame_.u32(trace.segment_bytes);
  frame_.u16(named_threads());
  frame_.u16(trace_.names_are_this_images ? string_count() : uint16_t{0});
  frame_.u16(reported_cpus(trace_));
  frame_.u8(trace.mode);
  frame_.u8(trace.counter_flags);
  frame_.u8(trace.address_bits);
  frame_.u8(trace.target_bytes);
  frame_.u8(trace.build_id_bytes);
  frame_.u8(static_cast<uint8_t>(trace_.kind));
  frame_.bytes(trace.target, trace.target_bytes);
  frame_.bytes(trace.build_id, trace.build_id_bytes);
  frame_.u64(trace_.interval.begin);
  frame_.u64(trace_.interval.end);
  frame_.u32(session.dumps);
  frame_.end();
}

uint32_t TraceFrames::clocks(uint8_t flags, uint32_t cpu, size_t limit) {
  const uint32_t cpus = clocks_sent();
  if (cpu >= cpus) return cpus;
  frame_.begin(wire::FrameType::kClocks, flags);
  frame_.u16(static_cast<uint16_t>(cpu));
  constexpr size_t kEntry = wire::ClocksEntry::kBytes;
  for (size_t left = limit - wire::Clocks::kEntries; left >= kEntry && cpu < cpus;
       left -= kEntry, ++cpu) {
    const StoredClockOffset offset = clock_offset_of(trace_, clock_of_cpu(cpu));
    frame_.u64(offset.ticks);
    frame_.u64(offset.error == StoredClockOffset::kUnknownError ? wire::ClocksEntry::kUnknownError
                                                                : offset.error);
  }
  frame_.end();
  return cpu;
}

uint32_t TraceFrames::strings(uint8_t flags, uint32_t index, size_t limit) {
  const uint32_t count = trace_.names_are_this_images ? string_count() : 0;
  if (index > count) return 0;
  frame_.begin(wire::FrameType::kStrings, flags);
  frame_.u16(static_cast<uint16_t>(index));
  size_t left = limit - wire::Strings::kEntries;
  const uint32_t first = index;
  for (; index <= count; ++index) {
    const char* text = string_text(index);
    uint32_t bytes = cut_utf8(text, text_bytes(text), fxt::kMaxStringBytes);
    if (kLengthBytes + bytes > left) {
      // At least one a frame.
      if (index != first) break;
      bytes = cut_text(text, bytes, static_cast<uint32_t>(left - kLengthBytes));
    }
    left -= kLengthBytes + bytes;
    frame_.u16(static_cast<uint16_t>(bytes));
    frame_.bytes(text, bytes);
  }
  frame_.end();
  return index <= count ? index : 0;
}

uint32_t TraceFrames::threads(uint8_t flags, uint32_t at, size_t limit) {
  EntryCopy copy;
  while (at < kThreadEntries && !copy_entry(trace_.threads[at], copy)) ++at;
  if (at >= kThreadEntries) return at;
  const bool has_since = has_reused_entries();
  frame_.begin(wire::FrameType::kThreads, flags,
               has_since ? wire::kVersionOfReuse : wire::kVersion);
  frame_.u16(static_cast<uint16_t>(at));
  constexpr size_t kEntry = wire::ThreadsEntrySince::kName + ThreadEntry::kNameBytes;
  size_t left = limit - wire::Threads::kEntries;
  do {
    const ThreadEntry& entry = copy.entry;
    const bool has_index = wire::is_thread(entry.kind) && at < fxt::kMaxThreadIndex;
    frame_.u8(static_cast<uint8_t>(entry.kind));
    frame_.u8(has_index ? static_cast<uint8_t>(at + 1) : uint8_t{0});
    frame_.u8(entry.name_bytes);
    frame_.u32(entry.koid);
    frame_.u32(entry.process);
    if (has_since) frame_.u64(since_of(entry));
    frame_.bytes(entry.name, entry.name_bytes);
    left -= kEntry;
    ++at;
  } while (left >= kEntry && at < kThreadEntries && copy_entry(trace_.threads[at], copy));
  frame_.end();
  return next_named(at);
}

void TraceFrames::number(Coder* coder, uint64_t value) {
  if (kDumpsCoded && coder != nullptr) return coder->number(value);
  frame_.u64(value);
}

inline void TraceFrames::begin_records(const SegmentHeader& segment, const fxt::Word* clock,
                                       const RingTotals& totals, bool has_compact, Coder* coder) {
  const bool is_raw = !kDumpsCoded || coder == nullptr;
  frame_.begin(wire::FrameType::kRecords, 0,
               !is_raw       ? wire::kVersionOfPacked
               : has_compact ? wire::kVersionOfCompact
                             : wire::kVersion);
  frame_.u16(static_cast<uint16_t>(segment.cpu));
  frame_.u8(
      static_cast<uint8_t>(is_raw ? wire::RecordsCoding::kRaw : wire::RecordsCoding::kPacked));
  frame_.u8(static_cast<uint8_t>(clock == nullptr ? wire::RecordsClock::kHello
                                                  : wire::RecordsClock::kGiven));
  frame_.u32(segment.sequence);
  number(coder, totals.sent.records);
  number(coder, totals.sent.bytes);
  // All that was overwritten was lost before the records that are left.
  number(coder, segment.records_lost + totals.lost_before.records);
  number(coder, segment.bytes_lost + totals.lost_before.bytes);
  if (kClockMayChange && clock != nullptr)
    for (size_t i = 0; i < fxt::ClockWords::kCount; ++i) number(coder, clock[i]);
}

void TraceFrames::raw_records(const SegmentHeader& segment, SegmentRuns& runs, size_t limit,
                              RingTotals& totals) {
  if (limit > wire::kPreferredPayloadBytes) limit = wire::kPreferredPayloadBytes;
  const size_t fixed = records_fixed_bytes(runs.clock());
  const SegmentRuns::Run run = runs.next(static_cast<uint32_t>(limit < fixed ? 0 : limit - fixed));
  begin_records(segment, run.clock, totals, run.has_compact, nullptr);
  frame_.bytes(run.words, run.bytes);
  frame_.end();
  totals.sent.records += run.records;
  totals.sent.bytes += run.bytes;
}

// Not inlined: its 1 KiB of stack is there while it runs.
[[gnu::noinline]] void TraceFrames::coded_records(const SegmentHeader& segment, SegmentRuns& runs,
                                                  size_t limit, RingTotals& totals) {
  // Or the head of a frame would exist twice.
  if constexpr (!kDumpsCoded) return;
  const fxt::Word* clock = runs.clock();
  Coder coder(frame_, segment.cpu);
  begin_records(segment, clock, totals, false, &coder);
  limit -= wire::CodedRecords::kCode;
  do {
    const uint32_t bytes = runs.pending().bytes;
    coder.record(runs.pending().words, bytes / fxt::kWordBytes);
    ++totals.sent.records;
    totals.sent.bytes += bytes;
    runs.skip();
  } while (!runs.is_over() && runs.clock() == clock &&
           coder.used() + Coder::most_for(runs.pending().bytes) <= limit);
  coder.end();
  frame_.end();
}

void TraceFrames::end(const RingTotals* totals) {
  const uint16_t cpus = reported_cpus(trace_);
  frame_.begin(wire::FrameType::kEnd, 0);
  frame_.u64(trace_.stop_ticks);
  frame_.u16(cpus);
  for (uint32_t cpu = 0; cpu < cpus; ++cpu) {
    const Amount dropped = lost(trace_, cpu);
    frame_.u64(totals[cpu].sent.records);
    frame_.u64(totals[cpu].sent.bytes);
    frame_.u64(dropped.records + totals[cpu].lost_before.records);
    frame_.u64(dropped.bytes + totals[cpu].lost_before.bytes);
    frame_.u32(static_cast<uint32_t>(totals[cpu].unfinished.records));
    frame_.u32(static_cast<uint32_t>(totals[cpu].unfinished.bytes));
  }
  frame_.u32(texts_cut.load_relaxed());
  if constexpr (kCallLimits) calls_left_out();
  frame_.end();
}

// The boot before left no such count.
void TraceFrames::calls_left_out() {
#if BAREFXT_FUNCTIONS && BAREFXT_CALL_LIMITS
  const bool is_of_now =
      trace_.kind == wire::TraceKind::kSession || trace_.kind == wire::TraceKind::kSnapshot;
  if (!is_of_now || !are_calls_limited()) return;
  const barefxt_left_out_calls left = barefxt_calls_left_out();
  frame_.u64(left.too_short);
  frame_.u64(left.too_deep);
  frame_.u64(left.without_end);
  frame_.u64(left.open);
#endif
}

bool TraceFrames::has_reused_entries() const {
  if constexpr (!kReusesEntries) return false;
  for (uint32_t at = 0; at < kThreadEntries; ++at)
    if (changed_hands(trace_.threads[at])) return true;
  return false;
}

uint16_t TraceFrames::named_threads() const {
  uint16_t count = 0;
  for (uint32_t at = next_named(0); at < kThreadEntries; at = next_named(at + 1)) ++count;
  return count;
}

uint32_t TraceFrames::next_named(uint32_t at) const {
  while (at < kThreadEntries && !is_named(trace_.threads[at])) ++at;
  return at;
}

}  // namespace barefxt

#endif

#endif
