#include "barefxt_port.h"

extern "C" {
__thread uint32_t barefxt_host_cpu = 0;
uint64_t (*barefxt_host_counter)(void) = nullptr;
void (*barefxt_host_clean_cache)(const void* start, size_t bytes) = nullptr;
uint32_t barefxt_host_entropy = 0;

uint32_t barefxt_port_entropy(void) { return barefxt_host_entropy; }
}
