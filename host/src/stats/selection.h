// What is left of statistics where only some threads or CPUs are asked for. Durations and waits for
// locks, which are sums of all threads, are chosen from as they are added up.
#pragma once

#include <barefxt/host/stats.h>

namespace barefxt::host {

void select(Statistics& statistics, const Selection& selection);

}  // namespace barefxt::host
