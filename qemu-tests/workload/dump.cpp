// The trace on its way out: over the console's line, or into a file on the host.
#include "workload/dump.h"

#include <barefxt/barefxt.h>

#include "kernel/board.h"
#include "kernel/panic.h"

namespace kernel::workload {
namespace {

// Semihosting stops the whole machine for each call: few large writes.
struct BufferedFile {
  board::HostFile file;
  size_t used;
  uint8_t bytes[4096];

  void flush() {
    KERNEL_ASSERT(board::host_file_write(file, bytes, used));
    used = 0;
  }
};

void write_to_file(void* context, const uint8_t* bytes, size_t count) {
  auto& out = *static_cast<BufferedFile*>(context);
  for (size_t i = 0; i < count; ++i) {
    out.bytes[out.used++] = bytes[i];
    if (out.used == sizeof out.bytes) out.flush();
  }
}

void write_to_console(void* /*context*/, const uint8_t* bytes, size_t count) {
  board::console_write(bytes, count);
}

void dump_to_console(barefxt_dump_form form) {
  const barefxt_writer writer = {&write_to_console, nullptr};
  KERNEL_ASSERT(barefxt_dump(&writer, form) == BAREFXT_OK);
}

void dump_to_file(const char* name) {
  static BufferedFile out;
  out.file = board::host_file_create(name);
  KERNEL_ASSERT(out.file >= 0);
  const barefxt_writer writer = {&write_to_file, &out};
  KERNEL_ASSERT(barefxt_dump(&writer, BAREFXT_DUMP_BINARY) == BAREFXT_OK);
  out.flush();
  KERNEL_ASSERT(board::host_file_close(out.file));
}

}  // namespace

void dump(const Parameters& parameters) {
  switch (parameters.dump) {
    case DumpTo::kUart:
      return dump_to_console(BAREFXT_DUMP_BINARY);
    case DumpTo::kText:
      return dump_to_console(BAREFXT_DUMP_TEXT);
    case DumpTo::kSemihosting:
      return dump_to_file(parameters.file);
    case DumpTo::kNowhere:
      return;
  }
}

}  // namespace kernel::workload
