// Compares a ring's content with the attempted records.
//
// Two moments: in the interrupt, while a writer is interrupted (a reader, or a reset, would find
// this), and at rest, when all writers are done.
#pragma once

#include <barefxt/ring.h>

#include "sweep/reference.h"

namespace kernel::sweep {

using barefxt::Amount;

inline void add(Amount& sum, const Amount& more) {
  sum.records += more.records;
  sum.bytes += more.bytes;
}
inline bool same(const Amount& left, const Amount& right) {
  return left.records == right.records && left.bytes == right.bytes;
}

struct Expected {
  const Reference* reference[kWriters];
  bool wrote[kWriters];  // whether the writer came to write
  bool loses;            // whether records may be dropped, or overwritten before they are read
  bool stops;            // whether recording ends at some time by itself
};

struct Findings {
  const char* wrong;  // null, or the name of what is wrong
  Amount attempted;
  Amount read;
  Amount lost;
  Amount overwritten;
  Amount drained;
  uint32_t unfinished;  // records
  uint32_t of_path;     // of those read, the interrupted path's
  uint64_t digest;      // of all that was read, in order, by look_at_reset
};

// A digest with one more word in it.
constexpr uint64_t digest_with(uint64_t digest, uint64_t word) {
  return (digest ^ word) * 0x100000001b3;
}

// In the interrupt: nothing that is finished is torn, doubled or out of order, no more than
// `writers` records are unfinished, and what was written before the path began is there or
// overwritten.
Findings look_at_moment(const Expected& expected, uint32_t writers);

// The same right before a reset of the machine, where one writer is interrupted, with the digest
// that what is recovered has to have.
Findings look_at_reset(const Expected& expected);

// After barefxt_stop, which returned `report`: besides, nothing is unfinished, and every record was
// read, overwritten or counted as lost.
Findings look_at_rest(const Expected& expected, const barefxt_stop_report& report);

// An interrupt stopped the session in the middle of a path, and got `report`: records that were not
// reserved by then were not recorded later, and all reserved ones are recorded.
Findings look_after_stop(const Expected& expected, const barefxt_stop_report& report);

// An interrupt stopped the session and started the next in the same memory, stopped by now with
// this `report`. The records that the interrupted writer had left to write went, whole, into one of
// them. No segment is lost to the ring, or free and not clear.
Findings look_after_restart(const Expected& expected, const barefxt_stop_report& report);

}  // namespace kernel::sweep
