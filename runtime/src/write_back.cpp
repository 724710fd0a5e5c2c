#include <barefxt/config.h>

#if !BAREFXT_DISABLED

#include <barefxt/barefxt.h>

#include "crosser.h"
#include "held_segments.h"
#include "thread_table.h"
#include "write_back.h"

#if !BAREFXT_LINEAR

namespace barefxt {
namespace {

using MarkHalf [[gnu::may_alias]] = uint32_t;
constexpr size_t kOffsetHalf = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? 1 : 0;

// No count has the top bit.
uint32_t mark_of(const SegmentHeader& segment) { return ~uint32_t{segment.sequence} | 0x80000000u; }

// The half that makes the mark valid goes last, unless it is valid already.
void store_mark(SegmentHeader& segment, uint32_t until) {
  auto* halves = reinterpret_cast<MarkHalf*>(&segment.overwritten_with_content.bytes);
  BAREFXT_STORE_RELAXED_(halves[kOffsetHalf], until);
  compiler_barrier();
  BAREFXT_STORE_RELAXED_(halves[1 - kOffsetHalf], mark_of(segment));
}

// Returns where the first unfinished record begins, or where the records end.
uint32_t finished_until(const SegmentHeader& segment) {
  if (look_through(segment).is_whole) return segment.end.load_relaxed();
  SegmentWalker walker(segment);
  SegmentWalker::Record record;
  uint32_t until = kSegmentHeaderBytes;
  while (walker.next(record) && record.finished && walker.bare_reservations() == 0)
    until = walker.at();
  return until;
}

// Returns whether a segment that was written back to `until`, with the end `end`, has to be written
// back once more. A writer that left it since could not do that, as another owned it. Nor could one
// that left another segment and found the records of this one finished.
bool has_more(const SegmentHeader& segment, uint32_t end, uint32_t until) {
  if (segment.end.load_acquire() == 0) return false;
  return end == 0 || (until != end && finished_until(segment) > until);
}

}  // namespace

uint32_t written_back_until(const SegmentHeader& segment) {
  const uint64_t mark = segment.overwritten_with_content.bytes;
  if (mark >> 32 == mark_of(segment)) return static_cast<uint32_t>(mark);
  if constexpr (!kOverwrites) return 0;
  // A writer that had seen it in memory was about to overwrite it.
  const SegmentContent content = look_through(segment);
  const bool is_counted = segment.overwritten_with_content.records ==
                          segment.overwritten.records + content.finished.records;
  if (!content.is_whole || content.finished.records == 0 || !is_counted) return 0;
  return segment.end.load_relaxed();
}

void write_back_owned(SegmentHeader& segment, uint32_t until) {
  barefxt_port_clean_cache(&segment, until);
  store_mark(segment, until);
  barefxt_port_clean_cache(&segment, kSegmentHeaderBytes);
}

void write_back_segment(const Ring& ring, SegmentHeader& segment, bool trusts_all) {
  // The caller owns it like a writer that looks if it may be overwritten. The drain may take a
  // segment that it holds without asking.
  if (!swap_state(segment, SegmentState::kLive, SegmentState::kLeaving) &&
      (is_streaming(ring) || !swap_state(segment, SegmentState::kHeld, SegmentState::kHeldLeaving)))
    return;
  uint32_t end = 0;
  uint32_t until = 0;
  do {
    end = segment.end.load_acquire();
    const uint32_t all = end == 0 ? kSegmentBytes : end;
    until = trusts_all ? all : finished_until(segment);
    write_back_owned(segment, until);
  } while (has_more(segment, end, until));
  end_look(segment, SegmentState::kLive);
  // Once more, for a writer that came in between the last look and the end of the ownership.
  if (has_more(segment, end, until)) write_back_segment(ring, segment, trusts_all);
}

void write_back_segments(bool trusts_all) {
  for (Ring& ring : rings) {
#if BAREFXT_END_RECORDS
    Crosser owner(ring);
#endif
    for (uint32_t slot = 0; slot < ring.segments; ++slot) {
      SegmentHeader& segment = ring.segment(slot);
      const bool is_ours =
          holds_records(state_of(segment)) && is_of(segment, barefxt_descriptor.capture);
      // An empty one may belong to its preparer, which takes it back without asking.
      if (!is_ours || is_empty(segment) || is_written_back(segment)) continue;
#if BAREFXT_END_RECORDS
      owner.announce(slot);
#endif
      write_back_segment(ring, segment, trusts_all);
    }
  }
}

void write_back_totals(const Ring& ring) {
  if (writes_back())
    barefxt_port_clean_cache(&ring.records_lost, sizeof ring.records_lost + sizeof ring.bytes_lost);
}

void write_back_all() {
  barefxt_port_clean_cache(session.config.memory, session.config.bytes);
  barefxt_port_clean_cache(rings, sizeof rings);
  barefxt_port_clean_cache(thread_table, sizeof thread_table);
  if constexpr (kCounterIsPerCpu)
    barefxt_port_clean_cache(stored_clock_offsets, sizeof stored_clock_offsets);
  barefxt_port_clean_cache(&barefxt_descriptor, sizeof barefxt_descriptor);
}

}  // namespace barefxt

using namespace barefxt;

extern "C" void barefxt_clean_for_reader(void) {
  const SessionGuard guard;
  if (!session.holds_records || session.phase.load_acquire() == SessionPhase::kStarting) return;
  write_back_rings();
  write_back_all();
}

#endif

#endif
