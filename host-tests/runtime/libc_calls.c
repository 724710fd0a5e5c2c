// Calls of the C library's allocator, none of which the compiler may leave out.
#include "libc_calls.h"

#include <malloc.h>
#include <stdlib.h>

static void* volatile block;

void libc_malloc_and_free(size_t bytes) {
  block = malloc(bytes);
  free(block);
}

void libc_calloc_and_free(size_t count, size_t bytes) {
  block = calloc(count, bytes);
  free(block);
}

void libc_aligned_and_free(size_t boundary, size_t bytes) {
  block = memalign(boundary, bytes);
  free(block);
  block = aligned_alloc(boundary, bytes);
  free(block);
}

bool libc_fails(size_t bytes) {
  block = malloc(bytes);
  return block == NULL;
}

void libc_grow_and_free(size_t bytes, size_t more) {
  block = malloc(bytes);
  block = realloc(block, more);
  free(block);
}

bool libc_growth_fails(size_t bytes, size_t more) {
  block = malloc(bytes);
  const bool fails = realloc(block, more) == NULL;
  free(block);
  return fails;
}
