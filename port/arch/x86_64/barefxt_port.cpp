#include "barefxt_port.h"

uint64_t barefxt_x86_64_tsc_hertz = 0;
