/* A stack for each of a stand-in's threads, painted when the thread is created. Included by the
 * file that has the array `threads`. */
#ifndef PAINTED_STACKS_H
#define PAINTED_STACKS_H

#include "stack_use.h"

enum { STACK_WORDS = STAND_IN_STACK_BYTES / 4 };
_Alignas(16) static uint32_t stacks[sizeof threads / sizeof *threads][STACK_WORDS];

static void* paint_stack(uint32_t place, uint32_t paint) {
  for (uint32_t i = 0; i < STACK_WORDS; ++i) stacks[place][i] = paint;
  return stacks[place];
}

void* stand_in_stack(const stand_in_thread* thread) { return stacks[thread - threads]; }

void stand_in_use_stack(stand_in_thread* thread, uint32_t left) {
  for (uint32_t i = left / 4; i < STACK_WORDS; ++i) stacks[thread - threads][i] = i;
}

#endif
