#include "every_probe.h"

#include <barefxt/barefxt.h>

BAREFXT_CATEGORY(from_c, 0);

void every_probe_in_c(uint32_t number, void* pointer);
void every_probe_in_c(uint32_t number, void* pointer) { USE_EVERY_PROBE(from_c, number, pointer); }
