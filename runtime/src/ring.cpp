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

Claim claim_segment(Ring& ring, uint32_t after) {
  Claim claim;
  uint32_t slot = after;
  for (uint32_t i = 0; i < ring.segments; ++i) {
    slot = slot + 1 < ring.segments ? slot + 1 : 0;
    Atomic<uint32_t>& state = ring.segment(slot).state;
    const uint32_t seen = state.load_relaxed();
    if (seen == static_cast<uint32_t>(SegmentState::kClaimed)) claim.another_writer_claims = true;
    if (seen != static_cast<uint32_t>(SegmentState::kFree)) continue;
    if (!state.compare_exchange(seen, static_cast<uint32_t>(SegmentState::kClaimed))) {
      claim.another_writer_claims = true;
      continue;
    }
    claim.found = true;
    claim.slot = slot;
    return claim;
  }
  return claim;
}

enum class Crossing : uint8_t { kReserved, kDropped, kTryAgain };

// A claimed segment that is not needed after all: zero again, then free.
Crossing give_back(SegmentHeader& segment) {
  segment.capture = 0;
  segment.sequence = 0;
  segment.cpu = 0;
  segment.records_lost = 0;
  segment.bytes_lost = 0;
  segment.state.store_release(static_cast<uint32_t>(SegmentState::kFree));
  return Crossing::kTryAgain;
}

// Reserves `bytes` at the start of a fresh segment.
Crossing cross(Ring& ring, PositionWord position, uint32_t bytes, Reservation& reservation) {
  const auto offset = static_cast<uint32_t>(position & Position::kOffsetMask);
  const uint32_t slot = offset / kSegmentBytes;
  SegmentHeader& open = ring.segment(slot);

  const Claim claim = claim_segment(ring, slot);
  if (!claim.found) {
    // The newest record is dropped. With no segment left and none in preparation the ring is full
    // for good: closing it makes later drops cheap, and the loss one gap at the end.
    if (!claim.another_writer_claims &&
        ring.position.compare_exchange(position, Position::closed(position, Position::kFull)))
      open.end.store_release(offset & Position::kSegmentMask);
    return Crossing::kDropped;
  }

  SegmentHeader& fresh = ring.segment(claim.slot);
  fresh.capture = open.capture;
  fresh.sequence = open.sequence + 1;
  fresh.cpu = open.cpu;
  fresh.records_lost = ring.records_lost.value();
  fresh.bytes_lost = ring.bytes_lost.value();
  // The open segment's header was this session's only if the position has not moved on since: a
  // writer that slept over a stop and a start must not publish the next session's id.
  if (ring.position.load_acquire() != position) return give_back(fresh);
  fresh.state.store_release(static_cast<uint32_t>(SegmentState::kLive));

  const PositionWord start = claim.slot * PositionWord{kSegmentBytes} + kSegmentHeaderBytes;
  const PositionWord next =
      ((position & ~Position::kOffsetMask) + Position::kSequenceUnit) | (start + bytes);
  reservation.ticks = barefxt_port_counter();
  if (!ring.position.compare_exchange(position, next)) return give_back(fresh);
  open.end.store_release(offset & Position::kSegmentMask);
  reservation.words = reinterpret_cast<fxt::Word*>(ring.memory + start);
  return Crossing::kReserved;
}

}  // namespace

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
      reservation.owner.word = thread->word;
      reservation.owner.koid = thread->koid;
      reservation.owner.process = thread->process;
      reservation.owner_inline = (reservation.owner.word & kThreadIndexed) == 0;
      if (reservation.owner_inline)
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
      reservation.ticks = barefxt_port_counter();
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
