/* As much as the example needs. The last line is the tracer's. */
#ifndef FREERTOS_CONFIG_H
#define FREERTOS_CONFIG_H

#define configNUMBER_OF_CORES PICO_BAREFXT_CPUS
#if configNUMBER_OF_CORES > 1
#define configUSE_CORE_AFFINITY 1
#define configRUN_MULTIPLE_PRIORITIES 1
#define configUSE_PASSIVE_IDLE_HOOK 0
#endif
#define configTICK_CORE 0
#define configTICK_RATE_HZ 1000
#define configUSE_16_BIT_TICKS 0
#define configUSE_PREEMPTION 1
#define configUSE_IDLE_HOOK 0
#define configUSE_TICK_HOOK 0
#define configUSE_MUTEXES 1
#define configMAX_PRIORITIES 5
#define configMINIMAL_STACK_SIZE 256
#define configSUPPORT_DYNAMIC_ALLOCATION 1
#define configTOTAL_HEAP_SIZE 16384
#define configMAX_TASK_NAME_LEN 12
#define configQUEUE_REGISTRY_SIZE 4
/* With two cores the SDK's locks and sleeps let other tasks run, by event groups that interrupts
 * set. */
#define configSUPPORT_PICO_SYNC_INTEROP (PICO_BAREFXT_CPUS > 1)
#define configSUPPORT_PICO_TIME_INTEROP (PICO_BAREFXT_CPUS > 1)
#define configUSE_TIMERS 1
#define configTIMER_TASK_PRIORITY 4
#define configTIMER_QUEUE_LENGTH 8
#define configTIMER_TASK_STACK_DEPTH 512
#define INCLUDE_xTimerPendFunctionCall 1

#define INCLUDE_vTaskDelay 1
#define INCLUDE_xTaskDelayUntil 1
#define INCLUDE_vTaskDelete 1
#define INCLUDE_vTaskSuspend 1

#define configUSE_TRACE_FACILITY 1
#include "barefxt_freertos.h"

#endif
