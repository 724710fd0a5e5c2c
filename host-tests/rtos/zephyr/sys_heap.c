/* The stand-in's heaps. Memory is used again when all of it is free: a block that grows moves. */
#include <stdint.h>
#include <zephyr/sys/sys_heap.h>

struct z_heap {
  uint8_t* next;
  uint8_t* begin;
  const uint8_t* end;
  size_t used;
};
/* Ahead of each block, which is then at a multiple of 8. */
struct header {
  uint64_t bytes;
};

void sys_heap_init(struct sys_heap* heap, void* begin, size_t bytes) {
  heap->heap = (struct z_heap*)begin;
  uint8_t* const first = (uint8_t*)(heap->heap + 1);
  *heap->heap = (struct z_heap){first, first, (uint8_t*)begin + bytes, 0};
}

void* sys_heap_alloc(struct sys_heap* heap, size_t bytes) {
  struct z_heap* const made = heap->heap;
  const size_t room = (size_t)(made->end - made->next);
  const size_t rounded = (bytes + 7) & ~(size_t)7;
  if (bytes == 0 || bytes > room || sizeof(struct header) + rounded > room) return NULL;
  struct header* const header = (struct header*)(void*)made->next;
  header->bytes = bytes;
  made->next += sizeof *header + rounded;
  made->used += bytes;
  return header + 1;
}

void* sys_heap_aligned_alloc(struct sys_heap* heap, size_t boundary, size_t bytes) {
  (void)boundary;
  return sys_heap_alloc(heap, bytes);
}

void* sys_heap_noalign_alloc(struct sys_heap* heap, size_t boundary, size_t bytes) {
  return sys_heap_aligned_alloc(heap, boundary, bytes);
}

void sys_heap_free(struct sys_heap* heap, void* block) {
  if (block == NULL) return;
  heap->heap->used -= (size_t)((struct header*)block - 1)->bytes;
  if (heap->heap->used == 0) heap->heap->next = heap->heap->begin;
}

void* sys_heap_realloc(struct sys_heap* heap, void* block, size_t bytes) {
  void* const changed = bytes == 0 ? NULL : sys_heap_alloc(heap, bytes);
  if (changed != NULL || bytes == 0) sys_heap_free(heap, block);
  return changed;
}

void* sys_heap_aligned_realloc(struct sys_heap* heap, void* block, size_t boundary, size_t bytes) {
  (void)boundary;
  return sys_heap_realloc(heap, block, bytes);
}

int sys_heap_runtime_stats_get(struct sys_heap* heap, struct sys_memory_stats* stats) {
  *stats = (struct sys_memory_stats){.allocated_bytes = heap->heap->used};
  return 0;
}
