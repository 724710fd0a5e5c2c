/* As the application of main.c has it: that of examples/freertos, with more priorities. */
#include "example/FreeRTOSConfig.h"
#undef configMAX_PRIORITIES
#define configMAX_PRIORITIES 8
#define configUSE_COUNTING_SEMAPHORES 1
#undef configUSE_TICK_HOOK
#define configUSE_TICK_HOOK 1
