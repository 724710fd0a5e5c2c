/* Probes written in C, for the test that compares them with those in C++. */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
uint32_t category_of_c_probes(void);
void run_all_c_probes(uint32_t category_bit);
#ifdef __cplusplus
}
#endif
