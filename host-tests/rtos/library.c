/* Compilers call these, in an image without a library. */
#include <stddef.h>
#include <stdint.h>

__attribute__((used)) void* memset(void* to, int value, size_t count) {
  volatile uint8_t* const bytes = (uint8_t*)to;
  for (size_t i = 0; i < count; ++i) bytes[i] = (uint8_t)value;
  return to;
}
__attribute__((used)) void* memcpy(void* to, const void* from, size_t count) {
  volatile uint8_t* const bytes = (uint8_t*)to;
  for (size_t i = 0; i < count; ++i) bytes[i] = ((const uint8_t*)from)[i];
  return to;
}
#if defined(__ARM_EABI__)
/* clang's names for them. */
void __aeabi_memclr(void* to, size_t count) { memset(to, 0, count); }
void __aeabi_memclr4(void* to, size_t count) __attribute__((alias("__aeabi_memclr")));
void __aeabi_memclr8(void* to, size_t count) __attribute__((alias("__aeabi_memclr")));
void __aeabi_memcpy(void* to, const void* from, size_t count) { memcpy(to, from, count); }
void __aeabi_memcpy4(void* to, const void* from, size_t count)
    __attribute__((alias("__aeabi_memcpy")));
void __aeabi_memcpy8(void* to, const void* from, size_t count)
    __attribute__((alias("__aeabi_memcpy")));
#endif
