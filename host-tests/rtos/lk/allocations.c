/* Code that allocates, apart from the heap, so that the linker leads the calls to the hooks. */
#include <stddef.h>

#include "stand_in.h"

void* malloc(size_t bytes);
void* calloc(size_t count, size_t bytes);
void* realloc(void* block, size_t bytes);
void* memalign(size_t boundary, size_t bytes);
void free(void* block);
void heap_delayed_free(void* block);

void* stand_in_allocate(stand_in_allocation how, size_t bytes) {
  switch (how) {
    case STAND_IN_MALLOC:
      return malloc(bytes);
    case STAND_IN_CALLOC:
      return calloc(1, bytes);
    case STAND_IN_MEMALIGN:
      return memalign(64, bytes);
    default:
      return realloc(NULL, bytes);
  }
}

void* stand_in_reallocate(void* block, size_t bytes) { return realloc(block, bytes); }
void stand_in_free(void* block) { free(block); }
void stand_in_free_later(void* block) { heap_delayed_free(block); }
