/* Blocks of memory that heaps and pools give out and take back. */
#ifndef BAREFXT_HEAP_H
#define BAREFXT_HEAP_H

#include <barefxt/category.h>
#include <barefxt/config.h>
#include <barefxt/text.h>
#include <barefxt/types.h>

/* ---- Heaps ----
 *
 * The category is `heap`. An allocator, or a wrapper around it, records each block:
 *
 *     void* allocate(size_t size) {
 *       void* const block = malloc(size);
 *       barefxt_heap_alloc(block, size, __builtin_return_address(0));
 *       return block;
 *     }
 *     void give_back(void* block) {
 *       barefxt_heap_free(block, __builtin_return_address(0));
 *       free(block);
 *     }
 *
 * Record an allocation behind it, and a free ahead of it: then no other thread can have the block
 * in between. The events belong to the thread that runs on the CPU.
 *
 * A record takes 24 bytes. Beyond 4 GiB it takes 40 if the block has 512 KiB or more, or an address
 * that is not a multiple of 8. So it does if the caller is neither below 4 GiB nor in the same 4
 * GiB as the block.
 *
 * `barefxt stats --heap` shows who holds how much, and `--leaks` what was not given back.
 */

BAREFXT_CATEGORY(heap, BAREFXT_HEAP_CATEGORY);

#if !BAREFXT_DISABLED

#ifdef __cplusplus
extern "C" {
#endif

/* Records that a block was allocated.
 *
 * @param address The block; null if the allocation failed.
 * @param size Its bytes, as the caller asked for them.
 * @param caller An address in the code that asked for it; null if unknown.
 * @context any; wait-free
 */
void barefxt_heap_alloc(const volatile void* address, size_t size, const volatile void* caller);

/* Records that a block is about to be freed.
 *
 * @param address The block. Null records nothing.
 * @param caller An address in the code that frees it; null if unknown.
 * @context any; wait-free
 */
void barefxt_heap_free(const volatile void* address, const volatile void* caller);

/* Records that a block has another size now, and perhaps another address.
 *
 * @param from The block before; null if there was none.
 * @param address The block now; null if there was no room and `from` stays as it is.
 * @param size Its bytes now.
 * @param caller An address in the code that asked for it; null if unknown.
 * @context any; wait-free
 *
 * It is one record, or two if the block moved. Call it under the allocator's lock: otherwise
 * another thread may get the memory of a moved block before this records that it is free.
 */
void barefxt_heap_realloc(const volatile void* from, const volatile void* address, size_t size,
                          const volatile void* caller);

/* Records the bounds of a heap or a pool. Blocks belong to it by their addresses.
 *
 * @param name Its name.
 * @param begin Its first byte.
 * @param bytes Its bytes.
 * @param used Bytes that are allocated now. At 0 every block in it is known, and a free of another
 *   one is a fault.
 * @context any
 */
void barefxt_heap_pool(barefxt_text name, const volatile void* begin, size_t bytes, size_t used);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif
#endif
