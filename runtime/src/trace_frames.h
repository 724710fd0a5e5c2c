// The frames of a trace (wire/frame.h), one a call: what a dump sends in a row, and a drain as far
// as there is room.
#pragma once

#include <barefxt/wire/record_coder.h>

#include "frame_writer.h"
#include "segment_runs.h"
#include "trace.h"

namespace barefxt {

// Records sent of one CPU, and those lost before all of them.
struct RingTotals {
  Amount sent;
  Amount lost_before;
  Amount unfinished;
};

inline void clear(Amount& amount) {
  amount.records = 0;
  amount.bytes = 0;
}
inline void clear(RingTotals& totals) {
  clear(totals.sent);
  clear(totals.lost_before);
  clear(totals.unfinished);
}
inline void add(Amount& sum, const Amount& amount) {
  sum.records += amount.records;
  sum.bytes += amount.bytes;
}

class TraceFrames {
 public:
  // `sequence`: the number of the first frame.
  TraceFrames(const Trace& trace, const barefxt_writer& writer, barefxt_dump_form form,
              uint32_t sequence)
      : trace_(trace), is_coded_(is_coded(form)), frame_(writer, form, trace.capture, sequence) {}

  uint32_t sequence() const { return frame_.sequence(); }

#if BAREFXT_WAY_BACK
  // Frames are from here on such as the host asked for.
  void begin_asked() { frame_.begin_asked(); }
  // As records(), raw in any form, of at most `bytes` of records if the first is no longer.
  void resent_records(const SegmentHeader& segment, SegmentRuns& runs, size_t bytes,
                      RingTotals& totals) {
    raw_records(segment, runs, records_fixed_bytes(runs.clock()) + bytes, totals);
  }
#endif

  void hello(uint8_t flags);

  // The most bytes of payload that the next record of a segment takes, raw or as this sends it.
  static size_t raw_bytes_of_next(const SegmentRuns& runs) {
    return records_fixed_bytes(runs.clock()) + runs.pending().bytes;
  }
  size_t bytes_of_next(const SegmentRuns& runs) const {
    if (!codes()) return raw_bytes_of_next(runs);
    constexpr size_t kMaxOfNumber = wire::RecordModel::kMaxBytesOfWord - 1;
    constexpr size_t kNumbers =
        wire::CodedRecords::kNumbers + (kClockMayChange ? fxt::ClockWords::kCount : 0);
    return wire::CodedRecords::kCode + kNumbers * kMaxOfNumber +
           Coder::most_for(runs.pending().bytes);
  }

  // A frame of clocks from `cpu` on, of at most `limit` bytes of payload. Returns the CPU to go on
  // with; after the last one, the number of CPUs with clocks.
  uint32_t clocks(uint8_t flags, uint32_t cpu, size_t limit);
  uint32_t clocks_sent() const { return kCounterIsPerCpu ? reported_cpus(trace_) : 0; }

  // A frame of strings from `index` on, of at most `limit` bytes of payload: a longer string is
  // cut. Returns the index to go on with, 0 after the last.
  uint32_t strings(uint8_t flags, uint32_t index, size_t limit);

  // A frame of threads from the table's entry `at` on, of at most `limit` bytes of payload. Returns
  // the entry to go on with, kThreadEntries after the last.
  uint32_t threads(uint8_t flags, uint32_t at, size_t limit);

  // A frame with the next records of a segment that has some left: as many as go together, in at
  // most `limit` bytes of payload, or one longer record, raw. `totals`: the records sent of the
  // ring until then.
  void records(const SegmentHeader& segment, SegmentRuns& runs, size_t limit, RingTotals& totals) {
    // If the code of one record might not fit, the record is sent raw.
    codes() && bytes_of_next(runs) <= limit ? coded_records(segment, runs, limit, totals)
                                            : raw_records(segment, runs, limit, totals);
  }

  // `totals`: one for each of reported_cpus().
  void end(const RingTotals* totals);

 private:
  using Coder = wire::RecordCoder<FrameWriter>;

  bool has_reused_entries() const;
  uint16_t named_threads() const;
  uint32_t next_named(uint32_t at) const;

  // Bytes ahead of a raw run's words.
  static constexpr size_t records_fixed_bytes(const fxt::Word* clock) {
    return wire::Records::kWords + (clock == nullptr ? 0 : wire::kRecordsClockBytes);
  }
  bool codes() const { return kDumpsCoded && is_coded_; }
  // `coder`: null for raw records.
  void begin_records(const SegmentHeader& segment, const fxt::Word* clock, const RingTotals& totals,
                     bool has_compact, Coder* coder);
  void number(Coder* coder, uint64_t value);
  void calls_left_out();
  void raw_records(const SegmentHeader& segment, SegmentRuns& runs, size_t limit,
                   RingTotals& totals);
  void coded_records(const SegmentHeader& segment, SegmentRuns& runs, size_t limit,
                     RingTotals& totals);

  const Trace& trace_;
  bool is_coded_;
  FrameWriter frame_;
};

}  // namespace barefxt
