// From reset to the kernel; the console, fresh stacks, traps and the end.
#include <barefxt_nrf.h>

#include "devices.h"
#include "kernel/board.h"
#include "kernel/console.h"
#include "layout.h"

extern "C" {
extern uint32_t image_bss_start;
extern uint32_t image_bss_end;

[[noreturn]] void board_start();

// From the vectors: anything but an interrupt ends the run.
[[noreturn]] void board_trap(uint32_t exception, const uint32_t* frame);
}

namespace board {
namespace {

barefxt_nrf uart = {reinterpret_cast<volatile uint32_t*>(kUart), 0, 0};

// Free-running, over all of its 24 bits; it reads 0 until it was reloaded once.
void start_counter() {
  device(kSysTickReload) = 0xffffff;
  device(kSysTickValue) = 0;
  device(kSysTickControl) = kSysTickOn;
}

}  // namespace

kernel::Cpu* the_cpu = nullptr;

bool start_cpu(unsigned /*cpu*/) { return false; }

void reset() {
  asm volatile("dsb" : : : "memory");
  device(kInterruptAndReset) = kResetKey | kResetRequest;
  while (true) wait_for_interrupt();
}

void console_write(const uint8_t* bytes, size_t count) { barefxt_nrf_write(&uart, bytes, count); }

void* prepare_stack(void* top, void (*entry)()) {
  char* frame = static_cast<char*>(top) - SWITCH_FRAME_BYTES;
  auto* words = reinterpret_cast<uint32_t*>(frame);
  for (size_t i = 0; i < SWITCH_FRAME_BYTES / sizeof(uint32_t); ++i) words[i] = 0;
  words[SWITCH_FRAME_LR / sizeof(uint32_t)] = reinterpret_cast<uintptr_t>(entry);
  return frame;
}

}  // namespace board

void board_start() {
  using namespace board;
  interrupts_save_and_disable();
  for (uint32_t* word = &image_bss_start; word < &image_bss_end; ++word) *word = 0;
  barefxt_nrf_enable(&uart, kMegabaud);
  start_counter();
  kernel_main();
}

void board_trap(uint32_t exception, const uint32_t* frame) {
  using kernel::Hex;
  kernel::print("\nTRAP exception=", exception,
                " PC=", Hex{frame[EXCEPTION_FRAME_PC / sizeof(uint32_t)]}, "\n");
  board::exit(2);
}
