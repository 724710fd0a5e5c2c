/* The kernel's functions that tracers may call. */
#ifndef STAND_IN_TASK_H
#define STAND_IN_TASK_H

struct tskTaskControlBlock;
typedef struct tskTaskControlBlock* TaskHandle_t;

#define taskENTER_CRITICAL() ((void)0)
#define taskEXIT_CRITICAL() ((void)0)

#ifndef tskKERNEL_VERSION_MAJOR
#define tskKERNEL_VERSION_MAJOR 11
#endif

TaskHandle_t xTaskGetCurrentTaskHandle(void);
UBaseType_t uxTaskGetTaskNumber(TaskHandle_t task);

#endif
