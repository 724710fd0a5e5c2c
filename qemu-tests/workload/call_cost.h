// The cost of entering and leaving a function, for mode "sleds" with rounds=0. As in mode "cost" a
// site calls the function thousands of times; the cost of a site whose function records nothing is
// taken off.
#pragma once

#include <stdint.h>

#include "kernel/board.h"
#include "kernel/console.h"
#include "registers.h"

namespace kernel::workload {

constexpr uint32_t kCostRounds = 10000;  // the quotient is a matter of the point

template <void (*function)()>
__attribute__((noinline)) void call_site() {
  BOARD_FORGET_REGISTERS();
  function();
  BOARD_FORGET_REGISTERS();
}

// Not inlined, so that the code around the loop is the same for all.
__attribute__((noinline)) inline uint64_t instructions_of_calls(void (*site)()) {
  const uint64_t begin = board::ticks();
  for (uint32_t round = 0; round < kCostRounds; ++round) site();
  return board::instructions_in(board::ticks() - begin);
}

inline void print_call_cost(const char* name, uint64_t instructions, uint64_t above) {
  print("COST name=", name, " instructions=", TenThousandths{instructions - above}, "\n");
}

// For images whose functions call hooks (kernel_functions.elf). Prints the cost of a recorded pair
// of calls, above one while the category is off; and the cost of the latter above a function
// without hooks. From a thread.
void measure_hooks();

}  // namespace kernel::workload
