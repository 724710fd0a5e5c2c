#include "every_probe.h"

#include <barefxt/barefxt.h>

BAREFXT_CATEGORY(from_cpp, 1);

void every_probe_in_cpp(uint32_t number, void* pointer);
void every_probe_in_cpp(uint32_t number, void* pointer) {
  USE_EVERY_PROBE(from_cpp, number, pointer);
}

template <typename T>
void every_probe_in_a_template(T number) {
  USE_EVERY_PROBE(from_cpp, static_cast<uint32_t>(number), nullptr);
}
template void every_probe_in_a_template<int>(int);
template void every_probe_in_a_template<uint64_t>(uint64_t);
