/* malloc of newlib, picolibc or another C library, traced. Compile this file into the image, and
 * link with @barefxt_malloc.wrap: the linker then leads calls of malloc to these functions, each
 * with its caller. Blocks that the library allocates for itself, such as in strdup, are not
 * recorded.
 */
#include "../rtos/common/barefxt_heap_calls.h"

HEAP_ALLOCATES(malloc, bytes, (size_t bytes), (bytes))
HEAP_ALLOCATES(calloc, (count * bytes), (size_t count, size_t bytes), (count, bytes))
HEAP_ALLOCATES(memalign, bytes, (size_t boundary, size_t bytes), (boundary, bytes))
HEAP_ALLOCATES(aligned_alloc, bytes, (size_t boundary, size_t bytes), (boundary, bytes))
HEAP_REALLOCATES(realloc, block, bytes, (void* block, size_t bytes), (block, bytes))
HEAP_FREES(free, block, (void* block), (block))
