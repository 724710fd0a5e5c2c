#include "workload/requests.h"

#include "kernel/board.h"

namespace kernel::workload {

#ifdef BOARD_HAS_CONSOLE_INPUT

namespace {

void write_to_console(void* /*context*/, const uint8_t* bytes, size_t count) {
  board::console_write(bytes, count);
}

}  // namespace

bool serve_requests(barefxt_dump_form form, const barefxt_config* start) {
  for (uint8_t byte = 0; board::console_read(byte);) barefxt_receive(byte);
  const barefxt_writer writer = {&write_to_console, nullptr};
  return barefxt_serve(&writer, form, start);
}

#else

bool serve_requests(barefxt_dump_form /*form*/, const barefxt_config* /*start*/) { return false; }

#endif

}  // namespace kernel::workload
