/* The causes of injected.h under FreeRTOS, on two cores. */
#define INJECTED_TWO_CPUS
#include "injected.h"

#include "board.h"
#include "interrupts.h"
#include "semphr.h"

static uint64_t rings[262144]; /* 2 MiB */
static SemaphoreHandle_t semaphores[INJECTED_SEMAPHORES];
static SemaphoreHandle_t locks[INJECTED_LOCKS];
static const char* const lock_names[INJECTED_LOCKS] = {"outer", "middle", "inner", "plain"};
static TaskHandle_t tasks[INJECTED_THREADS];
static void (*entries[INJECTED_THREADS])(unsigned);
static BaseType_t wakes_higher;

void count_switch(const void* task) { (void)task; }
void board_fault(void) { board_end(); }

static void kernel_finish(void) {
  taskENTER_CRITICAL();
  barefxt_stop();
  barefxt_dump(&(barefxt_writer){board_write, NULL}, BAREFXT_DUMP_BINARY);
  board_end();
}

static void run(void* number) { entries[(uintptr_t)number]((unsigned)(uintptr_t)number); }
static void kernel_create_thread(unsigned number, const char* name, unsigned level,
                                 void (*entry)(unsigned)) {
  entries[number] = entry;
  xTaskCreateAffinitySet(run, name, 1024, (void*)(uintptr_t)number, level, 1, &tasks[number]);
}

static void kernel_up(unsigned semaphore) { xSemaphoreGive(semaphores[semaphore]); }
static void kernel_up_in_interrupt(unsigned semaphore) {
  xSemaphoreGiveFromISR(semaphores[semaphore], &wakes_higher);
}
static void kernel_down(unsigned semaphore) {
  xSemaphoreTake(semaphores[semaphore], portMAX_DELAY);
}

/* A mutex passes priorities on, so "plain" is a semaphore, with the calls of the user's own locks.
 */
static void kernel_lock(unsigned lock) {
  if (lock != PLAIN) {
    xSemaphoreTake(locks[lock], portMAX_DELAY);
    return;
  }
  uint64_t contended = 0;
  if (xSemaphoreTake(locks[lock], 0) != pdTRUE) {
    contended = barefxt_lock_contended((uintptr_t)locks[lock], BAREFXT_TEXT("plain"), NULL);
    xSemaphoreTake(locks[lock], portMAX_DELAY);
  }
  barefxt_lock_acquired((uintptr_t)locks[lock], BAREFXT_TEXT("plain"), contended);
}
static void kernel_unlock(unsigned lock) {
  if (lock == PLAIN) barefxt_lock_released((uintptr_t)locks[lock], BAREFXT_TEXT("plain"));
  xSemaphoreGive(locks[lock]);
}

static void kernel_sleep_ms(unsigned milliseconds) { vTaskDelay(pdMS_TO_TICKS(milliseconds)); }

static void kernel_forbid_switches(void) { vTaskSuspendAll(); }
static void kernel_allow_switches(void) { xTaskResumeAll(); }
static void kernel_mask(void) { taskENTER_CRITICAL(); }
static void kernel_unmask(void) { taskEXIT_CRITICAL(); }

static void kernel_move_victim(unsigned cpu) { vTaskCoreAffinitySet(tasks[VICTIM], 1u << cpu); }
static void kernel_hold_back(void) { virt_hold_back(); }
static void kernel_tell(void) { virt_tell(); }

/* ---- Interrupts ---- */

void vApplicationTickHook(void);
void vApplicationTickHook(void) { injected_in_tick(); }

static void kernel_ask_device(void) { virt_ask_device(); }

void freertos_risc_v_application_interrupt_handler(void);
void freertos_risc_v_application_interrupt_handler(void) {
  virt_answer_device();
  barefxt_interrupt_enter(BAREFXT_FREERTOS_INTERRUPT(), BAREFXT_TEXT("device"));
  wakes_higher = pdFALSE;
  injected_in_device();
  portYIELD_FROM_ISR(wakes_higher);
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
  for (unsigned i = 0; i < INJECTED_SEMAPHORES; ++i)
    semaphores[i] = xSemaphoreCreateCounting(16, 0);
  for (unsigned i = 0; i < INJECTED_LOCKS; ++i) {
    locks[i] = i == PLAIN ? xSemaphoreCreateBinary() : xSemaphoreCreateMutex();
    vQueueAddToRegistry(locks[i], lock_names[i]);
  }
  xSemaphoreGive(locks[PLAIN]);
  injected_create((uint32_t)(barefxt_ticks_per_second() / 1000));
  vTaskDelete(NULL);
}

int main(void) {
  xTaskCreateAffinitySet(start, "start", 1024, NULL, INJECTED_HIGHEST, 1, NULL);
  vTaskStartScheduler();
  return 0;
}
