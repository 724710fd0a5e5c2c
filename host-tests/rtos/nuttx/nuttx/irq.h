#ifndef NUTTX_IRQ_H
#define NUTTX_IRQ_H

#include "barefxt_interrupted.h"

/* Null: those of the interrupted thread. */
#define up_getusrpc(regs) ((regs) == NULL ? stand_in_interrupted.pc : 0)

#endif
