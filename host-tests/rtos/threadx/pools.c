/* The stand-in's pools. Byte pools never use a byte again, block pools have one block. */
#include "tx_api.h"

UINT _txe_byte_pool_create(TX_BYTE_POOL* pool, CHAR* name, VOID* begin, ULONG bytes,
                           UINT control_bytes) {
  if (control_bytes != sizeof *pool) return TX_PTR_ERROR;
  pool->tx_byte_pool_name = name;
  pool->tx_byte_pool_available = bytes;
  pool->stand_in_next = begin;
  return TX_SUCCESS;
}

UINT _txe_byte_allocate(TX_BYTE_POOL* pool, VOID** block, ULONG bytes, ULONG wait) {
  (void)wait;
  if (bytes > pool->tx_byte_pool_available) return TX_NO_MEMORY;
  *block = pool->stand_in_next;
  pool->stand_in_next += bytes;
  pool->tx_byte_pool_available -= bytes;
  return TX_SUCCESS;
}

UINT _txe_byte_release(VOID* block) { return block == NULL ? TX_PTR_ERROR : TX_SUCCESS; }

UINT _txe_block_pool_create(TX_BLOCK_POOL* pool, CHAR* name, ULONG block_bytes, VOID* begin,
                            ULONG bytes, UINT control_bytes) {
  if (control_bytes != sizeof *pool || bytes < block_bytes) return TX_PTR_ERROR;
  pool->tx_block_pool_name = name;
  pool->tx_block_pool_block_size = block_bytes;
  pool->stand_in_free = begin;
  return TX_SUCCESS;
}

UINT _txe_block_allocate(TX_BLOCK_POOL* pool, VOID** block, ULONG wait) {
  (void)wait;
  if (pool == NULL) return TX_PTR_ERROR;
  if (pool->stand_in_free == NULL) return TX_NO_MEMORY;
  *block = pool->stand_in_free;
  pool->stand_in_free = NULL;
  return TX_SUCCESS;
}

UINT _txe_block_release(VOID* block) { return block == NULL ? TX_PTR_ERROR : TX_SUCCESS; }
