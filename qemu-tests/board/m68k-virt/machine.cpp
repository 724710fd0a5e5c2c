// Devices besides the clocks: the console, the command line, fresh stacks, the end and the reset,
// traps.
#include <barefxt_goldfish.h>

#include "devices.h"
#include "kernel/board.h"
#include "kernel/console.h"

extern "C" {
extern const uint16_t image_bss_end;

// From the vectors: anything but an interrupt ends the run.
[[noreturn]] void board_trap(uint32_t vector_offset, uintptr_t address);
}

namespace board {
namespace {

barefxt_goldfish tty = {reinterpret_cast<volatile uint32_t*>(kTty)};

constexpr uintptr_t kCommand = kController + 4;
enum : uint32_t { kReset = 1, kHalt = 2, kPanic = 3 };

[[noreturn]] void command(uint32_t number) {
  device_register(kCommand) = number;
  while (true) interrupts_save_and_disable();
}

}  // namespace

kernel::Cpu* the_cpu = nullptr;

bool start_cpu(unsigned /*cpu*/) { return false; }

void* prepare_stack(void* top, void (*entry)()) {
  char* frame = static_cast<char*>(top) - SWITCH_FRAME_BYTES;
  auto* words = reinterpret_cast<uint32_t*>(frame);
  for (size_t i = 0; i < SWITCH_FRAME_BYTES / sizeof(uint32_t); ++i) words[i] = 0;
  words[SWITCH_FRAME_RETURN / sizeof(uint32_t)] = reinterpret_cast<uintptr_t>(entry);
  return frame;
}

void console_write(const uint8_t* bytes, size_t count) {
  barefxt_goldfish_write(&tty, bytes, count);
}

// The boot loader's records lie behind the image: each is a tag, its size, and its data.
bool command_line(char* buffer, size_t bytes) {
  constexpr uint16_t kLast = 0;
  constexpr uint16_t kCommandLine = 7;
  constexpr char kImage[] = "kernel ";
  for (const uint16_t* record = &image_bss_end; record[0] != kLast; record += record[1] / 2) {
    if (record[0] != kCommandLine) continue;
    size_t at = 0;
    for (size_t i = 0; kImage[i] != '\0'; ++i) buffer[at++] = kImage[i];
    for (const auto* text = reinterpret_cast<const char*>(record + 2); *text != '\0'; ++text) {
      if (at + 1 == bytes) return false;
      buffer[at++] = *text;
    }
    buffer[at] = '\0';
    return true;
  }
  return false;
}

// A panic of the guest is a failure of QEMU's.
void exit(int status) { command(status == 0 ? kHalt : kPanic); }

void reset() { command(kReset); }

}  // namespace board

extern "C" void board_trap(uint32_t vector_offset, uintptr_t address) {
  using kernel::Hex;
  kernel::print("\nTRAP vector=", vector_offset / 4, " PC=", Hex{address}, "\n");
  board::exit(2);
}
