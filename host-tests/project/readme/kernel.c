/* The kernel to which the README's lines are added: two threads, a UART, and no more than any
 * kernel has, which is what compilers call to clear a structure. */
#include <barefxt/types.h>

#include "machine.h"

struct thread {
  barefxt_thread trace;
};

__attribute__((used)) void* memset(void* to, int value, size_t count) {
  volatile uint8_t* const bytes = (uint8_t*)to;
  for (size_t i = 0; i < count; ++i) bytes[i] = (uint8_t)value;
  return to;
}
#if defined(__ARM_EABI__)
/* clang's names for it. */
void __aeabi_memclr(void* to, size_t count) { memset(to, 0, count); }
void __aeabi_memclr4(void* to, size_t count) __attribute__((alias("__aeabi_memclr")));
void __aeabi_memclr8(void* to, size_t count) __attribute__((alias("__aeabi_memclr")));
#endif

static void uart_write(void* context, const uint8_t* bytes, size_t count) {
  (void)context;
  for (size_t i = 0; i < count; ++i) machine_put(bytes[i]);
}

barefxt_error trace_start(uint16_t cpus);
void on_switch(struct thread* out, struct thread* in);
void on_packet(uint32_t length);
void trace_finish(void);

#include "readme.c"

int main(void) {
  static struct thread idle;
  static struct thread net;
  machine_prepare();
  barefxt_process_register(1, "kernel");
  barefxt_thread_register(&idle.trace, 0, 2, "idle/0", 0);
  barefxt_thread_register(&net.trace, 1, 3, "net", 10);
  if (trace_start(1) != BAREFXT_OK) return 1;
  on_switch(&idle, &net);
  on_packet(1500);
  trace_finish();
  return 0;
}
