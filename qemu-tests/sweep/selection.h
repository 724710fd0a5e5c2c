// Which of the places a sweep goes to where it does not go everywhere.
#pragma once

#include "sweep/place.h"

namespace kernel::sweep {

bool same_text(const char* left, const char* right);

// Those that stand for the others where only a few are taken: one for each of the two ways to
// reserve.
bool is_one_of_few(const Path& path);

enum class Places : uint8_t {
  kAll,
  kQuick,      // without those where segments are cleared or waited for
  kUsual,      // of these, in modes other than one-shot only what differs there
  kCrossings,  // where a segment is opened, one for each way to get one
  kTwo,        // in the middle of a segment, and at the end of the last
};

bool is_called(const Place& place, const char* name);
bool is_among(const Place& place, const Mode& mode, Places places);

}  // namespace kernel::sweep
