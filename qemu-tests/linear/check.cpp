#include "linear/check.h"

#include <barefxt/barefxt.h>

#include "linear.h"

namespace kernel::linear {

using barefxt::RecordHeaderWord;
using barefxt::SegmentWalker;
using barefxt::fxt::RingRecord;
using barefxt::fxt::RingRecordType;
using barefxt::fxt::Word;
using barefxt::linear::Place;

namespace {

constexpr Word kMark = 0x46494c4c46494c4c;

bool is_filler(const Word* words) {
  return RingRecord::is(words[0], RingRecordType::kTimed) && words[2] == kMark;
}

// All of the ring, record by record.
class Look {
 public:
  explicit Look(const Expected& expected) : expected_(expected) {
    SegmentWalker walker = walk_ring();
    SegmentWalker::Record record;
    while (walker.next(record)) {
      if (!record.finished) {
        ++unfinished;
        unfinished_bytes += record.bytes;
        continue;
      }
      read.add({1, record.bytes});
      look_at(record);
    }
    bare = walker.bare_reservations();
    unfinished += bare;
  }

  const char* wrong = nullptr;
  Amount read;
  uint32_t unfinished = 0;
  uint32_t unfinished_bytes = 0;  // but for those that are bare
  uint32_t bare = 0;
  uint64_t last_time = 0;

 private:
  void fail(const char* what) {
    if (wrong == nullptr) wrong = what;
  }

  void look_at(const SegmentWalker::Record& record) {
    if (is_filler(record.words)) return look_at_time(record.words[1]);
    if (takes(*expected_.path, path_seen_, record)) return;
    if (expected_.handler != nullptr && takes(*expected_.handler, handler_seen_, record)) return;
    fail("torn");
  }

  // Each record comes once, in order, and none behind one that found no room.
  bool takes(const Reference& reference, uint32_t& seen, const SegmentWalker::Record& record) {
    for (uint32_t i = 0; i < reference.records(); ++i) {
      if (!reference.is_record(i, record)) continue;
      // Two of the same kind may be the same but for their time.
      if (i < seen) continue;
      if (i > seen) fail("gap_within");
      seen = i + 1;
      look_at_time(reference.time_in(i, record));
      return true;
    }
    return false;
  }

  void look_at_time(uint64_t time) {
    if (time < last_time || time < barefxt::rings[0].start_ticks) fail("time_runs_back");
    last_time = time;
  }

  const Expected& expected_;
  uint32_t path_seen_ = 0;
  uint32_t handler_seen_ = 0;
};

Findings findings_of(const Expected& expected, const Look& look) {
  const barefxt::Ring& ring = barefxt::rings[0];
  Findings findings = {};
  findings.wrong = look.wrong;
  findings.attempted = expected.fillers;
  findings.attempted.add(expected.path->attempted());
  if (expected.handler != nullptr) findings.attempted.add(expected.handler->attempted());
  findings.read = look.read;
  findings.lost = {ring.records_lost.value() - expected.lost_before.records,
                   ring.bytes_lost.value() - expected.lost_before.bytes};
  // At any moment these records, and no more, are reserved.
  const barefxt::PositionWord position = ring.position.load_relaxed();
  if (position == 0) return findings;
  const uint64_t reserved = Place::reserved(position);
  const uint64_t reserved_bytes = Place::offset_when_closed(position) - Place::kFirst;
  const auto fail = [&findings](const char* what) {
    if (findings.wrong == nullptr) findings.wrong = what;
  };
  if (reserved != look.read.records + look.unfinished) fail("reserved_is_not_there");
  if (look.bare == 0 && reserved_bytes != look.read.bytes + look.unfinished_bytes)
    fail("reserved_bytes_are_not_there");
  if (reserved_bytes + Place::kFirst > ring.memory_bytes) fail("beyond_the_end");
  return findings;
}

void mark_as_wrong(Findings& findings, bool is_wrong, const char* what) {
  if (is_wrong && findings.wrong == nullptr) findings.wrong = what;
}

Amount sum_of(const Findings& findings) {
  Amount sum = findings.read;
  sum.add(findings.lost);
  return sum;
}

bool all_is_finished(const Look& look) { return look.unfinished == 0 && barefxt_unfinished() == 0; }

}  // namespace

void write_filler(uint32_t bytes) {
  barefxt::Reservation reservation;
  if (!barefxt::reserve_slowly(barefxt::Owner::kNobody, bytes, reservation)) return;
  reservation.words[1] = reservation.ticks;
  reservation.words[2] = kMark;
  RecordHeaderWord::commit(reservation.words,
                           RingRecord::make(RingRecordType::kTimed, bytes / sizeof(Word)));
}

Findings look_at_moment(const Expected& expected) {
  const Look look(expected);
  Findings findings = findings_of(expected, look);
  mark_as_wrong(findings, look.unfinished > 1, "unfinished");
  // It may have finished, and not counted that yet.
  const uint32_t reported = barefxt_unfinished();
  mark_as_wrong(findings, reported > 1 || reported < look.unfinished, "unfinished_is_not_reported");
  return findings;
}

Findings look_at_rest(const Expected& expected, const barefxt_stop_report& report) {
  const Look look(expected);
  Findings findings = findings_of(expected, look);
  mark_as_wrong(findings, !all_is_finished(look), "unfinished");
  const Amount sum = sum_of(findings);
  if (expected.is_cut) {
    mark_as_wrong(findings, sum.records > findings.attempted.records, "more_than_attempted");
    findings.attempted = sum;
  }
  mark_as_wrong(findings, !(sum == findings.attempted), "not_accounted_for");
  mark_as_wrong(findings,
                report.recorded_records != findings.read.records ||
                    report.lost_records - expected.lost_before.records != findings.lost.records ||
                    report.unfinished_records != 0,
                "report_of_stop");
  mark_as_wrong(findings, barefxt::linear::stop_ticks(barefxt::rings[0]) < look.last_time,
                "stopped_too_early");
  return findings;
}

Findings look_after_stop(const Expected& expected, const barefxt_stop_report& report) {
  const Look look(expected);
  Findings findings = findings_of(expected, look);
  mark_as_wrong(findings, !all_is_finished(look), "unfinished");
  mark_as_wrong(
      findings,
      findings.read.records != uint64_t{report.recorded_records} + report.unfinished_records,
      "reserved_after_stop");
  // A writer that had found no room was about to count that.
  const uint64_t counted_later =
      findings.lost.records - (report.lost_records - expected.lost_before.records);
  mark_as_wrong(findings, counted_later > 1, "report_of_stop");
  const Amount sum = sum_of(findings);
  mark_as_wrong(findings, sum.records > findings.attempted.records, "more_than_attempted");
  mark_as_wrong(findings, barefxt::linear::stop_ticks(barefxt::rings[0]) < look.last_time,
                "stopped_too_early");
  findings.attempted = sum;
  return findings;
}

}  // namespace kernel::linear
