/* A Cortex-M3, as CMSIS wants it described. */
#ifndef DEVICE_H
#define DEVICE_H
typedef enum {
  NonMaskableInt_IRQn = -14,
  MemoryManagement_IRQn = -12,
  BusFault_IRQn = -11,
  UsageFault_IRQn = -10,
  SVCall_IRQn = -5,
  DebugMonitor_IRQn = -4,
  PendSV_IRQn = -2,
  SysTick_IRQn = -1
} IRQn_Type;
#define __CM3_REV 0x0201
#define __MPU_PRESENT 0
#define __NVIC_PRIO_BITS 3
#define __Vendor_SysTickConfig 0
#include "core_cm3.h"
#endif
