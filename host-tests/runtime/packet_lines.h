/* Dumps of the session over lines that take packets. Both return the bytes that were not sent. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
uint64_t dump_over_usb(uint32_t patience);
uint64_t dump_in_datagrams(bool (*send)(void* context, const uint8_t* bytes, size_t count),
                           void* context, bool text);
#ifdef __cplusplus
}
#endif
