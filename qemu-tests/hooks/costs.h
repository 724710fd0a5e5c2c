/* The operations of a kernel whose hooks are counted: by costs.c, in a stand-in for the kernel
 * (host-tests/rtos). */
#ifndef COSTS_H
#define COSTS_H

struct operation {
  const char* name;
  void (*run)(void); /* leaves all as it was */
};

/* Ends with a name that is null. */
extern const struct operation operations[];
/* Threads and objects, before the start. */
void prepare_operations(void);

#endif
