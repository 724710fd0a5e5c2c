/* As much as the applications here need, on two cores. The last lines are the tracer's. */
#ifndef FREERTOS_CONFIG_H
#define FREERTOS_CONFIG_H

#define configNUMBER_OF_CORES 2
#define configUSE_CORE_AFFINITY 1
#define configRUN_MULTIPLE_PRIORITIES 1
#define configUSE_PASSIVE_IDLE_HOOK 1
#define configUSE_PORT_OPTIMISED_TASK_SELECTION 0
#define configMTIME_BASE_ADDRESS 0x0200bff8
#define configMTIMECMP_BASE_ADDRESS 0x02004000
#define configUSE_ISR_STACK 1
#define configISR_STACK_SIZE_WORDS 1024

#define configCPU_CLOCK_HZ 10000000 /* that of mtime */
#define configTICK_RATE_HZ 1000
#define configUSE_16_BIT_TICKS 0
#define configUSE_PREEMPTION 1
#define configUSE_IDLE_HOOK 1
#define configUSE_TICK_HOOK 1
#define configUSE_TIMERS 0
#define configUSE_MUTEXES 1
#define configUSE_COUNTING_SEMAPHORES 1
#define configMAX_PRIORITIES 8
#define configMINIMAL_STACK_SIZE 512
#define configTOTAL_HEAP_SIZE 65536
#define configMAX_TASK_NAME_LEN 12
#define configQUEUE_REGISTRY_SIZE 8

#define INCLUDE_vTaskDelay 1
#define INCLUDE_xTaskDelayUntil 1
#define INCLUDE_vTaskDelete 1
#define INCLUDE_vTaskSuspend 1

#ifndef __ASSEMBLER__
void count_switch(const void* task);
#define portTASK_SWITCH_HOOK(task) count_switch(task)
#endif

#define configUSE_TRACE_FACILITY 1
#include "barefxt_freertos.h"

#endif
