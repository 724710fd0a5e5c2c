#include "sweep/check.h"

#include "sweep/place.h"

namespace kernel::sweep {
namespace {

using barefxt::Ring;
using barefxt::SegmentHeader;
using barefxt::SegmentState;
using barefxt::SegmentWalker;

const Ring& checked_ring() { return barefxt::rings[0]; }

// Goes through a ring's records in the order of their reservation.
class Look {
 public:
  // `with_digest`: of every word, which takes longer than all the rest.
  explicit Look(const Expected& expected, bool with_digest = false)
      : expected_(expected), with_digest_(with_digest) {
    uint32_t sequence = 0;
    while (const SegmentHeader* segment = next_from(sequence)) {
      look_at(*segment);
      sequence = segment->sequence + 1;
    }
  }

  const char* wrong = nullptr;
  Amount read = {};
  Amount fillers = {};
  uint32_t unfinished = 0;
  uint64_t digest = 0;
  bool seen[kWriters][Reference::kMaxRecords] = {};

 private:
  void fail(const char* what) {
    if (wrong == nullptr) wrong = what;
  }

  static const SegmentHeader* next_from(uint32_t sequence) {
    const SegmentHeader* next = nullptr;
    for (uint32_t slot = 0; slot < checked_ring().segments; ++slot) {
      const SegmentHeader& segment = checked_ring().segment(slot);
      if (!barefxt::holds_records(barefxt::state_of(segment))) continue;
      if (!barefxt::is_of(segment, capture()) || segment.sequence < sequence) continue;
      if (next == nullptr || segment.sequence < next->sequence) next = &segment;
    }
    return next;
  }

  void look_at(const SegmentHeader& segment) {
    SegmentWalker walker(segment);
    SegmentWalker::Record record;
    while (walker.next(record)) {
      if (!record.finished) {
        ++unfinished;
        continue;
      }
      ++read.records;
      read.bytes += record.bytes;
      for (uint32_t i = 0; with_digest_ && i < record.bytes / sizeof(*record.words); ++i)
        digest = digest_with(digest, record.words[i]);
      look_at(record);
    }
    unfinished += walker.bare_reservations();
  }

  void look_at(const SegmentWalker::Record& record) {
    if (is_filler(record.words)) {
      ++fillers.records;
      fillers.bytes += record.bytes;
      return look_at_time(record.words[1]);
    }
    for (unsigned writer = 0; writer < kWriters; ++writer) {
      const Reference& reference = *expected_.reference[writer];
      for (uint32_t i = 0; expected_.wrote[writer] && i < reference.records(); ++i) {
        if (!reference.is_record(i, record)) continue;
        if (seen[writer][i]) fail("doubled");
        for (uint32_t later = i + 1; later < reference.records(); ++later)
          if (seen[writer][later]) fail("out_of_order");
        seen[writer][i] = true;
        return look_at_time(record.words[reference.record(i).time_word]);
      }
    }
    fail("torn");
  }

  void look_at_time(uint64_t time) {
    if (time < last_time_) fail("time_runs_back");
    last_time_ = time;
  }

  const Expected& expected_;
  const bool with_digest_;
  uint64_t last_time_ = 0;
};

Findings findings_of(const Expected& expected, const Look& look) {
  Findings findings = {};
  findings.wrong = look.wrong;
  findings.unfinished = look.unfinished;
  findings.digest = look.digest;
  for (const bool seen : look.seen[kInterrupted]) findings.of_path += seen ? 1 : 0;
  findings.attempted = fillers_attempted();
  for (unsigned writer = 0; writer < kWriters; ++writer)
    if (expected.wrote[writer]) add(findings.attempted, expected.reference[writer]->attempted());
  findings.read = look.read;
  findings.drained = {checked_ring().records_drained.value(), checked_ring().bytes_drained.value()};
  findings.overwritten = barefxt::overwritten(checked_ring(), capture());
  findings.lost = {checked_ring().records_lost.value() - lost_before().records,
                   checked_ring().bytes_lost.value() - lost_before().bytes};
  return findings;
}

Amount sum_of(const Findings& findings) {
  Amount sum = findings.read;
  add(sum, findings.lost);
  add(sum, findings.overwritten);
  add(sum, findings.drained);
  return sum;
}

Findings findings_of_moment(const Expected& expected, uint32_t writers, const Look& look) {
  Findings findings = findings_of(expected, look);
  if (findings.wrong != nullptr) return findings;
  if (look.unfinished > writers + unfinished_by_place()) findings.wrong = "unfinished";
  // Records from before the path are read or overwritten in every case.
  const Amount& before = fillers_attempted();
  if (writers == 1 &&
      (look.fillers.records + findings.overwritten.records + unfinished_by_place() !=
           before.records ||
       look.fillers.bytes + findings.overwritten.bytes +
               uint64_t{unfinished_by_place()} * kMinFillerBytes !=
           before.bytes))
    findings.wrong = "not_accounted_for";
  return findings;
}

}  // namespace

Findings look_at_moment(const Expected& expected, uint32_t writers) {
  return findings_of_moment(expected, writers, Look(expected));
}

Findings look_at_reset(const Expected& expected) {
  return findings_of_moment(expected, 1, Look(expected, true));
}

Findings look_at_rest(const Expected& expected, const barefxt_stop_report& report) {
  const Look look(expected);
  Findings findings = findings_of(expected, look);
  const auto fail = [&findings](const char* what) {
    if (findings.wrong == nullptr) findings.wrong = what;
  };
  if (look.unfinished != 0 || barefxt_unfinished() != 0) fail("unfinished");
  if (expected.stops) {
    // Later records are not recorded, and not lost.
    if (sum_of(findings).records > findings.attempted.records) fail("not_accounted_for");
    findings.attempted = sum_of(findings);
  }
  if (!same(sum_of(findings), findings.attempted)) fail("not_accounted_for");
  if (!expected.loses && findings.lost.records != 0) fail("lost_without_need");
  if (report.lost_records - lost_before().records != findings.lost.records ||
      report.overwritten_records != findings.overwritten.records)
    fail("report_of_stop");
  // Each by itself, where nothing explains that one is missing: what is overwritten is the oldest,
  // so not what was written last, unless that is so much that it goes around the ring.
  uint64_t written = 0;
  for (unsigned writer = 0; writer < kWriters; ++writer)
    if (expected.wrote[writer]) written += expected.reference[writer]->bytes();
  if (expected.loses || written > barefxt::kSegmentBytes) return findings;
  for (unsigned writer = 0; writer < kWriters; ++writer) {
    if (!expected.wrote[writer]) continue;
    for (uint32_t i = 0; i < expected.reference[writer]->records(); ++i)
      if (!look.seen[writer][i]) fail("missing");
  }
  return findings;
}

Findings look_after_stop(const Expected& expected, const barefxt_stop_report& report) {
  const Look look(expected);
  Findings findings = findings_of(expected, look);
  const auto fail = [&findings](const char* what) {
    if (findings.wrong == nullptr) findings.wrong = what;
  };
  if (look.unfinished != 0 || barefxt_unfinished() != 0) fail("unfinished");
  // A writer that was about to overwrite a segment goes on with that.
  if (findings.read.records + findings.overwritten.records !=
      report.recorded_records + report.overwritten_records + report.unfinished_records)
    fail("reserved_after_stop");
  // A writer that had found no room was about to count that.
  const uint64_t counted_later =
      findings.lost.records - (report.lost_records - lost_before().records);
  if (counted_later > expected.reference[kInterrupted]->attempted().records) fail("report_of_stop");
  findings.attempted = sum_of(findings);
  return findings;
}

Findings look_after_restart(const Expected& expected, const barefxt_stop_report& report) {
  const Look look(expected);
  Findings findings = findings_of(expected, look);
  const auto fail = [&findings](const char* what) {
    if (findings.wrong == nullptr) findings.wrong = what;
  };
  if (look.unfinished != 0 || report.unfinished_records != 0) fail("unfinished");
  if (report.recorded_records != findings.read.records) fail("report_of_stop");
  if (findings.overwritten.records != 0) fail("not_accounted_for");
  if (findings.read.records + findings.lost.records > findings.attempted.records) fail("doubled");
  for (uint32_t slot = 0; slot < checked_ring().segments; ++slot) {
    const SegmentHeader& segment = checked_ring().segment(slot);
    const auto state = static_cast<SegmentState>(segment.state.load_acquire());
    if (state == SegmentState::kClaimed || state == SegmentState::kLeaving) fail("segment_leaked");
    if (state != SegmentState::kFree) continue;
    const auto* words = reinterpret_cast<const barefxt::fxt::Word*>(&segment);
    for (uint32_t i = barefxt::kSegmentHeaderBytes / sizeof(*words);
         i < barefxt::kSegmentBytes / sizeof(*words); ++i)
      if (words[i] != 0) fail("free_segment_not_clear");
  }
  findings.attempted = sum_of(findings);
  return findings;
}

}  // namespace kernel::sweep
