/* Sites of cost.cpp whose probes are C's. */
#ifndef WORKLOAD_COST_C_H
#define WORKLOAD_COST_C_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* An operand, in memory that the compiler knows nothing of. */
extern volatile uint32_t cost_number;

/* A call, for the frame that it takes. */
void cost_c_call(void);
void cost_c_nothing(void);
void cost_c_instant(void);
void cost_c_number(void);
void cost_c_instant_with_number(void);

#ifdef __cplusplus
}
#endif

#endif
