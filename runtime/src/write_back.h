// Writes back to memory the data that a reset must not take with the caches (barefxt_config's
// `clean_caches`).
//
// A cache writes back any line, whole, at any time and in any order. So a word that makes others
// valid is stored only when those are in memory. They change only when the word that makes them
// invalid is in memory. Records are too many for that: a segment is written back when it is left.
// Two words say how far that went. Records that these leave out may be torn, and the next boot
// leaves them out, too. Both words mean nothing else while a segment holds records.
//
// - Saved, in `overwritten_with_content.records`, is about the segment before. The writer that
//   leaves a segment writes it back ahead of the swap that publishes the next, whose header gets
//   the word. The writer alone owns that header then, and needs nothing of the segment that it
//   leaves: so another that owns it, and sleeps, holds up nobody. If a record came in meanwhile the
//   swap fails, and all is done again. So at any reset each record that a writer of its own ring
//   had finished, before it looked at the segment to leave that, is in memory, and the next boot
//   finds it. A record that was unfinished then is a hole: its writer commits by one store, to
//   which nothing can be added, so a reset right behind that store loses it.
// - The mark, in `overwritten_with_content.bytes`, is about the segment itself: the sequence number
//   in the upper half, the offset in the lower. Whoever owns the segment stores it, again when more
//   is finished. All ahead of the mark is finished and in memory whole.
//
// A segment that holds the word about another is not overwritten or sent away while that other one
// has need of it: it hands the word over, see hand_over.
//
// A writer that overwrites a segment needs both words before its state changes. It stores `records`
// first, and when that is in memory `bytes`: so one of the two proves that the segment was written
// back, see written_back_until.
#pragma once

#include <barefxt/ring.h>

#include "session.h"

#if !BAREFXT_LINEAR

namespace barefxt {

class Crosser;

inline bool writes_back() { return kCleanCaches && session.cleans_caches; }

inline void write_back(const void* start, size_t bytes) {
  if (writes_back()) barefxt_port_clean_cache(start, bytes);
}
template <typename T>
void write_back(const T& what) {
  write_back(const_cast<const void*>(static_cast<const volatile void*>(&what)), sizeof what);
}

// Bytes of the segment, header included, whose records are finished and in memory; 0: it has no
// mark.
uint32_t written_back_until(const SegmentHeader& segment);

// One half of a word of 64 bits: others may see it without the other half.
inline constexpr size_t kLowerHalf = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? 1 : 0;
inline void store_half(Relaxed<uint64_t>& word, size_t half, uint32_t value) {
  using Half [[gnu::may_alias]] = uint32_t;
  compiler_barrier();
  BAREFXT_STORE_RELAXED_(reinterpret_cast<Half*>(&word)[half], value);
}
// Stores a count in one of the two words. Where that takes two stores, the half that made it valid
// as something else goes first: with the other half it would name another offset.
inline void store_count(Relaxed<uint64_t>& word, uint64_t count) {
  if constexpr (!kCleanCaches || BAREFXT_WHOLE_WORDS_) {
    word = count;
  } else {
    store_half(word, 1 - kLowerHalf, static_cast<uint32_t>(count >> 32));
    store_half(word, kLowerHalf, static_cast<uint32_t>(count));
  }
}

// Returns how many bits a number below a power of two takes.
constexpr unsigned bits_below(size_t power) { return power < 2 ? 0 : 1 + bits_below(power / 2); }

// The part of a segment that is in memory: all that was finished up to an offset, but for holes. A
// word of a header: flags, the holes and the offset. Offsets are in words.
struct Saved {
  static constexpr unsigned kBits = bits_below(kSegmentBytes / fxt::kWordBytes);
  static constexpr uint32_t kMask = (1u << kBits) - 1;
  static constexpr unsigned kFlagsAt = 59;
  static constexpr unsigned kMaxHoles = (kFlagsAt - kBits) / (2 * kBits);
  static constexpr uint64_t kValid = uint64_t{1} << 63;  // no count has that bit
  // About the segment itself; else about the one before, whose slot lies so far ahead, if that is
  // not 0.
  static constexpr uint64_t kOwn = uint64_t{1} << 62;
  static constexpr uint32_t kMaxDistance = 7;

  static constexpr bool is_own(uint64_t word) { return (word & kOwn) != 0 && is_valid(word); }
  static constexpr bool is_valid(uint64_t word) { return (word & kValid) != 0; }
  static constexpr uint32_t distance(uint64_t word) {
    return static_cast<uint32_t>(word >> kFlagsAt) & kMaxDistance;
  }
  static constexpr uint32_t until(uint64_t word) {
    return (static_cast<uint32_t>(word) & kMask) * static_cast<uint32_t>(fxt::kWordBytes);
  }
  // Each hole has its begin and, lower, its end. The last one is the lowest; 0: there is none.
  static constexpr uint64_t holes(uint64_t word) {
    return (word & ((uint64_t{1} << kFlagsAt) - 1)) >> kBits;
  }
};
static_assert(Saved::kMaxHoles >= 2);

// Writes back what is finished of a segment that the caller is about to leave, and stores that in
// the header of the one that it is about to publish. Returns the offset up to which all is in
// memory, if there is no hole.
uint32_t save_left(const Ring& ring, const SegmentHeader& left, SegmentHeader& fresh);

// False: another segment has need of what this one's header says of it, and cannot be owned now.
// The caller is about to overwrite the segment, announcing what it owns; or is the drain.
bool hand_over(const Ring& ring, const SegmentHeader& segment, Crosser* crosser);

// Returns what a header says of a segment: its own, or that of the next. 0: nothing.
uint64_t saved_part(const Ring& ring, const SegmentHeader& segment);

// Ends the use of a header's word for another segment, in one that has no records.
inline void forget_saved(SegmentHeader& segment) {
  if (writes_back() && Saved::is_valid(segment.overwritten_with_content.records))
    store_count(segment.overwritten_with_content.records, segment.overwritten.records);
}

// Returns whether the segment has an end, and all bytes up to there are in memory.
inline bool is_written_back(const SegmentHeader& segment) {
  const uint32_t end = segment.end.load_relaxed();
  return end != 0 && written_back_until(segment) == end;
}

// Writes the segment back to `until`, and marks it. The caller owns it. Needs writes_back().
void write_back_owned(SegmentHeader& segment, uint32_t until);

// Marks a segment whose end is known, and of which all is in memory, unless another owns it.
void mark_written_back(const Ring& ring, SegmentHeader& segment);

// Writes a segment of the ring back as far as its records are finished, unless another owns it.
// With `trusts_all` the mark is at its end, even if records are unfinished. Context: any.
void write_back_segment(const Ring& ring, SegmentHeader& segment, bool trusts_all = false);

// The same for all segments of all rings that have something new. Context: any, with a
// SessionGuard.
void write_back_segments(bool trusts_all);
inline void write_back_rings(bool trusts_all = false) {
  if (writes_back()) write_back_segments(trusts_all);
}

// Everything: memory, control words and tables; the descriptor as it is.
void write_back_all();

}  // namespace barefxt

#endif
