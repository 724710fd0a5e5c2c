/* The kernel's services for threads that are written in C. */
#ifndef WORKLOAD_SERVICES_H
#define WORKLOAD_SERVICES_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Returns true if threads are to go on with their work: false from before the trace stops. */
bool workload_is_running(void);

void workload_sleep_ms(uint32_t milliseconds);

/* Keeps the CPU busy for a while, the same number of instructions each time. */
void workload_compute(uint32_t rounds);

uint32_t workload_current_koid(void);

/* Threads that are written in C. */
void workload_calibrate(void);
void workload_resolve(void);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif
