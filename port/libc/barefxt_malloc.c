/* malloc of newlib, picolibc or another C library, traced. Compile this file into the image, and
 * link with @barefxt_malloc.wrap: the linker then leads calls of malloc to these functions, each
 * with its caller. What the library allocates for itself, such as in strdup, is not recorded.
 *
 * A block is recorded as free ahead of the library's free, and as allocated behind its malloc. So
 * no other thread can have it in between, whatever lock the library takes.
 */
#include <barefxt/barefxt.h>

#define WRAP(type, name, ...)      \
  type __real_##name(__VA_ARGS__); \
  type __wrap_##name(__VA_ARGS__); \
  type __wrap_##name(__VA_ARGS__)

WRAP(void*, malloc, size_t bytes) {
  void* const block = __real_malloc(bytes);
  barefxt_heap_alloc(block, bytes, __builtin_return_address(0));
  return block;
}

WRAP(void*, calloc, size_t count, size_t bytes) {
  void* const block = __real_calloc(count, bytes);
  barefxt_heap_alloc(block, count * bytes, __builtin_return_address(0));
  return block;
}

WRAP(void*, memalign, size_t boundary, size_t bytes) {
  void* const block = __real_memalign(boundary, bytes);
  barefxt_heap_alloc(block, bytes, __builtin_return_address(0));
  return block;
}

WRAP(void*, aligned_alloc, size_t boundary, size_t bytes) {
  void* const block = __real_aligned_alloc(boundary, bytes);
  barefxt_heap_alloc(block, bytes, __builtin_return_address(0));
  return block;
}

WRAP(void*, realloc, void* block, size_t bytes) {
  const void* const caller = __builtin_return_address(0);
  /* It may move: then another thread may get its memory at once. */
  barefxt_heap_free(block, caller);
  void* const changed = __real_realloc(block, bytes);
  if (changed == NULL && bytes == 0) return changed;
  barefxt_heap_alloc(changed, bytes, caller);
  /* It stays as it is, of a size that only the library knows. */
  if (changed == NULL && block != NULL) barefxt_heap_alloc(block, 0, caller);
  return changed;
}

WRAP(void, free, void* block) {
  barefxt_heap_free(block, __builtin_return_address(0));
  __real_free(block);
}
