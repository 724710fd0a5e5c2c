// Writes back to memory the data that a reset must not take with the caches (barefxt_config's
// `clean_caches`).
//
// A cache writes back any line, whole, at any time and in any order. So a word that makes others
// valid is stored only when those are in memory. They change only when the word that makes them
// invalid is in memory. Records are too many for that: a segment is written back when it is left,
// and a mark in its header has the offset up to which. A record ahead of the mark is finished and
// in memory whole. One behind it may be torn, and the next boot leaves it out.
//
// The mark lies in `overwritten_with_content.bytes`, which means nothing while a segment holds
// records: the sequence number in the upper half, the offset in the lower. A writer that overwrites
// the segment needs both words before its state changes. It stores `records` first, and when that
// is in memory `bytes`: so one of the two proves that the segment was written back, see
// written_back_until.
#pragma once

#include <barefxt/ring.h>

#include "session.h"

#if !BAREFXT_LINEAR

namespace barefxt {

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

// Returns whether the segment has an end, and all bytes up to there are in memory.
inline bool is_written_back(const SegmentHeader& segment) {
  const uint32_t end = segment.end.load_relaxed();
  return end != 0 && written_back_until(segment) == end;
}

// Writes the segment back to `until`, and marks it. The caller owns it. Needs writes_back().
void write_back_owned(SegmentHeader& segment, uint32_t until);

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
