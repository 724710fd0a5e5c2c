// What the calls of functions in a segment (fxt/ring_record.h) can refer to: kept in its last word,
// which is no record's.
//
// A call in one word bears the low bits of the counter, and no thread. Invariant: where this word
// holds the upper bits of a time, a call in the long form with these upper bits is committed in the
// segment; and the thread that runs is the one of the last long call there, or of the last switch
// behind it. So who finds here the upper bits of now may write one word.
//
// It is stored behind the commit of a long call, by a swap from what was here before that: if the
// segment was overwritten in between, it holds another mark by then. A mark is made when a segment
// is opened, each time another one. A switch that could not be recorded leaves kUnknown, which
// stays until the segment is opened anew: calls tell their thread each time from then on.
#pragma once

#include <barefxt/ring.h>

namespace barefxt::segment_calls {

using CallsWord = uintptr_t;

inline constexpr CallsWord kUnknown = 1;
inline constexpr CallsWord kFirstMark = 2;

// The upper bits of a time, with the top bit set, which no mark has. On a CPU of 32 bits they come
// again after 2^51 ticks: that a segment should stay open for so long without a call, and not a
// moment longer, is left out of account.
constexpr CallsWord upper_bits(uint64_t ticks) {
  const uint64_t upper = ticks >> fxt::CallRecord::Counter::kBits;
  if constexpr (sizeof(CallsWord) == sizeof upper) return ~upper;  // in one instruction, on some
  return static_cast<CallsWord>(upper) | CallsWord{1} << 31;
}

// Of the segment that a position lies in.
inline Atomic<CallsWord>& word_at(uint8_t* memory, PositionWord position) {
  const PositionWord segment = position & Position::kOffsetMask & ~Position::kSegmentMask;
  return *reinterpret_cast<Atomic<CallsWord>*>(memory + segment + kSegmentEnd);
}
inline Atomic<CallsWord>& word_of(SegmentHeader& segment) {
  return *reinterpret_cast<Atomic<CallsWord>*>(reinterpret_cast<uint8_t*>(&segment) + kSegmentEnd);
}

// Of a segment that is not open yet.
inline void mark(SegmentHeader& segment) {
  if constexpr (!kFunctions) return;
  const uint32_t number = segment.capture.load_relaxed() + segment.sequence;
  word_of(segment).store_relaxed(kFirstMark + (number & 0x3fffffff));
}

// The thread that runs is not what the ring's switches say. To be called once Ring::current says
// it. Context: any.
inline void forget_thread(Ring& ring) {
  if constexpr (!kFunctions) return;
  const PositionWord position = ring.position.load_acquire();
  if (!Position::is_closed(position)) word_at(ring.memory, position).store_relaxed(kUnknown);
}

}  // namespace barefxt::segment_calls
