/* A stand-in's threads, as they use their stacks. */
#ifndef STACK_USE_H
#define STACK_USE_H

#include <stdint.h>

#include "stand_in.h"

enum { STAND_IN_STACK_BYTES = 128 };

#ifdef __cplusplus
extern "C" {
#endif
/* The thread calls so deep that so many bytes are left. */
void stand_in_use_stack(stand_in_thread* thread, uint32_t left);
/* Its lowest address. The stack of the thread that was created next lies behind it. */
void* stand_in_stack(const stand_in_thread* thread);
#ifdef __cplusplus
}  // extern "C"
#endif

#endif
