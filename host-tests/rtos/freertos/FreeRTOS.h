/* A stand-in for FreeRTOS's headers: as much of them as its trace macros look at, written anew.
 * Two properties matter: the names that are visible where a macro expands, and that the
 * configuration is read before any of the kernel's types is known. */
#ifndef STAND_IN_FREERTOS_H
#define STAND_IN_FREERTOS_H

#include <stddef.h>
#include <stdint.h>

#include "FreeRTOSConfig.h"

typedef unsigned long UBaseType_t;
typedef long BaseType_t;
typedef uint32_t TickType_t;
typedef uint32_t StackType_t;
#define pdFALSE ((BaseType_t)0)
#define pdTRUE ((BaseType_t)1)

typedef struct xLIST {
  UBaseType_t uxNumberOfItems;
  void* pvOwnerOfHead;
} List_t;
typedef struct xLIST_ITEM {
  List_t* pvContainer;
} ListItem_t;
#define listLIST_ITEM_CONTAINER(item) ((item)->pvContainer)
#define listGET_OWNER_OF_HEAD_ENTRY(list) ((list)->pvOwnerOfHead)

#define configTASK_NOTIFICATION_ARRAY_ENTRIES 2
#ifndef configIDLE_TASK_NAME
#define configIDLE_TASK_NAME "IDLE"
#endif

/* Macros that the hooks leave alone are empty. */
#ifndef traceBLOCKING_ON_QUEUE_RECEIVE
#define traceBLOCKING_ON_QUEUE_RECEIVE(q)
#endif
#ifndef traceBLOCKING_ON_STREAM_BUFFER_RECEIVE
#define traceBLOCKING_ON_STREAM_BUFFER_RECEIVE(s)
#endif
#ifndef traceEVENT_GROUP_CREATE
#define traceEVENT_GROUP_CREATE(g)
#endif
#ifndef traceEVENT_GROUP_WAIT_BITS_BLOCK
#define traceEVENT_GROUP_WAIT_BITS_BLOCK(g, b)
#endif
#ifndef traceEVENT_GROUP_WAIT_BITS_END
#define traceEVENT_GROUP_WAIT_BITS_END(g, b, t)
#endif
#ifndef traceENTER_xTaskRemoveFromEventList
#define traceENTER_xTaskRemoveFromEventList(l)
#endif
#ifndef traceFREE
#define traceFREE(b, n)
#endif
#ifndef traceISR_ENTER
#define traceISR_ENTER()
#endif
#ifndef traceISR_EXIT
#define traceISR_EXIT()
#endif
#ifndef traceISR_EXIT_TO_SCHEDULER
#define traceISR_EXIT_TO_SCHEDULER()
#endif
#ifndef traceMALLOC
#define traceMALLOC(b, n)
#endif
#ifndef traceMOVED_TASK_TO_READY_STATE
#define traceMOVED_TASK_TO_READY_STATE(t)
#endif
#ifndef traceQUEUE_CREATE
#define traceQUEUE_CREATE(q)
#endif
#ifndef traceQUEUE_DELETE
#define traceQUEUE_DELETE(q)
#endif
#ifndef traceQUEUE_RECEIVE
#define traceQUEUE_RECEIVE(q)
#endif
#ifndef traceQUEUE_RECEIVE_FAILED
#define traceQUEUE_RECEIVE_FAILED(q)
#endif
#ifndef traceQUEUE_REGISTRY_ADD
#define traceQUEUE_REGISTRY_ADD(q, n)
#endif
#ifndef traceQUEUE_SEND
#define traceQUEUE_SEND(q)
#endif
#ifndef traceQUEUE_SEND_FROM_ISR
#define traceQUEUE_SEND_FROM_ISR(q)
#endif
#ifndef traceRETURN_xTaskDelayUntil
#define traceRETURN_xTaskDelayUntil(d)
#endif
#ifndef traceSTREAM_BUFFER_CREATE
#define traceSTREAM_BUFFER_CREATE(s, t)
#endif
#ifndef traceSTREAM_BUFFER_RECEIVE
#define traceSTREAM_BUFFER_RECEIVE(s, n)
#endif
#ifndef traceTASK_CREATE
#define traceTASK_CREATE(t)
#endif
#ifndef traceTASK_DELAY_UNTIL
#define traceTASK_DELAY_UNTIL(w)
#endif
#ifndef traceTASK_DELETE
#define traceTASK_DELETE(t)
#endif
#ifndef traceTASK_INCREMENT_TICK
#define traceTASK_INCREMENT_TICK(c)
#endif
#ifndef traceTASK_NOTIFY
#define traceTASK_NOTIFY(i)
#endif
#ifndef traceTASK_NOTIFY_FROM_ISR
#define traceTASK_NOTIFY_FROM_ISR(i)
#endif
#ifndef traceTASK_NOTIFY_TAKE
#define traceTASK_NOTIFY_TAKE(i)
#endif
#ifndef traceTASK_NOTIFY_TAKE_BLOCK
#define traceTASK_NOTIFY_TAKE_BLOCK(i)
#endif
#ifndef traceTASK_PRIORITY_DISINHERIT
#define traceTASK_PRIORITY_DISINHERIT(t, p)
#endif
#ifndef traceTASK_PRIORITY_INHERIT
#define traceTASK_PRIORITY_INHERIT(t, p)
#endif
#ifndef traceTASK_PRIORITY_SET
#define traceTASK_PRIORITY_SET(t, p)
#endif
#ifndef traceTASK_RESUME_FROM_ISR
#define traceTASK_RESUME_FROM_ISR(t)
#endif
#ifndef traceTASK_SUSPEND
#define traceTASK_SUSPEND(t)
#endif
#ifndef traceTASK_SWITCHED_IN
#define traceTASK_SWITCHED_IN()
#endif
#ifndef traceTASK_SWITCHED_OUT
#define traceTASK_SWITCHED_OUT()
#endif
#ifndef traceTIMER_COMMAND_RECEIVED
#define traceTIMER_COMMAND_RECEIVED(t, m, v)
#endif
#ifndef traceTIMER_CREATE
#define traceTIMER_CREATE(t)
#endif
#ifndef traceTIMER_EXPIRED
#define traceTIMER_EXPIRED(t)
#endif

#endif
