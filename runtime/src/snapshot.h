// A moment of a session that goes on: segments are held while writers use the rest, until they are
// told or let go.
#pragma once

#include "trace.h"

namespace barefxt {

// Segments that a snapshot leaves to the writers of a ring: the open one, and some of the oldest.
inline constexpr uint32_t kSegmentsOfWriters = 3;

// A start has taken its segments.
void forget_snapshot();

}  // namespace barefxt
