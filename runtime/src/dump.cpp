// The dump: what was recorded, as a sequence of frames in the order that wire/frame.h tells.

#include "dump.h"

#include <barefxt/barefxt.h>

#include "held_segments.h"
#include "table_frames.h"

#if !BAREFXT_LINEAR

namespace barefxt {
namespace {

class Dump {
 public:
  Dump(const Trace& trace, const barefxt_writer& writer, barefxt_dump_form form)
      : trace_(trace), frames_(trace, writer, form, 0) {}

  void send() {
    send_tables(frames_, 0);
    RingTotals totals[BAREFXT_MAX_CPUS];
    const uint16_t cpus = told_cpus(trace_);
    for (uint32_t cpu = 0; cpu < cpus; ++cpu) {
      clear(totals[cpu]);
      ring(trace_.rings[cpu], totals[cpu]);
    }
    send_tables(frames_, wire::FrameFlags::kRepeated);
    frames_.end(totals);
  }

 private:
  void ring(const Ring& ring, RingTotals& totals) {
    HeldSegments segments(ring, trace_.descriptor.capture);
    // After a snapshot was taken its segments are held, and no others may be.
    if (trace_.snapshot == nullptr) segments.hold_all();
    // Added to nothing: a copy may become a call of memcpy.
    add(totals.lost_before, lost_before(trace_, ring.cpu));
    uint64_t ticks = trace_.descriptor.start_ticks;
    while (SegmentHeader* segment = segments.next()) {
      SegmentRuns runs(*segment, trace_.interval, ticks, clock_offset(trace_, ring.cpu));
      while (!runs.is_over())
        frames_.records(*segment, runs, wire::kPreferredCodedPayloadBytes, totals);
      ticks = runs.ticks();
      add(totals.unfinished, runs.unfinished());
      segments.let_go(*segment);
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

#endif
