/* Blocks of Zephyr's heaps, with their callers: the linker leads calls of k_malloc, k_heap_alloc,
 * sys_heap_alloc and the others here (@barefxt_zephyr.wrap). Functions that the kernel does not
 * have are left out by --gc-sections, as nobody calls these.
 */
#include "barefxt_zephyr_heap.h"

#if !BAREFXT_DISABLED

#include <zephyr/kernel.h>
#include <zephyr/sys/atomic.h>
#include <zephyr/sys/sys_heap.h>

#include <barefxt_port.h>

/* Calls at one time, those that wait for memory included. Others are not recorded. */
#ifndef BAREFXT_ZEPHYR_HEAP_CALLS
#define BAREFXT_ZEPHYR_HEAP_CALLS 16
#endif

/* Heaps whose bounds are recorded. */
#ifndef BAREFXT_ZEPHYR_HEAPS
#define BAREFXT_ZEPHYR_HEAPS 8
#endif

#ifndef BAREFXT_ZEPHYR_CURRENT
#define BAREFXT_ZEPHYR_CURRENT k_sched_current_thread_query()
#endif

/* ---- Bounds. Most heaps exist before the session starts: their bounds come at the first call into
 * each. Then it is there, which nobody knows of a heap on a stack or in a block. ---- */

static struct {
  atomic_ptr_t heap;
  const void* begin;
  size_t bytes;
  atomic_t recorded_in; /* the session's number */
} heaps[BAREFXT_ZEPHYR_HEAPS];

static void record_bounds(size_t i, size_t used) {
  char name[] = "heap@00000000";
  for (uint32_t at = 12, bits = (uint32_t)(uintptr_t)heaps[i].heap; at > 4; --at, bits >>= 4)
    name[at] = "0123456789abcdef"[bits & 15];
  barefxt_heap_pool(BAREFXT_TEXT_INLINE(name, 13), heaps[i].begin, heaps[i].bytes, used);
}

static size_t used_of(struct sys_heap* heap) {
#ifdef CONFIG_SYS_HEAP_RUNTIME_STATS
  struct sys_memory_stats stats;
  if (sys_heap_runtime_stats_get(heap, &stats) == 0) return stats.allocated_bytes;
#else
  (void)heap;
#endif
  return 1; /* unknown: not 0 */
}

/* Apart, so that other calls do not take the stack of it. */
__attribute__((noinline)) static void record_first_bounds(struct sys_heap* heap) {
  const atomic_val_t session = (atomic_val_t)barefxt_session_number();
  for (size_t i = 0; i < BAREFXT_ZEPHYR_HEAPS; ++i) {
    if (atomic_ptr_get(&heaps[i].heap) != heap) continue;
    const atomic_val_t before = atomic_get(&heaps[i].recorded_in);
    if (before != session && atomic_cas(&heaps[i].recorded_in, before, session))
      record_bounds(i, used_of(heap));
    return;
  }
}

static bool is_recorded(void) {
#ifdef CONFIG_USERSPACE
  if (k_is_user_context()) return false; /* Its thread has no access to the ring. */
#endif
  return BAREFXT_ENABLED(heap);
}

/* A free place, or that of another heap, one after the other. */
static size_t place_of(const struct sys_heap* heap) {
  static size_t oldest;
  for (size_t i = 0; i < BAREFXT_ZEPHYR_HEAPS; ++i) {
    const void* const known = atomic_ptr_get(&heaps[i].heap);
    if (known == NULL || known == heap) return i;
  }
  return oldest++ % BAREFXT_ZEPHYR_HEAPS;
}

HEAP_WRAP(void, sys_heap_init, (struct sys_heap * heap, void* begin, size_t bytes)) {
  __real_sys_heap_init(heap, begin, bytes);
#ifdef CONFIG_USERSPACE
  if (k_is_user_context()) return;
#endif
  const size_t i = place_of(heap);
  if (!atomic_ptr_cas(&heaps[i].heap, atomic_ptr_get(&heaps[i].heap), heap)) return;
  heaps[i].begin = begin;
  heaps[i].bytes = bytes;
  const atomic_val_t before = atomic_get(&heaps[i].recorded_in);
  const bool is_enabled = BAREFXT_ENABLED(heap);
  atomic_cas(&heaps[i].recorded_in, before,
             is_enabled ? (atomic_val_t)barefxt_session_number() : 0);
  if (is_enabled) record_bounds(i, 0);
}

/* ---- The calls that go on ---- */

/* The threads that are in one. An interrupt is its CPU's number + 1. */
static atomic_ptr_t calls[BAREFXT_ZEPHYR_HEAP_CALLS];

const void* barefxt_zephyr_heap_enter(void) {
  if (!is_recorded()) return NULL;
  void* const me =
      k_is_in_isr() ? (void*)((uintptr_t)barefxt_port_cpu() + 1) : (void*)BAREFXT_ZEPHYR_CURRENT;
  for (size_t i = 0; i < BAREFXT_ZEPHYR_HEAP_CALLS; ++i)
    if (atomic_ptr_get(&calls[i]) == me) return NULL;
  for (size_t i = 0; i < BAREFXT_ZEPHYR_HEAP_CALLS; ++i)
    if (atomic_ptr_cas(&calls[i], NULL, me)) return &calls[i];
  return NULL;
}

static const void* enter_heap(struct sys_heap* heap) {
  if (is_recorded()) record_first_bounds(heap);
  return barefxt_zephyr_heap_enter();
}

void barefxt_zephyr_heap_leave(const void* call) {
  atomic_ptr_clear((atomic_ptr_t*)(uintptr_t)call);
}

void barefxt_zephyr_heap_forget(const struct k_thread* thread) {
  for (size_t i = 0; i < BAREFXT_ZEPHYR_HEAP_CALLS; ++i)
    atomic_ptr_cas(&calls[i], (void*)(uintptr_t)thread, NULL);
}

/* ---- kernel/mempool.c ---- */

HEAP_ALLOCATES(k_malloc, bytes, (size_t bytes), (bytes))
HEAP_ALLOCATES(k_calloc, (count * bytes), (size_t count, size_t bytes), (count, bytes))
HEAP_ALLOCATES(k_aligned_alloc, bytes, (size_t boundary, size_t bytes), (boundary, bytes))
HEAP_REALLOCATES(k_realloc, block, bytes, (void* block, size_t bytes), (block, bytes))
HEAP_FREES(k_free, block, (void* block), (block))
/* For the kernel's own objects. */
HEAP_ALLOCATES(z_thread_malloc, bytes, (size_t bytes), (bytes))
HEAP_ALLOCATES(z_thread_aligned_alloc, bytes, (size_t boundary, size_t bytes), (boundary, bytes))

/* ---- kernel/kheap.c ---- */

#undef HEAP_ENTER
#define HEAP_ENTER() enter_heap(&heap->heap)

HEAP_ALLOCATES(k_heap_alloc, bytes, (struct k_heap * heap, size_t bytes, k_timeout_t time),
               (heap, bytes, time))
HEAP_ALLOCATES(k_heap_aligned_alloc, bytes,
               (struct k_heap * heap, size_t boundary, size_t bytes, k_timeout_t time),
               (heap, boundary, bytes, time))
HEAP_ALLOCATES(k_heap_calloc, (count * bytes),
               (struct k_heap * heap, size_t count, size_t bytes, k_timeout_t time),
               (heap, count, bytes, time))
HEAP_REALLOCATES(k_heap_realloc, block, bytes,
                 (struct k_heap * heap, void* block, size_t bytes, k_timeout_t time),
                 (heap, block, bytes, time))
HEAP_FREES(k_heap_free, block, (struct k_heap * heap, void* block), (heap, block))

/* ---- lib/heap ---- */

#undef HEAP_ENTER
#define HEAP_ENTER() enter_heap(heap)

HEAP_ALLOCATES(sys_heap_alloc, bytes, (struct sys_heap * heap, size_t bytes), (heap, bytes))
HEAP_ALLOCATES(sys_heap_aligned_alloc, bytes,
               (struct sys_heap * heap, size_t boundary, size_t bytes), (heap, boundary, bytes))
HEAP_ALLOCATES(sys_heap_noalign_alloc, bytes,
               (struct sys_heap * heap, size_t boundary, size_t bytes), (heap, boundary, bytes))
HEAP_REALLOCATES(sys_heap_realloc, block, bytes,
                 (struct sys_heap * heap, void* block, size_t bytes), (heap, block, bytes))
HEAP_REALLOCATES(sys_heap_aligned_realloc, block, bytes,
                 (struct sys_heap * heap, void* block, size_t boundary, size_t bytes),
                 (heap, block, boundary, bytes))
HEAP_FREES(sys_heap_free, block, (struct sys_heap * heap, void* block), (heap, block))

#endif
