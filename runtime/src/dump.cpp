// The dump: the records as a sequence of frames, in the order of wire/frame.h.

#include <barefxt/config.h>

#if !BAREFXT_DISABLED

#include <barefxt/barefxt.h>

#include "cut_text.h"
#include "dump.h"
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
    const uint16_t cpus = reported_cpus(trace_);
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

// Sends the refusal ahead of all other frames.
void send_refusal(const barefxt_writer& writer, barefxt_dump_form form, bool dump_follows) {
  const auto error = static_cast<barefxt_error>(uint32_t{session.refused});
  if (error == BAREFXT_OK) return;
  FrameWriter frame(writer, form, wire::kNoCapture, 0);
  frame.begin(wire::FrameType::kRefusal, 0, wire::kVersionOfNumbers);
  frame.u8(static_cast<uint8_t>(error));
  frame.u8(dump_follows ? 1 : 0);
  const char* name = barefxt_error_name(error);
  frame.bytes(name, text_bytes(name));
  frame.end();
}

}  // namespace

void send_dump(const Trace& trace, const barefxt_writer& writer, barefxt_dump_form form) {
  Dump(trace, writer, form).send();
}

}  // namespace barefxt

extern "C" barefxt_error barefxt_dump(const barefxt_writer* writer, barefxt_dump_form form) {
  using namespace barefxt;
  if (!has_form(form)) return BAREFXT_ERROR_LEFT_OUT;
  if constexpr (!kSnapshots) {
    const barefxt_error error = why_no_session();
    if constexpr (kReportsRefusals) send_refusal(*writer, form, error == BAREFXT_OK);
    if (error != BAREFXT_OK) return error;
    session.dumps = session.dumps + 1;
    send_dump(session_trace(), *writer, form);
    return BAREFXT_OK;
  }
  const Choice choice = choose_trace();
  if constexpr (kReportsRefusals) send_refusal(*writer, form, choice.error == BAREFXT_OK);
  if (choice.error != BAREFXT_OK) return choice.error;
  session.dumps = session.dumps + 1;
  send_dump(choice.trace, *writer, form);
  // Its segments were let go one by one; this ends it.
  if constexpr (kSnapshots) barefxt_snapshot_release();
  return BAREFXT_OK;
}

#endif

#endif
