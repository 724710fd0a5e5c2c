// Calls of the C library's allocator from a file of C, with the caller's addresses in one function.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

void libc_malloc_and_free(size_t bytes);
void libc_calloc_and_free(size_t count, size_t bytes);
// memalign, then aligned_alloc.
void libc_aligned_and_free(size_t boundary, size_t bytes);
bool libc_fails(size_t bytes);
void libc_grow_and_free(size_t bytes, size_t more);
bool libc_growth_fails(size_t bytes, size_t more);

// From a file of C++: objects of 40 bytes.
void libc_new_and_delete(void);
void libc_new_and_delete_array(size_t count);
void libc_new_nothrow_and_delete(void);
bool libc_new_fails(size_t bytes);

#ifdef __cplusplus
}
#endif
