// Compiled with sleds.
#include "workload/sled_functions.h"

namespace kernel::workload {

uintptr_t sled_steady(uintptr_t a, uintptr_t b, uintptr_t c, uintptr_t d, uintptr_t e, uintptr_t f,
                      uintptr_t g, uintptr_t h) {
  return a + 3 * b + 5 * c + 7 * d + 11 * e + 13 * f + 17 * g + 19 * h;
}

Words sled_toggled(uintptr_t a, uintptr_t b, uintptr_t c, uintptr_t d, uintptr_t e, uintptr_t f,
                   uintptr_t g, uintptr_t h) {
  return {{h, g, f, e, d, c, b, a}};
}

uintptr_t sled_jumping(uintptr_t (*to)(uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t),
                       uintptr_t a, uintptr_t b, uintptr_t c, uintptr_t d, uintptr_t e) {
  return to(a, b, c, d, e);
}

[[clang::xray_always_instrument, clang::xray_log_args(1)]] uint64_t sled_two_words(uintptr_t a) {
  return a * 0x100000001b3 + 1;
}

uintptr_t sled_noting(uintptr_t type, const char* text, uintptr_t bytes, uintptr_t a, uintptr_t b,
                      uintptr_t c) {
  __xray_customevent(text, bytes);
  __xray_typedevent(type, text, bytes);
  return type + 3 * bytes + 5 * a + 7 * b + 11 * c;
}

uintptr_t sled_noting_crosswise(uintptr_t bytes, uintptr_t type, const char* text, uintptr_t a,
                                uintptr_t b, uintptr_t c) {
  __xray_customevent(text, bytes);
  __xray_typedevent(type, text, bytes);
  return type + 3 * bytes + 5 * a + 7 * b + 11 * c + (text != nullptr ? 13 : 0);
}

void sled_toggled_noting() { __xray_customevent("toggled", 7); }

void sled_empty() { asm volatile(""); }

[[clang::xray_never_instrument]] void no_sled_empty() { asm volatile(""); }

}  // namespace kernel::workload
