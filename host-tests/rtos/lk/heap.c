/* The stand-in's heap: that of the C library, where there is one. */
#include <stddef.h>

#include "stand_in.h"

void* malloc(size_t bytes);
void* calloc(size_t count, size_t bytes);
void* realloc(void* block, size_t bytes);
void* memalign(size_t boundary, size_t bytes);
void free(void* block);

#if !__STDC_HOSTED__
static unsigned char room[4096];
static size_t used;

void* malloc(size_t bytes) {
  if (bytes > sizeof room - used) return NULL;
  void* const block = room + used;
  used += (bytes + 15) & ~(size_t)15;
  return block;
}
void* calloc(size_t count, size_t bytes) { return malloc(count * bytes); }
void* realloc(void* block, size_t bytes) { return block != NULL ? block : malloc(bytes); }
void* memalign(size_t boundary, size_t bytes) {
  (void)boundary;
  return malloc(bytes);
}
void free(void* block) { (void)block; }
#endif

/* The kernel frees it when it next allocates, by a call within this file. Here it is kept for good,
 * where a search for leaks finds it. */
static void* volatile delayed;
void heap_delayed_free(void* block);
void heap_delayed_free(void* block) { delayed = block; }
