/* A sensor, a worker and a logger under FreeRTOS, on the first of two cores. Sensor and logger
 * share a bus, which a binary semaphore guards: the worker keeps the logger off the CPU while the
 * sensor waits for it. A writer and a reader pass items through a queue, on whichever core is free,
 * and share a mutex with the worker.
 *
 * Ahead of the dump goes a line with what the kernel and the application counted.
 */
#include <string.h>

#include "board.h"
#include "interrupts.h"
#include "queue.h"
#include "semphr.h"

#define FIRST_CORE 1u
#define ANY_CORE 3u

static uint64_t rings[32768]; /* 256 KiB */
static SemaphoreHandle_t bus, samples, jobs, log_lock;
static QueueHandle_t items;
static unsigned bus_waits, ticks;
static unsigned switches[configNUMBER_OF_CORES];

/* ---- The kernel's hooks. The first one is called with the kernel's locks. ---- */

void count_switch(const void* task) {
  static const void* running[configNUMBER_OF_CORES];
  const int core = portGET_CORE_ID();
  if (task != running[core]) ++switches[core];
  running[core] = task;
}

void vApplicationTickHook(void);
void vApplicationTickHook(void) { ++ticks; }

void board_fault(void) {
  barefxt_close();
  barefxt_dump(&(barefxt_writer){board_write, NULL}, BAREFXT_DUMP_BINARY);
  board_end();
}

/* ---- The application ---- */

static void put_text(const char* text) { board_write(NULL, (const uint8_t*)text, strlen(text)); }
static void put_count(const char* name, unsigned value) {
  char digits[11];
  int at = sizeof digits - 1;
  digits[at] = 0;
  do {
    digits[--at] = (char)('0' + value % 10);
    value /= 10;
  } while (value != 0);
  put_text(name);
  put_text(&digits[at]);
}

/* No core switches meanwhile. */
static void finish(void) {
  taskENTER_CRITICAL();
  barefxt_stop();
  put_count("counted: bus_waits=", bus_waits);
  put_count(" switches_0=", switches[0]);
  put_count(" switches_1=", switches[1]);
  put_count(" ticks=", ticks);
  put_text("\n");
  barefxt_dump(&(barefxt_writer){board_write, NULL}, BAREFXT_DUMP_BINARY);
  board_end();
}

static void take_bus(void) {
  uint64_t contended = 0;
  if (xSemaphoreTake(bus, 0) != pdTRUE) {
    ++bus_waits;
    contended = barefxt_lock_contended((uintptr_t)bus, BAREFXT_TEXT("bus"), NULL);
    xSemaphoreTake(bus, portMAX_DELAY);
  }
  barefxt_lock_acquired((uintptr_t)bus, BAREFXT_TEXT("bus"), contended);
}
static void give_bus(void) {
  barefxt_lock_released((uintptr_t)bus, BAREFXT_TEXT("bus"));
  xSemaphoreGive(bus);
}

static void work_with_log(uint32_t microseconds) {
  xSemaphoreTake(log_lock, portMAX_DELAY);
  board_work_us(microseconds);
  xSemaphoreGive(log_lock);
}

static void sensor(void* unused) {
  (void)unused;
  for (int round = 0; round < 20; ++round) {
    xSemaphoreTake(samples, portMAX_DELAY);
    take_bus();
    board_work_us(300);
    give_bus();
  }
  finish();
}

static void worker(void* unused) {
  (void)unused;
  for (unsigned round = 0;; ++round) {
    xSemaphoreTake(jobs, portMAX_DELAY);
#ifdef FAULT
    if (round == 10) __builtin_trap();
#endif
    board_work_us(1500);
    work_with_log(200);
  }
}

/* Hands out work while it holds the bus. */
static void logger(void* unused) {
  (void)unused;
  for (;;) {
    take_bus();
    board_work_us(300);
    xSemaphoreGive(samples);
    xSemaphoreGive(jobs);
    board_work_us(300);
    give_bus();
    vTaskDelay(5);
  }
}

static void writer(void* unused) {
  (void)unused;
  for (uint32_t item = 0;; ++item) {
    xQueueSend(items, &item, portMAX_DELAY);
    if (item % 4 == 3) vTaskDelay(7);
  }
}

static void reader(void* unused) {
  (void)unused;
  for (uint32_t item;;) {
    xQueueReceive(items, &item, portMAX_DELAY);
    work_with_log(100);
  }
}

static void create(const char* name, void (*entry)(void*), unsigned priority, unsigned cores) {
  xTaskCreateAffinitySet(entry, name, 1024, NULL, priority, cores, NULL);
}

/* When the kernel runs on both cores, and both idle. */
static void start(void* unused) {
  (void)unused;
  const barefxt_config config = {.memory = rings,
                                 .bytes = sizeof rings,
                                 .cpus = 2,
                                 .categories = ~0u,
                                 .target = "freertos-smp"};
  vTaskDelay(5);
  taskENTER_CRITICAL();
  if (barefxt_start(&config) != BAREFXT_OK) board_end();
  switches[0] = switches[1] = ticks = 0;
  taskEXIT_CRITICAL();
  create("sensor", sensor, 4, FIRST_CORE);
  create("worker", worker, 3, FIRST_CORE);
  create("logger", logger, 2, FIRST_CORE);
  create("writer", writer, 1, ANY_CORE);
  create("reader", reader, 1, ANY_CORE);
  vTaskDelete(NULL);
}

int main(void) {
  bus = xSemaphoreCreateBinary();
  vQueueAddToRegistry(bus, "bus");
  xSemaphoreGive(bus);
  samples = xSemaphoreCreateBinary();
  vQueueAddToRegistry(samples, "samples");
  jobs = xSemaphoreCreateBinary();
  vQueueAddToRegistry(jobs, "jobs");
  log_lock = xSemaphoreCreateMutex();
  vQueueAddToRegistry(log_lock, "log");
  items = xQueueCreate(2, sizeof(uint32_t));
  vQueueAddToRegistry(items, "items");
  create("start", start, 5, FIRST_CORE);
  vTaskStartScheduler();
  return 0;
}
