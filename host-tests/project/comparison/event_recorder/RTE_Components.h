/* CMSIS's packs write this: the header of the device. */
#define CMSIS_device_header "device.h"
