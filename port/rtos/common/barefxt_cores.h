/* Refuses a kernel with more cores than can record: the others' records would go into the first
 * one's ring, out of order. A kernel's hooks define KERNEL_CORES, a number, and include this. */
#ifndef BAREFXT_CORES_H
#define BAREFXT_CORES_H

#include <barefxt/config.h>
#include <barefxt_port.h>

#if KERNEL_CORES > BAREFXT_MAX_CPUS
#error "barefxt: the kernel has more cores than BAREFXT_MAX_CPUS"
#endif
#if defined(BAREFXT_PORT_MAX_CPUS) && KERNEL_CORES > BAREFXT_PORT_MAX_CPUS
#error \
    "barefxt: the kernel has more cores than the port holds. Hint: the port's header has what to define for several; or build an image for each core"
#endif

#endif
