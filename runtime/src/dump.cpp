// The dump: what was recorded, as a sequence of frames in the order that wire/frame.h tells.

#include <barefxt/barefxt.h>
#include <barefxt/fxt/reference.h>
#include <barefxt/ring.h>
#include <barefxt/utf8.h>

#include "cut_text.h"
#include "frame_writer.h"
#include "recorded_segments.h"
#include "string_table.h"
#include "thread_table.h"

namespace barefxt {
namespace {

uint16_t named_threads() {
  uint16_t count = 0;
  for (const ThreadEntry& entry : thread_table)
    if (is_named(entry)) ++count;
  return count;
}

// What was found of one CPU while its frames were sent.
struct RingTotals {
  Amount overwritten;
  uint64_t records;
  uint64_t bytes;
  uint32_t unfinished_records;
  uint32_t unfinished_bytes;
};

template <typename Coder>
class Dump {
 public:
  Dump(const barefxt_writer& writer) : frame_(writer, session.capture) {}

  void send() {
    tables(0);
    RingTotals totals[BAREFXT_MAX_CPUS];
    const uint16_t cpus = told_cpus();
    for (uint32_t cpu = 0; cpu < cpus; ++cpu) {
      totals[cpu].records = 0;
      totals[cpu].bytes = 0;
      totals[cpu].unfinished_records = 0;
      totals[cpu].unfinished_bytes = 0;
      const Ring& ring = rings[cpu];
      const RecordedSegments segments(ring);
      totals[cpu].overwritten = segments.overwritten_before();
      segments.for_each([&](const SegmentHeader& opened) { segment(ring, opened, totals[cpu]); });
    }
    tables(wire::FrameFlags::kRepeated);
    end(totals, cpus);
  }

 private:
  void tables(uint8_t flags) {
    hello(flags);
    strings(flags);
    threads(flags);
  }

  void hello(uint8_t flags) {
    const char* target = session.config.target;
    const uint32_t target_bytes = cut_utf8(target, text_bytes(target), 255);
    const uint8_t build_id_bytes =
        session.config.build_id == nullptr ? uint8_t{0} : session.config.build_id_bytes;
    frame_.begin(wire::FrameType::kHello, flags);
    frame_.u64(session.ticks_per_second);
    frame_.u64(session.start_ticks);
    frame_.u64(session.config.wall_clock_ns);
    frame_.u32(kSegmentBytes);
    frame_.u16(named_threads());
    frame_.u16(string_count());
    frame_.u16(told_cpus());
    frame_.u8(static_cast<uint8_t>(session.mode));
    frame_.u8(BAREFXT_PORT_COUNTER_FLAGS);
    frame_.u8(8 * sizeof(uintptr_t));
    frame_.u8(static_cast<uint8_t>(target_bytes));
    frame_.u8(build_id_bytes);
    frame_.u8(0);
    frame_.bytes(target, target_bytes);
    frame_.bytes(session.config.build_id, build_id_bytes);
    frame_.end();
  }

  void strings(uint8_t flags) {
    const uint32_t count = string_count();
    for (uint32_t index = 1; index <= count;) {
      frame_.begin(wire::FrameType::kStrings, flags);
      frame_.u16(static_cast<uint16_t>(index));
      size_t payload = wire::Strings::kEntries;
      while (index <= count) {
        const char* text = string_text(index);
        const uint32_t bytes = cut_utf8(text, text_bytes(text), fxt::kMaxStringBytes);
        payload += 2 + bytes;
        // At least one a frame, however long.
        if (payload > wire::kPreferredPayloadBytes &&
            payload != wire::Strings::kEntries + 2 + bytes)
          break;
        frame_.u16(static_cast<uint16_t>(bytes));
        frame_.bytes(text, bytes);
        ++index;
      }
      frame_.end();
    }
  }

  void threads(uint8_t flags) {
    constexpr uint32_t kEntriesPerFrame = (wire::kPreferredPayloadBytes - wire::Threads::kEntries) /
                                          (wire::ThreadsEntry::kName + ThreadEntry::kNameBytes);
    uint16_t sent = 0;
    uint32_t in_frame = 0;
    for (uint32_t i = 0; i < kThreadEntries; ++i) {
      const ThreadEntry& entry = thread_table[i];
      if (!is_named(entry)) continue;
      if (in_frame == 0) {
        frame_.begin(wire::FrameType::kThreads, flags);
        frame_.u16(sent);
      }
      const bool has_index =
          entry.kind != wire::ThreadsEntryKind::kProcess && i < fxt::kMaxThreadIndex;
      frame_.u8(static_cast<uint8_t>(entry.kind));
      frame_.u8(has_index ? static_cast<uint8_t>(i + 1) : uint8_t{0});
      frame_.u8(entry.name_bytes);
      frame_.u32(entry.koid);
      frame_.u32(entry.process);
      frame_.bytes(entry.name, entry.name_bytes);
      ++sent;
      if (++in_frame < kEntriesPerFrame) continue;
      frame_.end();
      in_frame = 0;
    }
    if (in_frame != 0) frame_.end();
  }

  // Runs of finished records, as many a frame as the preferred size holds.
  void segment(const Ring& ring, const SegmentHeader& segment, RingTotals& totals) {
    SegmentWalker walker(segment);
    SegmentWalker::Record record;
    const fxt::Word* run = nullptr;
    uint32_t run_bytes = 0;
    uint32_t run_records = 0;
    const auto flush = [&] {
      if (run_records == 0) return;
      records(ring, segment, totals, run, run_bytes);
      totals.records += run_records;
      totals.bytes += run_bytes;
      run_bytes = 0;
      run_records = 0;
    };
    while (walker.next(record)) {
      const bool adjoins =
          run_records != 0 && record.finished &&
          run + run_bytes / fxt::kWordBytes == record.words &&
          wire::Records::kWords + run_bytes + record.bytes <= wire::kPreferredPayloadBytes;
      if (!adjoins) flush();
      if (!record.finished) {
        ++totals.unfinished_records;
        totals.unfinished_bytes += record.bytes;
        continue;
      }
      if (run_records == 0) run = record.words;
      run_bytes += record.bytes;
      ++run_records;
    }
    flush();
  }

  void records(const Ring& ring, const SegmentHeader& segment, const RingTotals& totals,
               const fxt::Word* words, uint32_t bytes) {
    frame_.begin(wire::FrameType::kRecords, 0);
    frame_.u16(static_cast<uint16_t>(ring.cpu));
    frame_.u8(static_cast<uint8_t>(wire::RecordsCoding::kRaw));
    frame_.u8(0);
    frame_.u32(segment.sequence);
    frame_.u64(totals.records);
    frame_.u64(totals.bytes);
    // What was overwritten was lost before all that is left.
    frame_.u64(segment.records_lost + totals.overwritten.records);
    frame_.u64(segment.bytes_lost + totals.overwritten.bytes);
    frame_.bytes(words, bytes);
    frame_.end();
  }

  void end(const RingTotals* totals, uint16_t cpus) {
    frame_.begin(wire::FrameType::kEnd, 0);
    frame_.u64(session.stop_ticks);
    frame_.u16(cpus);
    for (uint32_t cpu = 0; cpu < cpus; ++cpu) {
      frame_.u64(totals[cpu].records);
      frame_.u64(totals[cpu].bytes);
      frame_.u64(rings[cpu].records_lost.value() + totals[cpu].overwritten.records);
      frame_.u64(rings[cpu].bytes_lost.value() + totals[cpu].overwritten.bytes);
      frame_.u32(totals[cpu].unfinished_records);
      frame_.u32(totals[cpu].unfinished_bytes);
    }
    frame_.u32(texts_cut.load_relaxed());
    frame_.end();
  }

  FrameWriter<Coder> frame_;
};

}  // namespace
}  // namespace barefxt

extern "C" barefxt_error barefxt_dump(const barefxt_writer* writer, barefxt_dump_form form) {
  using namespace barefxt;
  if (session.running) return BAREFXT_ERROR_RUNNING;
  if (!session.holds_records) return BAREFXT_ERROR_NEVER_STARTED;
  if (form == BAREFXT_DUMP_TEXT)
    Dump<TextCoder>(*writer).send();
  else
    Dump<BinaryCoder>(*writer).send();
  return BAREFXT_OK;
}
