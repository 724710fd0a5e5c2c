/* The stand-in's heaps that threads wait for. */
#include <zephyr/kernel.h>

#include "stand_in.h"

void (*stand_in_while_waiting)(void);

void k_heap_init(struct k_heap* heap, void* begin, size_t bytes) {
  sys_heap_init(&heap->heap, begin, bytes);
}

void* k_heap_aligned_alloc(struct k_heap* heap, size_t boundary, size_t bytes, k_timeout_t time) {
  void (*const other)(void) = stand_in_while_waiting;
  stand_in_while_waiting = NULL;
  if (time.ticks != 0 && other != NULL) other();
  return sys_heap_aligned_alloc(&heap->heap, boundary, bytes);
}

void* k_heap_alloc(struct k_heap* heap, size_t bytes, k_timeout_t time) {
  return k_heap_aligned_alloc(heap, sizeof(void*), bytes, time);
}

void* k_heap_calloc(struct k_heap* heap, size_t count, size_t bytes, k_timeout_t time) {
  return k_heap_alloc(heap, count * bytes, time);
}

void* k_heap_realloc(struct k_heap* heap, void* block, size_t bytes, k_timeout_t time) {
  (void)time;
  return sys_heap_aligned_realloc(&heap->heap, block, sizeof(void*), bytes);
}

void k_heap_free(struct k_heap* heap, void* block) { sys_heap_free(&heap->heap, block); }
