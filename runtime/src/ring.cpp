#include <barefxt/config.h>

#if !BAREFXT_DISABLED

#include <barefxt/ring.h>

#include "crosser.h"
#include "open_records.h"
#include "retained.h"
#include "self_test.h"
#include "session.h"
#include "write_back.h"

#if !BAREFXT_LINEAR

namespace barefxt {

BAREFXT_ALIGNED_RINGS_ BAREFXT_RETAINED_ Ring rings[BAREFXT_MAX_CPUS];

namespace {

// A writer that loses the swap this often in a row gives up: each loss means that another made
// progress, so this bounds the time spent here, not the progress of the ring.
constexpr unsigned kMaxTries = 64;

// By CPU, what Ring::claims_ended was before the last search that found no free segment but one
// that another writer claims. While no claim has ended since, a search would find the same. So a
// writer that sleeps with a claimed segment does not make others search the whole ring for each
// record that they drop. 0 before the first: a start counts as the end of a claim.
Atomic<uint32_t> nothing_free_since[BAREFXT_MAX_CPUS];

// How a search for a free segment ended.
struct Claim {
  bool found = false;
  bool another_writer_claims = false;  // so there may be one again soon
  uint32_t slot = 0;
};

// Takes a live segment whose records are all finished, and clears it. The caller owns it then. It
// fails if the ring is at another position by now: the segment would be of no use.
[[maybe_unused]] bool overwrite(const Ring& ring, PositionWord position, SegmentHeader& segment,
                                [[maybe_unused]] const Crosser& crosser) {
  if (!swap_state(segment, SegmentState::kLive, SegmentState::kLeaving)) return false;
  const SegmentContent content = look_through(segment);
  if (!content.is_whole || ring.position.load_acquire() != position) {
    end_look(segment, SegmentState::kLive);
#if BAREFXT_END_RECORDS
    if (!content.is_whole) crosser.note_owner(segment);
#endif
    // A writer that came in between could not write it back.
    if (writes_back() && !is_written_back(segment)) write_back_segment(ring, segment);
    return false;
  }
  if (writes_back() && !is_written_back(segment))
    write_back_owned(segment, segment.end.load_relaxed());
  store_count(segment.overwritten_with_content.records,
              segment.overwritten.records + content.finished.records);
  // Before the mark goes.
  write_back(&segment, kSegmentHeaderBytes);
  store_count(segment.overwritten_with_content.bytes,
              segment.overwritten.bytes + content.finished.bytes);
  write_back(&segment, kSegmentHeaderBytes);
  if (!end_look(segment, SegmentState::kClaimed)) return false;
  write_back(&segment, kSegmentHeaderBytes);
  // A context that sees zeros sees the state: otherwise it would count less in a segment that it
  // takes for whole.
  if constexpr (!kOneCpu) __atomic_thread_fence(__ATOMIC_RELEASE);
  clear_records(segment);
  return true;
}

bool claim_free(SegmentHeader& segment) {
  if (!swap_state(segment, SegmentState::kFree, SegmentState::kClaimed)) return false;
  if constexpr (kOverwrites) {
    segment.overwritten_with_content.records = segment.overwritten.records;
    segment.overwritten_with_content.bytes = segment.overwritten.bytes;
  }
  return true;
}

// The next segment that is free or, in a circular ring, may be overwritten. Segments are opened in
// the order of their slots, so that is the oldest; one that has an unfinished record is passed
// over.
Claim claim_segment(const Ring& ring, PositionWord position, Crosser& crosser) {
  Claim claim;
  uint32_t slot = static_cast<uint32_t>(position & Position::kOffsetMask) / kSegmentBytes;
#if BAREFXT_END_RECORDS
  const SegmentHeader* passed = nullptr;  // right ahead of this slot
#endif
  for (uint32_t i = 1; i < ring.segments; ++i) {
    slot = slot + 1 < ring.segments ? slot + 1 : 0;
    SegmentHeader& segment = ring.segment(slot);
    const auto seen = static_cast<SegmentState>(segment.state.load_relaxed());
    if (seen == SegmentState::kClaimed || seen == SegmentState::kLeaving)
      claim.another_writer_claims = true;
    if (seen == SegmentState::kFree) {
      crosser.announce(slot);
      claim.found = claim_free(segment);
      if (!claim.found) claim.another_writer_claims = true;
    } else if (holds_records(seen) && segment.end.load_acquire() == 0) {
      // Prepared and not published, and perhaps held by a context that has not seen that yet; or
      // left by a writer that has not stored the end yet.
      claim.another_writer_claims = true;
    } else if constexpr (kOverwrites) {
      if (seen == SegmentState::kLive && ring.mode() == wire::Mode::kCircular) {
#if BAREFXT_END_RECORDS
        // If another looks at it, or holds it, that one makes no note, or not in time.
        if (passed != nullptr && !look_through(*passed).is_whole) crosser.note_owner(*passed);
#endif
        if (!writes_back() || hand_over(ring, segment, &crosser)) {
          crosser.announce(slot);
          claim.found = overwrite(ring, position, segment, crosser);
        }
      }
    }
#if BAREFXT_END_RECORDS
    passed = holds_records(seen) ? &segment : nullptr;
#endif
    if (!claim.found) continue;
    claim.slot = slot;
    return claim;
  }
  return claim;
}

// Ends ownership of a claimed segment: what was in it is overwritten for good.
void release(SegmentHeader& segment, SegmentState state) {
  if constexpr (kOverwrites) {
    segment.overwritten.records = segment.overwritten_with_content.records;
    segment.overwritten.bytes = segment.overwritten_with_content.bytes;
  }
  // Zeros, too: in memory there may still be what the segment held before. Of a free one the
  // counts.
  write_back(&segment, state == SegmentState::kLive ? kSegmentBytes : kSegmentHeaderBytes);
  segment.state.store_release(static_cast<uint32_t>(state));
  // So the next boot knows that there was an open segment, and that it is missing.
  write_back(&segment, kSegmentHeaderBytes);
}

[[maybe_unused]] void store_clock(fxt::Word* words, uint32_t number, const uint64_t* change) {
  for (size_t i = 0; i < fxt::ClockWords::kCount; ++i) words[1 + i] = change[i];
  RecordHeaderWord::commit(
      words, fxt::RingRecord::make(fxt::RingRecordType::kClock, fxt::RingRecord::kClockWords) |
                 fxt::RingRecord::ClockNumber::of(number));
}

// A claimed segment begins with the clock in force, if that has changed. Returns its bytes.
uint32_t open_with_clock(const Ring& ring, SegmentHeader& fresh) {
  if constexpr (kClockMayChange) {
    uint64_t change[fxt::ClockWords::kCount];
    const uint32_t number = clock_changes[clock_of_cpu(ring.cpu)].read(change);
    if (number != 0) {
      store_clock(fresh.first_word(), number, change);
      return kClockRecordBytes;
    }
  }
  return 0;
}

// Returns true if the clock changed since the segment was prepared: the context that changed it may
// have found no room for the change but the segment that was being opened.
bool opened_with_old_clock(const Ring& ring, PositionWord start) {
  if constexpr (kClockMayChange) {
    const fxt::Word first = RecordHeaderWord::load(ring.open_segment(start).first_word());
    const uint64_t number = fxt::RingRecord::is(first, fxt::RingRecordType::kClock)
                                ? fxt::RingRecord::ClockNumber::in(first)
                                : 0;
    return number != clock_changes[clock_of_cpu(ring.cpu)].count();
  } else {
    return false;
  }
}

// A claimed segment that is not needed after all.
void return_claim(Ring& ring, SegmentHeader& segment) {
  if constexpr (kClockMayChange)
    for (size_t i = 0; i < fxt::RingRecord::kClockWords; ++i) segment.first_word()[i] = 0;
  // From here on it counts.
  forget_saved(segment);
  write_back(&segment, kSegmentHeaderBytes);
  release(segment, SegmentState::kFree);
  ring.note_end_of_claim();
}

// A claimed segment, ready to be published by a swap of the position. Returns the bytes in use at
// its start, header included.
uint32_t prepare(const Ring& ring, SegmentHeader& fresh, uint32_t capture, uint32_t sequence) {
  if (!is_of(fresh, capture)) {
    // The counts of this slot belong to another session: a context that sees this session's id sees
    // that they are gone.
    if constexpr (kOverwrites) {
      fresh.overwritten_with_content.records = 0;
      fresh.overwritten_with_content.bytes = 0;
    }
    fresh.capture.store_release(capture);
  }
  fresh.sequence = sequence;
  fresh.cpu = ring.cpu;
  fresh.records_lost = ring.records_lost.value();
  fresh.bytes_lost = ring.bytes_lost.value();
  fresh.checksum = header_checksum(fresh);
  const uint32_t used = kSegmentHeaderBytes + open_with_clock(ring, fresh);
  release(fresh, SegmentState::kLive);
  return used;
}

// A position in another segment: the sequence number goes on.
constexpr PositionWord moved(PositionWord position, PositionWord offset) {
  return ((position & ~Position::kOffsetMask) + Position::kSequenceUnit) | offset;
}

// The writer that leaves an open segment stores its end. It looks again at segments left shortly
// before, which may have had an unfinished record. It announces each: it owns them for that time.
// `saved`: from save_left.
void close(const Ring& ring, SegmentHeader& segment, uint32_t offset, Crosser& crosser,
           uint32_t saved = 0) {
  const auto end = static_cast<uint32_t>(offset & Position::kSegmentMask);
  segment.end.store_release(end);
  if (!writes_back()) return;
  // All else may be in memory already, by barefxt_clean_for_reader.
  if (is_written_back(segment)) write_back(&segment, kSegmentHeaderBytes);
  constexpr uint32_t kLooksBack = 8;
  uint32_t slot = offset / kSegmentBytes;
  for (uint32_t i = 0; i < kLooksBack && i < ring.segments; ++i) {
    SegmentHeader& left = ring.segment(slot);
    if (left.end.load_acquire() != 0 && !is_written_back(left)) {
      crosser.announce(slot);
      if (i == 0 && saved == end)
        mark_written_back(ring, left);
      else
        write_back_segment(ring, left);
    }
    slot = (slot != 0 ? slot : ring.segments) - 1;
  }
}

// Swaps the position from `before`, while the segment that it lies in has the number before this.
//
// A position of 32 bits has 8 for a number. It has the same value again after a multiple of 256
// crossings to the same offset; only the segment's own number differs then. So that number is read
// where no other store can come between it and the swap: between the exclusive load and store, or
// with interrupts masked. Larger positions repeat in tests only. With BAREFXT_SMALL the number is
// read right ahead of the swap, for less flash.
//
// May fail for no reason.
bool swap_within(Ring& ring, PositionWord before, PositionWord next, const SegmentHeader& open,
                 uint32_t next_sequence) {
#if defined(BAREFXT_PORT_LINKED) && !BAREFXT_SMALL
  if constexpr (!kOneCpu) __atomic_thread_fence(__ATOMIC_RELEASE);
  PositionWord* const word = ring.position.address();
  for (unsigned left = kMaxSwaps; left != 0; --left) {
    if (barefxt_port_load_linked(word) != before) return false;
    // The number is of now, and not of before the load.
    if constexpr (!kOneCpu) __atomic_thread_fence(__ATOMIC_ACQUIRE);
    if (open.sequence + 1 != next_sequence) return false;
    if (barefxt_store_fails(word) || !barefxt_port_store_conditional(word, next)) continue;
    if constexpr (!kOneCpu) __atomic_thread_fence(__ATOMIC_ACQUIRE);
    return true;
  }
  // As on CPUs that have no such pair, where that is not sure to succeed ever.
  return BAREFXT_PORT_LINKED == 2 && open.sequence + 1 == next_sequence &&
         ring.position.compare_exchange(before, next);
#elif BAREFXT_PORT_LOCKS_
  return ring.position.compare_exchange_if(
      before, next, [&open, next_sequence] { return open.sequence + 1 == next_sequence; });
#elif BAREFXT_MASKS_INTERRUPTS_ && !BAREFXT_SMALL
  const uintptr_t interrupts = barefxt_port_interrupt_save();
  const bool is_the_same =
      open.sequence + 1 == next_sequence && ring.position.load_relaxed() == before;
  if (is_the_same) ring.position.store_relaxed(next);
  barefxt_port_interrupt_restore(interrupts);
  return is_the_same;
#else
  constexpr bool kIsMasked = kOneCpu && sizeof(PositionWord) == 4 && !BAREFXT_SMALL;
  const uintptr_t interrupts = kIsMasked ? barefxt_port_interrupt_save() : 0;
  const bool is_swapped =
      open.sequence + 1 == next_sequence && ring.position.compare_exchange(before, next);
  if constexpr (kIsMasked) barefxt_port_interrupt_restore(interrupts);
  return is_swapped;
#endif
}

enum class Outcome : uint8_t {
  kDone,
  kNoRoom,
  kTryAgain,  // another writer came in between
  kStopped,   // recording has ended, or does now, as the trigger's time has come
};

// Opens a fresh segment and reserves `bytes` at its start, at the time `ticks`. From a closed
// position, or of a record that no segment has room for, nothing.
Outcome cross(Ring& ring, PositionWord position, uint32_t bytes, PositionWord& start,
              uint64_t& ticks) {
  if (Position::is_stopped(position)) return Outcome::kStopped;
  if (Position::is_closed(position) || bytes > kMaxRecordBytes) return Outcome::kNoRoom;
  Crosser crosser(ring, position);
  // The position may be that of a session that is over: the ring may have less memory now, or
  // other.
  if (ring.position.load_acquire() != position) return Outcome::kTryAgain;
  crosser.is_there_still();
  const auto offset = static_cast<uint32_t>(position & Position::kOffsetMask);
  const uint32_t slot = offset / kSegmentBytes;
  SegmentHeader& open = ring.segment(slot);

  Atomic<uint32_t>& nothing_since = nothing_free_since[ring.cpu & (BAREFXT_MAX_CPUS - 1)];
  const uint32_t ended = ring.claims_ended.load_acquire();
  if (kNotesClaims && nothing_since.load_relaxed() == ended) return Outcome::kNoRoom;
  const Claim claim = claim_segment(ring, position, crosser);
  if (!claim.found) {
    // The search began at a position that the ring has left.
    if (ring.position.load_acquire() != position) return Outcome::kTryAgain;
    // With no segment left and none in preparation a ring that keeps the oldest is full: closing it
    // makes later drops cheap, and the loss one gap, until a drain opens it again. A circular one
    // may go on as soon as an unfinished record is finished.
    if (ring.mode() == wire::Mode::kCircular) return Outcome::kNoRoom;
    if (claim.another_writer_claims) {
      if (kNotesClaims) nothing_since.store_relaxed(ended);
    } else if (bytes != 0 && ring.position.compare_exchange(
                                 position, Position::closed(position, Position::kFull)))
      close(ring, open, offset, crosser);
    return Outcome::kNoRoom;
  }

  SegmentHeader& fresh = ring.segment(claim.slot);
  const uint32_t capture = open.capture.load_relaxed();
  const uint32_t sequence = open.sequence + 1;
  // The open segment's header was this session's only if the position has not moved on since. A
  // writer that slept over a stop and a start cannot publish the next session's id, since it swaps
  // from the position before: that is found here rather than when all is prepared.
  if (ring.position.load_acquire() != position) {
    return_claim(ring, fresh);
    return Outcome::kTryAgain;
  }
  const uint32_t stop_at = kTriggers ? ring.stop_at.load_relaxed() : 0;
  if (stop_at != 0 && !is_before(sequence, stop_at) && bytes != 0) {
    return_claim(ring, fresh);
    const SessionGuard guard;
    // From exactly that position: it may be of a session that is over.
    if (!ring.position.compare_exchange(position, Position::closed(position, Position::kStopped)))
      return Outcome::kTryAgain;
    close(ring, open, offset, crosser);
    stop_recording();
    write_back_rings();
    return Outcome::kStopped;
  }
  start = claim.slot * PositionWord{kSegmentBytes} + prepare(ring, fresh, capture, sequence);
  const uint32_t saved = writes_back() ? save_left(ring, open, fresh) : 0;
  ticks = clock_now();
  const bool lags = kComparesCounters && sequence == 1 && lags_behind_start(ticks);
  if ((bytes != 0 && !is_counter_of(ring)) ||
      !swap_within(ring, position, moved(position, start + bytes), open, sequence)) {
    return_claim(ring, fresh);
    return Outcome::kTryAgain;
  }
  close(ring, open, offset, crosser, saved);
  // Behind the end, which a search takes for part of the claim.
  ring.note_end_of_claim();
  // Forgets a thread that a switch by the undisturbed path set behind the call that turned its
  // category off.
  if constexpr (kFastPaths) forget_late_thread(ring);
  if (lags) fault_of_cpus.store_release(BAREFXT_ERROR_COUNTERS_APART);
  return Outcome::kDone;
}

}  // namespace

bool close_open_segment(Ring& ring) {
  for (unsigned i = 0; i < kMaxTries; ++i) {
    const PositionWord position = ring.position.load_acquire();
    if (Position::is_closed(position)) return true;
    if (has_no_record(ring, position)) return true;
    PositionWord start = 0;
    uint64_t ticks = 0;
    const Outcome crossing = cross(ring, position, 0, start, ticks);
    if (crossing == Outcome::kDone) {
      if (opened_with_old_clock(ring, start)) record_clock(ring);
      return true;
    }
    if (crossing == Outcome::kNoRoom) return false;
  }
  return false;
}

void record_clock(Ring& ring) {
  if constexpr (kClockMayChange) {
    for (unsigned i = 0; i < kMaxTries; ++i) {
      const PositionWord position = ring.position.load_acquire();
      if (Position::is_closed(position)) return;
      uint64_t change[fxt::ClockWords::kCount];
      const uint32_t number = clock_changes[clock_of_cpu(ring.cpu)].read(change);
      if (number == 0) return;
      const PositionWord next = position + kClockRecordBytes;
      if (!Position::fits(next, kClockRecordBytes)) {
        // The context that opens the next segment puts it there: with no segment left, that is
        // somebody later.
        PositionWord start = 0;
        uint64_t ticks = 0;
        const Outcome crossing = cross(ring, position, 0, start, ticks);
        if (crossing == Outcome::kNoRoom) return;
        if (crossing == Outcome::kDone && !opened_with_old_clock(ring, start)) return;
        continue;
      }
      // On another CPU the record belongs to no thread of this ring.
      const Crosser crosser(ring, position);
      if (!ring.position.compare_exchange(position, next)) continue;
      auto* words = reinterpret_cast<fxt::Word*>(ring.memory + Position::offset(position));
      RecordHeaderWord::place(words, kClockRecordBytes);
      store_clock(words, number, change);
      return;
    }
  } else {
    (void)ring;
  }
}

bool reopen(Ring& ring) {
  const PositionWord position = ring.position.load_acquire();
  if (!Position::is_full(position)) return false;
  const uint32_t capture = barefxt_descriptor.capture;
  const DrainClaim claims;
  uint32_t free = 0;
  while (free < ring.segments && !claim_free(ring.segment(free))) ++free;
  if (free == ring.segments) return false;
  // Not the highest number that there is: one that was prepared and not published may have it.
  const auto last = static_cast<uint32_t>(position & Position::kOffsetMask) / kSegmentBytes;
  const bool has_last = last < ring.segments && is_of(ring.segment(last), capture);
  const uint32_t sequence = has_last ? ring.segment(last).sequence + 1 : 0;
  const PositionWord start =
      free * PositionWord{kSegmentBytes} + prepare(ring, ring.segment(free), capture, sequence);
  if (writes_back() && has_last) save_left(ring, ring.segment(last), ring.segment(free));
  // From exactly that position: a context that stopped or started recording in between has the last
  // word.
  if (!ring.position.compare_exchange(position, moved(position, start))) {
    return_claim(ring, ring.segment(free));
    return false;
  }
  ring.note_end_of_claim();
  if (opened_with_old_clock(ring, start)) record_clock(ring);
  return true;
}

void stop_after(Ring& ring, uint32_t segments) {
  const PositionWord position = ring.position.load_acquire();
  if (Position::is_closed(position)) return;
  const uint32_t stop_at = ring.open_segment(position).sequence + 1 + segments;
  // 0 is never: one segment more, once in all numbers.
  ring.stop_at.compare_exchange(0, stop_at != 0 ? stop_at : 1);
}

Amount overwritten(const Ring& ring, uint32_t capture) {
  Amount sum;
  sum.records = 0;
  sum.bytes = 0;
  if constexpr (!kOverwrites) return sum;
  for (uint32_t slot = 0; slot < ring.segments; ++slot) {
    const SegmentHeader& segment = ring.segment(slot);
    const auto state = state_of(segment);
    if (!is_of(segment, capture)) continue;
    const Amount counted = overwritten_in(segment, state);
    sum.records += counted.records;
    sum.bytes += counted.bytes;
  }
  return sum;
}

bool reserve_slowly(Owner owner, uint32_t bytes, Reservation& reservation, uint32_t inline_words) {
  Ring* ring = nullptr;
  for (unsigned i = 0; i < kMaxTries; ++i) {
    ring = &this_ring();
    const PositionWord position = ring->position.load_acquire();
    reservation.bytes = bytes;
    if (names_thread(owner)) {
      const barefxt_thread* thread =
          owner == Owner::kCurrent ? ring->current.load_relaxed() : &ring->cpu_thread;
      if (thread == nullptr) thread = &ring->cpu_thread;
      // Read once: it may be registered or end in between, and size and content must agree.
      reservation.owner_reference = BAREFXT_LOAD_RELAXED_(thread->reference);
      reservation.owner_koid = BAREFXT_LOAD_RELAXED_(thread->koid);
      reservation.owner_process = BAREFXT_LOAD_RELAXED_(thread->process);
      if (!kInlineThreads && reservation.owner_reference == 0) {
        if (Position::is_stopped(position)) return false;
        break;
      }
      if (reservation.owner_reference == 0)
        reservation.bytes += inline_words * static_cast<uint32_t>(fxt::kWordBytes);
      if (!kEndsRecords && owner == Owner::kCurrent && &this_ring() != ring) continue;
    }
    if (kEndsRecords && reserves_on_own_cpu(owner) && &this_ring() != ring) continue;
    const PositionWord next = position + reservation.bytes;
    PositionWord start = position;
    bool crossed = false;
    if (Position::fits(next, reservation.bytes)) {
      reservation.ticks = clock_now();
      if (!is_counter_of(*ring)) continue;
      // One try in images with fast paths: a loop within this loop would multiply their bounds.
      // With a port's lock the weak swap is for the undisturbed path alone.
      if (!(kFastPaths && !BAREFXT_PORT_LOCKS_
                ? ring->position.compare_exchange_weak(position, next)
                : ring->position.compare_exchange(position, next)))
        continue;
    } else {
      const Outcome crossing = cross(*ring, position, reservation.bytes, start, reservation.ticks);
      if (crossing == Outcome::kTryAgain) continue;
      if (crossing == Outcome::kStopped) return false;
      if (crossing == Outcome::kNoRoom) break;
      crossed = true;
    }
    reservation.words = reinterpret_cast<fxt::Word*>(ring->memory + Position::offset(start));
    reservation.ring = ring;
    if constexpr (kFunctions)
      reservation.segment = CallBase::segment_of(crossed ? moved(position, start) : position);
    RecordHeaderWord::place(reservation.words, reservation.bytes);
    if (crossed && opened_with_old_clock(*ring, start)) record_clock(*ring);
    return true;
  }
  ring->count_lost(reservation.bytes);
  return false;
}

}  // namespace barefxt

#endif

#endif
