// Ends what a killed thread was in the middle of: a record, or the opening of a segment for one.
// An ended record is lost, and counted as such.
//
// A record's owner. No writer stores it; the ring's order reveals it. A writer that reserves runs
// on the ring's CPU when the swap succeeds (try_reserve looks at the CPU between the load of the
// position and the swap), and every switch of threads is a record of the same ring. So a record
// that is reserved between the switch to a thread and the next switch belongs to the thread, or to
// an interrupt that came while the thread ran. Such an interrupt has returned before the CPU
// switches away, or lies on the killed thread's stack. So once the switch away is committed, all
// unfinished records between the two belong to the thread. This holds while the thread sleeps, and
// on each CPU that it goes on later.
// - Switches themselves have no such owner. The scheduler writes them; it is not killed.
// - Beside a switch that was not recorded, the neighbouring switches would show a wrong owner. It
//   moves the position, so that an older load of the position is useless (forget_thread), and it
//   puts its segment in `doubt`: no record in there is ended. OpenRecords keeps one range of such
//   segments, so those between two of them are in doubt, too. While the category `sched` is off,
//   the range has no end.
// - Either of the two switches suffices. It is looked for in the segment, and then in up to
//   kMaxNeighbours segments on each side by number. If both are found and disagree, the record is
//   not ended.
// - If a segment has no switch and has an unfinished record, its neighbours may be overwritten or
//   sent before the thread is killed. The first context that passes over it makes a Note of the
//   owner. A ring has kNotes of them: if all are in use, or the context has no Crossing, there is
//   no note, and the record stays unfinished if the switches are gone. So it does if a drain on
//   another CPU passes over it, which cannot know who runs here.
// - A record with no switch behind it belongs to the thread that runs now, and is left alone.
// - Switches name threads by index or by koid. An index gets another owner only after its thread
//   was unregistered. If an unregistered thread still runs on any CPU, its former index may already
//   be another thread's. As long as that lasts, no index proves an owner: only switches with koids
//   and notes do.
// - A walk may read memory that is being opened anew. Before the record is ended, number, session
//   and state of the segment are compared with those before the walk. If they are the same, the
//   record was in the segment all the time, since an unfinished record keeps its segment.
//
// A writer that opens a segment stores its thread and its position in a Crossing, and the slot of
// a segment before it claims that. If the thread is killed there, a claim that no living writer
// shares is given back, the segment that it left gets its end, and a note that it was making is
// freed. The context that does so takes the Crossing over for the time. Writers without a Crossing
// (more than kCrossings at once) put this off: as long as one is at work on the ring, the killed
// thread's Crossing stays for the next call.
//
// Nothing is ended for a thread without a koid.
//
// Cost: writers pay nothing on one CPU. On several, records that name no thread pay the load and
// comparison of the CPU's number. An opening pays a swap and some stores. Ending walks the segments
// opened since the last time, and those with an unfinished record.
#pragma once

#include <barefxt/ring.h>

#if !BAREFXT_LINEAR

namespace barefxt {

#if BAREFXT_END_RECORDS

struct Crossing {
  static constexpr uint32_t kNobody = 0;
  static constexpr uint32_t kUnknown = 0xffffffff;  // in use, by a thread that could not be found
  static constexpr uint32_t kGone = 0xfffffffe;     // its thread was killed; not cleared up yet

  Atomic<uint32_t> thread;    // koid; while it is being ended, of the thread that does so
  Atomic<uint32_t> claims;    // slot + 1, from before the swap that claims it; 0: none
  Atomic<PositionWord> from;  // the position in the segment that it leaves; 0: not stored yet
};

// The owner of all records of a segment that has no switch and was passed over. Its maker, a
// crossing or the drain, may sleep over a stop and a start. So a note holds the session's number,
// and stays its maker's until the maker is done or killed.
struct Note {
  Atomic<uint32_t> slot;  // + 1; 0: free; or made_by() while its maker fills it in
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
  // Further writers at the same time are counted in Ring::crossers, and make no notes.
  static constexpr unsigned kCrossings = Note::kCrossings;
  static constexpr unsigned kNotes = 4;

  Crossing crossings[kCrossings];
  Note notes[kNotes];
  Atomic<uint32_t> announced;  // how many claims have been
  // Segments with a lower number have no unfinished record.
  Atomic<uint32_t> whole_below;
  // The numbers of the first and the last segment in which a switch was not recorded; valid unless
  // has_doubt is 0.
  Atomic<uint32_t> has_doubt;
  Atomic<uint32_t> doubt_first;
  Atomic<uint32_t> doubt_last;
};
extern OpenRecords open_records[BAREFXT_MAX_CPUS];

inline OpenRecords& open_records_of(const Ring& ring) { return open_records[&ring - rings]; }

// Odd while the drain claims segments.
extern Atomic<uint32_t> drain_claims;

// The koid of the thread that runs on the ring's CPU, if the caller does, too, and the ring's
// position is still the one that was loaded before this; otherwise Crossing::kUnknown.
uint32_t running_thread(const Ring& ring);
// The caller's thread: the koid, or Crossing::kUnknown.
uint32_t calling_thread();

// Ends what the thread was in the middle of. Does nothing if the thread runs on a CPU, or if a
// session is being started. `index`: the thread's before it was unregistered, 0 if it had none.
// Context: any but NMI.
void end_records(const barefxt_thread& thread, uint32_t index);
// At the switch away from a thread that was unregistered while it ran.
void end_records_of_gone(const barefxt_thread& thread);

// Call it before passing over a segment with an unfinished record, since its neighbours may be
// overwritten or sent then. `maker`: the number of the caller's crossing, or Note::kDrain.
// `running`: the koid of the thread that runs on the ring's CPU, or Crossing::kUnknown.
void note_owner(const Ring& ring, const SegmentHeader& segment, unsigned maker, uint32_t running);

// When a ring is opened: drops the notes and doubts of the session before.
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

// Marks the time in which the drain claims segments: its own lifetime.
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
