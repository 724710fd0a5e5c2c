// From reset to the kernel; the console, fresh stacks, traps and the end.
#include <barefxt_cmsdk.h>

#include "kernel/board.h"
#include "kernel/console.h"
#include "layout.h"
#include "machine.h"
#include "system_control.h"

extern "C" {
extern uint32_t image_bss_start;
extern uint32_t image_bss_end;
extern const uint32_t board_vectors;

[[noreturn]] void board_start();
[[noreturn]] void board_secondary_start();

// From the vectors: anything but an interrupt ends the run.
[[noreturn]] void board_trap(uint32_t exception, const uint32_t* frame);
}

namespace board {
namespace {

barefxt_cmsdk uart = {reinterpret_cast<volatile uint32_t*>(kUart), 0, 0};

void prepare_cpu() {
  system_control(kVectorTable) = reinterpret_cast<uintptr_t>(&board_vectors);
  system_control(kConfiguration) = system_control(kConfiguration) | kTrapUnaligned;
  start_counter(barefxt_port_cpu());
}

}  // namespace

void console_write(const uint8_t* bytes, size_t count) { barefxt_cmsdk_write(&uart, bytes, count); }

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
  constexpr uint32_t kDivisor = 16;  // the fastest that the UART can do
  barefxt_cmsdk_enable(&uart, kDivisor);
  prepare_cpu();
  kernel_main();
}

void board_secondary_start() {
  board::interrupts_save_and_disable();
  board::prepare_cpu();
  kernel_secondary_main(barefxt_port_cpu());
}

void board_trap(uint32_t exception, const uint32_t* frame) {
  using kernel::Hex;
  kernel::print("\nTRAP exception=", exception,
                " CFSR=", Hex{board::system_control(board::kFaultStatus)},
                " PC=", Hex{frame[EXCEPTION_FRAME_PC / sizeof(uint32_t)]}, "\n");
  board::exit(2);
}
