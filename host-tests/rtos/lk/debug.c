/* The event log's own store, which is replaced. */
#include <kernel/debug.h>

extern unsigned stand_in_fault_count;

void kernel_evlog_add(uintptr_t id, uintptr_t first, uintptr_t second) {
  (void)id;
  (void)first;
  (void)second;
  ++stand_in_fault_count;
}
