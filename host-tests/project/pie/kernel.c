/* Records strings and calls of functions in an image that was moved, and sends the trace, or what
 * lies in memory behind the code (MEMORY=1). */
#include <barefxt/barefxt.h>

#include "machine.h"

#define HIDDEN __attribute__((visibility("hidden")))

extern HIDDEN const uint8_t image_data[];
extern HIDDEN const uint8_t image_end[];

BAREFXT_CATEGORY(boot, 0);
HIDDEN int kernel(void);
HIDDEN void in_another_language(uint32_t number);
void named_step(uint32_t number);

/* For compilers, which may call them. */
void* memset(void* to, int value, size_t count) {
  volatile uint8_t* const bytes = to;
  for (size_t i = 0; i < count; ++i) bytes[i] = (uint8_t)value;
  return to;
}
void* memcpy(void* to, const void* from, size_t count) {
  volatile uint8_t* const bytes = to;
  for (size_t i = 0; i < count; ++i) bytes[i] = ((const uint8_t*)from)[i];
  return to;
}

/* Addresses in memory, which the start has to relocate. */
const char* thread_names[] = {"idle/0", "first"};

__attribute__((noinline)) void named_step(uint32_t number) {
  BAREFXT_INSTANT(boot, "step", BAREFXT_ARG_U32("number", number),
                  BAREFXT_ARG_LITERAL("kind", "even"));
  BAREFXT_INSTANT(boot, "half a step");
}

static void send(void* context, const uint8_t* bytes, size_t count) {
  (void)context;
  for (size_t i = 0; i < count; ++i) machine_put(bytes[i]);
}

int kernel(void) {
  static uint64_t rings[4096];
  static barefxt_thread threads[2];
  machine_prepare();
  barefxt_process_register(1, "kernel");
  for (uint32_t i = 0; i < 2; ++i)
    barefxt_thread_register(&threads[i], i, 2 + i, thread_names[i], (uint8_t)i);
  const barefxt_config config = {
      .memory = rings, .bytes = sizeof rings, .cpus = 1, .categories = ~0u, .target = "moved"};
  if (barefxt_start(&config) != BAREFXT_OK) return 3;
#if SLEDS
  if (barefxt_functions_patch(1, UINT32_MAX, NULL) != BAREFXT_OK) return 4;
#endif
  barefxt_context_switch(&threads[0], BAREFXT_STATE_RUNNABLE, &threads[1]);
  for (uint32_t i = 0; i < 10; ++i) {
    named_step(i);
    in_another_language(i);
  }
  barefxt_stop();
#if MEMORY
  send(NULL, image_data, (size_t)(image_end - image_data));
  return 0;
#else
  const barefxt_writer writer = {.write = send};
  return barefxt_dump(&writer, BAREFXT_DUMP_BINARY) == BAREFXT_OK ? 0 : 5;
#endif
}
