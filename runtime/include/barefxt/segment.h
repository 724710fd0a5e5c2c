// A segment: the unit in which a ring's memory is opened, closed and read.
//
// A header, then records one behind the other. Invariants:
// - A free segment is zero behind its header. So a word that no writer has stored yet reads as
//   zero, and a walker never takes stale words for a record.
// - `end` is zero while the segment is open, and until the writer that crossed to the next has
//   stored it. Once set, no reservation beyond it exists.
// - A context that changes a segment owns it first, by a swap of its state. No other context
//   touches the segment until the owner stores or swaps the state again. So no ownership is ever
//   mistaken for a later one.
// - Overwritten records are counted in their slot: those before its present content in
//   `overwritten`, and with that content in `overwritten_with_content`. The state decides which of
//   the two holds, and changes in one store. So the sum over the slots is exact at every
//   instruction.
// - Any segment reads alone. Its header has its ring, its number in the order, and the losses
//   before it was opened. If the clock has changed, the segment's first record is that clock.
#pragma once

#include <barefxt/clock.h>
#include <barefxt/config.h>
#include <barefxt/fxt/ring_record.h>
#include <barefxt/segment_header.h>

namespace barefxt {

inline constexpr uint32_t kSegmentBytes = BAREFXT_SEGMENT_BYTES;
static_assert((kSegmentBytes & (kSegmentBytes - 1)) == 0, "BAREFXT_SEGMENT_BYTES: a power of two");
static_assert(kSegmentBytes >= 512 && kSegmentBytes <= 16384,
              "BAREFXT_SEGMENT_BYTES: 512 to 16384");

// The clock record with which a segment may begin, if clocks change.
inline constexpr uint32_t kClockRecordBytes =
    kClockMayChange ? static_cast<uint32_t>(fxt::RingRecord::kClockWords * fxt::kWordBytes) : 0;

// No larger record fits a segment. Its last word stays unused, see Position::fits in ring.h.
inline constexpr uint32_t kMaxRecordBytes =
    kSegmentBytes - kSegmentHeaderBytes - kClockRecordBytes - fxt::kWordBytes;

// As many loads of zeros ahead of a record, or more, until they count as a reservation of their
// own.
inline constexpr unsigned kLateLooks = kOneCpu ? 0 : 64;

// With BAREFXT_LINEAR: counts one more finished record of the ring.
void count_finished();

// The word in which a record is first reserved, then committed. It is stored in halves if the CPU
// has no single 64-bit store: the half with type and size goes last, and is the commit.
class RecordHeaderWord {
 public:
  // The first store after a reservation. The upper half is zero already, as all of a free segment.
  static void place(fxt::Word* word, uint32_t bytes) {
    const auto header = static_cast<uint32_t>(
        fxt::RingRecord::make(fxt::RingRecordType::kUnfinished, bytes / fxt::kWordBytes));
    if constexpr (BAREFXT_WHOLE_WORDS_)
      store_relaxed(*word, fxt::Word{header});
    else
      BAREFXT_STORE_RELAXED_(*half(word, kLowHalf), header);
    compiler_barrier();
  }

  // The commit: a context that sees this header sees everything stored before.
  static void commit(fxt::Word* word, fxt::Word header) {
    store_committed(word, header);
    if constexpr (kLinear) count_finished();
  }
  // The same, for a caller that counts the record itself.
  static void store_committed(fxt::Word* word, fxt::Word header) {
    if constexpr (BAREFXT_WHOLE_WORDS_) {
      store_release(*word, header);
    } else {
      BAREFXT_STORE_RELAXED_(*half(word, 1 - kLowHalf), static_cast<uint32_t>(header >> 32));
      store_release(*half(word, kLowHalf), static_cast<uint32_t>(header));
    }
  }

  // Ends a record of a writer that is gone. `bare`: even its placeholder is missing. False: it was
  // ended already.
  static bool give_up(fxt::Word* word, uint32_t bytes, bool bare) {
    const size_t words = bytes / fxt::kWordBytes;
    const auto placed =
        static_cast<uint32_t>(fxt::RingRecord::make(fxt::RingRecordType::kUnfinished, words));
    return compare_exchange_relaxed(reinterpret_cast<uint32_t*>(word)[kLowHalf], bare ? 0 : placed,
                                    static_cast<uint32_t>(fxt::RingRecord::make_given_up(words)));
  }

  static fxt::Word load(const fxt::Word* word) {
    if constexpr (BAREFXT_WHOLE_WORDS_) return load_acquire(*word);
    const auto* halves = reinterpret_cast<const uint32_t*>(word);
    const uint32_t low = load_acquire(halves[kLowHalf]);
    const uint32_t high = BAREFXT_LOAD_RELAXED_(halves[1 - kLowHalf]);
    return static_cast<fxt::Word>(high) << 32 | low;
  }

  // The half that is stored last: type and size.
  static uint32_t load_lower(const fxt::Word* word) {
    if constexpr (BAREFXT_WHOLE_WORDS_) return static_cast<uint32_t>(load_acquire(*word));
    return load_acquire(reinterpret_cast<const uint32_t*>(word)[kLowHalf]);
  }

  // Returns true if the word, which may be any word of a record, is zero now. A writer may be
  // storing the word. Race detectors do not see this load, since nothing is used before its header
  // is loaded again. The load acquires, so that a CPU takes no later look ahead of this one. C++
  // allows such looks to return zeros nevertheless: no release pairs with it.
  BAREFXT_UNSEEN_BY_RACE_DETECTORS_ static bool is_zero(const fxt::Word* word) {
    if constexpr (kOneCpu || BAREFXT_THREAD_SANITIZER_)
      return *const_cast<const volatile fxt::Word*>(word) == 0;
    if constexpr (BAREFXT_WHOLE_WORDS_) return load_acquire(*word) == 0;
    const auto* halves = reinterpret_cast<const uint32_t*>(word);
    return (load_acquire(halves[0]) | load_acquire(halves[1])) == 0;
  }

 private:
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  static constexpr unsigned kLowHalf = 1;
#else
  static constexpr unsigned kLowHalf = 0;
#endif
  static uint32_t* half(fxt::Word* word, unsigned which) {
    return reinterpret_cast<uint32_t*>(word) + which;
  }
};

// Steps over a segment's records in order. Zero words (reserved, nothing stored yet) are skipped by
// the word, unfinished records by their size. Records that were given up, by their writers or by
// whoever ended these, are skipped by their size, too, without being returned. Clocks, which are no
// records, are noted.
//
// Writers may go on meanwhile. Words behind zeros may be a record of their own, or belong to a
// record whose header came since, at any of the zeros. So the walker looks at all zeros once more,
// and goes on at the first that is not zero any more. That is exact if stores are seen in their
// order. Otherwise a placeholder may be seen later than the payload, for as long as its CPU keeps
// it in a store buffer, nanoseconds. So the walker looks at the zeros kLateLooks times, each look
// behind the one before. A word that such a look finds further ahead may belong to a record that is
// newer than those looks: the zeros ahead of it get as many looks. A writer that sleeps between its
// swap and its placeholder has stored no payload, either.
class SegmentWalker {
 public:
  // Begins at the record at offset `at`. `clock`: the one that holds ahead of that record.
  explicit SegmentWalker(const SegmentHeader& segment, uint32_t at = kSegmentHeaderBytes,
                         const fxt::Word* clock = nullptr)
      : segment_(reinterpret_cast<const uint8_t*>(&segment)),
        known_end_(segment.end.load_acquire()),
        end_(known_end_ == 0 ? kSegmentBytes : known_end_),
        at_(at),
        clock_(clock) {}

  // Walks memory that is no segment (linear.h). Tests use this; the dump walks such memory by
  // itself, for less flash.
  SegmentWalker(const uint8_t* memory, uint32_t at, uint32_t end)
      : segment_(memory), known_end_(end), end_(end), at_(at), clock_(nullptr) {}

  struct Record {
    const fxt::Word* words = nullptr;
    uint32_t bytes = 0;
    bool finished = false;  // else reserved, and not committed
  };

  // False at the end. A header that runs past the end, which only a damaged segment can hold, ends
  // the walk.
  BAREFXT_ONE_COPY_ bool next(Record& record) {
    while (at_ < end_) {
      const fxt::Word* words = word_at(at_);
      const fxt::Word header = RecordHeaderWord::load(words);
      if (header == 0) {
        skip_zeros();
        continue;
      }
      const auto bytes =
          static_cast<uint32_t>(fxt::RecordHeader::SizeWords::in(header)*fxt::kWordBytes);
      if (bytes == 0 || bytes > end_ - at_) break;
      record.finished = true;
      // Most records are none of the ring's own.
      if (fxt::RecordHeader::type(header) == fxt::kRingRecordType) {
        if (kClockMayChange && fxt::RingRecord::is(header, fxt::RingRecordType::kClock)) {
          // A shorter one is damaged: its words would be read from behind the segment.
          if (bytes != kClockRecordBytes) break;
          clock_ = words + 1;
          at_ += bytes;
          continue;
        }
        if (fxt::RingRecord::is(header, fxt::RingRecordType::kUnfinished)) {
          if ((kEndsRecords || kReusesEntries) && fxt::RingRecord::GivenUp::in(header) != 0) {
            at_ += bytes;
            continue;
          }
          record.finished = false;
        }
      }
      record.words = words;
      record.bytes = bytes;
      at_ += bytes;
      return true;
    }
    return false;
  }

  // Offset of the walk: behind the last record.
  uint32_t at() const { return at_; }
  // The clock that the last record counts by, as fxt::ClockWords; null: the one that recording
  // started with.
  const fxt::Word* clock() const { return clock_; }

  // Reservations passed over that lack even their placeholder; adjacent ones count as one. If the
  // end is not known, the last ones look like the unused rest.
  uint32_t bare_reservations() const { return bare_; }
  // The last of them.
  uint32_t bare_begin() const { return bare_begin_; }
  uint32_t bare_end() const { return bare_end_; }

 private:
  const fxt::Word* word_at(uint32_t at) const {
    return reinterpret_cast<const fxt::Word*>(segment_ + at);
  }
  void skip_zeros() {
    const uint32_t first = at_;
    do {
      at_ += fxt::kWordBytes;
    } while (at_ < end_ && RecordHeaderWord::is_zero(word_at(at_)));
    // At the end of the segment nothing stands behind the zeros.
    unsigned late_looks = at_ < end_ ? kLateLooks : 0;
    for (uint32_t again = first; again < at_ || late_looks != 0; again += fxt::kWordBytes) {
      if (again >= at_) again = first;
      if (late_looks != 0) --late_looks;
      if (RecordHeaderWord::is_zero(word_at(again))) continue;
      // Nor is this one a header for certain, before those ahead of it were looked at once more.
      at_ = again;
      late_looks = again != first ? kLateLooks : 0;
      again = first - fxt::kWordBytes;
    }
    if (at_ == first || (at_ >= end_ && known_end_ == 0)) return;
    ++bare_;
    if constexpr (kEndsRecords || kCleanCaches) {
      bare_begin_ = first;
      bare_end_ = at_;
    }
  }

  const uint8_t* segment_;
  uint32_t known_end_;
  uint32_t end_;
  uint32_t at_;
  uint32_t bare_ = 0;
  uint32_t bare_begin_ = 0;
  uint32_t bare_end_ = 0;
  const fxt::Word* clock_;
};

// Content of a segment, found by walking it.
struct SegmentContent {
  SegmentAmount finished;
  SegmentAmount unfinished;  // bytes of those that have their placeholder
  // True if its end is known and all of its records are finished: then no writer stores into it any
  // more, and none ever will.
  bool is_whole;
};
inline SegmentContent look_through(const SegmentHeader& segment) {
  SegmentContent content;
  content.finished.records = 0;
  content.finished.bytes = 0;
  content.unfinished.records = 0;
  content.unfinished.bytes = 0;
  content.is_whole = segment.end.load_acquire() != 0;
  SegmentWalker walker(segment);
  SegmentWalker::Record record;
  while (walker.next(record)) {
    SegmentAmount& amount = record.finished ? content.finished : content.unfinished;
    ++amount.records;
    amount.bytes += record.bytes;
  }
  content.unfinished.records += walker.bare_reservations();
  if (content.unfinished.records != 0) content.is_whole = false;
  return content;
}

// Ends the look at a segment that the caller made kLeaving. False: it is held by now, and stays as
// it is; or, if no store succeeds, it is left.
inline bool end_look(SegmentHeader& segment, SegmentState then) {
  constexpr unsigned kMaxTries = 64;
  // Repeats only if it was held or let go between the two.
  for (unsigned i = 0; i < kMaxTries; ++i) {
    if (swap_state(segment, SegmentState::kLeaving, then)) return true;
    if (swap_state(segment, SegmentState::kHeldLeaving, SegmentState::kHeld)) return false;
  }
  return false;
}

// Clears words of a segment that the caller owns. Others may still be walking it; they then fail to
// hold it and forget what they found. Stores that cost more keep a race detector quiet about that.
inline void clear_words(SegmentHeader& segment, uint32_t from, uint32_t end) {
  auto* words = reinterpret_cast<fxt::Word*>(&segment);
  for (uint32_t i = from / fxt::kWordBytes; i < end / fxt::kWordBytes; ++i) {
#if BAREFXT_THREAD_SANITIZER_
    __atomic_store_n(&words[i], 0, __ATOMIC_RELAXED);
#else
    words[i] = 0;
#endif
  }
}

// Zeroes what is behind the header of a segment that is the caller's and has an end.
inline void clear_records(SegmentHeader& segment) {
  clear_words(segment, kSegmentHeaderBytes, segment.end.load_relaxed());
  segment.end.store_relaxed(0);
}

}  // namespace barefxt
