// Compares the ring with the attempted records: in the interrupt, while a writer is interrupted (a
// dump, or a reader of the memory, would find this), and when all are done.
#pragma once

#include "linear/reference.h"

namespace kernel::linear {

// The contents of an experiment.
struct Expected {
  const Reference* path;
  const Reference* handler;  // null: it wrote nothing
  Amount fillers;            // attempted
  Amount lost_before;        // by what came ahead of the path
  // Recording begins or ends by the path or its handler: what is neither recorded nor lost was not
  // attempted.
  bool is_cut;
};

struct Findings {
  const char* wrong;  // null, or the name of what is wrong
  Amount attempted;
  Amount read;
  Amount lost;
};

// Records without content, to use up room: marked, so that they are known again.
inline constexpr uint32_t kMinFillerBytes = 3 * sizeof(uint64_t);
void write_filler(uint32_t bytes);

// In the interrupt: of one writer, no finished record is torn, doubled or out of order, at most one
// record is unfinished, and the runtime reports it.
Findings look_at_moment(const Expected& expected);

// After barefxt_stop, which returned `report`: besides, nothing is unfinished, and every record was
// read, or counted as lost.
Findings look_at_rest(const Expected& expected, const barefxt_stop_report& report);

// The handler stopped the session in the middle of a path, and got `report`: records that were not
// reserved by then were not recorded later, and all reserved ones are recorded.
Findings look_after_stop(const Expected& expected, const barefxt_stop_report& report);

}  // namespace kernel::linear
