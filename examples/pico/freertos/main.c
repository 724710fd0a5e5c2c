/* FreeRTOS on a Pico, traced: a control task every five milliseconds, and one of lower priority
 * that shares a mutex with it. The trace leaves by the default UART.
 */
#include <FreeRTOS.h>
#include <pico/stdlib.h>
#include <pico_barefxt.h>
#include <semphr.h>
#include <stdio.h>
#include <task.h>

BAREFXT_CATEGORY(control, 0);

enum { ROUNDS = 30 };

static uint64_t rings[4096 * PICO_BAREFXT_CPUS]; /* 32 KiB a core */
static SemaphoreHandle_t bus;

static void work(uint32_t loops) {
  for (volatile uint32_t i = 0; i < loops; ++i) tight_loop_contents();
}

static void log_values(void* unused) {
  (void)unused;
  for (;;) {
    xSemaphoreTake(bus, portMAX_DELAY);
    {
      BAREFXT_DURATION_SCOPE(control, "log");
      work(20000);
    }
    xSemaphoreGive(bus);
    vTaskDelay(3);
  }
}

static void control(void* unused) {
  (void)unused;
  TickType_t next = xTaskGetTickCount();
  for (uint32_t round = 0; round < ROUNDS; ++round) {
    vTaskDelayUntil(&next, 5);
    xSemaphoreTake(bus, portMAX_DELAY);
    {
      BAREFXT_DURATION_SCOPE(control, "read", BAREFXT_ARG_U32("round", round));
      work(1000);
    }
    xSemaphoreGive(bus);
  }
  barefxt_stop();
  pico_barefxt_dump(uart_default, NULL);
  printf("done: %u rounds\n", (unsigned)ROUNDS);
  vTaskSuspend(NULL);
}

int main(void) {
  static const barefxt_config config = {.memory = rings,
                                        .bytes = sizeof rings,
                                        .cpus = PICO_BAREFXT_CPUS,
                                        .categories = ~0u,
                                        .target = "Pico with FreeRTOS"};
  stdio_init_all();
  bus = xSemaphoreCreateMutex();
  vQueueAddToRegistry(bus, "bus");
  xTaskCreate(control, "control", 512, NULL, 3, NULL);
  xTaskCreate(log_values, "log", 512, NULL, 1, NULL);
  const barefxt_error error = pico_barefxt_start(&config);
  if (error != BAREFXT_OK) printf("not traced: %s\n", barefxt_error_name(error));
  vTaskStartScheduler();
}
