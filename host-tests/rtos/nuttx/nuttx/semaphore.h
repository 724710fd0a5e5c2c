#ifndef NUTTX_SEMAPHORE_H
#define NUTTX_SEMAPHORE_H

#include <stdint.h>

#define SEM_TYPE_MUTEX 4
#define NXSEM_MBLOCKING_BIT ((int32_t)0x80000000)
#define NXSEM_NO_MHOLDER ((int32_t)0x7fffffff)
typedef int pid_t;
typedef struct sem_s {
  uint8_t flags;
  union {
    int32_t semcount;
    int32_t mholder;
  } val;
} sem_t;

#endif
