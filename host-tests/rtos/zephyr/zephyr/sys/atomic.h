#ifndef ZEPHYR_SYS_ATOMIC_H
#define ZEPHYR_SYS_ATOMIC_H

#include <stdbool.h>

#include <barefxt_port.h>

typedef long atomic_t;
typedef atomic_t atomic_val_t;
typedef void* atomic_ptr_t;

static inline atomic_val_t atomic_get(const atomic_t* target) {
  return *(const volatile atomic_t*)target;
}
static inline void* atomic_ptr_get(const atomic_ptr_t* target) {
  return *(void* const volatile*)target;
}
static inline void atomic_ptr_clear(atomic_ptr_t* target) { *(void* volatile*)target = NULL; }
static inline bool atomic_ptr_cas(atomic_ptr_t* target, void* before, void* after) {
  const uintptr_t interrupts = barefxt_port_interrupt_save();
  const bool is_same = atomic_ptr_get(target) == before;
  if (is_same) *(void* volatile*)target = after;
  barefxt_port_interrupt_restore(interrupts);
  return is_same;
}
static inline bool atomic_cas(atomic_t* target, atomic_val_t before, atomic_val_t after) {
  const uintptr_t interrupts = barefxt_port_interrupt_save();
  const bool is_same = atomic_get(target) == before;
  if (is_same) *(volatile atomic_t*)target = after;
  barefxt_port_interrupt_restore(interrupts);
  return is_same;
}

#endif
