#include "workload/requests.h"

#include "kernel/board.h"
#include "kernel/console.h"

namespace kernel::workload {

#ifdef BOARD_HAS_CONSOLE_INPUT

bool serve_requests(barefxt_dump_form form, const barefxt_config* start) {
  for (uint8_t byte = 0; board::console_read(byte);) barefxt_receive(byte);
  const barefxt_writer writer = {&write_to_console, nullptr};
  return barefxt_serve(&writer, form, start);
}

#else

bool serve_requests(barefxt_dump_form /*form*/, const barefxt_config* /*start*/) { return false; }

#endif

}  // namespace kernel::workload
