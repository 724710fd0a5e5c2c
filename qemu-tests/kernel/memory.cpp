// The functions that compilers call even in freestanding code: four, and under other names clang
// for 32-bit ARM.
#include <stddef.h>
#include <stdint.h>

extern "C" {

void* memcpy(void* to, const void* from, size_t count) {
  auto* out = static_cast<uint8_t*>(to);
  const auto* in = static_cast<const uint8_t*>(from);
  for (size_t i = 0; i < count; ++i) out[i] = in[i];
  return to;
}

void* memmove(void* to, const void* from, size_t count) {
  auto* out = static_cast<uint8_t*>(to);
  const auto* in = static_cast<const uint8_t*>(from);
  if (out <= in) {
    for (size_t i = 0; i < count; ++i) out[i] = in[i];
  } else {
    for (size_t i = count; i-- > 0;) out[i] = in[i];
  }
  return to;
}

void* memset(void* to, int value, size_t count) {
  auto* out = static_cast<uint8_t*>(to);
  for (size_t i = 0; i < count; ++i) out[i] = static_cast<uint8_t>(value);
  return to;
}

int memcmp(const void* left, const void* right, size_t count) {
  const auto* a = static_cast<const uint8_t*>(left);
  const auto* b = static_cast<const uint8_t*>(right);
  for (size_t i = 0; i < count; ++i) {
    if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
  }
  return 0;
}

#if defined(__ARM_EABI__) && defined(__clang__)
// "Run-time ABI for the Arm Architecture"; the digit is an alignment that the caller promises.
#define SAME_AS(function) __attribute__((alias(#function)))
void __aeabi_memcpy(void* to, const void* from, size_t count) { memcpy(to, from, count); }
void __aeabi_memcpy4(void* to, const void* from, size_t count) SAME_AS(__aeabi_memcpy);
void __aeabi_memcpy8(void* to, const void* from, size_t count) SAME_AS(__aeabi_memcpy);
void __aeabi_memset(void* to, size_t count, int value) { memset(to, value, count); }
void __aeabi_memset4(void* to, size_t count, int value) SAME_AS(__aeabi_memset);
void __aeabi_memset8(void* to, size_t count, int value) SAME_AS(__aeabi_memset);
void __aeabi_memclr(void* to, size_t count) { memset(to, 0, count); }
void __aeabi_memclr4(void* to, size_t count) SAME_AS(__aeabi_memclr);
void __aeabi_memclr8(void* to, size_t count) SAME_AS(__aeabi_memclr);
#endif

}  // extern "C"
