/* Transport: the ITM of Cortex-M3 and later, whose packets leave by SWO. Each CPU takes a stimulus
 * port of its own; console output goes to another. A debugger, or the kernel, has switched on ITM,
 * TPIU and the pin.
 *
 *     barefxt_itm itm = {1, 0, 0};
 *     barefxt_writer writer = {barefxt_itm_write, &itm};
 *     barefxt_dump(&writer, BAREFXT_DUMP_BINARY_CODED);
 *     if (itm.unsent != 0) ...;                     // it is off, or the line stood still
 *
 * On the host: barefxt capture --itm plain, with what the debug probe receives.
 */
#ifndef BAREFXT_ITM_H
#define BAREFXT_ITM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct barefxt_itm {
  uint32_t port;     /* 0 to 31; 0 is the console's by custom */
  uint32_t patience; /* looks in vain before a write gives up; 0: a million */
  uint64_t unsent;   /* bytes that were not taken */
} barefxt_itm;

/* A test has a model of the registers, and defines these itself. */
#ifndef BAREFXT_ITM_MODEL
#define BAREFXT_ITM_BASE 0xe0000000
static inline uint32_t barefxt_itm_load(uint32_t offset) {
  return *(volatile const uint32_t*)(BAREFXT_ITM_BASE + offset);
}
/* As a packet of that many bytes: 1 or 4. */
static inline void barefxt_itm_store(uint32_t offset, uint32_t value, uint32_t bytes) {
  if (bytes == 4)
    *(volatile uint32_t*)(BAREFXT_ITM_BASE + offset) = value;
  else
    *(volatile uint8_t*)(BAREFXT_ITM_BASE + offset) = (uint8_t)value;
}
#endif

/* Returns true if the ITM takes what is written to that port. */
static inline bool barefxt_itm_is_on(const barefxt_itm* itm) {
  enum { ENABLED_PORTS = 0xe00, CONTROL = 0xe80, ITM_ENABLED = 1 << 0 };
  return (barefxt_itm_load(CONTROL) & ITM_ENABLED) != 0 &&
         (barefxt_itm_load(ENABLED_PORTS) >> itm->port & 1) != 0;
}

/* Blocks until the last bytes are in the ITM's buffer, as long as the patience lasts. Bytes left
 * over are counted, and so are those of later writes until the line goes on. */
static inline void barefxt_itm_write(void* context, const uint8_t* bytes, size_t count) {
  barefxt_itm* const itm = (barefxt_itm*)context;
  const uint32_t offset = itm->port * 4;
  const uint32_t patience = itm->patience != 0 ? itm->patience : 1000000;
  uint32_t left = itm->unsent == 0 ? patience : 1;
  if (!barefxt_itm_is_on(itm)) left = 0;
  while (count != 0) {
    while (left != 0 && (barefxt_itm_load(offset) & 1) == 0) --left;
    if (left == 0) {
      itm->unsent += count;
      return;
    }
    left = patience;
    const uint32_t size = count >= 4 ? 4 : 1;
    uint32_t value = bytes[0];
    for (uint32_t i = 1; i < size; ++i) value |= (uint32_t)bytes[i] << (8 * i);
    barefxt_itm_store(offset, value, size);
    bytes += size;
    count -= size;
  }
}

#endif
