#define SWEEP_WRITER kInterrupted
#define SWEEP_TEXT "interrupted"
#define SWEEP_C_PROBE sweep_c_probe_interrupted
#include "sweep/probes.h"

namespace kernel::sweep {

Paths paths_of_interrupted() { return {kPaths, kPathCount}; }

}  // namespace kernel::sweep
