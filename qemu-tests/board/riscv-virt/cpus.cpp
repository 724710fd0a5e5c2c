// The other CPUs, the console (16550), fresh stacks, reset, and traps.
//
// A CPU's number is not its hart's: the last hart is CPU 1, the last but one CPU 2. So code that
// confuses the two fails here.
#include <barefxt_16550.h>

#include "devices.h"
#include "kernel/board.h"
#include "kernel/console.h"

// From the trap entry: anything but an interrupt ends the run.
extern "C" [[noreturn]] void board_trap(uintptr_t cause, uintptr_t address, uintptr_t value,
                                        uintptr_t stack_pointer);

extern "C" {
uint32_t board_cpu_of_hart[BOARD_MAX_CPUS];  // for those that wait in startup.S
}

namespace board {
namespace {

barefxt_16550 uart = {reinterpret_cast<volatile uint8_t*>(0x10000000), 0, 0, 0, 0, 0};

constexpr uintptr_t kTestFinisher = 0x100000;
constexpr uint32_t kReset = 0x7777;

// A hart that the machine does not have keeps nothing.
bool has_hart(unsigned hart) {
  constexpr uint64_t kKept = 0x5a5a5a5a5a5a;
  set_timer_compare(hart, kKept);
  const bool is_there = timer_compare(hart) == kKept;
  set_timer_compare(hart, kNever);
  return is_there;
}

unsigned count_harts() {
  unsigned count = 1;
  while (count < kMaxCpus && has_hart(count)) ++count;
  return count;
}

unsigned harts = 0;

}  // namespace

unsigned hart_of(unsigned cpu) { return cpu == 0 ? 0 : harts - cpu; }

bool start_cpu(unsigned cpu) {
  if (harts == 0) harts = count_harts();
  if (cpu >= harts) return false;
  board_cpu_of_hart[hart_of(cpu)] = cpu;
  set_software_interrupt(hart_of(cpu), true);
  return true;
}

void reset() {
  // Under -icount the clock goes on, while QEMU resets the machine, to where a timer is set to: so
  // there must be none that is to fire never.
  interrupts_save_and_disable();
  const uint64_t soon = ticks() + 1000;
  set_timer_compare(hart_of(barefxt_port_cpu()), soon);
  while (ticks() <= soon + 1) relax();
  write_register(kTestFinisher, kReset);
  while (true) wait_for_interrupt();
}

void console_write(const uint8_t* bytes, size_t count) { barefxt_16550_write(&uart, bytes, count); }

void* prepare_stack(void* top, void (*entry)()) {
  auto* words = reinterpret_cast<uintptr_t*>(static_cast<char*>(top) - SWITCH_FRAME_BYTES);
  for (size_t i = 0; i < SWITCH_FRAME_BYTES / REGISTER_BYTES; ++i) words[i] = 0;
  words[SWITCH_FRAME_RA] = reinterpret_cast<uintptr_t>(entry);
  return words;
}

}  // namespace board

extern "C" void board_trap(uintptr_t cause, uintptr_t address, uintptr_t value,
                           uintptr_t stack_pointer) {
  using kernel::Hex;
  kernel::print("\nTRAP mcause=", Hex{cause}, " mepc=", Hex{address}, " mtval=", Hex{value},
                " sp=", Hex{stack_pointer}, "\n");
  board::exit(2);
}
