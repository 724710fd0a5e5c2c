/* A stand-in for FreeRTOS's headers: as much of them as its trace macros look at, written anew.
 * What matters is what is visible where a macro expands, and that the configuration is read before
 * any of the kernel's types is known. */
#ifndef STAND_IN_FREERTOS_H
#define STAND_IN_FREERTOS_H

#include <stddef.h>
#include <stdint.h>

#include "FreeRTOSConfig.h"

typedef unsigned long UBaseType_t;
typedef long BaseType_t;
typedef uint32_t TickType_t;
#define pdFALSE ((BaseType_t)0)
#define pdTRUE ((BaseType_t)1)

typedef struct xLIST {
  UBaseType_t uxNumberOfItems;
} List_t;
typedef struct xLIST_ITEM {
  List_t* pvContainer;
} ListItem_t;
#define listLIST_ITEM_CONTAINER(item) ((item)->pvContainer)

#define configTASK_NOTIFICATION_ARRAY_ENTRIES 2
#ifndef configIDLE_TASK_NAME
#define configIDLE_TASK_NAME "IDLE"
#endif

#endif
