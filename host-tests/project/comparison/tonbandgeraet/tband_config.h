/* The snapshot backend with the bare-metal port, and a clock of 64 bits. */
#ifndef TBAND_CONFIG_H
#define TBAND_CONFIG_H
#include <stdint.h>
#define tband_configENABLE 1
#define tband_configUSE_BACKEND_SNAPSHOT 1
#define tband_configFREERTOS_TRACE_ENABLE 1
#define tband_configBACKEND_SNAPSHOT_BUF_SIZE 16384
uint64_t comparison_time(void);
#define tband_portTIMESTAMP() comparison_time()
#define tband_portTIMESTAMP_RESOLUTION_NS 40
#define tband_portNUMBER_OF_CORES 1
#define tband_portGET_CORE_ID() 0
#include "tband_port.h"
#endif
