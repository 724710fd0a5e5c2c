// Mode "profile": one CPU, no threads. A timer takes samples of functions whose shares of the
// instructions are known, because each is counted by itself first.
#pragma once

#include "kernel/parameters.h"

namespace kernel::workload {

// Takes parameters.records samples, at distances that depend on parameters.seed, dumps, and prints
//
//   FUNCTION name=N total=INSTRUCTIONS self=INSTRUCTIONS   of one round, for each function
//   SAMPLES taken=N recorded=N lost=N
//   PROFILE end
void profile(const Parameters& parameters);

}  // namespace kernel::workload
