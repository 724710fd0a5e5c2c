#include <barefxt/config.h>

#if !BAREFXT_DISABLED

#include <barefxt/fxt/scheduling.h>

#include "held_segments.h"
#include "open_records.h"
#include "session.h"
#include "switch_bits.h"
#include "thread_table.h"
#include "write_back.h"

#if BAREFXT_END_RECORDS

namespace barefxt {

OpenRecords open_records[BAREFXT_MAX_CPUS];
Atomic<uint32_t> drain_claims;

namespace {

// A switch is looked for in at most so many segments on each side of a record.
constexpr unsigned kMaxNeighbours = 1024;

struct Killed {
  uint32_t koid;
  uint32_t index;  // 0: none
};

// A thread as a switch names it.
struct Named {
  enum class Kind : uint8_t {
    kNot,
    kThread,
    kStillRuns,    // there is no later switch
    kPerhapsRuns,  // there is none that is finished
  };
  Kind kind;
  uint32_t index;  // 0: by its koid
  uint32_t koid;

  bool is(const Killed& killed) const {
    return kind == Kind::kThread && (index != 0 ? index == killed.index : koid == killed.koid);
  }
  bool is_other_than(const Killed& killed) const { return kind == Kind::kThread && !is(killed); }
};

struct SwitchNames {
  Named outgoing;
  Named incoming;
};

Named named(fxt::Word index, const fxt::Word* koid) {
  Named thread;
  thread.kind = Named::Kind::kThread;
  thread.index = static_cast<uint32_t>(index);
  thread.koid = index != 0 ? 0 : RecordHeaderWord::load_lower(koid);
  return thread;
}
Named named(Named::Kind kind) {
  Named none;
  none.kind = kind;
  none.index = 0;
  none.koid = 0;
  return none;
}

// False: the record is unfinished, or no switch.
bool is_switch(const SegmentWalker::Record& record, SwitchNames& names) {
  if (!record.finished) return false;
  const fxt::Word header = RecordHeaderWord::load(record.words);
  if (fxt::RecordHeader::type(header) != fxt::RecordType::kScheduling) return false;
  using fxt::LegacyContextSwitch;
  const fxt::Word subtype = fxt::SchedulingHeader::Subtype::in(header);
  if (subtype == fxt::SchedulingHeader::kLegacyContextSwitch) {
    names.outgoing = named(LegacyContextSwitch::OutgoingThread::in(header), record.words + 3);
    names.incoming = named(LegacyContextSwitch::IncomingThread::in(header),
                           record.words + record.bytes / fxt::kWordBytes - 1);
    return true;
  }
  if (subtype != fxt::SchedulingHeader::kContextSwitch) return false;
  names.outgoing = named(0, record.words + 2);
  names.incoming = named(0, record.words + 3);
  return true;
}

bool knows_switches() {
  return (BAREFXT_LOAD_RELAXED_(session.config.categories) & BAREFXT_CATEGORY_BIT(sched)) != 0;
}

// Returns whether an unregistered thread still runs on a CPU. The index in its switches may belong
// to another thread by now. After a stop no switch is recorded, and the current thread's memory may
// be another's.
bool gone_thread_runs() {
  if (!knows_switches() || !is_running()) return false;
  for (const Ring& ring : rings) {
    const barefxt_thread* thread = ring.current.load_acquire();
    if (thread != nullptr && switch_bits::is_gone(BAREFXT_LOAD_RELAXED_(thread->switch_bits)))
      return true;
  }
  return false;
}

uint32_t offset_in(const SegmentHeader& segment, const fxt::Word* words) {
  return static_cast<uint32_t>(reinterpret_cast<const uint8_t*>(words) -
                               reinterpret_cast<const uint8_t*>(&segment));
}

bool is_in_doubt(const Ring& ring, uint32_t sequence) {
  const OpenRecords& open = open_records_of(ring);
  if (open.has_doubt.load_acquire() == 0) return false;
  if (is_before(sequence, open.doubt_first.load_relaxed())) return false;
  return !knows_switches() || !is_before(open.doubt_last.load_relaxed(), sequence);
}

// The session's segment with that number; null: it was overwritten or sent, or is not open yet.
const SegmentHeader* find_segment(const Ring& ring, uint32_t capture, uint32_t sequence) {
  for (uint32_t slot = 0; slot < ring.segments; ++slot) {
    const SegmentHeader& segment = ring.segment(slot);
    if (holds_records(state_of(segment)) && is_of(segment, capture) &&
        segment.sequence == sequence && !is_empty(segment))
      return &segment;
  }
  return nullptr;
}

// Returns whether the ring has gone beyond the segment behind that one.
bool has_later_segment(const Ring& ring, uint32_t capture, uint32_t sequence) {
  // They may have been sent already. The very next one, if it is open and empty, shows nothing yet.
  const PositionWord position = ring.position.load_acquire();
  if (!Position::is_closed(position) &&
      is_before(sequence + 1, ring.open_segment(position).sequence))
    return true;
  for (uint32_t slot = 0; slot < ring.segments; ++slot) {
    const SegmentHeader& segment = ring.segment(slot);
    if (holds_records(state_of(segment)) && is_of(segment, capture) &&
        is_before(sequence, segment.sequence) && !is_empty(segment))
      return true;
  }
  return false;
}

// An unfinished record, or a reservation whose header is not stored yet (`bare`).
struct OpenPlace {
  const SegmentHeader* segment;
  uint32_t capture;
  uint32_t sequence;
  SegmentState state;
  uint32_t at;
  uint32_t bytes;
  bool bare;
};

bool is_still_there(const OpenPlace& place) {
  const SegmentState state = state_of(*place.segment);
  return (holds_records(state) || state == SegmentState::kRetired) &&
         (state == SegmentState::kRetired) == (place.state == SegmentState::kRetired) &&
         is_of(*place.segment, place.capture) && place.segment->sequence == place.sequence;
}

// Returns whether the memory that was walked since find_segment() still is that segment. Otherwise
// it was opened anew meanwhile.
bool is_the_same(const SegmentHeader& segment, uint32_t sequence) {
  __atomic_thread_fence(__ATOMIC_ACQUIRE);
  return segment.sequence == sequence && holds_records(state_of(segment));
}

// The thread that the last switch ahead of the place let in; kNot: none can be found.
Named incoming_ahead(const Ring& ring, const OpenPlace& place) {
  const SegmentHeader* segment = place.segment;
  uint32_t sequence = place.sequence;
  uint32_t end = place.at;
  for (unsigned left = kMaxNeighbours; segment != nullptr && left != 0; --left) {
    Named last = named(Named::Kind::kNot);
    SegmentWalker walker(*segment);
    SegmentWalker::Record record;
    SwitchNames names;
    while (walker.next(record) && offset_in(*segment, record.words) < end)
      if (is_switch(record, names)) last = names.incoming;
    if (place.state == SegmentState::kRetired) return last;
    if (!is_the_same(*segment, sequence)) break;
    if (last.kind != Named::Kind::kNot) return last;
    --sequence;
    if (is_in_doubt(ring, sequence)) break;
    segment = find_segment(ring, place.capture, sequence);
    end = kSegmentBytes;
  }
  return named(Named::Kind::kNot);
}

// The thread that the first switch behind the place sent away; kNot: none can be found.
Named outgoing_behind(const Ring& ring, const OpenPlace& place) {
  const SegmentHeader* segment = place.segment;
  uint32_t sequence = place.sequence;
  uint32_t begin = place.at;
  bool may_be_switched = false;
  for (unsigned left = kMaxNeighbours; left != 0; --left) {
    Named first = named(Named::Kind::kNot);
    SegmentWalker walker(*segment);
    SegmentWalker::Record record;
    SwitchNames names;
    while (first.kind == Named::Kind::kNot && walker.next(record)) {
      if (offset_in(*segment, record.words) > begin && is_switch(record, names))
        first = names.outgoing;
      if (segment != place.segment && !record.finished) may_be_switched = true;
    }
    if (place.state == SegmentState::kRetired)
      return first.kind != Named::Kind::kNot ? first : named(Named::Kind::kStillRuns);
    if (!is_the_same(*segment, sequence)) break;
    if (first.kind != Named::Kind::kNot) return first;
    ++sequence;
    const Named::Kind runs = may_be_switched ? Named::Kind::kPerhapsRuns : Named::Kind::kStillRuns;
    if (is_in_doubt(ring, sequence)) return named(runs);
    segment = find_segment(ring, place.capture, sequence);
    if (segment == nullptr)
      return named(has_later_segment(ring, place.capture, sequence - 1) ? Named::Kind::kNot : runs);
    begin = 0;
  }
  return named(Named::Kind::kNot);
}

bool is_noted(const Note& note, uint32_t slot, uint32_t sequence) {
  return note.slot.load_acquire() == slot + 1 && note.sequence.load_acquire() == sequence &&
         note.capture.load_acquire() == barefxt_descriptor.capture;
}

uint32_t slot_of(const Ring& ring, const SegmentHeader& segment) {
  return static_cast<uint32_t>(reinterpret_cast<const uint8_t*>(&segment) - ring.memory) /
         kSegmentBytes;
}

// Returns the owner in a note; 0: there is none.
uint32_t noted_owner(const Ring& ring, const OpenPlace& place) {
  const uint32_t slot = slot_of(ring, *place.segment);
  for (const Note& note : open_records_of(ring).notes) {
    if (!is_noted(note, slot, place.sequence)) continue;
    const uint32_t thread = note.thread.load_acquire();
    if (is_noted(note, slot, place.sequence)) return thread;
  }
  return 0;
}

bool is_of_killed_by_switches(const Ring& ring, const Killed& killed, const OpenPlace& place) {
  const Named behind = outgoing_behind(ring, place);
  if (behind.kind == Named::Kind::kStillRuns || behind.kind == Named::Kind::kPerhapsRuns ||
      behind.is_other_than(killed))
    return false;
  const Named ahead = incoming_ahead(ring, place);
  if (ahead.is_other_than(killed)) return false;
  return ahead.is(killed) || behind.is(killed);
}

bool is_of_killed(const Ring& ring, const Killed& killed, const OpenPlace& place) {
  if (is_in_doubt(ring, place.sequence)) return false;
  if (place.state == SegmentState::kRetired) return is_of_killed_by_switches(ring, killed, place);
  if (const uint32_t noted = noted_owner(ring, place)) return noted == killed.koid;
  // A writer that overwrites a switch which is looked for here has made the note first.
  return is_of_killed_by_switches(ring, killed, place) || noted_owner(ring, place) == killed.koid;
}

bool give_up(Ring& ring, const OpenPlace& place) {
  auto* words = reinterpret_cast<fxt::Word*>(reinterpret_cast<uintptr_t>(place.segment) + place.at);
  if (!is_still_there(place) || !RecordHeaderWord::give_up(words, place.bytes, place.bare))
    return false;
  if (place.capture != barefxt_descriptor.capture) return true;
  ring.count_lost(place.bytes);
  if (is_held(place.state)) count_lost_in_snapshot(ring.cpu, place.bytes);
  return true;
}

enum class Look : uint8_t { kWhole, kUnfinished, kEnded };

// Ends the first unfinished record in the segment that belongs to the killed thread, and returns
// kEnded. Without one, returns whether the segment has any that are unfinished.
Look end_one(Ring& ring, const Killed& killed, const SegmentHeader& segment) {
  OpenPlace place;
  place.segment = &segment;
  place.state = state_of(segment);
  place.capture = segment.capture.load_acquire();
  place.sequence = segment.sequence;
  Look look = segment.end.load_acquire() != 0 ? Look::kWhole : Look::kUnfinished;
  SegmentWalker walker(segment);
  SegmentWalker::Record record;
  uint32_t bare = 0;
  bool is_over = false;
  while (!is_over) {
    is_over = !walker.next(record);
    if (walker.bare_reservations() != bare) {
      bare = walker.bare_reservations();
      look = Look::kUnfinished;
      place.at = walker.bare_begin();
      place.bytes = walker.bare_end() - place.at;
      place.bare = true;
      if (is_of_killed(ring, killed, place) && give_up(ring, place)) return Look::kEnded;
    }
    if (is_over || record.finished) continue;
    look = Look::kUnfinished;
    place.at = offset_in(segment, record.words);
    place.bytes = record.bytes;
    place.bare = false;
    if (is_of_killed(ring, killed, place) && give_up(ring, place)) return Look::kEnded;
  }
  return look;
}

// Frees a segment of an earlier session, if no writer stores into it any more.
void free_retired(SegmentHeader& segment) {
  if (!look_through(segment).is_whole ||
      !swap_state(segment, SegmentState::kRetired, SegmentState::kClaimed))
    return;
  segment.capture.store_relaxed(0);
  clear_words(segment, fxt::kWordBytes, kSegmentBytes);
  segment.state.store_release(static_cast<uint32_t>(SegmentState::kFree));
}

void end_records_in(Ring& ring, const Killed& killed) {
  OpenRecords& open = open_records_of(ring);
  const uint32_t capture = barefxt_descriptor.capture;
  const uint32_t whole_below = open.whole_below.load_relaxed();
  bool has_unfinished = false;
  uint32_t first_unfinished = 0;
  for (uint32_t slot = 0; slot < ring.segments; ++slot) {
    SegmentHeader& segment = ring.segment(slot);
    const SegmentState state = state_of(segment);
    const bool is_retired = state == SegmentState::kRetired;
    if (!is_retired && !holds_records(state)) continue;
    const uint32_t sequence = segment.sequence;
    if (!is_retired && (!is_of(segment, capture) || is_before(sequence, whole_below))) continue;
    Look look = Look::kEnded;
    for (uint32_t left = kSegmentBytes / fxt::kWordBytes; look == Look::kEnded && left != 0; --left)
      look = end_one(ring, killed, segment);
    if (is_retired) {
      if (look == Look::kWhole) free_retired(segment);
      ring.note_end_of_claim();
    } else if (look != Look::kWhole && (!has_unfinished || is_before(sequence, first_unfinished))) {
      has_unfinished = true;
      first_unfinished = sequence;
    }
  }
  if (has_unfinished) open.whole_below.store_relaxed(first_unfinished);
}

bool is_gone(const Crossing& crossing) { return crossing.thread.load_acquire() == Crossing::kGone; }

uint32_t slot_of(PositionWord position) {
  return static_cast<uint32_t>(position & Position::kOffsetMask) / kSegmentBytes;
}

// Has an owner that was not killed: a writer, or a context that ends what another has left.
bool is_at_work(const Crossing& crossing) {
  return !is_gone(crossing) && crossing.thread.load_acquire() != Crossing::kNobody;
}

// One other than `own` that is at work has announced a claim of the slot.
bool others_claim(const OpenRecords& open, const Crossing& own, uint32_t slot) {
  for (const Crossing& crossing : open.crossings)
    if (&crossing != &own && is_at_work(crossing) && crossing.claims.load_acquire() == slot + 1)
      return true;
  return false;
}
bool is_claimed_by_any(const OpenRecords& open, uint32_t slot) {
  for (const Crossing& crossing : open.crossings)
    if (crossing.claims.load_acquire() == slot + 1) return true;
  return false;
}
// One other than `own` that is at work leaves this slot for another.
bool others_leave(const OpenRecords& open, const Crossing& own, uint32_t slot) {
  for (const Crossing& crossing : open.crossings) {
    const PositionWord from = crossing.from.load_acquire();
    if (&crossing != &own && is_at_work(crossing) && from != 0 && slot_of(from) == slot)
      return true;
  }
  return false;
}

// Returns whether a claimed segment was published.
bool is_published(const Ring& ring, const SegmentHeader& segment, uint32_t slot) {
  return slot_of(ring.position.load_acquire()) == slot || segment.end.load_acquire() != 0 ||
         !is_empty(segment);
}

// Frees a segment that the killed thread claimed and did not publish. It holds no record of the
// thread. The caller knows that no other writer has claimed it.
void give_back_claim(const Ring& ring, SegmentHeader& segment) {
  if (swap_state(segment, SegmentState::kLeaving, SegmentState::kLive) ||
      swap_state(segment, SegmentState::kHeldLeaving, SegmentState::kHeld)) {
    // The killed thread may have been in the middle of that, perhaps with the mark not in memory
    // yet.
    if (!writes_back()) return;
    if (is_written_back(segment))
      write_back(&segment, kSegmentHeaderBytes);
    else
      write_back_segment(ring, segment);
    return;
  }
  if (state_of(segment) == SegmentState::kLive) {
    // From here on it counts.
    forget_saved(segment);
    write_back(&segment, kSegmentHeaderBytes);
  }
  swap_state(segment, SegmentState::kLive, SegmentState::kClaimed);
  if (state_of(segment) != SegmentState::kClaimed) return;
  clear_words(segment, kSegmentHeaderBytes, kSegmentBytes);
  segment.end.store_relaxed(0);
  if constexpr (kOverwrites) {
    segment.overwritten.records = segment.overwritten_with_content.records;
    segment.overwritten.bytes = segment.overwritten_with_content.bytes;
  }
  write_back(&segment, kSegmentHeaderBytes);
  segment.state.store_release(static_cast<uint32_t>(SegmentState::kFree));
}

// False: the claim's owner is not known now.
bool end_claim(const Ring& ring, const Crossing& own, uint32_t slot) {
  const OpenRecords& open = open_records_of(ring);
  SegmentHeader& segment = ring.segment(slot);
  const uint32_t drained = drain_claims.load_acquire();
  const uint32_t announced = open.announced.load_acquire();
  full_fence();
  const bool is_alone =
      (drained & 1) == 0 && ring.crossers.load_acquire() == 0 && !others_claim(open, own, slot);
  // Ahead of the look at the segment: who is not among those that leave it has stored its end.
  const bool is_being_left = others_leave(open, own, slot);
  const SegmentState state = state_of(segment);
  const bool is_claimed = state == SegmentState::kClaimed || state == SegmentState::kLeaving ||
                          state == SegmentState::kHeldLeaving;
  if (!is_claimed && (!holds_records(state) || is_published(ring, segment, slot))) return true;
  // Left by a writer that has not stored the end yet; or prepared.
  if (!is_alone || (!is_claimed && is_being_left)) return false;
  // So no writer has announced a claim since is_alone was found.
  full_fence();
  if (open.announced.load_acquire() != announced || drain_claims.load_acquire() != drained)
    return false;
  give_back_claim(ring, segment);
  return true;
}

// Returns the last of the killed threads' positions in one segment: the one that left it.
PositionWord last_from(const OpenRecords& open, PositionWord from) {
  PositionWord last = from;
  for (const Crossing& crossing : open.crossings) {
    const PositionWord other = crossing.from.load_acquire();
    if (is_gone(crossing) && other != 0 && slot_of(other) == slot_of(from) && other > last)
      last = other;
  }
  return last;
}

// Stores the end of the segment that was left, by a swap that succeeded. False: the writer that
// left it is not known now.
//
// A living writer may leave the segment at the same time, and the ring may come round to it again.
// So it is critically important to look at the writers first, then at the end, then at the position
// and at last whether a claim was announced since. A writer that was not seen had stored the end
// already or published the segment; or it announces a claim ahead of either. Once a killed writer
// has left the segment, nobody opens it before it has an end.
bool end_left(const Ring& ring, const Crossing& own) {
  const PositionWord from = own.from.load_acquire();
  if (from == 0 || slot_of(from) >= ring.segments) return true;
  const OpenRecords& open = open_records_of(ring);
  SegmentHeader& left = ring.segment(slot_of(from));
  const uint32_t drained = drain_claims.load_acquire();
  const uint32_t announced = open.announced.load_acquire();
  full_fence();
  const bool is_alone = (drained & 1) == 0 && ring.crossers.load_acquire() == 0 &&
                        !others_leave(open, own, slot_of(from)) &&
                        !is_claimed_by_any(open, slot_of(from));
  const SegmentState state = state_of(left);
  if (!holds_records(state) && state != SegmentState::kRetired) return true;
  if (left.end.load_acquire() != 0) {
    // The killed writer may have stored it last, and then it is not in memory.
    write_back(&left, kSegmentHeaderBytes);
    return true;
  }
  const PositionWord last = last_from(open, from);
  const PositionWord now = ring.position.load_acquire();
  const bool was_closed = now == Position::closed(last, Position::kFull) ||
                          now == Position::closed(last, Position::kStopped);
  if (slot_of(now) == slot_of(from) && !was_closed) return true;
  full_fence();
  if (!is_alone || open.announced.load_acquire() != announced ||
      drain_claims.load_acquire() != drained)
    return false;
  left.end.store_release(static_cast<uint32_t>(last & Position::kSegmentMask));
  write_back(&left, kSegmentHeaderBytes);
  return true;
}

// False: another writer is at work, so the next call must try again.
bool end_crossing(const Ring& ring, const Crossing& own) {
  const uint32_t claims = own.claims.load_acquire();
  if (!end_left(ring, own)) return false;
  return claims == 0 || claims > ring.segments || end_claim(ring, own, claims - 1);
}

// Frees the note that this killed maker was in the middle of.
void end_note(OpenRecords& open, unsigned maker) {
  for (Note& note : open.notes) note.slot.compare_exchange(Note::made_by(maker), 0);
}

// The caller takes over each crossing of a killed thread while it ends that. So it is the only one
// at it; and if it is killed as well, the next takes over from there.
void end_crossings(Ring& ring, const Killed& killed) {
  OpenRecords& open = open_records_of(ring);
  for (Crossing& crossing : open.crossings)
    crossing.thread.compare_exchange(killed.koid, Crossing::kGone);
  const uint32_t caller = calling_thread();
  for (Crossing& crossing : open.crossings) {
    if (!crossing.thread.compare_exchange(Crossing::kGone, caller)) continue;
    // Before the crossing is free: its next owner may make a note.
    end_note(open, static_cast<unsigned>(&crossing - open.crossings));
    const bool is_ended = end_crossing(ring, crossing);
    if (is_ended) {
      crossing.claims.store_relaxed(0);
      crossing.from.store_relaxed(0);
    }
    crossing.thread.store_release(is_ended ? Crossing::kNobody : Crossing::kGone);
    ring.note_end_of_claim();
  }
}

}  // namespace

uint32_t running_thread(const Ring& ring) {
  // First: as long as it is off, nothing records the running thread.
  if ((load_acquire(barefxt_enabled_categories) & BAREFXT_CATEGORY_BIT(sched)) == 0)
    return Crossing::kUnknown;
  const barefxt_thread* thread = ring.current.load_acquire();
  if (thread == nullptr) return Crossing::kUnknown;
  const uint32_t koid = BAREFXT_LOAD_RELAXED_(thread->koid);
  return koid != 0 && &this_ring() == &ring ? koid : Crossing::kUnknown;
}

uint32_t calling_thread() {
  const Ring& here = this_ring();
  const PositionWord position = here.position.load_acquire();
  const uint32_t caller = running_thread(here);
  // Switched away meanwhile: then it may be another's number.
  return here.position.load_acquire() == position ? caller : Crossing::kUnknown;
}

void end_records(const barefxt_thread& thread, uint32_t index) {
  if (thread.koid == 0) return;
  const SessionGuard guard;
  if (!session.holds_records || session.phase.load_acquire() == SessionPhase::kStarting) return;
  for (const Ring& ring : rings)
    if (ring.current.load_acquire() == &thread && knows_switches()) return;
  const Killed killed = {thread.koid, gone_thread_runs() ? 0 : index};
  for (Ring& ring : rings) {
    end_crossings(ring, killed);
    end_records_in(ring, killed);
  }
}

void end_records_of_gone(const barefxt_thread& thread) {
  end_records(thread, gone_index_of(thread.koid));
}

void note_owner(const Ring& ring, const SegmentHeader& segment, unsigned maker, uint32_t running) {
  OpenPlace place;
  place.segment = &segment;
  place.state = state_of(segment);
  place.capture = segment.capture.load_acquire();
  place.sequence = segment.sequence;
  place.at = 0;
  if (place.capture != barefxt_descriptor.capture || !is_still_there(place) ||
      is_in_doubt(ring, place.sequence) || noted_owner(ring, place) != 0)
    return;
  SegmentWalker walker(segment);
  SegmentWalker::Record record;
  SwitchNames names;
  while (walker.next(record))
    if (is_switch(record, names)) return;
  const Named behind = outgoing_behind(ring, place);
  uint32_t thread = behind.koid;
  if (behind.kind == Named::Kind::kStillRuns)
    thread = running;
  else if (behind.index != 0 && behind.index <= kThreadEntries && !gone_thread_runs())
    thread = BAREFXT_LOAD_RELAXED_(thread_table[behind.index - 1].koid);
  if (thread == 0 || thread == Crossing::kUnknown || !is_still_there(place)) return;
  OpenRecords& open = open_records_of(ring);
  // There is one drain at a time. So a note that the drain is making is an earlier one's, whose
  // thread was killed.
  if (maker == Note::kDrain) end_note(open, maker);
  for (Note& note : open.notes) {
    const uint32_t slot = note.slot.load_acquire();
    const bool is_in_use = slot != 0 && slot <= ring.segments &&
                           is_noted(note, slot - 1, ring.segment(slot - 1).sequence) &&
                           holds_records(state_of(ring.segment(slot - 1)));
    if (is_in_use || Note::is_being_made(slot) ||
        !note.slot.compare_exchange(slot, Note::made_by(maker)))
      continue;
    note.sequence.store_release(place.sequence);
    note.capture.store_release(place.capture);
    note.thread.store_release(thread);
    note.slot.store_release(slot_of(ring, segment) + 1);
    return;
  }
}

void forget_open_records(const Ring& ring) {
  OpenRecords& open = open_records_of(ring);
  for (Note& note : open.notes) {
    const uint32_t slot = note.slot.load_acquire();
    if (!Note::is_being_made(slot)) note.slot.compare_exchange(slot, 0);
  }
  open.whole_below.store_relaxed(0);
  open.has_doubt.store_relaxed(0);
}

void forget_crossings() {
  for (OpenRecords& open : open_records) {
    for (Note& note : open.notes) note.slot.store_relaxed(0);
    for (Crossing& crossing : open.crossings) {
      crossing.claims.store_relaxed(0);
      crossing.from.store_relaxed(0);
      crossing.thread.store_relaxed(Crossing::kNobody);
    }
  }
}

void doubt_owners(Ring& ring, PositionWord position) {
  if (Position::is_closed(position)) return;
  OpenRecords& open = open_records_of(ring);
  const uint32_t sequence = ring.open_segment(position).sequence;
  if (open.has_doubt.load_relaxed() == 0) {
    open.doubt_first.store_relaxed(sequence);
    open.doubt_last.store_relaxed(sequence);
  } else if (is_before(open.doubt_last.load_relaxed(), sequence)) {
    open.doubt_last.store_relaxed(sequence);
  }
  open.has_doubt.store_release(1);
}

}  // namespace barefxt

#endif

#endif
