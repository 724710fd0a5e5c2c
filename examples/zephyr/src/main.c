/* A producer and a consumer, traced by the module's hooks: switches, wakeups, waits for the
 * semaphore and the mutex. The main thread starts recording, and sends the trace over the console.
 */
#include <zephyr/device.h>
#include <zephyr/drivers/uart.h>
#include <zephyr/kernel.h>

#include <barefxt/barefxt.h>
#include <barefxt_zephyr.h>

BAREFXT_CATEGORY(app, 0);

enum { ROUNDS = 50 };

static uint64_t rings[8192]; /* 64 KiB */
K_SEM_DEFINE(filled, 0, 10);
K_MUTEX_DEFINE(bus);

static void produce(void* first, void* second, void* third) {
  ARG_UNUSED(first);
  ARG_UNUSED(second);
  ARG_UNUSED(third);
  for (uint32_t round = 0; round < ROUNDS; ++round) {
    k_msleep(5);
    k_mutex_lock(&bus, K_FOREVER);
    k_busy_wait(500);
    k_mutex_unlock(&bus);
    BAREFXT_INSTANT(app, "produced", BAREFXT_ARG_U32("round", round));
    k_sem_give(&filled);
  }
}

static void consume(void* first, void* second, void* third) {
  ARG_UNUSED(first);
  ARG_UNUSED(second);
  ARG_UNUSED(third);
  for (uint32_t round = 0; round < ROUNDS; ++round) {
    k_sem_take(&filled, K_FOREVER);
    BAREFXT_DURATION_SCOPE(app, "consume", BAREFXT_ARG_U32("round", round));
    k_mutex_lock(&bus, K_FOREVER);
    k_busy_wait(200);
    k_mutex_unlock(&bus);
  }
}

K_THREAD_DEFINE(producer, 2048, produce, NULL, NULL, NULL, 5, 0, 100);
K_THREAD_DEFINE(consumer, 2048, consume, NULL, NULL, NULL, 6, 0, 100);

static void uart_write(void* context, const uint8_t* bytes, size_t count) {
  for (size_t i = 0; i < count; ++i) uart_poll_out(context, bytes[i]);
}

int main(void) {
  const barefxt_config config = {.memory = rings,
                                 .bytes = sizeof rings,
                                 .cpus = 1,
                                 .categories = ~0u,
                                 .target = "zephyr example"};
  if (barefxt_start(&config) != BAREFXT_OK) return 1;
  k_thread_join(producer, K_FOREVER);
  k_thread_join(consumer, K_FOREVER);
  barefxt_stop();
  const struct device* const uart = DEVICE_DT_GET(DT_CHOSEN(zephyr_console));
  const barefxt_writer writer = {uart_write, (void*)uart};
  return barefxt_dump(&writer, BAREFXT_DUMP_BINARY) == BAREFXT_OK ? 0 : 1;
}
