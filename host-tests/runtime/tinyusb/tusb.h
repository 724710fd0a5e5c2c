/* TinyUSB's functions that port/transport/usb_cdc calls, as its own header declares them. The test
 * is the host. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
void tud_task(void);
bool tud_cdc_n_connected(uint8_t itf);
uint32_t tud_cdc_n_write_available(uint8_t itf);
uint32_t tud_cdc_n_write(uint8_t itf, void const* buffer, uint32_t bufsize);
uint32_t tud_cdc_n_write_flush(uint8_t itf);
#ifdef __cplusplus
}
#endif
