// One frame as a line of JSON, for scripts and dashboards. docs/reference/top.md describes it.
#pragma once

#include <barefxt/host/output.h>
#include <barefxt/host/stats.h>

#include "frame.h"

namespace barefxt::top {

// `figures`: what the frame is of; null before the first records.
void print_batch_line(host::Output& out, const Frame& frame, const host::Statistics* figures);

}  // namespace barefxt::top
