// The end of a run that went wrong.
#include "kernel/panic.h"

#include "kernel/board.h"
#include "kernel/console.h"

namespace kernel {

void panic(const char* file, int line, const char* what) {
  board::interrupts_save_and_disable();
  print("\nPANIC ", file, ":", static_cast<uint32_t>(line), ": ", what, "\n");
  board::exit(1);
}

}  // namespace kernel
