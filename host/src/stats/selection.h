// Restricts statistics to the requested threads or CPUs. Durations and waits for locks are sums
// over all threads, so they are selected while they are added up.
#pragma once

#include <barefxt/host/stats.h>

namespace barefxt::host {

void select(Statistics& statistics, const Selection& selection);

}  // namespace barefxt::host
