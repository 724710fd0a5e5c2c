// Starts the part of this image that the command line asks for.
#include "kernel/board.h"
#include "kernel/console.h"
#include "kernel/parameters.h"
#include "linear/demo.h"
#include "linear/sweep.h"
#include "workload/workload.h"

void kernel_main() {
  using namespace kernel;
  const Parameters chosen = read_parameters();
  switch (chosen.mode) {
    case Mode::kDemo:
      linear::demo(chosen);
    case Mode::kCost:
      workload::measure_costs();
      board::exit(0);
    case Mode::kSweep:
      board::exit(linear::sweep(chosen.every) ? 0 : 1);
    default:
      print("kernel: of mode= this one without segments knows demo, cost and sweep\n");
      board::exit(3);
  }
}

// Its runtime has one CPU.
void kernel_secondary_main(unsigned /*cpu*/) {
  while (true) board::relax();
}
