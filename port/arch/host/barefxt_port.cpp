#include "barefxt_port.h"

extern "C" {
__thread uint32_t barefxt_host_cpu = 0;
uint64_t (*barefxt_host_counter)(void) = nullptr;
void (*barefxt_host_clean_cache)(const void* start, size_t bytes) = nullptr;
}
