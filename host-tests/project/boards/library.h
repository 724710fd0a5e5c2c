/* Functions that compilers call, in images without a library. */
#ifndef LIBRARY_H
#define LIBRARY_H

#include <stddef.h>
#include <stdint.h>

__attribute__((used)) void* memset(void* to, int value, size_t count) {
  volatile uint8_t* const bytes = to;
  for (size_t i = 0; i < count; ++i) bytes[i] = (uint8_t)value;
  return to;
}
__attribute__((used)) void* memcpy(void* to, const void* from, size_t count) {
  volatile uint8_t* const bytes = to;
  for (size_t i = 0; i < count; ++i) bytes[i] = ((const uint8_t*)from)[i];
  return to;
}
#if defined(__ARM_EABI__)
__attribute__((used)) void __aeabi_memclr(void* to, size_t count) { memset(to, 0, count); }
__attribute__((used)) void __aeabi_memclr4(void* to, size_t count) { memset(to, 0, count); }
__attribute__((used)) void __aeabi_memclr8(void* to, size_t count) { memset(to, 0, count); }
#endif

#endif
