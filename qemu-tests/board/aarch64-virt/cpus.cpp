// The other CPUs (PSCI), the console (PL011), fresh stacks, and traps.
#include <barefxt_pl011.h>

#include "devices.h"
#include "kernel/board.h"
#include "kernel/console.h"

extern "C" void board_cpu_entry();

// From the vectors: anything but an interrupt ends the run.
extern "C" [[noreturn]] void board_trap(uint64_t vector, uint64_t esr, uint64_t elr, uint64_t far);

namespace board {
namespace {

barefxt_pl011 uart = {reinterpret_cast<volatile uint32_t*>(0x09000000)};

// PSCI; the first by its 64-bit calling convention.
constexpr uint64_t kCpuOn = 0xc4000003;
constexpr uint64_t kSystemReset = 0x84000009;

int64_t psci(uint64_t function, uint64_t a, uint64_t b, uint64_t c) {
  register uint64_t x0 asm("x0") = function;
  register uint64_t x1 asm("x1") = a;
  register uint64_t x2 asm("x2") = b;
  register uint64_t x3 asm("x3") = c;
  asm volatile("hvc #0" : "+r"(x0), "+r"(x1), "+r"(x2), "+r"(x3) : : "memory");
  return static_cast<int64_t>(x0);
}

}  // namespace

bool start_cpu(unsigned cpu) {
  // A CPU that the machine does not have is an invalid parameter to PSCI.
  return psci(kCpuOn, cpu, reinterpret_cast<uintptr_t>(&board_cpu_entry), cpu) == 0;
}

void reset() {
  psci(kSystemReset, 0, 0, 0);
  while (true) wait_for_interrupt();
}

void console_write(const uint8_t* bytes, size_t count) { barefxt_pl011_write(&uart, bytes, count); }

void* prepare_stack(void* top, void (*entry)()) {
  char* frame = static_cast<char*>(top) - SWITCH_FRAME_BYTES;
  auto* words = reinterpret_cast<uint64_t*>(frame);
  for (size_t i = 0; i < SWITCH_FRAME_BYTES / sizeof(uint64_t); ++i) words[i] = 0;
  words[SWITCH_FRAME_X30 / sizeof(uint64_t)] = reinterpret_cast<uintptr_t>(entry);
  return frame;
}

}  // namespace board

extern "C" void board_trap(uint64_t vector, uint64_t esr, uint64_t elr, uint64_t far) {
  using kernel::Hex;
  kernel::print("\nTRAP vector=", vector, " ESR=", Hex{esr}, " ELR=", Hex{elr}, " FAR=", Hex{far},
                "\n");
  board::exit(2);
}
