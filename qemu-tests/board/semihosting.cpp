// Semihosting, for the boards whose host has it: the command line, a file, and the end of the run.
#include <barefxt_semihosting.h>

#include "kernel/board.h"

namespace board {
namespace {

constexpr uint32_t kGetCommandLine = 0x15;
// Unlike SYS_EXIT it takes a status from CPUs of 32 bits as well.
constexpr uint32_t kExitExtended = 0x20;

constexpr uintptr_t kApplicationExit = 0x20026;

barefxt_semihosting file;

}  // namespace

bool command_line(char* buffer, size_t bytes) {
  uintptr_t block[2] = {reinterpret_cast<uintptr_t>(buffer), bytes};
  return barefxt_semihosting_call(kGetCommandLine, block, 2) == 0;
}

bool file_open() { return barefxt_semihosting_open(&file, "trace.bin"); }
void file_write(const uint8_t* bytes, size_t count) {
  barefxt_semihosting_write(&file, bytes, count);
}
bool file_close() { return barefxt_semihosting_close(&file); }

void exit(int status) {
  uintptr_t block[2] = {kApplicationExit, static_cast<uintptr_t>(status)};
  for (;;) barefxt_semihosting_call(kExitExtended, block, 2);
}

}  // namespace board
