#include <barefxt/config.h>

#if !BAREFXT_DISABLED

#include <barefxt/barefxt.h>

#include "crosser.h"
#include "held_segments.h"
#include "thread_table.h"
#include "write_back.h"

#if !BAREFXT_LINEAR

namespace barefxt {
namespace {

// No count has the top bit.
uint32_t mark_of(const SegmentHeader& segment) { return ~uint32_t{segment.sequence} | 0x80000000u; }

// The half that makes the word valid goes last, unless it is valid already.
void store_halves(Relaxed<uint64_t>& word, uint32_t upper, uint32_t lower) {
  store_half(word, kLowerHalf, lower);
  store_half(word, 1 - kLowerHalf, upper);
}
void store_mark(SegmentHeader& segment, uint32_t until) {
  store_halves(segment.overwritten_with_content.bytes, mark_of(segment), until);
}
void store_saved(SegmentHeader& segment, uint64_t word) {
  store_halves(segment.overwritten_with_content.records, static_cast<uint32_t>(word >> 32),
               static_cast<uint32_t>(word));
  barefxt_port_clean_cache(&segment, kSegmentHeaderBytes);
}

// Collects what is finished of a segment, as Saved has it, without flags.
class SavedPart {
 public:
  explicit SavedPart(const SegmentHeader& segment) {
    SegmentWalker walker(segment);
    SegmentWalker::Record record;
    uint32_t bare = 0;
    while (walker.next(record)) {
      const uint32_t more_bare = walker.bare_reservations() - bare;
      bare += more_bare;
      // The walker knows only the last of several ahead of one record.
      if (more_bare > 1) return;
      if (more_bare == 1 && !add_hole(walker.bare_begin(), walker.bare_end())) return;
      if (record.finished) {
        holes_ = holes_so_far_;
        until_ = walker.at();
      } else if (!add_hole(walker.at() - record.bytes, walker.at())) {
        return;
      }
    }
  }

  uint32_t until() const { return until_; }
  bool has_holes() const { return holes_ != 0; }
  uint64_t word() const { return holes_ << Saved::kBits | until_ / fxt::kWordBytes; }

 private:
  // False: there are too many.
  bool add_hole(uint32_t begin, uint32_t end) {
    const uint32_t first = begin / fxt::kWordBytes;
    const uint32_t last = end / fxt::kWordBytes;
    const bool is_adjacent =
        count_ != 0 && (static_cast<uint32_t>(holes_so_far_) & Saved::kMask) == first;
    if (is_adjacent) {
      holes_so_far_ = (holes_so_far_ & ~uint64_t{Saved::kMask}) | last;
      return true;
    }
    if (count_ == Saved::kMaxHoles) return false;
    ++count_;
    holes_so_far_ = holes_so_far_ << 2 * Saved::kBits | first << Saved::kBits | last;
    return true;
  }

  uint64_t holes_ = 0;         // ahead of `until_`
  uint64_t holes_so_far_ = 0;  // and behind it
  unsigned count_ = 0;
  uint32_t until_ = 0;
};

uint32_t slot_in(const Ring& ring, const SegmentHeader& segment) {
  return static_cast<uint32_t>(
      static_cast<size_t>(reinterpret_cast<const uint8_t*>(&segment) - ring.memory) /
      kSegmentBytes);
}

// Returns true if the segment is the one before another, by their numbers.
bool is_one_before(const SegmentHeader& segment, const SegmentHeader& next) {
  return segment.sequence + 1 == next.sequence && is_of(segment, next.capture.load_acquire()) &&
         holds_records(state_of(segment));
}

// Returns the segment that lacks what this one's header says of it; or null.
SegmentHeader* in_need_of(const Ring& ring, const SegmentHeader& segment) {
  const uint64_t word = segment.overwritten_with_content.records;
  if (!Saved::is_valid(word) || Saved::is_own(word)) return nullptr;
  const uint32_t distance = Saved::distance(word);
  uint32_t slot = slot_in(ring, segment);
  for (uint32_t i = 1; i < ring.segments; ++i) {
    const uint32_t back = distance != 0 ? distance : 1;
    slot = slot >= back ? slot - back : slot + ring.segments - back;
    SegmentHeader& before = ring.segment(slot);
    if (is_one_before(before, segment) && !is_empty(before)) {
      if (!Saved::is_own(before.overwritten_with_content.records) && !is_written_back(before))
        return &before;
      // Its owner may not have come to that.
      barefxt_port_clean_cache(&before, kSegmentHeaderBytes);
      return nullptr;
    }
    if (distance != 0) return nullptr;
  }
  return nullptr;
}

// The caller owns it like a writer that looks if it may be overwritten. The drain may take a
// segment that it holds without asking.
bool own(const Ring& ring, SegmentHeader& segment) {
  return swap_state(segment, SegmentState::kLive, SegmentState::kLeaving) ||
         (!is_streaming(ring) &&
          swap_state(segment, SegmentState::kHeld, SegmentState::kHeldLeaving));
}

// Stores in a segment's own header what the next one's says of it.
bool keep_own(const Ring& ring, SegmentHeader& segment, const SegmentHeader& next,
              [[maybe_unused]] Crosser* crosser) {
  const uint64_t word = next.overwritten_with_content.records;
  if (is_streaming(ring)) {
    // There the drain alone changes these words.
    store_saved(segment, word | Saved::kOwn);
    return true;
  }
  __atomic_thread_fence(__ATOMIC_ACQUIRE);
  // An owner of that segment may have been changing the word.
  const SegmentState state = state_of(next);
  if (state != SegmentState::kLive && state != SegmentState::kHeld) return false;
#if BAREFXT_END_RECORDS
  crosser->announce(slot_in(ring, segment));
#endif
  if (!own(ring, segment)) return false;
  const bool is_the_same =
      is_one_before(segment, next) && uint64_t{next.overwritten_with_content.records} == word;
  if (is_the_same) store_saved(segment, word | Saved::kOwn);
  end_look(segment, SegmentState::kLive);
  return is_the_same;
}

// Returns where the first unfinished record begins, or where the records end.
uint32_t finished_until(const SegmentHeader& segment) {
  if (look_through(segment).is_whole) return segment.end.load_relaxed();
  SegmentWalker walker(segment);
  SegmentWalker::Record record;
  uint32_t until = kSegmentHeaderBytes;
  while (walker.next(record) && record.finished && walker.bare_reservations() == 0)
    until = walker.at();
  return until;
}

// Returns whether a segment that was written back to `until`, with the end `end`, has to be written
// back once more. A writer that left it since could not do that, as another owned it. Nor could one
// that left another segment and found the records of this one finished.
bool has_more(const SegmentHeader& segment, uint32_t end, uint32_t until) {
  if (segment.end.load_acquire() == 0) return false;
  return end == 0 || (until != end && finished_until(segment) > until);
}

}  // namespace

uint32_t save_left(const Ring& ring, const SegmentHeader& left, SegmentHeader& fresh) {
  const SavedPart part(left);
  if (part.until() == 0) return 0;
  barefxt_port_clean_cache(&left, part.until());
  const uint32_t from = slot_in(ring, left);
  const uint32_t to = slot_in(ring, fresh);
  const uint32_t distance = to > from ? to - from : to + ring.segments - from;
  const uint64_t known = distance <= Saved::kMaxDistance ? distance : 0;
  store_saved(fresh, Saved::kValid | known << Saved::kFlagsAt | part.word());
  return part.has_holes() ? 0 : part.until();
}

bool hand_over(const Ring& ring, const SegmentHeader& segment, Crosser* crosser) {
  while (true) {
    const SegmentHeader* next = &segment;
    SegmentHeader* in_need = in_need_of(ring, segment);
    if (in_need == nullptr) return true;
    // Its word may be needed itself: the oldest first.
    while (SegmentHeader* const before = in_need_of(ring, *in_need)) {
      next = in_need;
      in_need = before;
    }
    if (!keep_own(ring, *in_need, *next, crosser)) return false;
  }
}

uint64_t saved_part(const Ring& ring, const SegmentHeader& segment) {
  const uint64_t own_word = segment.overwritten_with_content.records;
  if (Saved::is_own(own_word)) return own_word;
  for (uint32_t slot = 0; slot < ring.segments; ++slot) {
    const SegmentHeader& next = ring.segment(slot);
    const uint64_t word = next.overwritten_with_content.records;
    const SegmentState state = state_of(next);
    const bool is_next = segment.sequence + 1 == next.sequence &&
                         is_of(next, segment.capture.load_relaxed()) &&
                         next.checksum == header_checksum(next);
    if (is_next && state != SegmentState::kFree && state != SegmentState::kClaimed &&
        Saved::is_valid(word) && !Saved::is_own(word))
      return word;
  }
  return 0;
}

uint32_t written_back_until(const SegmentHeader& segment) {
  const uint64_t mark = segment.overwritten_with_content.bytes;
  if (mark >> 32 == mark_of(segment)) return static_cast<uint32_t>(mark);
  if constexpr (!kOverwrites) return 0;
  // A writer that had seen it in memory was about to overwrite it.
  const SegmentContent content = look_through(segment);
  const bool is_counted = segment.overwritten_with_content.records ==
                          segment.overwritten.records + content.finished.records;
  if (!content.is_whole || content.finished.records == 0 || !is_counted) return 0;
  return segment.end.load_relaxed();
}

void write_back_owned(SegmentHeader& segment, uint32_t until) {
  barefxt_port_clean_cache(&segment, until);
  store_mark(segment, until);
  barefxt_port_clean_cache(&segment, kSegmentHeaderBytes);
}

void mark_written_back(const Ring& ring, SegmentHeader& segment) {
  if (!own(ring, segment)) return;
  store_mark(segment, segment.end.load_relaxed());
  barefxt_port_clean_cache(&segment, kSegmentHeaderBytes);
  end_look(segment, SegmentState::kLive);
}

void write_back_segment(const Ring& ring, SegmentHeader& segment, bool trusts_all) {
  if (!own(ring, segment)) return;
  uint32_t end = 0;
  uint32_t until = 0;
  do {
    end = segment.end.load_acquire();
    const uint32_t all = end == 0 ? kSegmentBytes : end;
    until = trusts_all ? all : finished_until(segment);
    write_back_owned(segment, until);
  } while (has_more(segment, end, until));
  end_look(segment, SegmentState::kLive);
  // Once more, for a writer that came in between the last look and the end of the ownership.
  if (has_more(segment, end, until)) write_back_segment(ring, segment, trusts_all);
}

void write_back_segments(bool trusts_all) {
  for (Ring& ring : rings) {
#if BAREFXT_END_RECORDS
    Crosser owner(ring);
#endif
    for (uint32_t slot = 0; slot < ring.segments; ++slot) {
      SegmentHeader& segment = ring.segment(slot);
      const bool is_ours =
          holds_records(state_of(segment)) && is_of(segment, barefxt_descriptor.capture);
      // An empty one may belong to its preparer, which takes it back without asking.
      if (!is_ours || is_empty(segment) || is_written_back(segment)) continue;
#if BAREFXT_END_RECORDS
      owner.announce(slot);
#endif
      write_back_segment(ring, segment, trusts_all);
    }
  }
}

void write_back_totals(const Ring& ring) {
  if (writes_back())
    barefxt_port_clean_cache(&ring.records_lost, sizeof ring.records_lost + sizeof ring.bytes_lost);
}

void write_back_all() {
  barefxt_port_clean_cache(session.config.memory, session.config.bytes);
  barefxt_port_clean_cache(rings, sizeof rings);
  barefxt_port_clean_cache(thread_table, sizeof thread_table);
  if constexpr (kCounterIsPerCpu)
    barefxt_port_clean_cache(stored_clock_offsets, sizeof stored_clock_offsets);
  barefxt_port_clean_cache(&barefxt_descriptor, sizeof barefxt_descriptor);
}

}  // namespace barefxt

using namespace barefxt;

extern "C" void barefxt_clean_for_reader(void) {
  const SessionGuard guard;
  if (!session.holds_records || session.phase.load_acquire() == SessionPhase::kStarting) return;
  write_back_rings();
  write_back_all();
}

#endif

#endif
