// The functions that compilers call for the kernel's atomics on a machine with a single CPU that
// has no compare-and-swap. Interrupts are masked meanwhile.
#include <stdint.h>

#include "kernel/critical_section.h"

#if !defined(__GCC_HAVE_SYNC_COMPARE_AND_SWAP_4)

// Under names of our own, since compilers know those others.
extern "C" {
uint8_t kernel_load_byte(const volatile uint8_t* from, int order) __asm__("__atomic_load_1");
void kernel_store_byte(volatile uint8_t* to, uint8_t value, int order) __asm__("__atomic_store_1");
uint32_t kernel_load(const volatile uint32_t* from, int order) __asm__("__atomic_load_4");
void kernel_store(volatile uint32_t* to, uint32_t value, int order) __asm__("__atomic_store_4");
uint32_t kernel_exchange(volatile uint32_t* at, uint32_t value,
                         int order) __asm__("__atomic_exchange_4");
bool kernel_compare_exchange(volatile uint32_t* at, uint32_t* expected, uint32_t desired,
                             int success, int failure) __asm__("__atomic_compare_exchange_4");
uint32_t kernel_fetch_add(volatile uint32_t* at, uint32_t value,
                          int order) __asm__("__atomic_fetch_add_4");
uint32_t kernel_fetch_sub(volatile uint32_t* at, uint32_t value,
                          int order) __asm__("__atomic_fetch_sub_4");
uint32_t kernel_fetch_or(volatile uint32_t* at, uint32_t value,
                         int order) __asm__("__atomic_fetch_or_4");
uint32_t kernel_fetch_and(volatile uint32_t* at, uint32_t value,
                          int order) __asm__("__atomic_fetch_and_4");
}

uint8_t kernel_load_byte(const volatile uint8_t* from, int /*order*/) { return *from; }
void kernel_store_byte(volatile uint8_t* to, uint8_t value, int /*order*/) { *to = value; }
uint32_t kernel_load(const volatile uint32_t* from, int /*order*/) { return *from; }
void kernel_store(volatile uint32_t* to, uint32_t value, int /*order*/) { *to = value; }

uint32_t kernel_exchange(volatile uint32_t* at, uint32_t value, int /*order*/) {
  const kernel::CriticalSection section;
  const uint32_t before = *at;
  *at = value;
  return before;
}

bool kernel_compare_exchange(volatile uint32_t* at, uint32_t* expected, uint32_t desired,
                             int /*success*/, int /*failure*/) {
  const kernel::CriticalSection section;
  const uint32_t before = *at;
  if (before == *expected) {
    *at = desired;
    return true;
  }
  *expected = before;
  return false;
}

uint32_t kernel_fetch_add(volatile uint32_t* at, uint32_t value, int /*order*/) {
  const kernel::CriticalSection section;
  const uint32_t before = *at;
  *at = before + value;
  return before;
}

uint32_t kernel_fetch_sub(volatile uint32_t* at, uint32_t value, int order) {
  return kernel_fetch_add(at, 0 - value, order);
}

uint32_t kernel_fetch_or(volatile uint32_t* at, uint32_t value, int /*order*/) {
  const kernel::CriticalSection section;
  const uint32_t before = *at;
  *at = before | value;
  return before;
}

uint32_t kernel_fetch_and(volatile uint32_t* at, uint32_t value, int /*order*/) {
  const kernel::CriticalSection section;
  const uint32_t before = *at;
  *at = before & value;
  return before;
}

#endif
