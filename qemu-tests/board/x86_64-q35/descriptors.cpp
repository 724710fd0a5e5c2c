// The table of interrupts, and traps.
#include "kernel/board.h"
#include "kernel/console.h"

extern "C" {
void board_traps();  // 16 bytes of code for each exception
void board_nmi();
void board_timer();
void board_reschedule();
void board_park();
void board_spurious();

void board_prepare_cpu(unsigned cpu);

// From the vectors: anything but an interrupt ends the run.
[[noreturn]] void board_trap(uint64_t vector, uint64_t code, uint64_t address, uint64_t fault);
}

namespace board {

void prepare_machine();

namespace {

struct Gate {
  uint16_t address_low;
  uint16_t selector;
  uint16_t type;
  uint16_t address_middle;
  uint32_t address_high;
  uint32_t reserved;
};
static_assert(sizeof(Gate) == 16);

constexpr unsigned kExceptions = 22;
constexpr uintptr_t kTrapBytes = 16;
alignas(16) Gate gates[256];

void set_gate(unsigned vector, uintptr_t address) {
  constexpr uint16_t kPresentInterruptGate = 0x8e00;
  gates[vector] = {static_cast<uint16_t>(address),
                   SELECTOR_CODE64,
                   kPresentInterruptGate,
                   static_cast<uint16_t>(address >> 16),
                   static_cast<uint32_t>(address >> 32),
                   0};
}
void set_gate(unsigned vector, void (*handler)()) {
  set_gate(vector, reinterpret_cast<uintptr_t>(handler));
}

void fill_table() {
  for (unsigned i = 0; i < kExceptions; ++i)
    set_gate(i, reinterpret_cast<uintptr_t>(&board_traps) + i * kTrapBytes);
  set_gate(VECTOR_NMI, &board_nmi);
  set_gate(VECTOR_TIMER, &board_timer);
  set_gate(VECTOR_RESCHEDULE, &board_reschedule);
  set_gate(VECTOR_PARK, &board_park);
  set_gate(VECTOR_SPURIOUS, &board_spurious);
}

}  // namespace
}  // namespace board

// From the startup of each CPU, before the kernel.
void board_prepare_cpu(unsigned cpu) {
  if (cpu == 0) board::fill_table();
  struct __attribute__((packed)) {
    uint16_t last = sizeof board::gates - 1;
    uint64_t address = reinterpret_cast<uintptr_t>(&board::gates);
  } const table;
  asm volatile("lidt %0" : : "m"(table));
  if (cpu == 0) board::prepare_machine();
}

void board_trap(uint64_t vector, uint64_t code, uint64_t address, uint64_t fault) {
  using kernel::Hex;
  kernel::print("\nTRAP vector=", vector, " code=", Hex{code}, " RIP=", Hex{address},
                " CR2=", Hex{fault}, "\n");
  board::exit(2);
}
