/* A kernel that records the same in every image of it, but for the times. */
#include <barefxt/barefxt.h>

#include "machine.h"

BAREFXT_CATEGORY(work, 0);

/* Compilers call it to clear a structure. */
__attribute__((used)) void* memset(void* to, int value, size_t count) {
  volatile uint8_t* const bytes = (uint8_t*)to;
  for (size_t i = 0; i < count; ++i) bytes[i] = (uint8_t)value;
  return to;
}

static void uart_write(void* context, const uint8_t* bytes, size_t count) {
  (void)context;
  for (size_t i = 0; i < count; ++i) machine_put(bytes[i]);
}

int main(void) {
  static uint64_t rings[16384];
  static barefxt_thread idle;
  static barefxt_thread worker;
  machine_prepare();
  barefxt_process_register(1, "kernel");
  barefxt_thread_register(&idle, 0, 2, "idle/0", 0);
  barefxt_thread_register(&worker, 1, 3, "worker", 10);
  static const barefxt_config config = {
      .memory = rings, .bytes = sizeof rings, .cpus = 1, .categories = ~0u};
  if (barefxt_start(&config) != BAREFXT_OK) return 1;
  for (uint32_t i = 0; i < 100; ++i) {
    barefxt_context_switch(&idle, BAREFXT_STATE_RUNNABLE, &worker);
    BAREFXT_INSTANT(work, "step", BAREFXT_ARG_U32("number", i));
    BAREFXT_COUNTER(work, "queue", 1, BAREFXT_ARG_I64("length", (int64_t)i * i));
    BAREFXT_IRQ_ENTER("timer");
    BAREFXT_INSTANT(work, "late", BAREFXT_ARG_STRING("why", "abcdefghijk", i % 11),
                    BAREFXT_ARG_BOOL("ok", true));
    BAREFXT_IRQ_EXIT("timer");
    barefxt_context_switch(&worker, BAREFXT_STATE_BLOCKED, &idle);
  }
  if (barefxt_stop().lost_records != 0) return 2;
  const barefxt_writer writer = {uart_write, 0};
  return barefxt_dump(&writer, BAREFXT_DUMP_BINARY_CODED) == BAREFXT_OK ? 0 : 3;
}
