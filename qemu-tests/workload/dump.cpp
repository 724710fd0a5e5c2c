// The trace on its way out: over the console's line, or into a file on the host.
#include "workload/dump.h"

#include <barefxt/barefxt.h>
#include <barefxt_semihosting.h>

#include "kernel/board.h"
#include "kernel/panic.h"

namespace kernel::workload {
namespace {

void write_to_console(void* /*context*/, const uint8_t* bytes, size_t count) {
  board::console_write(bytes, count);
}

void dump_to_console(barefxt_dump_form form) {
  const barefxt_writer writer = {&write_to_console, nullptr};
  KERNEL_ASSERT(barefxt_dump(&writer, form) == BAREFXT_OK);
}

void dump_to_file(const char* name, bool in_frames) {
  static barefxt_semihosting file;
  KERNEL_ASSERT(barefxt_semihosting_open(&file, name));
  const barefxt_writer writer = {&barefxt_semihosting_write, &file};
  KERNEL_ASSERT((in_frames ? barefxt_dump(&writer, BAREFXT_DUMP_BINARY)
                           : barefxt_dump_fxt(&writer)) == BAREFXT_OK);
  KERNEL_ASSERT(barefxt_semihosting_close(&file));
}

}  // namespace

void dump(const Parameters& parameters) {
  switch (parameters.dump) {
    case DumpTo::kUart:
      return dump_to_console(BAREFXT_DUMP_BINARY);
    case DumpTo::kText:
      return dump_to_console(BAREFXT_DUMP_TEXT);
    case DumpTo::kSemihosting:
      return dump_to_file(parameters.file, true);
    case DumpTo::kFxt:
      return dump_to_file(parameters.file, false);
    case DumpTo::kNowhere:
      return;
  }
}

}  // namespace kernel::workload
