#include <barefxt/ring.h>

namespace barefxt {

Ring rings[BAREFXT_MAX_CPUS];

namespace {

// A writer that loses the swap this often in a row gives up: each loss means that another made
// progress, so this bounds the time spent here, not the progress of the ring.
constexpr unsigned kMaxTries = 64;

// How a search for a free segment ended.
struct Claim {
  bool found = false;
  bool another_writer_claims = false;  // so there may be one again soon
  uint32_t slot = 0;
};

bool swap_state(SegmentHeader& segment, SegmentState from, SegmentState to) {
  return segment.state.compare_exchange(static_cast<uint32_t>(from), static_cast<uint32_t>(to));
}

// Takes a live segment whose records are all finished, and clears it. The caller owns it then.
bool overwrite(SegmentHeader& segment) {
  if (!swap_state(segment, SegmentState::kLive, SegmentState::kLeaving)) return false;
  const SegmentContent content = look_through(segment);
  if (!content.is_whole) {
    swap_state(segment, SegmentState::kLeaving, SegmentState::kLive);
    return false;
  }
  segment.overwritten_with_content.records = segment.overwritten.records + content.finished.records;
  segment.overwritten_with_content.bytes = segment.overwritten.bytes + content.finished.bytes;
  // Fails where a dump holds it by now.
  if (!swap_state(segment, SegmentState::kLeaving, SegmentState::kClaimed)) return false;
  auto* words = reinterpret_cast<fxt::Word*>(&segment);
  const uint32_t end = segment.end.load_relaxed() / fxt::kWordBytes;
  for (uint32_t i = kSegmentHeaderBytes / fxt::kWordBytes; i < end; ++i) words[i] = 0;
  segment.end.store_relaxed(0);
  return true;
}

// The next segment that is free or, in a circular ring, may be overwritten. Segments are opened in
// the order of their slots, so that is the oldest; one that has an unfinished record is passed
// over.
Claim claim_segment(Ring& ring, uint32_t after) {
  Claim claim;
  uint32_t slot = after;
  for (uint32_t i = 1; i < ring.segments; ++i) {
    slot = slot + 1 < ring.segments ? slot + 1 : 0;
    SegmentHeader& segment = ring.segment(slot);
    const auto seen = static_cast<SegmentState>(segment.state.load_relaxed());
    if (seen == SegmentState::kClaimed || seen == SegmentState::kLeaving)
      claim.another_writer_claims = true;
    if (seen == SegmentState::kFree) {
      if (swap_state(segment, SegmentState::kFree, SegmentState::kClaimed)) {
        segment.overwritten_with_content.records = segment.overwritten.records;
        segment.overwritten_with_content.bytes = segment.overwritten.bytes;
        claim.found = true;
      } else {
        claim.another_writer_claims = true;
      }
    } else if (seen == SegmentState::kLive && ring.circular) {
      claim.found = overwrite(segment);
    }
    if (!claim.found) continue;
    claim.slot = slot;
    return claim;
  }
  return claim;
}

enum class Crossing : uint8_t { kReserved, kDropped, kTryAgain };

// Ends ownership of a claimed segment: what was in it is overwritten for good.
void release(SegmentHeader& segment, SegmentState state) {
  segment.overwritten.records = segment.overwritten_with_content.records;
  segment.overwritten.bytes = segment.overwritten_with_content.bytes;
  segment.state.store_release(static_cast<uint32_t>(state));
}

// A claimed segment that is not needed after all.
Crossing give_back(SegmentHeader& segment) {
  release(segment, SegmentState::kFree);
  return Crossing::kTryAgain;
}

// Reserves `bytes` at the start of a fresh segment.
Crossing cross(Ring& ring, PositionWord position, uint32_t bytes, Reservation& reservation) {
  const auto offset = static_cast<uint32_t>(position & Position::kOffsetMask);
  const uint32_t slot = offset / kSegmentBytes;
  SegmentHeader& open = ring.segment(slot);

  const Claim claim = claim_segment(ring, slot);
  if (!claim.found) {
    // The newest record is dropped. With no segment left and none in preparation a ring that keeps
    // the oldest is full for good: closing it makes later drops cheap, and the loss one gap at the
    // end. A circular one may go on as soon as an unfinished record is finished.
    if (!claim.another_writer_claims && !ring.circular &&
        ring.position.compare_exchange(position, Position::closed(position, Position::kFull)))
      open.end.store_release(offset & Position::kSegmentMask);
    return Crossing::kDropped;
  }

  SegmentHeader& fresh = ring.segment(claim.slot);
  const uint32_t capture = open.capture;
  const uint32_t sequence = open.sequence + 1;
  const uint32_t cpu = open.cpu;
  // The open segment's header was this session's only if the position has not moved on since: a
  // writer that slept over a stop and a start must not publish the next session's id.
  if (ring.position.load_acquire() != position) return give_back(fresh);
  if (fresh.capture != capture) {
    // What was counted in this slot was another session's.
    fresh.overwritten_with_content.records = 0;
    fresh.overwritten_with_content.bytes = 0;
    fresh.capture = capture;
  }
  fresh.sequence = sequence;
  fresh.cpu = cpu;
  fresh.records_lost = ring.records_lost.value();
  fresh.bytes_lost = ring.bytes_lost.value();
  release(fresh, SegmentState::kLive);

  const PositionWord start = claim.slot * PositionWord{kSegmentBytes} + kSegmentHeaderBytes;
  const PositionWord next =
      ((position & ~Position::kOffsetMask) + Position::kSequenceUnit) | (start + bytes);
  reservation.ticks = clock_now();
  if (!is_counter_of(ring)) return give_back(fresh);
  if (!ring.position.compare_exchange(position, next)) return give_back(fresh);
  open.end.store_release(offset & Position::kSegmentMask);
  reservation.words = reinterpret_cast<fxt::Word*>(ring.memory + start);
  return Crossing::kReserved;
}

}  // namespace

Amount overwritten(const Ring& ring, uint32_t capture) {
  Amount sum;
  sum.records = 0;
  sum.bytes = 0;
  for (uint32_t slot = 0; slot < ring.segments; ++slot) {
    const SegmentHeader& segment = ring.segment(slot);
    const auto state = static_cast<SegmentState>(segment.state.load_acquire());
    if (segment.capture != capture) continue;
    const Amount& counted =
        state == SegmentState::kClaimed ? segment.overwritten_with_content : segment.overwritten;
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
    if (owner != Owner::kNobody) {
      const barefxt_thread* thread =
          owner == Owner::kCurrent ? ring->current.load_relaxed() : &ring->cpu_thread;
      if (thread == nullptr) thread = &ring->cpu_thread;
      // Read once: it may be registered or end in between, and size and content must agree.
      reservation.owner_reference = BAREFXT_LOAD_RELAXED_(thread->reference);
      reservation.owner_koid = thread->koid;
      reservation.owner_process = thread->process;
      if (reservation.owner_reference == 0)
        reservation.bytes += inline_words * static_cast<uint32_t>(fxt::kWordBytes);
      if (owner == Owner::kCurrent && &this_ring() != ring) continue;
    }
    if (Position::is_closed(position)) {
      if ((position & Position::kReasonMask) == Position::kStopped) return false;
      break;
    }
    if (reservation.bytes > kMaxRecordBytes) break;

    const PositionWord next = position + reservation.bytes;
    if (Position::fits(next, reservation.bytes)) {
      reservation.ticks = clock_now();
      if (!is_counter_of(*ring)) continue;
      if (!ring->position.compare_exchange(position, next)) continue;
      reservation.words =
          reinterpret_cast<fxt::Word*>(ring->memory + (position & Position::kOffsetMask));
    } else {
      const Crossing crossing = cross(*ring, position, reservation.bytes, reservation);
      if (crossing == Crossing::kTryAgain) continue;
      if (crossing == Crossing::kDropped) break;
    }
    reservation.ring = ring;
    RecordHeaderWord::place(reservation.words, reservation.bytes);
    return true;
  }
  ring->count_lost(reservation.bytes);
  return false;
}

}  // namespace barefxt
