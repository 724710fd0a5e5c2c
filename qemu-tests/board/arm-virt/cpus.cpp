// The other CPUs (PSCI), the console (PL011), fresh stacks, and traps.
#include <barefxt_pl011.h>

#include "kernel/board.h"
#include "kernel/console.h"
#include "machine_access.h"

extern "C" void board_cpu_entry();

// From the vectors: anything but an interrupt ends the run.
extern "C" [[noreturn]] void board_trap(uintptr_t vector, uintptr_t syndrome, uintptr_t address,
                                        uintptr_t fault_address);

namespace board {
namespace {

barefxt_pl011 uart = {reinterpret_cast<volatile uint32_t*>(0x09000000), 0, 0};

constexpr uintptr_t kPsciSystemReset = 0x84000009;

}  // namespace

bool start_cpu(unsigned cpu) {
  // A CPU that the machine does not have is an invalid parameter to PSCI.
  return psci(kPsciCpuOn, cpu, reinterpret_cast<uintptr_t>(&board_cpu_entry), cpu) == 0;
}

void reset() {
  psci(kPsciSystemReset, 0, 0, 0);
  while (true) wait_for_interrupt();
}

void console_write(const uint8_t* bytes, size_t count) { barefxt_pl011_write(&uart, bytes, count); }
bool console_read(uint8_t& byte) { return barefxt_pl011_read(&uart, &byte); }

void* prepare_stack(void* top, void (*entry)()) {
  auto* words = reinterpret_cast<uintptr_t*>(static_cast<char*>(top) - SWITCH_FRAME_BYTES);
  for (size_t i = 0; i < SWITCH_FRAME_BYTES / sizeof(uintptr_t); ++i) words[i] = 0;
  words[SWITCH_FRAME_RETURN / sizeof(uintptr_t)] = reinterpret_cast<uintptr_t>(entry);
  return words;
}

}  // namespace board

extern "C" void board_trap(uintptr_t vector, uintptr_t syndrome, uintptr_t address,
                           uintptr_t fault_address) {
  using kernel::Hex;
  kernel::print("\nTRAP vector=", uint64_t{vector}, " syndrome=", Hex{syndrome},
                " address=", Hex{address}, " fault_address=", Hex{fault_address}, "\n");
  board::exit(2);
}
