#include <barefxt/config.h>

#if !BAREFXT_DISABLED

#include "sent_segments.h"

#if !BAREFXT_LINEAR

#if BAREFXT_RESEND_SEGMENTS

namespace barefxt {
namespace {

// Passes the records ahead of number `first`.
void skip_to(uint64_t first, SegmentRuns& runs, Amount& sent) {
  for (; !runs.is_over() && sent.records < first; runs.skip()) {
    ++sent.records;
    sent.bytes += runs.pending().bytes;
  }
}

}  // namespace

bool resend_of(TraceFrames& frames, const SegmentHeader& segment, const Amount& before,
               uint64_t first, uint64_t end) {
  RingTotals totals;
  clear(totals);
  add(totals.sent, before);
  SegmentRuns runs(segment, Interval{}, 0, 0);
  skip_to(first, runs, totals.sent);
  // The end of the records, so that no record is sent that was not asked for.
  Amount behind = {0, 0};
  add(behind, before);
  SegmentRuns ahead(segment, Interval{}, 0, 0);
  skip_to(end, ahead, behind);
  bool has_sent = false;
  while (!runs.is_over() && totals.sent.records < end) {
    frames.resent_records(segment, runs, static_cast<size_t>(behind.bytes - totals.sent.bytes),
                          totals);
    has_sent = true;
  }
  return has_sent;
}

}  // namespace barefxt

#endif

#endif

#endif
