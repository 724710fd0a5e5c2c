/* An image that calls each operation of a tracer, or nothing. It is linked for its size. */
#include "machine.h"
#include "tracer.h"

int main(void) {
  machine_prepare();
#ifndef WITHOUT
  if (!tracer_start()) return 1;
  for (const struct operation* each = tracer_operations; each->name != 0; ++each) each->run();
#endif
  return 0;
}
