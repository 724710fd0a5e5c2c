#ifndef NUTTX_SEMAPHORE_H
#define NUTTX_SEMAPHORE_H

#include <stdint.h>

#define SEM_TYPE_MUTEX 4
typedef struct sem_s {
  uint8_t flags;
} sem_t;

#endif
