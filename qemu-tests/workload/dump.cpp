// The trace on its way out: over the console's line, into a file on the host, or through memory
// that a debug probe reads.
#include "workload/dump.h"

#include <barefxt/barefxt.h>
#include <barefxt_rtt.h>

#include "kernel/board.h"
#include "kernel/console.h"
#include "kernel/panic.h"
#include "workload/workload.h"

namespace kernel::workload {
namespace {

using Send = barefxt_error (*)(const barefxt_writer* writer, barefxt_dump_form form);

barefxt_error send_without_frames(const barefxt_writer* writer, barefxt_dump_form /*unused*/) {
  return barefxt_dump_fxt(writer);
}

void to_console(Send send, barefxt_dump_form form) {
  const barefxt_writer writer = {&write_to_console, nullptr};
  KERNEL_ASSERT(send(&writer, form) == BAREFXT_OK);
}

void write_to_file(void* /*context*/, const uint8_t* bytes, size_t count) {
  board::file_write(bytes, count);
}

void to_file(Send send, barefxt_dump_form form) {
  KERNEL_ASSERT(board::file_open());
  const barefxt_writer writer = {&write_to_file, nullptr};
  KERNEL_ASSERT(send(&writer, form) == BAREFXT_OK);
  KERNEL_ASSERT(board::file_close());
}

void to_probe(Send send, barefxt_dump_form form) {
  // Beyond what any probe takes between two looks at the channel.
  constexpr uint32_t kPatience = 1000000000;
  static barefxt_rtt_block block;
  static uint8_t buffer[1024];
  barefxt_rtt_initialize(&block, "barefxt", buffer, sizeof buffer);
  barefxt_rtt rtt = {&block.up[0], kPatience, 0};
  const barefxt_writer writer = {&barefxt_rtt_write, &rtt};
  KERNEL_ASSERT(send(&writer, form) == BAREFXT_OK);
  KERNEL_ASSERT(rtt.unsent == 0);
}

void to_where_it_was_asked_for(Send send, const Parameters& parameters) {
  const barefxt_dump_form binary =
      parameters.coded ? BAREFXT_DUMP_BINARY_CODED : BAREFXT_DUMP_BINARY;
  switch (parameters.dump) {
    case DumpTo::kUart:
      return to_console(send, binary);
    case DumpTo::kText:
      return to_console(send, parameters.coded ? BAREFXT_DUMP_TEXT_CODED : BAREFXT_DUMP_TEXT);
    case DumpTo::kFile:
      return to_file(send, binary);
    case DumpTo::kFxt:
      return to_file(&send_without_frames, binary);
    case DumpTo::kProbe:
      return to_probe(send, binary);
    case DumpTo::kNowhere:
      return;
  }
}

}  // namespace

void dump(const Parameters& parameters) { to_where_it_was_asked_for(&barefxt_dump, parameters); }

bool dump_recovered(const Parameters& parameters) {
  const barefxt_recovery found = barefxt_recover();
  if (found == BAREFXT_RECOVERED_NOTHING) return false;
  print("RECOVERED ", found == BAREFXT_RECOVERED_WHOLE ? "whole" : "partly", "\n");
  to_where_it_was_asked_for(&barefxt_recovered_dump, parameters);
  barefxt_recovered_release();
  print("barefxt demo kernel: done\n");
  return true;
}

}  // namespace kernel::workload
