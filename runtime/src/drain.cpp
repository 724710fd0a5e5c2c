// The drain: takes full segments out of the rings while writers go on, as frames in a buffer of the
// caller's.
//
// Invariants:
// - A segment is taken only when it is closed and all of its records are finished, so no writer
//   stores into it any more. It is zeroed before it is free. A segment with an unfinished record is
//   passed over, and later ones are sent before it: the host orders segments by their numbers.
// - Nothing is zeroed that a dump reads: a later call gives it back.
// - The drain ends when no recorded segment is left: a look for segments began when recording was
//   over, and met none that is open or unfinished, unless their time is up.
// - Frames are whole: a call ends if the next frame might not fit.
// - All that a record refers to was sent before it, or is sent again at the end.

#include <barefxt/config.h>

#if !BAREFXT_DISABLED

#include <barefxt/barefxt.h>
#include <barefxt/utf8.h>

#include "held_segments.h"
#include "open_records.h"
#include "sent_segments.h"
#include "string_table.h"
#include "trace_frames.h"
#include "write_back.h"

#if !BAREFXT_LINEAR

namespace barefxt {
namespace {

enum class Step : uint8_t {
  kOver,  // 0, as before the first: what begins as zeros takes no flash
  kHello,
  kClocks,
  kStrings,
  kThreads,
  kRecords,
  kHelloOfNewThreads,
  kNewThreads,
  kHelloAgain,
  kClocksAgain,
  kStringsAgain,
  kThreadsAgain,
  kEnd,
};

// Progress of the drain in one ring.
struct RingProgress {
  RingTotals totals;
  uint32_t open_sequence;  // of the segment that was open when it was last looked at
  uint64_t open_since;     // when that was first seen to hold something; 0: it does not
};

struct Drain {
  uint32_t capture = 0;  // of the session that it is at work on
  Step step = Step::kOver;
  uint32_t next = 0;  // string, thread or CPU to go on with
  uint32_t threads_sent = 0;
  bool has_sent_threads = false;  // ahead of the segment
  uint32_t frames = 0;
  uint64_t stop_ticks = 0;  // of the session; 0: it goes on, as far as the drain has seen
  uint32_t cpu = 0;
  SegmentHeader* segment = nullptr;  // held, sent up to `at`
  uint32_t at = 0;
  const fxt::Word* clock = nullptr;  // that holds there
#if BAREFXT_RESEND_SEGMENTS
  Amount before = {0, 0};  // sent of its CPU ahead of it
  bool was_whole = false;  // when the sending began
  SentSegments kept[BAREFXT_MAX_CPUS];
#endif
  RingProgress rings[BAREFXT_MAX_CPUS] = {};
};
Drain drain;

void begin_drain() {
  drain.capture = barefxt_descriptor.capture;
  session.dumps = session.dumps + 1;
  drain.step = Step::kHello;
  drain.frames = 0;
  drain.stop_ticks = 0;
  drain.cpu = 0;
  drain.segment = nullptr;
  for (RingProgress& progress : drain.rings) {
    clear(progress.totals);
    progress.open_sequence = 0;
    progress.open_since = 0;
  }
#if BAREFXT_RESEND_SEGMENTS
  for (SentSegments& kept : drain.kept) kept.begin(session.config.resend_segments);
#endif
}

uint64_t partial_after_ticks() {
  const uint64_t chosen = session.config.partial_after_ticks;
  return chosen != 0 ? chosen : barefxt_descriptor.ticks_per_second >> 3;
}

// A segment that holds something but does not fill is closed when its time has come.
void close_partial(Ring& ring, RingProgress& progress) {
  const PositionWord position = ring.position.load_acquire();
  if (Position::is_closed(position)) return;
  const bool is_empty = has_no_record(ring, position);
  const uint32_t sequence = ring.open_segment(position).sequence;
  const uint64_t now = capture_ticks_now();
  if (is_empty || progress.open_since == 0 || progress.open_sequence != sequence) {
    progress.open_sequence = sequence;
    progress.open_since = is_empty ? 0 : now;
  } else if (now - progress.open_since >= partial_after_ticks()) {
    close_open_segment(ring);
  }
}

// After the stop, unfinished records get the time of partial segments; then the rest is sent
// without them.
bool is_time_up() {
  if (is_running()) return false;
  // Read once: a stop whose time never gets stored must not hold up the drain.
  if (drain.stop_ticks == 0) drain.stop_ticks = stop_ticks();
  return capture_ticks_now() - drain.stop_ticks >= partial_after_ticks();
}

// The oldest segment of a ring that can be sent, held now; or null. `more_later`: there are others
// that cannot yet.
SegmentHeader* take_segment(const Ring& ring, RingTotals& totals, bool time_is_up,
                            bool& more_later) {
  const SegmentHeader* passed_over = nullptr;
  while (true) {
    SegmentHeader* oldest = nullptr;
    for (uint32_t slot = 0; slot < ring.segments; ++slot) {
      SegmentHeader& segment = ring.segment(slot);
      if (!is_of(segment, drain.capture)) continue;
      const SegmentState state = state_of(segment);
      // A writer writes it back.
      if (state == SegmentState::kLeaving) more_later = true;
      if (state != SegmentState::kLive) continue;
      if (segment.end.load_acquire() == 0) {
        // Open; or left, or stopped, and the writer has not stored the end yet.
        if (!time_is_up) more_later = true;
        if (!time_is_up || is_empty(segment)) continue;
      }
      if (passed_over != nullptr && !is_before(passed_over->sequence, segment.sequence)) continue;
      if (oldest == nullptr || is_before(segment.sequence, oldest->sequence)) oldest = &segment;
    }
    if (oldest == nullptr) return nullptr;
    const SegmentContent content = look_through(*oldest);
    if ((content.is_whole || time_is_up) && hold(*oldest, drain.capture)) {
      add(totals.unfinished, content.unfinished);
#if BAREFXT_RESEND_SEGMENTS
      drain.was_whole = content.is_whole;
#endif
      return oldest;
    }
    more_later = true;
    passed_over = oldest;
#if BAREFXT_END_RECORDS
    note_owner(ring, *oldest, Note::kDrain, running_thread(ring));
#endif
  }
}

void set_state(SegmentHeader& segment, SegmentState state) {
  segment.state.store_release(static_cast<uint32_t>(state));
}

// False: not now, a dump reads it. The segment counts as drained after its state excludes it from
// the ring: so a sum of all records, taken meanwhile, never counts it twice.
bool give_back(Ring& ring, SegmentHeader& segment) {
  const DrainClaim claims;
  const SegmentContent content = look_through(segment);
  // With an unfinished record its writer may still store into it: it stays as it is, and the next
  // start looks at it.
  const uint64_t mark = segment.overwritten_with_content.bytes;
  const uint64_t saved = segment.overwritten_with_content.records;
  if (content.is_whole && writes_back()) {
    hand_over(ring, segment, nullptr);
    // Counts while it is claimed.
    store_count(segment.overwritten_with_content.records, 0);
    store_count(segment.overwritten_with_content.bytes, 0);
    write_back(&segment, kSegmentHeaderBytes);
  }
  set_state(segment, content.is_whole ? SegmentState::kClaimed : SegmentState::kRetired);
  full_fence();
  if (content.is_whole && segment_in_dump.load_acquire() == &segment) {
    set_state(segment, SegmentState::kHeld);
    if (writes_back()) {
      segment.overwritten_with_content.records = saved;
      segment.overwritten_with_content.bytes = mark;
    }
    return false;
  }
  write_back(&segment, kSegmentHeaderBytes);
  ring.records_drained.add(content.finished.records);
  ring.bytes_drained.add(content.finished.bytes);
  if (content.is_whole) {
    clear_records(segment);
    set_state(segment, SegmentState::kFree);
    ring.note_end_of_claim();
  }
  return true;
}

// The segment at hand was sent. False: what has to be given back for it cannot be yet; then this is
// to be called again.
bool end_segment() {
  Ring& ring = rings[drain.cpu];
  SegmentHeader* leaving = drain.segment;
#if BAREFXT_RESEND_SEGMENTS
  // The writer of an unfinished record may still store into the segment. If the record was finished
  // since, a resend would number the records behind it differently.
  SentSegments* kept = drain.was_whole ? &drain.kept[drain.cpu] : nullptr;
  if (kept != nullptr) leaving = kept->leaves_for(*leaving);
#endif
  if (leaving != nullptr) {
    if (!give_back(ring, *leaving)) return false;
    reopen(ring);
  }
#if BAREFXT_RESEND_SEGMENTS
  if (kept != nullptr) kept->keep(*drain.segment, drain.before);
#endif
  drain.segment = nullptr;
  return true;
}

// Makes `drain.segment` the next to send, in turns of the CPUs. False: there is none now.
bool next_segment(bool& more_later) {
  const bool time_is_up = is_time_up();
  for (uint32_t i = 0; i < session.config.cpus; ++i) {
    drain.cpu = drain.cpu + 1 < session.config.cpus ? drain.cpu + 1 : 0;
    Ring& ring = rings[drain.cpu];
    reopen(ring);
    close_partial(ring, drain.rings[drain.cpu]);
    drain.segment = take_segment(ring, drain.rings[drain.cpu].totals, time_is_up, more_later);
    drain.at = kSegmentHeaderBytes;
    drain.clock = nullptr;
    drain.has_sent_threads = false;
#if BAREFXT_RESEND_SEGMENTS
    clear(drain.before);
    add(drain.before, drain.rings[drain.cpu].totals.sent);
#endif
    if (drain.segment != nullptr) return true;
  }
  return false;
}

// The caller's buffer.
class Buffer {
 public:
  Buffer(uint8_t* to, size_t room, barefxt_dump_form form) : to_(to), room_(room), form_(form) {}

  barefxt_writer writer() { return {&Buffer::write, this}; }
  size_t used() const { return used_; }

  // Returns the largest payload of a frame that fits now, with any bytes; 0 if that is very small.
  size_t payload_room() const {
    const size_t frame = FrameCoder::frame_bytes_in(room_ - used_, form_);
    return frame < kMinFrame ? 0 : frame - wire::kMinFrameBytes;
  }

 private:
  static constexpr size_t kMinFrame = 128;

  static void write(void* context, const uint8_t* bytes, size_t count) {
    auto* self = static_cast<Buffer*>(context);
    for (size_t i = 0; i < count; ++i) self->to_[self->used_ + i] = bytes[i];
    self->used_ += count;
  }

  uint8_t* to_;
  size_t room_;
  barefxt_dump_form form_;
  size_t used_ = 0;
};

class Drainer {
 public:
  Drainer(const Trace& trace, Buffer& buffer, barefxt_dump_form form)
      : buffer_(buffer), writer_(buffer.writer()), frames_(trace, writer_, form, drain.frames) {}

  void fill() {
    while (put_frame()) {
    }
    drain.frames = frames_.sequence();
  }

 private:
  // False: nothing more fits, or there is nothing to send now.
  bool put_frame() {
    const size_t room = buffer_.payload_room();
    const size_t limit = room < wire::kPreferredPayloadBytes ? room : wire::kPreferredPayloadBytes;
    constexpr uint8_t kAgain = wire::FrameFlags::kRepeated;
    switch (drain.step) {
      case Step::kHello:
        return hello(limit, 0, Step::kClocks, 0);
      case Step::kClocks:
        return clocks(limit, 0, Step::kStrings);
      case Step::kStrings:
        return strings(room, 0, Step::kThreads);
      case Step::kThreads:
        return threads(limit, 0, Step::kRecords);
      case Step::kRecords:
        return records(room);
      case Step::kHelloOfNewThreads:
        return hello(limit, 0, Step::kNewThreads, 0);
      case Step::kNewThreads:
        return threads(limit, 0, Step::kRecords);
      case Step::kHelloAgain:
        return hello(limit, kAgain, Step::kClocksAgain, 0);
      case Step::kClocksAgain:
        return clocks(limit, kAgain, Step::kStringsAgain);
      case Step::kStringsAgain:
        return strings(room, kAgain, Step::kThreadsAgain);
      case Step::kThreadsAgain:
        return threads(limit, kAgain, Step::kEnd);
      case Step::kEnd:
        return end(room);
      case Step::kOver:
        break;
    }
    return false;
  }

  void go_on(Step step, uint32_t next) {
    drain.step = step;
    drain.next = next;
  }

  bool hello(size_t limit, uint8_t flags, Step then, uint32_t first) {
    if (limit < wire::Hello::kNames + Descriptor::kTargetBytes + Descriptor::kBuildIdBytes +
                    wire::HelloRest::kBytes + wire::HelloNumber::kBytes)
      return false;
    // Before they are read: a change in the middle is sent once more.
    drain.threads_sent = thread_changes.load_acquire();
    frames_.hello(flags);
    go_on(then, first);
    return true;
  }

  bool clocks(size_t limit, uint8_t flags, Step then) {
    if (drain.next >= frames_.clocks_sent()) {
      go_on(then, 1);
      return true;
    }
    if (limit == 0) return false;
    drain.next = frames_.clocks(flags, drain.next, limit);
    return true;
  }

  bool strings(size_t room, uint8_t flags, Step then) {
    if (drain.next == 0 || drain.next > string_count()) {
      go_on(then, 0);
      return true;
    }
    // A long one waits for the whole buffer, and is cut if that is too small.
    const size_t wanted = wire::Strings::kEntries + 2 + text_bytes(string_text(drain.next));
    if (room == 0 || (wanted > room && buffer_.used() != 0)) return false;
    const size_t preferred =
        wanted > wire::kPreferredPayloadBytes ? wanted : wire::kPreferredPayloadBytes;
    drain.next = frames_.strings(flags, drain.next, room < preferred ? room : preferred);
    return true;
  }

  bool threads(size_t limit, uint8_t flags, Step then) {
    if (drain.next == kThreadEntries) {
      go_on(then, 0);
      return true;
    }
    if (limit == 0) return false;
    drain.next = frames_.threads(flags, drain.next, limit);
    return true;
  }

  bool records(size_t room) {
    if (drain.segment == nullptr) {
      // Ahead of the look: what is recorded behind it, up to the stop, the next call looks for.
      const bool goes_on = is_running();
      bool more_later = false;
      if (!next_segment(more_later)) {
        if (more_later || goes_on) return false;
        go_on(Step::kHelloAgain, 0);
        return true;
      }
      return true;
    }
    // Once per segment, ahead of its first record: each record was written before the segment was
    // taken. Looked for ahead of every frame, changes faster than the table can be sent would let
    // no record out, and a drain that goes on while there is work would never come back.
    if (!drain.has_sent_threads) {
      drain.has_sent_threads = true;
      if (thread_changes.load_acquire() != drain.threads_sent) {
        go_on(Step::kHelloOfNewThreads, 0);
        return true;
      }
    }
    SegmentRuns runs(*drain.segment, Interval{}, 0, 0, drain.at, drain.clock);
    if (runs.is_over()) return end_segment();
    // A record that might not fit waits for the whole buffer.
    if (frames_.bytes_of_next(runs) > room && buffer_.used() != 0) return false;
    if (frames_.raw_bytes_of_next(runs) > room) return false;
    constexpr size_t kPreferred = wire::kPreferredCodedPayloadBytes;
    frames_.records(*drain.segment, runs, room < kPreferred ? room : kPreferred,
                    drain.rings[drain.cpu].totals);
    drain.clock = runs.clock();
    drain.at = runs.at();
    return true;
  }

  bool end(size_t room) {
    if (room < wire::End::kEntries + BAREFXT_MAX_CPUS * wire::EndEntry::kBytes +
                   wire::EndRest::kBytes + (kCallLimits ? wire::EndCalls::kBytes : 0))
      return false;
    RingTotals totals[BAREFXT_MAX_CPUS];
    for (uint32_t cpu = 0; cpu < BAREFXT_MAX_CPUS; ++cpu) {
      clear(totals[cpu]);
      add(totals[cpu].sent, drain.rings[cpu].totals.sent);
      add(totals[cpu].unfinished, drain.rings[cpu].totals.unfinished);
    }
    frames_.end(totals);
    go_on(Step::kOver, 0);
    return true;
  }

  Buffer& buffer_;
  barefxt_writer writer_;
  TraceFrames frames_;
};

bool is_at_work() { return session.holds_records && session.config.mode == BAREFXT_MODE_STREAMING; }

}  // namespace

#if BAREFXT_RESEND_SEGMENTS
bool resend_records(TraceFrames& frames, const SentRecords& records) {
  if (records.cpu >= BAREFXT_MAX_CPUS || drain.capture != barefxt_descriptor.capture) return false;
  // Records that were never sent will be.
  const uint64_t sent = drain.rings[records.cpu].totals.sent.records;
  if (records.first >= sent) return false;
  const uint64_t left = sent - records.first;
  const uint64_t end = records.first + (records.count < left ? records.count : left);
  bool has_sent = false;
  for (const SentSegment& kept : drain.kept[records.cpu])
    if (kept.segment != nullptr)
      has_sent |= resend_of(frames, *kept.segment, kept.before, records.first, end);
  if (drain.segment != nullptr && drain.cpu == records.cpu)
    has_sent |= resend_of(frames, *drain.segment, drain.before, records.first, end);
  return has_sent;
}
#endif
}  // namespace barefxt

using namespace barefxt;

extern "C" {

size_t barefxt_drain(uint8_t* to, size_t room, barefxt_dump_form form) {
  if (!is_at_work()) return 0;
  if (drain.capture != barefxt_descriptor.capture) begin_drain();
  Buffer buffer(to, room, form);
  const Trace trace = session_trace();
  Drainer(trace, buffer, form).fill();
  return buffer.used();
}

bool barefxt_drain_is_over(void) {
  return !is_at_work() ||
         (drain.capture == barefxt_descriptor.capture && drain.step == Step::kOver);
}

}  // extern "C"

#endif

#endif
