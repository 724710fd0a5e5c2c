// A moment of a session that goes on: segments are held while writers use the rest, until they are
// sent or let go.

#include <barefxt/config.h>

#if !BAREFXT_DISABLED

#include <barefxt/barefxt.h>

#include "former_entries.h"
#include "held_segments.h"
#include "segment_runs.h"

#if !BAREFXT_LINEAR

namespace barefxt {
namespace {

// Segments that a snapshot leaves to the writers of a ring: the open one, and some of the oldest.
constexpr uint32_t kSegmentsOfWriters = 3;

struct Snapshot {
  bool is_held = false;
  Atomic<uint32_t> is_keeping_threads;
  uint32_t capture = 0;
  uint32_t taken = 0;  // number since the image started
  Interval interval = {0, 0};
  SnapshotOfRing of_ring[BAREFXT_MAX_CPUS] = {};
  // As at the end of the interval. The table goes on: threads are renamed, come and go.
  ThreadEntry threads[kThreadEntries] = {};
};
Snapshot snapshot;

// The segments of a ring that a snapshot takes: all, or by their sequence numbers those from
// `first` on, and before `end`.
struct Range {
  bool is_all;
  uint32_t first;
  uint32_t end;

  bool is_behind(const SegmentHeader& segment) const {
    return !is_all && is_before(segment.sequence, first);
  }
  bool is_ahead_of(const SegmentHeader& segment) const {
    return !is_all && !is_before(segment.sequence, end);
  }
};

Range choose_range(Ring& ring) {
  // A one-shot ring overwrites nothing: its open segment can be read like the others.
  if (ring.mode() != wire::Mode::kCircular) return {true, 0, 0};
  const bool is_left = close_open_segment(ring);
  const PositionWord position = ring.position.load_acquire();
  if (Position::is_closed(position)) return {true, 0, 0};
  // If there is no other segment to go on in, the snapshot has the open one as far as it goes.
  const uint32_t end = ring.open_segment(position).sequence + (is_left ? 0 : 1);
  const uint32_t most = ring.segments - kSegmentsOfWriters;
  return {false, end - most, end};
}

// Holds a ring's segments in the range; adds up the records before them. Each slot is read once,
// while the snapshot holds it, with its counts so far. So nothing is counted twice or forgotten,
// though segments go on being overwritten meanwhile.
void hold_range(const Ring& ring, const Range& range, uint32_t capture, Amount& before) {
  const auto add = [&](const Amount& amount) {
    before.records += amount.records;
    before.bytes += amount.bytes;
  };
  for (uint32_t slot = 0; slot < ring.segments; ++slot) {
    SegmentHeader& segment = ring.segment(slot);
    if (!is_of(segment, capture)) continue;
    if (!hold(segment, capture)) {
      add(overwritten_in(segment, state_of(segment)));
      continue;
    }
    add(segment.overwritten);
    if (range.is_behind(segment)) add(look_through(segment).finished);
    if (range.is_behind(segment) || range.is_ahead_of(segment)) let_go(segment);
  }
}

// Calls `each(runs)` for each segment held of a ring, until it returns false.
template <typename Each>
void for_each_segment(const Ring& ring, const Interval& interval, Each each) {
  HeldSegments segments(ring, barefxt_descriptor.capture);
  uint64_t ticks = barefxt_descriptor.start_ticks;
  const uint64_t offset = kCounterIsPerCpu ? clock_offset(ring.cpu) : 0;
  while (const SegmentHeader* segment = segments.next()) {
    const SegmentRuns runs(*segment, interval, ticks, offset);
    ticks = runs.ticks();
    if (!each(runs)) return;
  }
}

// The time from which on a ring has everything.
uint64_t begin_of(const Ring& ring) {
  uint64_t begin = snapshot.interval.end;
  for_each_segment(ring, Interval{}, [&](const SegmentRuns& runs) {
    if (runs.is_over()) return true;
    begin = runs.ticks();
    return false;
  });
  return begin;
}

// Counts the records before the common interval.
void cut(const Ring& ring, Amount& before) {
  for_each_segment(ring, snapshot.interval, [&](const SegmentRuns& runs) {
    before.records += runs.before_interval().records;
    before.bytes += runs.before_interval().bytes;
    return runs.is_over();
  });
}

// False: the entry's content differs from the copy.
bool keep(const ThreadEntry& entry, ThreadEntry& kept) {
  using Word [[gnu::may_alias]] = uint32_t;
  EntryCopy copy;
  const bool is_copied = copy_entry(entry, copy);
  bool is_same = is_named(kept) == is_copied;
  const bool is_claimed = state_in(entry.state.load_relaxed()) == EntryState::kClaimed;
  const EntryState unnamed = is_claimed ? EntryState::kClaimed : EntryState::kFree;
  kept.state.store_relaxed(static_cast<uint32_t>(is_copied ? EntryState::kLive : unnamed));
  if (!is_copied) return is_same;
  auto* words = reinterpret_cast<Word*>(&kept);
  for (size_t i = 1; i < sizeof kept / sizeof(Word); ++i) {
    is_same = is_same && words[i] == copy.words[i];
    words[i] = copy.words[i];
  }
  return is_same;
}

bool keep_threads() {
  bool is_same = true;
  for (uint32_t i = 0; i < kThreadEntries; ++i)
    is_same = keep(thread_table[i], snapshot.threads[i]) && is_same;
  return is_same;
}

// Ends the interval between two equal copies of the table: so every change that the copy has, and
// no other, is in the interval. Another CPU may change names all the time: there are few tries.
void keep_threads_at_end() {
  change_visibly(snapshot.is_keeping_threads, 1);
  unsigned tries = 8;
  keep_threads();
  do {
    snapshot.interval.end = capture_ticks_now();
  } while (!keep_threads() && --tries != 0);
  snapshot.is_keeping_threads.store_release(0);
}

void take() {
  const uint32_t cpus = barefxt_descriptor.cpus;
  Range ranges[BAREFXT_MAX_CPUS];
  snapshot.interval.begin = 0;
  keep_threads_at_end();
  for (uint32_t cpu = 0; cpu < BAREFXT_MAX_CPUS; ++cpu) {
    Ring& ring = rings[cpu];
    snapshot.of_ring[cpu].lost = {ring.records_lost.value(), ring.bytes_lost.value()};
    snapshot.of_ring[cpu].lost_before = {0, 0};
    if (cpu < cpus) ranges[cpu] = choose_range(ring);
  }
  for (uint32_t cpu = 0; cpu < cpus; ++cpu)
    hold_range(rings[cpu], ranges[cpu], barefxt_descriptor.capture,
               snapshot.of_ring[cpu].lost_before);
  // One common interval: no ring may report a time for which another has no records left.
  for (uint32_t cpu = 0; cpu < cpus; ++cpu) {
    if (snapshot.of_ring[cpu].lost_before.records == 0) continue;
    const uint64_t begin = begin_of(rings[cpu]);
    if (begin > snapshot.interval.begin) snapshot.interval.begin = begin;
  }
  for (uint32_t cpu = 0; cpu < cpus && snapshot.interval.begin != 0; ++cpu)
    cut(rings[cpu], snapshot.of_ring[cpu].lost_before);
  snapshot.capture =
      make_capture_id(barefxt_descriptor.capture + ++snapshot.taken, snapshot.interval.end);
}

}  // namespace

Atomic<const SegmentHeader*> segment_in_dump;

// A snapshot announces that it copies the table. So either an owner's last record is in the
// snapshot, or the caller sees the announcement here and the copy has the owner.
bool may_forget_owners() {
  if constexpr (!kSnapshots) return true;
  full_fence();
  return snapshot.is_keeping_threads.load_acquire() == 0;
}

void count_lost_in_snapshot(uint32_t cpu, uint32_t bytes) {
  if (!kSnapshots || !snapshot.is_held) return;
  snapshot.of_ring[cpu].lost.records += 1;
  snapshot.of_ring[cpu].lost.bytes += bytes;
}

Trace session_trace() {
  return {barefxt_descriptor,        rings, thread_table, nullptr,
          wire::TraceKind::kSession, true,  stop_ticks()};
}

barefxt_error why_no_session() {
  if (is_running()) return BAREFXT_ERROR_RUNNING;
  return session.holds_records ? BAREFXT_OK : BAREFXT_ERROR_NEVER_STARTED;
}

Choice choose_trace() {
  Choice choice;
  if (kSnapshots && snapshot.is_held) {
    choice.trace.kind = wire::TraceKind::kSnapshot;
    choice.trace.capture = snapshot.capture;
    choice.trace.interval.begin = snapshot.interval.begin;
    choice.trace.interval.end = snapshot.interval.end;
    choice.trace.stop_ticks = snapshot.interval.end;
    choice.trace.snapshot = snapshot.of_ring;
    choice.trace.threads = snapshot.threads;
  } else {
    choice.error = why_no_session();
  }
  return choice;
}

}  // namespace barefxt

using namespace barefxt;

extern "C" {

barefxt_error barefxt_snapshot(void) {
  if (!kSnapshots) return BAREFXT_ERROR_LEFT_OUT;
  if (!is_running()) return BAREFXT_ERROR_NEVER_STARTED;
  if (session.config.mode == BAREFXT_MODE_STREAMING) return BAREFXT_ERROR_MODE;
  if (snapshot.is_held) return BAREFXT_ERROR_SNAPSHOT_HELD;
  if (session.config.mode == BAREFXT_MODE_CIRCULAR &&
      barefxt_descriptor.segments_per_cpu <= kSegmentsOfWriters)
    return BAREFXT_ERROR_MEMORY_TOO_SMALL;
  take();
  snapshot.is_held = true;
  return BAREFXT_OK;
}

void barefxt_snapshot_release(void) {
  if (!kSnapshots || !snapshot.is_held) return;
  for (uint32_t cpu = 0; cpu < barefxt_descriptor.cpus; ++cpu)
    HeldSegments(rings[cpu], barefxt_descriptor.capture).let_go_all();
  snapshot.is_held = false;
}

}  // extern "C"

#endif

#endif
