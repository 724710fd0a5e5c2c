// Why things were late: the worst intervals of a trace, explained, and the history that explains
// any other interval of a thread in the page.
//
// Bytes of the history: the size of a JSON object (four bytes), the object, then tables. A table
// has the tracks of one kind, subject after subject, in columns, each with its size (four bytes)
// ahead:
//   how many steps each track has          numbers (bytes.h)
//   time, from the last step to the first  numbers: less than the step behind, of the last one less
//                                          than the end
//   state, and 16 times the flags          a byte
//   number; value                          numbers
//   losses before it, as the time is       numbers
// The states of threads go from the first step to the last: a run with the value 1 has the time of
// the next one in the CPU's track, any other step has a number more than the end of the one before,
// zigzag, and no losses. Threads count from 1 in values. Begin, end and names are in the object.
#pragma once

#include <string>

#include <barefxt/host/explain.h>

#include "drawing.h"

namespace barefxt::report {

struct Reasons {
  static constexpr size_t kWorst = 100;  // of each kind
  // A history of more is left out.
  static constexpr size_t kMaxSteps = size_t{1} << 22;

  host::Explained explained;
  std::string history;
};

// Explains the intervals that `selection` leaves, and keeps the history of the drawn stretch. A
// trace that cannot be explained has no cases.
Reasons find_reasons(host::Source& source, host::Form form, const host::Selection& selection,
                     const Drawing& drawing);

}  // namespace barefxt::report
