/* The stand-in application's configuration, in the form that FreeRTOS reads. */
#ifndef FREERTOS_CONFIG_H
#define FREERTOS_CONFIG_H

#include <barefxt/config.h>

#ifndef configNUMBER_OF_CORES
#define configNUMBER_OF_CORES (BAREFXT_MAX_CPUS > 1 ? 2 : 1)
#endif
#define configUSE_TRACE_FACILITY 1
#define configMAX_TASK_NAME_LEN 16
#define configRECORD_STACK_HIGH_ADDRESS 1
#define configTICK_RATE_HZ ((TickType_t)1000)
#define INCLUDE_vTaskDelete 1
#define INCLUDE_vTaskSuspend 1

/* The interrupt that the test plays. */
#ifndef __ASSEMBLER__
extern unsigned stand_in_interrupt;
#define BAREFXT_FREERTOS_INTERRUPT() stand_in_interrupt
#define BAREFXT_FREERTOS_TICK_INTERRUPT 15
#endif

#include "barefxt_freertos.h"

#endif
