/* A stand-in for NuttX's headers: as much of them as the hooks look at, written anew. */
#ifndef NUTTX_CONFIG_H
#define NUTTX_CONFIG_H

#include <barefxt/config.h>

#if BAREFXT_MAX_CPUS > 1
#define CONFIG_SMP 1
#define CONFIG_SMP_NCPUS 2
#endif
#define CONFIG_STACK_COLORATION 1
#define CONFIG_TASK_NAME_SIZE 31
#define CONFIG_SCHED_EVENTS 1
#define CONFIG_SIG_SIGSTOP_ACTION 1
#define CONFIG_SCHED_INSTRUMENTATION_SWITCH 1
#define CONFIG_SCHED_INSTRUMENTATION_IRQHANDLER 1
#define CONFIG_SCHED_INSTRUMENTATION_WDOG 1
#define CONFIG_SCHED_INSTRUMENTATION_HEAP 1

#endif
