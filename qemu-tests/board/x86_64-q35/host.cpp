// Devices of the machine and its emulator besides CPUs: the console (16550), the command line
// (PVH), the file (debugcon), the clock, the end of the run, and the reset.
#include <barefxt_16550.h>
#include <barefxt_debugcon.h>

#include "kernel/board.h"
#include "ports.h"

extern "C" uint32_t board_start_information;

namespace board {

void measure_rates();
void prepare_machine();

namespace {

constexpr uint16_t kUartPort = 0x3f8;
barefxt_16550 uart = {nullptr, 0, kUartPort, 0, 0, 0};
barefxt_debugcon file = {BAREFXT_DEBUGCON_PORT};

// The begin of QEMU's record at the entry.
struct StartInformation {
  uint32_t magic;
  uint32_t version;
  uint32_t flags;
  uint32_t modules;
  uint64_t module_list;
  uint64_t command_line;
};
constexpr uint32_t kStartMagic = 0x336ec578;

// 115200 baud, 8 bits, FIFOs on; no interrupts.
void prepare_uart() {
  enum { kDivisorLow = 0, kDivisorHigh = 1, kInterrupts = 1, kFifo = 2, kLine = 3 };
  constexpr uint8_t kDivisorAccess = 0x80;
  constexpr uint8_t kEightBits = 3;
  barefxt_16550_write_register(&uart, kLine, kDivisorAccess | kEightBits);
  barefxt_16550_write_register(&uart, kDivisorLow, 1);
  barefxt_16550_write_register(&uart, kDivisorHigh, 0);
  barefxt_16550_write_register(&uart, kLine, kEightBits);
  barefxt_16550_write_register(&uart, kInterrupts, 0);
  barefxt_16550_write_register(&uart, kFifo, 1);
}

// The firmware left interrupts of the old controllers on, which go by other vectors than ours.
void silence_old_controllers() {
  out8(0x21, 0xff);
  out8(0xa1, 0xff);
}

uint8_t clock_register(uint8_t number) {
  out8(0x70, number);
  return in8(0x71);
}
unsigned clock_number(uint8_t number) {
  const uint8_t digits = clock_register(number);
  return (digits >> 4) * 10U + (digits & 0xf);
}

// Days of the Gregorian calendar, since 1970.
uint64_t days_before(unsigned year, unsigned month, unsigned day) {
  if (month < 3) {
    --year;
    month += 12;
  }
  return uint64_t{365} * year + year / 4 - year / 100 + year / 400 + (153 * month - 457) / 5 + day -
         719469;
}

[[noreturn]] void stay() {
  for (;;) asm volatile("cli\n\thlt" : : : "memory");
}

}  // namespace

void prepare_machine() {
  silence_old_controllers();
  prepare_uart();
  measure_rates();
}

void console_write(const uint8_t* bytes, size_t count) { barefxt_16550_write(&uart, bytes, count); }

bool command_line(char* buffer, size_t bytes) {
  const auto* information =
      reinterpret_cast<const StartInformation*>(uintptr_t{board_start_information});
  if (information->magic != kStartMagic || information->command_line == 0) return false;
  // Without the image's name.
  constexpr char kImage[] = "kernel ";
  size_t at = 0;
  for (size_t i = 0; kImage[i] != '\0'; ++i) buffer[at++] = kImage[i];
  const auto* text = reinterpret_cast<const char*>(information->command_line);
  for (; *text != '\0'; ++text) {
    if (at + 1 == bytes) return false;
    buffer[at++] = *text;
  }
  buffer[at] = '\0';
  return true;
}

bool file_open() { return barefxt_debugcon_is_there(&file); }
void file_write(const uint8_t* bytes, size_t count) { barefxt_debugcon_write(&file, bytes, count); }
bool file_close() { return true; }

uint64_t wall_clock_ns() {
  enum { kSeconds = 0, kMinutes = 2, kHours = 4, kDay = 7, kMonth = 8, kYear = 9, kStatus = 10 };
  constexpr uint8_t kUpdating = 0x80;
  while ((clock_register(kStatus) & kUpdating) != 0) relax();
  const uint64_t days =
      days_before(2000 + clock_number(kYear), clock_number(kMonth), clock_number(kDay));
  const uint64_t seconds = ((days * 24 + clock_number(kHours)) * 60 + clock_number(kMinutes)) * 60 +
                           clock_number(kSeconds);
  return seconds * 1000000000;
}

// A status other than 0 is QEMU's own with its lowest bit set.
void exit(int status) {
  constexpr uint16_t kPowerControl = 0x604;
  constexpr uint16_t kSoftOff = 0x2000;
  constexpr uint16_t kDebugExit = 0xf4;
  barefxt_16550_drain(&uart);
  if (status == 0)
    out16(kPowerControl, kSoftOff);
  else
    out8(kDebugExit, static_cast<uint8_t>(status >> 1));
  stay();
}

void reset() {
  constexpr uint16_t kResetControl = 0xcf9;
  constexpr uint8_t kHard = 2;
  constexpr uint8_t kNow = 4;
  out8(kResetControl, kHard);
  out8(kResetControl, kHard | kNow);
  stay();
}

}  // namespace board
