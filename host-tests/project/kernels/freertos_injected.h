/* The kernel's part of injected.h that FreeRTOS has alike on one core and on two. */
#ifndef FREERTOS_INJECTED_H
#define FREERTOS_INJECTED_H

#include "FreeRTOS.h"
#include "board.h"
#include "injected.h"
#include "semphr.h"
#include "task.h"

static SemaphoreHandle_t semaphores[INJECTED_SEMAPHORES];
static SemaphoreHandle_t locks[INJECTED_LOCKS];
static void (*entries[INJECTED_THREADS])(unsigned);
static BaseType_t wakes_higher;

void board_fault(void) { board_end(); }

static void run(void* number) { entries[(uintptr_t)number]((unsigned)(uintptr_t)number); }

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

void vApplicationTickHook(void);
void vApplicationTickHook(void) { injected_in_tick(); }

static void handle_device(void) {
  barefxt_interrupt_enter(BAREFXT_FREERTOS_INTERRUPT(), BAREFXT_TEXT("device"));
  wakes_higher = pdFALSE;
  injected_in_device();
  portYIELD_FROM_ISR(wakes_higher);
}

static void create_objects(void) {
  static const char* const lock_names[INJECTED_LOCKS] = {"outer", "middle", "inner", "plain"};
  for (unsigned i = 0; i < INJECTED_SEMAPHORES; ++i)
    semaphores[i] = xSemaphoreCreateCounting(16, 0);
  for (unsigned i = 0; i < INJECTED_LOCKS; ++i) {
    locks[i] = i == PLAIN ? xSemaphoreCreateBinary() : xSemaphoreCreateMutex();
    vQueueAddToRegistry(locks[i], lock_names[i]);
  }
  xSemaphoreGive(locks[PLAIN]);
}

#endif
