/* The causes of injected.h under FreeRTOS, on the board of examples/freertos. */
#include "freertos_injected.h"

#define REGISTER(address) (*(volatile uint32_t*)(address))
#define DEVICE_INTERRUPT 9u /* of the NVIC: exception 25 */

extern const void* const vectors[16];
static const void* all_vectors[32] __attribute__((aligned(128)));
static uint64_t rings[131072]; /* 1 MiB */

static void kernel_finish(void) {
  barefxt_stop();
  barefxt_dump(&(barefxt_writer){board_write, NULL}, BAREFXT_DUMP_BINARY);
  board_end();
}

static void kernel_create_thread(unsigned number, const char* name, unsigned level,
                                 void (*entry)(unsigned)) {
  entries[number] = entry;
  xTaskCreate(run, name, number == CONDUCTOR ? 512 : 200, (void*)(uintptr_t)number, level, NULL);
}

/* The tick nests in the device's interrupt. When it starts, the kernel gives the tick the lowest
 * priority, so that is set here. */
static void kernel_ask_device(void) {
  REGISTER(0xe000ed20) = 0x80ff0000;
  REGISTER(0xe000e400 + DEVICE_INTERRUPT / 4 * 4) = 0xc0c0c0c0;
  REGISTER(0xe000e100) = 1u << DEVICE_INTERRUPT;
  REGISTER(0xe000e200) = 1u << DEVICE_INTERRUPT;
}

int main(void) {
  board_start();
  for (int i = 0; i < 16; ++i) all_vectors[i] = vectors[i];
  all_vectors[16 + DEVICE_INTERRUPT] = (const void*)handle_device;
  REGISTER(0xe000ed08) = (uint32_t)all_vectors;
  const barefxt_config config = {
      .memory = rings, .bytes = sizeof rings, .cpus = 1, .categories = ~0u, .target = "freertos"};
  if (barefxt_start(&config) != BAREFXT_OK) board_end();
  create_objects();
  injected_create(25000);
  vTaskStartScheduler();
  return 0;
}
