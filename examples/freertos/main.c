/* A sensor, a worker and a logger. Sensor and logger share a bus, which a binary semaphore guards:
 * that has no priority inheritance, so the worker keeps the logger off the CPU while the sensor
 * waits for the logger. `barefxt stats` names all three.
 */
#include <barefxt/barefxt.h>

#include "FreeRTOS.h"
#include "board.h"
#include "semphr.h"
#include "task.h"

static uint64_t rings[10240]; /* 80 KiB */
static SemaphoreHandle_t bus;

static void take_bus(void) {
  uint64_t contended = 0;
  if (xSemaphoreTake(bus, 0) != pdTRUE) {
    contended = barefxt_lock_contended((uintptr_t)bus, BAREFXT_TEXT("bus"), NULL);
    xSemaphoreTake(bus, portMAX_DELAY);
  }
  barefxt_lock_acquired((uintptr_t)bus, BAREFXT_TEXT("bus"), contended);
}

static void give_bus(void) {
  barefxt_lock_released((uintptr_t)bus, BAREFXT_TEXT("bus"));
  xSemaphoreGive(bus);
}

static void finish(void) {
  barefxt_stop();
  barefxt_dump(&(barefxt_writer){board_write, NULL}, BAREFXT_DUMP_BINARY);
  board_end();
}

/* The application is broken and does not go on: see docs/how-to/crash.md. */
void board_fault(void) {
  barefxt_close();
  barefxt_dump(&(barefxt_writer){board_write, NULL}, BAREFXT_DUMP_BINARY);
  board_end();
}

static void sensor(void* unused) {
  (void)unused;
  TickType_t time = xTaskGetTickCount();
  for (int round = 0; round < 50; ++round) {
    vTaskDelayUntil(&time, 10);
    take_bus();
    board_work_us(500);
    give_bus();
  }
  finish();
}

static void worker(void* unused) {
  (void)unused;
  TickType_t time = xTaskGetTickCount();
  for (;;) {
    vTaskDelayUntil(&time, 11);
#ifdef FAULT
    if (time > 100) __builtin_trap();
#endif
    board_work_us(3000);
  }
}

static void logger(void* unused) {
  (void)unused;
  for (;;) {
    take_bus();
    board_work_us(2000);
    give_bus();
    vTaskDelay(3);
  }
}

int main(void) {
  board_start();
  const barefxt_config config = {.memory = rings,
                                 .bytes = sizeof rings,
                                 .cpus = 1,
                                 .categories = ~0u,
                                 .target = "freertos-example"};
  if (barefxt_start(&config) != BAREFXT_OK) finish();
  bus = xSemaphoreCreateBinary();
  vQueueAddToRegistry(bus, "bus");
  xSemaphoreGive(bus);
  xTaskCreate(sensor, "sensor", 512, NULL, 3, NULL); /* it dumps: docs/reference/stack.md */
  xTaskCreate(worker, "worker", 200, NULL, 2, NULL);
  xTaskCreate(logger, "logger", 200, NULL, 1, NULL);
  vTaskStartScheduler();
  return 0;
}
