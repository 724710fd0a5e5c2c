/* The least by which Tonbandgeraet's hooks for FreeRTOS compile; the kernel itself is not there. */
#ifndef FREERTOS_CONFIG_H
#define FREERTOS_CONFIG_H
#define configMAX_PRIORITIES 8
#define configMAX_SYSCALL_INTERRUPT_PRIORITY 32
#define configMINIMAL_STACK_SIZE 128
#define configTICK_RATE_HZ 1000
#define configUSE_16_BIT_TICKS 0
#define configUSE_IDLE_HOOK 0
#define configUSE_PREEMPTION 1
#define configUSE_TICK_HOOK 0
#define configUSE_TRACE_FACILITY 1
#define INCLUDE_xTaskGetIdleTaskHandle 1
#include "tband.h"
#endif
