// The dump: what was recorded, as a sequence of frames in the order that wire/frame.h tells.

#include "dump.h"

#include <barefxt/barefxt.h>
#include <barefxt/fxt/reference.h>
#include <barefxt/utf8.h>

#include "held_segments.h"
#include "string_table.h"
#include "trace_frames.h"

namespace barefxt {
namespace {

// A string longer than this takes a frame of its own.
constexpr size_t kMaxStringPayload = wire::Strings::kEntries + 2 + fxt::kMaxStringBytes;

class Dump {
 public:
  Dump(const Trace& trace, const barefxt_writer& writer, barefxt_dump_form form)
      : trace_(trace), frames_(trace, writer, form, 0) {}

  void send() {
    tables(0);
    RingTotals totals[BAREFXT_MAX_CPUS];
    const uint16_t cpus = told_cpus(trace_);
    for (uint32_t cpu = 0; cpu < cpus; ++cpu) {
      clear(totals[cpu]);
      ring(trace_.rings[cpu], totals[cpu]);
    }
    tables(wire::FrameFlags::kRepeated);
    frames_.end(totals);
  }

 private:
  void tables(uint8_t flags) {
    frames_.hello(flags);
    for (uint32_t cpu = 0; cpu < frames_.clocks_told();)
      cpu = frames_.clocks(flags, cpu, wire::kPreferredPayloadBytes);
    for (uint32_t index = 1; index != 0;)
      index = frames_.strings(flags, index, string_limit(index));
    for (uint32_t entry = 0; entry < kThreadEntries;)
      entry = frames_.threads(flags, entry, wire::kPreferredPayloadBytes);
  }
  static size_t string_limit(uint32_t index) {
    const bool is_long = index <= string_count() &&
                         text_bytes(string_text(index)) > wire::kPreferredPayloadBytes - 4;
    return is_long ? kMaxStringPayload : wire::kPreferredPayloadBytes;
  }

  void ring(const Ring& ring, RingTotals& totals) {
    HeldSegments segments(ring, trace_.descriptor.capture);
    // After a snapshot was taken its segments are held, and no others may be.
    if (trace_.snapshot == nullptr) segments.hold_all();
    // Added to nothing: a copy may become a call of memcpy.
    add(totals.lost_before, lost_before(trace_, ring.cpu));
    uint64_t ticks = trace_.descriptor.start_ticks;
    while (SegmentHeader* segment = segments.next()) {
      SegmentRuns runs(*segment, trace_.interval, ticks);
      while (!runs.is_over())
        frames_.records(*segment, runs, wire::kPreferredCodedPayloadBytes, totals);
      ticks = runs.ticks();
      add(totals.unfinished, runs.unfinished());
      let_go(*segment);
    }
  }

  const Trace& trace_;
  TraceFrames frames_;
};

}  // namespace

void send_dump(const Trace& trace, const barefxt_writer& writer, barefxt_dump_form form) {
  Dump(trace, writer, form).send();
}

}  // namespace barefxt

extern "C" barefxt_error barefxt_dump(const barefxt_writer* writer, barefxt_dump_form form) {
  using namespace barefxt;
  if (!has_form(form)) return BAREFXT_ERROR_LEFT_OUT;
  if constexpr (!kSnapshots) {
    if (const barefxt_error error = why_no_session()) return error;
    send_dump(session_trace(), *writer, form);
    return BAREFXT_OK;
  }
  const Choice choice = choose_trace();
  if (choice.error != BAREFXT_OK) return choice.error;
  send_dump(choice.trace, *writer, form);
  // Its segments were let go one by one; this ends it.
  if constexpr (kSnapshots) barefxt_snapshot_release();
  return BAREFXT_OK;
}
