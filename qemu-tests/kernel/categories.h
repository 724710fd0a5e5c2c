/* The categories of the demo's probes, for C and C++. */
#ifndef KERNEL_CATEGORIES_H
#define KERNEL_CATEGORIES_H

#include <barefxt/barefxt.h>

BAREFXT_CATEGORY(lock, 0);    /* who waited for a mutex */
BAREFXT_CATEGORY(message, 1); /* messages between threads: durations and flows */
BAREFXT_CATEGORY(probe, 2);   /* instants and durations of the threads' work */
BAREFXT_CATEGORY(load, 3);    /* counters */
BAREFXT_CATEGORY(job, 4);     /* life of a worker, an async track each */
BAREFXT_CATEGORY(silent, 5);  /* never enabled */

/* The demo enables these. */
#define KERNEL_CATEGORIES                                                                     \
  (BAREFXT_CATEGORY_BIT(sched) | BAREFXT_CATEGORY_BIT(irq) | BAREFXT_CATEGORY_BIT(lock) |     \
   BAREFXT_CATEGORY_BIT(message) | BAREFXT_CATEGORY_BIT(probe) | BAREFXT_CATEGORY_BIT(load) | \
   BAREFXT_CATEGORY_BIT(job))

#endif
