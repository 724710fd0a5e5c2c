// The finished records of a segment as runs that lie side by side, of a bounded length, and within
// an interval of time, which is all of it except for snapshots. Unfinished ones are left out and
// counted.
//
// Invariant: the records of a ring are in order of time. So those before the interval come first,
// and nothing is sent behind the first that lies after it.
#pragma once

#include "record_time.h"
#include "trace.h"

namespace barefxt {

class SegmentRuns {
 public:
  struct Run {
    const fxt::Word* words;
    uint32_t bytes;
    uint32_t records;
    bool has_compact;
    const fxt::Word* clock;  // see SegmentWalker::clock
  };

  // Begins at the record at offset `at`. `clock`: the one that holds ahead of that record. `ticks`:
  // the time of the last record before. Times are the capture's; `offset`: of the CPU's counter,
  // see capture_ticks.
  SegmentRuns(const SegmentHeader& segment, const Interval& interval, uint64_t ticks,
              uint64_t offset, uint32_t at = kSegmentHeaderBytes, const fxt::Word* clock = nullptr)
      : walker_(segment, at, clock),
        offset_(offset),
        interval_{interval.begin, interval.end},
        ticks_(ticks) {
    advance();
  }

  bool is_over() const { return !has_pending_; }
  // The first record of the next run, if there is one.
  const SegmentWalker::Record& pending() const { return pending_; }
  // One copy of the test, whose constant is long on some CPUs.
  [[gnu::noinline]] bool is_at_compact() const {
    return fxt::RingRecord::is_compact(pending_.words[0]);
  }
  const fxt::Word* clock() const { return walker_.clock(); }
  // Its offset in the segment, or that of the end.
  uint32_t at() const { return walker_.at() - (has_pending_ ? pending_.bytes : 0); }
  uint64_t ticks() const { return ticks_; }

  // Goes on to the record behind it.
  void skip() { advance(); }
  // The next run, of at most `limit` bytes if that is not less than its first record. Not to be
  // called when is_over(), as little as skip().
  Run next(uint32_t limit) {
    // One by one: an initializer becomes a call of memset on some CPUs.
    Run run;
    run.words = pending_.words;
    run.bytes = 0;
    run.records = 0;
    run.has_compact = false;
    run.clock = walker_.clock();
    do {
      run.bytes += pending_.bytes;
      ++run.records;
      run.has_compact |= is_at_compact();
      advance();
    } while (has_pending_ && run.words + run.bytes / fxt::kWordBytes == pending_.words &&
             run.bytes + pending_.bytes <= limit);
    return run;
  }

  // Found so far.
  const SegmentAmount& unfinished() const { return unfinished_; }
  const SegmentAmount& before_interval() const { return before_interval_; }

 private:
  BAREFXT_ONE_COPY_ void advance() {
    has_pending_ = false;
    while (walker_.next(pending_)) {
      if (!pending_.finished) {
        ++unfinished_.records;
        unfinished_.bytes += pending_.bytes;
        continue;
      }
      if constexpr (!kSnapshots) {
        has_pending_ = true;
        return;
      }
      if (const uint64_t* time = time_of(pending_))
        ticks_ = capture_ticks(offset_, walker_.clock(), *time);
      if (ticks_ > interval_.end) return;
      if (ticks_ < interval_.begin) {
        ++before_interval_.records;
        before_interval_.bytes += pending_.bytes;
        continue;
      }
      has_pending_ = true;
      return;
    }
    // A reservation without even its placeholder has no size yet.
    unfinished_.records += walker_.bare_reservations();
  }

  SegmentWalker walker_;
  uint64_t offset_;
  Interval interval_;
  uint64_t ticks_;
  bool has_pending_ = false;
  SegmentWalker::Record pending_;
  SegmentAmount unfinished_ = {0, 0};
  SegmentAmount before_interval_ = {0, 0};
};

}  // namespace barefxt
