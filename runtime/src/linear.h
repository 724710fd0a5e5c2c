// Recording once, from the begin of the memory to its end. Images with BAREFXT_LINEAR have this in
// place of segments.
//
// One CPU, one-shot, one session from boot on. So there is nothing to cross, to free or to take
// over, and one word decides all: the position. Invariants:
// - Its lower part is the offset of the next record in the memory, its upper part counts the
//   records that were reserved. Both change in the swap that reserves, and only grow: a position
//   never comes again. So a swap that succeeds from a loaded value proves that nothing was reserved
//   in between. The other rules of ring.h for the swap hold here, too.
// - Two bits between the parts close the ring: they make any offset lie behind its end. One means
//   that it is full, both that recording has stopped.
// - It begins behind the memory's first word: zero is the position of a ring that was never
//   started, whose end is zero, too.
// - A record counts as finished only when it is. So the reserved records less the finished ones are
//   unfinished, at every instruction; a writer before its very last step counts as at work.
// - From the start on, the memory without records is zero, as in a segment.
#pragma once

#include <barefxt/fxt/event.h>
#include <barefxt/fxt/reference.h>
#include <barefxt/ring.h>
#include <barefxt/types.h>

#if BAREFXT_LINEAR
namespace barefxt::linear {

// For each size of a position, so that hosts test those of targets, too.
template <typename Word>
struct PlaceIn {
  static constexpr unsigned kCountFirst = sizeof(Word) == 8 ? 32 : 19;
  static constexpr Word kOneRecord = Word{1} << kCountFirst;
  static constexpr Word kFull = kOneRecord / 4;
  static constexpr Word kStopped = kOneRecord / 4 * 3;
  static constexpr uint32_t kFirst = fxt::kWordBytes;
  // Bytes of the memory. There is room above for a record that does not fit: no sum of the two
  // carries into the bits that close.
  static constexpr uint32_t kMaxBytes = static_cast<uint32_t>(kFull - kSegmentBytes);
  static constexpr uint32_t kMaxRecords = static_cast<uint32_t>(~Word{0} >> kCountFirst);

  // Offset in a ring that is not closed; else it lies behind the end.
  static constexpr uint32_t offset(Word word) {
    return static_cast<uint32_t>(word & (kOneRecord - 1));
  }
  static constexpr uint32_t offset_when_closed(Word word) {
    return static_cast<uint32_t>(word & (kFull - 1));
  }
  static constexpr uint32_t reserved(Word word) {
    return static_cast<uint32_t>(word >> kCountFirst);
  }
  // Then nothing counts as lost; nor ahead of the start.
  static constexpr bool is_stopped(Word word) {
    // One test for both: 0 less one has all bits, and no other word borrows from that one.
    return ((word - 1) & (kOneRecord / 2)) != 0;
  }
};
using Place = PlaceIn<PositionWord>;
static_assert(kMaxRecordBytes < kSegmentBytes);
static_assert((Place::kMaxBytes - Place::kFirst) / (2 * fxt::kWordBytes) <= Place::kMaxRecords,
              "records have two words at least: their count never runs over");

// The index of the CPU's pseudo-thread. It has no entry in the table, and no thread gets this
// index.
inline constexpr uint32_t kCpuThreadIndex = fxt::kMaxThreadIndex;

// The reference of the running thread, in an event's place; 0: it has no entry. While switches are
// off it is the pseudo-thread's, even if Ring::current differs: a switch that was interrupted by
// the call that turned them off stores its thread afterwards, and nothing will record when that one
// leaves. The pseudo-thread's index has all bits, so one more word decides, and a switch looks at
// nothing.
inline uint32_t thread_of(const Ring& ring) {
  return ring.current.load_relaxed()->reference | ring.hides_threads.load_relaxed();
}
inline constexpr auto kCpuThreadReference =
    static_cast<uint32_t>(fxt::Event::Thread::of(kCpuThreadIndex));
static_assert(kCpuThreadReference == static_cast<uint32_t>(fxt::Event::Thread::kMask));

// Entries are given out in their order, and none is used again.
struct Entry {
  static constexpr uint32_t kNameBytes = 16;

  // wire::ThreadsEntryKind; 0 until the rest is there, and while one caller changes the name.
  Atomic<uint32_t> kind;
  uint32_t koid = 0;
  uint32_t process = 0;
  // One byte more than is sent, which shows if the name goes on, and how; then zeros.
  char name[kNameBytes + 4] = {};
};
static_assert(sizeof(Entry) == 32, "what docs promise an entry costs");

struct Threads {
  Atomic<PositionWord> taken;
  Entry entries[BAREFXT_MAX_THREADS];
};
extern Threads threads;

// The settings that recording was started with.
extern barefxt_config config;

// The ring, by a pointer whose value the compiler does not see: from the array it computes each
// member's address anew. An m68k has the whole address in each of its instructions, and needs no
// pointer.
[[gnu::always_inline]] inline Ring& the_ring() {
  Ring* ring = rings;
#if !defined(__clang__) && !defined(__m68k__)
  __asm__("" : "+r"(ring));
#endif
  return *ring;
}

// Returns the time when it was stopped. A context that interrupted the stop before the time was
// stored gets the present: no record is younger than that, either. So does everybody after a stop
// at the one tick of 2^32 whose lower half is 0.
uint64_t stop_ticks(const Ring& ring);

}  // namespace barefxt::linear
#endif
