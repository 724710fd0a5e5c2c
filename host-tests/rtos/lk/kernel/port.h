#ifndef KERNEL_PORT_H
#define KERNEL_PORT_H

#include <kernel/thread.h>

typedef void* port_t;
typedef struct {
  void* ctx;
} port_result_t;
status_t port_read(port_t port, lk_time_t timeout, port_result_t* result);

#endif
