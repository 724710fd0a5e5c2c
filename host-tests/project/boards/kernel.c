/* The smallest kernel that records and dumps over its board's own UART. board.h has the board, and
 * what it writes to. */
#include <barefxt/barefxt.h>

#include "board.h"
#include "library.h"

BAREFXT_CATEGORY(boot, 0);

#ifndef STEPS
#define STEPS 10
#endif

int main(void) {
  static uint64_t rings[512];
  static barefxt_thread idle;
  static barefxt_thread first;
  board_prepare();
  barefxt_process_register(1, "kernel");
  barefxt_thread_register(&idle, 0, 2, "idle/0", 0);
  barefxt_thread_register(&first, 1, 3, "first", 10);
  const barefxt_config config = {
      .memory = rings, .bytes = sizeof rings, .cpus = 1, .categories = ~0u};
  const barefxt_error error = barefxt_start(&config);
  barefxt_context_switch(&idle, BAREFXT_STATE_RUNNABLE, &first);
  for (uint32_t i = 0; i < STEPS; ++i) {
    BAREFXT_INSTANT(boot, "step", BAREFXT_ARG_U32("number", i));
    board_step();
  }
  barefxt_context_switch(&first, BAREFXT_STATE_BLOCKED, &idle);
  barefxt_stop();
  const barefxt_writer writer = board_writer();
  barefxt_dump(&writer, BAREFXT_DUMP_BINARY);
  return error == BAREFXT_OK && board_has_sent() ? 0 : 1;
}
