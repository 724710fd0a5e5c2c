// Semihosting: the command line, and the end of the run.
#include <barefxt_semihosting.h>

#include "kernel/board.h"

namespace board {
namespace {

constexpr uint32_t kGetCommandLine = 0x15;
constexpr uint32_t kExit = 0x18;

constexpr uintptr_t kApplicationExit = 0x20026;

}  // namespace

bool command_line(char* buffer, size_t bytes) {
  struct {
    char* buffer;
    uintptr_t bytes;
  } block = {buffer, bytes};
  return barefxt_semihosting_call(kGetCommandLine, &block) == 0;
}

void exit(int status) {
  const struct {
    uintptr_t reason;
    uintptr_t status;
  } block = {kApplicationExit, static_cast<uintptr_t>(status)};
  for (;;) barefxt_semihosting_call(kExit, &block);
}

}  // namespace board
