/* The kernel's functions that tracers may call. */
#ifndef STAND_IN_TASK_H
#define STAND_IN_TASK_H

struct tskTaskControlBlock;
typedef struct tskTaskControlBlock* TaskHandle_t;

#define taskENTER_CRITICAL() ((void)0)
#define taskEXIT_CRITICAL() ((void)0)

TaskHandle_t xTaskGetCurrentTaskHandle(void);
UBaseType_t uxTaskGetTaskNumber(TaskHandle_t task);

#endif
