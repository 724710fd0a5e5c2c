/* The stand-in application's configuration, in the form that ThreadX reads. The kernel reads it
 * in its assembler files, too. */
#ifndef TX_USER_H
#define TX_USER_H

#define TX_MAX_PRIORITIES 32

/* The interrupt that the test plays. */
#ifndef __ASSEMBLER__
extern unsigned stand_in_interrupt;
#define BAREFXT_THREADX_INTERRUPT() stand_in_interrupt
#define BAREFXT_THREADX_TICK_INTERRUPT 15
#endif

#include "barefxt_threadx.h"

/* With calls, too, and without: both ways are tested. */
#if (BAREFXT_MAX_CPUS > 1 || defined(STAND_IN_CALLS)) && !BAREFXT_DISABLED
#define TX_ENABLE_EVENT_LOGGING
#endif

#endif
