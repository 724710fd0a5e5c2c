/* The causes of injected.h under FreeRTOS, on two cores. */
#define INJECTED_TWO_CPUS
#include "freertos_injected.h"
#include "interrupts.h"

static uint64_t rings[262144]; /* 2 MiB */
static TaskHandle_t tasks[INJECTED_THREADS];

void count_switch(const void* task) { (void)task; }

static void kernel_finish(void) {
  taskENTER_CRITICAL();
  barefxt_stop();
  barefxt_dump(&(barefxt_writer){board_write, NULL}, BAREFXT_DUMP_BINARY);
  board_end();
}

static void kernel_create_thread(unsigned number, const char* name, unsigned level,
                                 void (*entry)(unsigned)) {
  entries[number] = entry;
  xTaskCreateAffinitySet(run, name, 1024, (void*)(uintptr_t)number, level, 1, &tasks[number]);
}

static void kernel_move_victim(unsigned cpu) { vTaskCoreAffinitySet(tasks[VICTIM], 1u << cpu); }
static void kernel_hold_back(void) { virt_hold_back(); }
static void kernel_tell(void) { virt_tell(); }

static void kernel_ask_device(void) { virt_ask_device(); }

void freertos_risc_v_application_interrupt_handler(void);
void freertos_risc_v_application_interrupt_handler(void) {
  virt_answer_device();
  handle_device();
}

/* When the kernel runs on both cores. */
static void start(void* unused) {
  (void)unused;
  const barefxt_config config = {.memory = rings,
                                 .bytes = sizeof rings,
                                 .cpus = 2,
                                 .categories = ~0u,
                                 .target = "freertos-smp"};
  vTaskDelay(5);
  if (barefxt_start(&config) != BAREFXT_OK) board_end();
  __asm__ volatile("csrsi mie, 2"); /* the device's */
  create_objects();
  injected_create((uint32_t)(barefxt_ticks_per_second() / 1000));
  vTaskDelete(NULL);
}

int main(void) {
  xTaskCreateAffinitySet(start, "start", 1024, NULL, INJECTED_HIGHEST, 1, NULL);
  vTaskStartScheduler();
  return 0;
}
