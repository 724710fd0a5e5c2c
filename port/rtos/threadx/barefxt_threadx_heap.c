/* Blocks of ThreadX's byte and block pools, with their callers. Compile this file into the image,
 * and link with @barefxt_threadx.wrap; if the application is compiled with
 * TX_DISABLE_ERROR_CHECKING, with @barefxt_threadx_unchecked.wrap. The linker then leads calls of
 * tx_byte_allocate and the others to these functions.
 *
 * A block is recorded as free ahead of its release, and as allocated behind the call that got it, a
 * wait included. So no other thread can have it in between.
 */
#include <barefxt/barefxt.h>

#include "tx_api.h"

/* The functions that the kernel's macros of these names call. */
#ifdef TX_DISABLE_ERROR_CHECKING
#define WRAP(name, ...)                \
  UINT __real__tx_##name(__VA_ARGS__); \
  UINT __wrap__tx_##name(__VA_ARGS__); \
  UINT __wrap__tx_##name(__VA_ARGS__)
#define REAL(name) __real__tx_##name
#define CHECKED(parameter)
#else
#define WRAP(name, ...)                 \
  UINT __real__txe_##name(__VA_ARGS__); \
  UINT __wrap__txe_##name(__VA_ARGS__); \
  UINT __wrap__txe_##name(__VA_ARGS__)
#define REAL(name) __real__txe_##name
#define CHECKED(parameter) , parameter
#endif

static void allocated(UINT status, VOID* const* block, ULONG bytes, const void* caller) {
  if (status == TX_SUCCESS)
    barefxt_heap_alloc(*block, bytes, caller);
  else if (status == TX_NO_MEMORY)
    barefxt_heap_alloc(NULL, bytes, caller);
}

static void created(UINT status, const CHAR* name, const void* begin, ULONG bytes) {
  if (status != TX_SUCCESS) return;
  size_t length = 0;
  while (name != NULL && name[length] != '\0') ++length;
  barefxt_heap_pool(BAREFXT_TEXT_INLINE(name, length), begin, bytes, 0);
}

WRAP(byte_allocate, TX_BYTE_POOL* pool, VOID** block, ULONG bytes, ULONG wait) {
  const UINT status = REAL(byte_allocate)(pool, block, bytes, wait);
  allocated(status, block, bytes, __builtin_return_address(0));
  return status;
}

WRAP(block_allocate, TX_BLOCK_POOL* pool, VOID** block, ULONG wait) {
  const UINT status = REAL(block_allocate)(pool, block, wait);
  /* A pool that is none has no size. */
  if (status == TX_SUCCESS || status == TX_NO_MEMORY)
    allocated(status, block, pool->tx_block_pool_block_size, __builtin_return_address(0));
  return status;
}

WRAP(byte_release, VOID* block) {
  barefxt_heap_free(block, __builtin_return_address(0));
  return REAL(byte_release)(block);
}

WRAP(block_release, VOID* block) {
  barefxt_heap_free(block, __builtin_return_address(0));
  return REAL(block_release)(block);
}

WRAP(byte_pool_create, TX_BYTE_POOL* pool, CHAR* name, VOID* begin,
     ULONG bytes CHECKED(UINT control_bytes)) {
  const UINT status = REAL(byte_pool_create)(pool, name, begin, bytes CHECKED(control_bytes));
  created(status, name, begin, bytes);
  return status;
}

WRAP(block_pool_create, TX_BLOCK_POOL* pool, CHAR* name, ULONG block_bytes, VOID* begin,
     ULONG bytes CHECKED(UINT control_bytes)) {
  const UINT status =
      REAL(block_pool_create)(pool, name, block_bytes, begin, bytes CHECKED(control_bytes));
  created(status, name, begin, bytes);
  return status;
}
