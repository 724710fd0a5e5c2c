// Ends what a killed thread was in the middle of: a record, or the opening of a segment for one.
//
// A record's owner. No writer stores it; the ring's order reveals it. A writer that reserves runs
// on the ring's CPU when the swap succeeds (try_reserve looks at the CPU between the load of the
// position and the swap), and every switch of threads is a record of the same ring. So a record
// that is reserved between the switch to a thread and the next switch belongs to the thread, or to
// an interrupt that came while the thread ran. Such an interrupt has returned before the CPU
// switches away, or lies on the killed thread's stack. So once the switch away is committed, all
// that is unfinished between the two belongs to the thread, also while the thread sleeps, and
// wherever it goes on later.
// - Switches themselves have no such owner. The scheduler writes them; it is not killed.
// - A switch that is not recorded would make its neighbours lie. It moves the position, so no older
//   load of it is of use (forget_thread), and the segment that it falls into is in `doubt`: nothing
//   in there is ended. So are all segments while the category `sched` is off.
// - Either of the two switches suffices, if it can be found: in the segment, or in those next to it
//   by number. If both are there they agree, or nothing is ended.
// - If a segment has no switch and has something unfinished, its neighbours may be overwritten or
//   sent before the thread is killed. The first context that passes over it makes a Note of the
//   owner.
// - A record with no switch behind it belongs to the thread that runs now, and is left alone.
// - An index changes hands only when its owner is unregistered. While a thread that was
//   unregistered still runs, indices name nobody.
// - A walk may read memory that is being opened anew. Before the record is ended, number, session
//   and state of the segment are looked at again: if they are as before the walk, the record was in
//   the segment all the time, and an unfinished record keeps its segment.
//
// A writer that opens a segment stores its thread and its position in a Crossing. Before it claims
// a segment, it stores which one. A claim without a living claimant goes back; a segment that a
// published one followed gets its end. A note that it was making is free again.
//
// Cost: writers pay nothing on one CPU. On several, records that name no thread pay the load and
// comparison of the CPU's number. An opening pays a swap and some stores. Ending walks the segments
// opened since the last time, and those that have something unfinished.
#pragma once

#include <barefxt/ring.h>

#if !BAREFXT_LINEAR

namespace barefxt {

#if BAREFXT_END_RECORDS

struct Crossing {
  static constexpr uint32_t kNobody = 0;
  static constexpr uint32_t kUnknown = 0xffffffff;  // not known to be a certain thread
  static constexpr uint32_t kGone = 0xfffffffe;     // killed, and not cleared up yet

  Atomic<uint32_t> thread;  // koid
  Atomic<uint32_t> claims;  // slot + 1, from before the swap that claims it; 0: none
  Atomic<PositionWord> from;
};

// Whose everything is in a segment without a switch that was passed over. Its maker, a crossing or
// the drain, may sleep over a stop and a start: so it bears the session, and is its maker's until
// that one is done or killed.
struct Note {
  Atomic<uint32_t> slot;  // + 1; 0: none; or made_by
  Atomic<uint32_t> sequence;
  Atomic<uint32_t> capture;
  Atomic<uint32_t> thread;  // koid

  static constexpr unsigned kCrossings = 8;  // their numbers are those of makers
  static constexpr unsigned kDrain = kCrossings;
  static constexpr uint32_t made_by(unsigned maker) { return ~uint32_t{maker}; }
  static constexpr bool is_being_made(uint32_t slot) { return slot >= made_by(kDrain); }
};

// Each ring has one.
struct alignas(kOneCpu ? 8 : 64) OpenRecords {
  // More at once are counted in Ring::crossers, and make no notes.
  static constexpr unsigned kCrossings = Note::kCrossings;
  static constexpr unsigned kNotes = 4;

  Crossing crossings[kCrossings];
  Note notes[kNotes];
  Atomic<uint32_t> announced;  // claims
  // Segments of lower number have nothing unfinished.
  Atomic<uint32_t> whole_below;
  // The numbers of the first and the last segment in which a switch was not recorded.
  Atomic<uint32_t> has_doubt;
  Atomic<uint32_t> doubt_first;
  Atomic<uint32_t> doubt_last;
};
extern OpenRecords open_records[BAREFXT_MAX_CPUS];

inline OpenRecords& open_records_of(const Ring& ring) { return open_records[&ring - rings]; }

// Odd while the drain claims segments.
extern Atomic<uint32_t> drain_claims;

// Ends what the thread was in the middle of, unless it runs. Its index, as of before it was gone.
// Context: any but NMI.
void end_records(const barefxt_thread& thread, uint32_t index);
// At the switch away from a thread that was unregistered while it ran.
void end_records_of_gone(const barefxt_thread& thread);

// A segment is passed over, and what lies next to it may go, while this thread runs on the ring's
// CPU, or Crossing::kUnknown. `maker`: the number of the caller's crossing, or Note::kDrain.
void note_owner(const Ring& ring, const SegmentHeader& segment, unsigned maker, uint32_t running);

// When a ring is opened: nothing is known of a session before.
void forget_open_records(const Ring& ring);
// When the caller knows that no writer goes on.
void forget_crossings();

#endif

// Writers that are opening a segment of the ring.
inline uint32_t crossers_of(const Ring& ring) {
  uint32_t count = ring.crossers.load_acquire();
#if BAREFXT_END_RECORDS
  for (const Crossing& crossing : open_records_of(ring).crossings)
    if (crossing.thread.load_acquire() != Crossing::kNobody) ++count;
#endif
  return count;
}

// Says that the drain claims segments for as long as it lives.
class DrainClaim {
 public:
#if BAREFXT_END_RECORDS
  DrainClaim() {
    drain_claims.fetch_add_release(1);
    fence();
  }
  ~DrainClaim() {
    fence();
    drain_claims.fetch_add_release(1);
  }

 private:
  static void fence() {
    if constexpr (!kOneCpu) __atomic_thread_fence(__ATOMIC_SEQ_CST);
  }
#else
  DrainClaim() {}
#endif
};

}  // namespace barefxt

#endif
