// Semihosting: the command line, a file on the host, and the end of the run.
#include "devices.h"
#include "kernel/board.h"

namespace board {
namespace {

constexpr uint32_t kOpen = 0x01;
constexpr uint32_t kClose = 0x02;
constexpr uint32_t kWrite = 0x05;
constexpr uint32_t kGetCommandLine = 0x15;
constexpr uint32_t kExit = 0x18;

constexpr uintptr_t kOpenForWritingBinary = 5;
constexpr uintptr_t kApplicationExit = 0x20026;

}  // namespace

uintptr_t semihosting(uint32_t operation, const void* block) {
  register uintptr_t x0 asm("x0") = operation;
  register const void* x1 asm("x1") = block;
  asm volatile("hlt #0xf000" : "+r"(x0) : "r"(x1) : "memory");
  return x0;
}

bool command_line(char* buffer, size_t bytes) {
  struct {
    char* buffer;
    uintptr_t bytes;
  } block = {buffer, bytes};
  return semihosting(kGetCommandLine, &block) == 0;
}

HostFile host_file_create(const char* name) {
  uintptr_t length = 0;
  while (name[length] != '\0') ++length;
  const struct {
    const char* name;
    uintptr_t mode;
    uintptr_t length;
  } block = {name, kOpenForWritingBinary, length};
  return static_cast<HostFile>(semihosting(kOpen, &block));
}

bool host_file_write(HostFile file, const uint8_t* bytes, size_t count) {
  const struct {
    uintptr_t file;
    const uint8_t* bytes;
    uintptr_t count;
  } block = {static_cast<uintptr_t>(file), bytes, count};
  return semihosting(kWrite, &block) == 0;  // the number of bytes not written
}

bool host_file_close(HostFile file) {
  const struct {
    uintptr_t file;
  } block = {static_cast<uintptr_t>(file)};
  return semihosting(kClose, &block) == 0;
}

void exit(int status) {
  const struct {
    uintptr_t reason;
    uintptr_t status;
  } block = {kApplicationExit, static_cast<uintptr_t>(status)};
  for (;;) semihosting(kExit, &block);
}

}  // namespace board
