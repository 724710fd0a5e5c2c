/* The causes of injected.h under FreeRTOS, on the board of examples/freertos. */
#include "FreeRTOS.h"
#include "board.h"
#include "injected.h"
#include "semphr.h"
#include "task.h"

#define REGISTER(address) (*(volatile uint32_t*)(address))
#define DEVICE_INTERRUPT 9u /* of the NVIC: exception 25 */

extern const void* const vectors[16];
static const void* all_vectors[32] __attribute__((aligned(128)));
static uint64_t rings[131072]; /* 1 MiB */
static SemaphoreHandle_t semaphores[INJECTED_SEMAPHORES];
static SemaphoreHandle_t locks[INJECTED_LOCKS];
static const char* const lock_names[INJECTED_LOCKS] = {"outer", "middle", "inner", "plain"};
static void (*entries[INJECTED_THREADS])(unsigned);
static BaseType_t wakes_higher;

void board_fault(void) { board_end(); }

static void kernel_finish(void) {
  barefxt_stop();
  barefxt_dump(&(barefxt_writer){board_write, NULL}, BAREFXT_DUMP_BINARY);
  board_end();
}

static void run(void* number) { entries[(uintptr_t)number]((unsigned)(uintptr_t)number); }
static void kernel_create_thread(unsigned number, const char* name, unsigned level,
                                 void (*entry)(unsigned)) {
  entries[number] = entry;
  xTaskCreate(run, name, number == CONDUCTOR ? 512 : 200, (void*)(uintptr_t)number, level, NULL);
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

/* ---- Interrupts ---- */

void vApplicationTickHook(void);
void vApplicationTickHook(void) { injected_in_tick(); }

static void device_handler(void) {
  barefxt_interrupt_enter(BAREFXT_FREERTOS_INTERRUPT(), BAREFXT_TEXT("device"));
  wakes_higher = pdFALSE;
  injected_in_device();
  portYIELD_FROM_ISR(wakes_higher);
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
  all_vectors[16 + DEVICE_INTERRUPT] = (const void*)device_handler;
  REGISTER(0xe000ed08) = (uint32_t)all_vectors;
  const barefxt_config config = {
      .memory = rings, .bytes = sizeof rings, .cpus = 1, .categories = ~0u, .target = "freertos"};
  if (barefxt_start(&config) != BAREFXT_OK) board_end();
  for (unsigned i = 0; i < INJECTED_SEMAPHORES; ++i)
    semaphores[i] = xSemaphoreCreateCounting(16, 0);
  for (unsigned i = 0; i < INJECTED_LOCKS; ++i) {
    locks[i] = i == PLAIN ? xSemaphoreCreateBinary() : xSemaphoreCreateMutex();
    vQueueAddToRegistry(locks[i], lock_names[i]);
  }
  xSemaphoreGive(locks[PLAIN]);
  injected_create(25000);
  vTaskStartScheduler();
  return 0;
}
