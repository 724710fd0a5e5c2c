#ifndef ZEPHYR_SYS_SYS_HEAP_H
#define ZEPHYR_SYS_SYS_HEAP_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CONFIG_SYS_HEAP_RUNTIME_STATS 1

struct z_heap;
struct sys_heap {
  struct z_heap* heap;
};
struct sys_memory_stats {
  size_t free_bytes;
  size_t allocated_bytes;
  size_t max_allocated_bytes;
};

void sys_heap_init(struct sys_heap* heap, void* begin, size_t bytes);
void* sys_heap_alloc(struct sys_heap* heap, size_t bytes);
void* sys_heap_aligned_alloc(struct sys_heap* heap, size_t boundary, size_t bytes);
void* sys_heap_noalign_alloc(struct sys_heap* heap, size_t boundary, size_t bytes);
void* sys_heap_realloc(struct sys_heap* heap, void* block, size_t bytes);
void* sys_heap_aligned_realloc(struct sys_heap* heap, void* block, size_t boundary, size_t bytes);
void sys_heap_free(struct sys_heap* heap, void* block);
int sys_heap_runtime_stats_get(struct sys_heap* heap, struct sys_memory_stats* stats);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif
