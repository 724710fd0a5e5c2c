/* The stand-in's k_malloc. As in the kernel, the address of the heap is ahead of the block. */
#include <zephyr/kernel.h>

#include "stand_in.h"

static struct k_heap heap;
static uint64_t memory[128];

/* A bit of the boundary stands for the address. */
void* k_aligned_alloc(size_t boundary, size_t bytes) {
  const k_timeout_t now = {0};
  struct k_heap** const block = (struct k_heap**)k_heap_aligned_alloc(
      &heap, boundary | sizeof block, bytes + sizeof block, now);
  if (block == NULL) return NULL;
  *block = &heap;
  return block + 1;
}

void stand_in_make_system_heap(void) { k_heap_init(&heap, memory, sizeof memory); }

void* k_malloc(size_t bytes) { return k_aligned_alloc(sizeof(void*), bytes); }

void* k_calloc(size_t count, size_t bytes) { return k_malloc(count * bytes); }

void k_free(void* block) {
  if (block != NULL) k_heap_free(*((struct k_heap**)block - 1), (struct k_heap**)block - 1);
}

void* k_realloc(void* block, size_t bytes) {
  const k_timeout_t now = {0};
  if (block == NULL) return k_malloc(bytes);
  struct k_heap** const changed = (struct k_heap**)k_heap_realloc(&heap, (struct k_heap**)block - 1,
                                                                  bytes + sizeof changed, now);
  return changed == NULL ? NULL : changed + 1;
}

void* z_thread_aligned_alloc(size_t boundary, size_t bytes) {
  return k_aligned_alloc(boundary, bytes);
}

void* z_thread_malloc(size_t bytes) { return k_malloc(bytes); }
