#define SWEEP_WRITER kInterrupting
#define SWEEP_TEXT "interrupting"
#define SWEEP_C_PROBE sweep_c_probe_interrupting
#include "sweep/probes.h"

namespace kernel::sweep {

Paths paths_of_interrupting() { return {kPaths, kPathCount}; }

}  // namespace kernel::sweep
