/* A counter of a vendor's own, for BAREFXT_RISCV_COUNTER: mtime, by a function. */
#ifndef COUNTER_H
#define COUNTER_H

#include <stdint.h>

static inline uint64_t counter_of_vendor(void) { return *(volatile const uint32_t*)0x200bff8; }

#endif
