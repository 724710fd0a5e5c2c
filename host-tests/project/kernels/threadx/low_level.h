/* ThreadX leaves this to the board of examples/freertos: its vectors, the tick, and a device. */
#ifndef LOW_LEVEL_H
#define LOW_LEVEL_H

#include <stdint.h>

#define REGISTER(address) (*(volatile uint32_t*)(address))
#define DEVICE_INTERRUPT 9u /* of the NVIC: exception 25 */

/* The application's: the device's handler, and each tick. */
void device_handler(void);
void on_tick(void);

#endif
