#define SWEEP_WRITER kNested
#define SWEEP_TEXT "nested"
#define SWEEP_C_PROBE sweep_c_probe_nested
#include "sweep/probes.h"

namespace kernel::sweep {

Paths paths_of_nested() { return {kPaths, kPathCount}; }

}  // namespace kernel::sweep
