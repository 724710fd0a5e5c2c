/* ThreadX as the application of main.c has it. */
#ifndef TX_USER_H
#define TX_USER_H

#define TX_TIMER_TICKS_PER_SECOND 1000
/* The kernel's own counts, which the trace is compared with. */
#define TX_MUTEX_ENABLE_PERFORMANCE_INFO
#define TX_SEMAPHORE_ENABLE_PERFORMANCE_INFO

#include "barefxt_threadx.h"
#if !BAREFXT_DISABLED
#define TX_ENABLE_EVENT_LOGGING
#endif

#endif
