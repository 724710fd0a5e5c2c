// Header of a segment (segment.h) in the target's memory. The host reads it there
// (docs/how-to/ram-image.md).
#pragma once

#include <barefxt/atomic.h>
#include <barefxt/descriptor.h>
#include <barefxt/fxt/record.h>

namespace barefxt {

enum class SegmentState : uint32_t {
  kFree = 0,     // zeroed, anyone may claim it
  kClaimed = 1,  // one writer prepares it, or the drain clears it: what it held is gone
  kLive = 2,     // holds records, open or closed
  kRetired = 3,  // holds an unfinished record of an earlier session: not used in this one
  kLeaving = 4,  // one writer looks whether it may be overwritten; still holds its records
  kHeld = 5,     // a snapshot, a dump or the drain reads it: not to be overwritten
  // As kHeld, while a writer that looked is not done: let go, it is kLeaving again, so that no
  // second writer can look before the first has seen that it was too late.
  kHeldLeaving = 6,
};

constexpr bool holds_records(SegmentState state) {
  return state == SegmentState::kLive || state == SegmentState::kLeaving ||
         state == SegmentState::kHeld || state == SegmentState::kHeldLeaving;
}

constexpr bool is_held(SegmentState state) {
  return state == SegmentState::kHeld || state == SegmentState::kHeldLeaving;
}

// Returns true if a segment was opened before another of its ring, by their sequence numbers, which
// wrap. The segments of a ring lie much closer together than half of all numbers.
constexpr bool is_before(uint32_t sequence, uint32_t other) {
  return static_cast<int32_t>(sequence - other) < 0;
}

// Records and their bytes.
struct Amount {
  uint64_t records;
  uint64_t bytes;
};

// An amount of one segment: the largest is a small number.
struct SegmentAmount {
  uint32_t records;
  uint32_t bytes;

  operator Amount() const { return {records, bytes}; }
};

// The same for counts that others read while the owner counts.
struct CountedAmount {
  Relaxed<uint64_t> records;
  Relaxed<uint64_t> bytes;

  operator Amount() const { return {records, bytes}; }
};

struct SegmentHeader {
  Atomic<uint32_t> state;    // SegmentState
  Atomic<uint32_t> capture;  // id of the session it was opened in
  Relaxed<uint32_t>
      sequence;          // counts the segments of a ring in the order of opening, from 0, and wraps
  Atomic<uint32_t> end;  // bytes in use, header included; 0 while open
  uint64_t records_lost;  // on this CPU until it was opened
  uint64_t bytes_lost;
  uint32_t cpu;
  uint32_t checksum;                       // see header_checksum
  CountedAmount overwritten;               // in this slot, of this session, before the content
  CountedAmount overwritten_with_content;  // and with it: counts once that is overwritten; until
                                           // then see write_back.h

  // Behind the header.
  fxt::Word* first_word() { return reinterpret_cast<fxt::Word*>(this + 1); }
};
inline SegmentState state_of(const SegmentHeader& segment) {
  return static_cast<SegmentState>(segment.state.load_acquire());
}
BAREFXT_ONE_COPY_ inline bool swap_state(SegmentHeader& segment, SegmentState from,
                                         SegmentState to) {
  return segment.state.compare_exchange(static_cast<uint32_t>(from), static_cast<uint32_t>(to));
}
inline constexpr uint32_t kSegmentHeaderBytes = sizeof(SegmentHeader);
static_assert(kSegmentHeaderBytes == 72 && kSegmentHeaderBytes % fxt::kWordBytes == 0);

// Returns true if the segment was opened in that session, or is about to be: then the counts of its
// slot are that session's, too.
inline bool is_of(const SegmentHeader& segment, uint32_t capture) {
  return segment.capture.load_acquire() == capture;
}

// Returns the overwritten records of a segment's slot, if the segment is in this state.
inline Amount overwritten_in(const SegmentHeader& segment, SegmentState state) {
  return state == SegmentState::kClaimed ? segment.overwritten_with_content : segment.overwritten;
}

// Checksum of the fields that are constant from a segment's opening on. After a reset it shows if
// the memory kept them. Cheap, since each crossing computes it: sums of words, mixed.
BAREFXT_ONE_COPY_ inline uint32_t header_checksum(const SegmentHeader& segment) {
  const uint64_t sum =
      (segment.records_lost ^ (segment.bytes_lost << 17 | segment.bytes_lost >> 47)) +
      (static_cast<uint64_t>(segment.capture.load_relaxed()) << 32 | segment.sequence);
  return (static_cast<uint32_t>(sum) ^ static_cast<uint32_t>(sum >> 32) ^ kChecksumBasis) +
         segment.cpu;
}

}  // namespace barefxt
