// The functions that code compiled with -fsanitize=thread calls, in place of ThreadSanitizer's.
#include "instrumented.h"

using namespace barefxt::test;

namespace {
uint64_t take(uint64_t, uint64_t value) { return value; }
uint64_t add(uint64_t found, uint64_t value) { return found + value; }
uint64_t combine(uint64_t found, uint64_t value) { return found | value; }
}  // namespace

#define HERE __builtin_return_address(0)

extern "C" {

void __tsan_init() {}
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}
void __tsan_vptr_read(void*) {}
void __tsan_vptr_update(void*, void*) {}
void* __tsan_memset(void* to, int value, size_t bytes) {
  for (auto* at = static_cast<uint8_t*>(to); bytes-- != 0; ++at) {
    access_plainly(at, 1, true, HERE);
    *at = static_cast<uint8_t>(value);
  }
  return to;
}
void* __tsan_memcpy(void* to, const void* from, size_t bytes) {
  const auto* source = static_cast<const uint8_t*>(from);
  for (auto* at = static_cast<uint8_t*>(to); bytes-- != 0; ++at, ++source) {
    access_plainly(source, 1, false, HERE);
    const uint8_t byte = *source;
    access_plainly(at, 1, true, HERE);
    *at = byte;
  }
  return to;
}
void __tsan_read_range(void* at, size_t bytes) { access_plainly(at, bytes, false, HERE); }
void __tsan_write_range(void* at, size_t bytes) { access_plainly(at, bytes, true, HERE); }
void __tsan_atomic_thread_fence(int order) { fence(order); }

#define PLAIN(bytes)                                                            \
  void __tsan_read##bytes(void* at) { access_plainly(at, bytes, false, HERE); } \
  void __tsan_write##bytes(void* at) { access_plainly(at, bytes, true, HERE); }
PLAIN(1)
PLAIN(2)
PLAIN(4)
PLAIN(8)
PLAIN(16)

#define CHANGE(bits, T, name, next)                                                 \
  T __tsan_atomic##bits##_##name(volatile T* at, T value, int order) {              \
    return static_cast<T>(                                                          \
        change_atomically(at, bits / 8, nullptr, next, value, order, order, HERE)); \
  }
#define SWAP(bits, T, name)                                                               \
  int __tsan_atomic##bits##_compare_exchange_##name(volatile T* at, T* expected, T value, \
                                                    int order, int failing) {             \
    const uint64_t before = *expected;                                                    \
    *expected = static_cast<T>(                                                           \
        change_atomically(at, bits / 8, &before, take, value, order, failing, HERE));     \
    return *expected == before;                                                           \
  }
#define ATOMIC(bits, T)                                                                        \
  T __tsan_atomic##bits##_load(const volatile T* at, int order) {                              \
    return static_cast<T>(load_atomically(at, bits / 8, order, HERE));                         \
  }                                                                                            \
  void __tsan_atomic##bits##_store(volatile T* at, T value, int order) {                       \
    store_atomically(at, bits / 8, value, order, HERE);                                        \
  }                                                                                            \
  CHANGE(bits, T, exchange, take)                                                              \
  CHANGE(bits, T, fetch_add, add)                                                              \
  CHANGE(bits, T, fetch_or, combine)                                                           \
  SWAP(bits, T, strong)                                                                        \
  SWAP(bits, T, weak)                                                                          \
  T __tsan_atomic##bits##_compare_exchange_val(volatile T* at, T expected, T value, int order, \
                                               int failing) {                                  \
    const uint64_t before = expected;                                                          \
    return static_cast<T>(                                                                     \
        change_atomically(at, bits / 8, &before, take, value, order, failing, HERE));          \
  }
ATOMIC(8, uint8_t)
ATOMIC(16, uint16_t)
ATOMIC(32, uint32_t)
ATOMIC(64, uint64_t)

// In place of the port's.
uintptr_t barefxt_port_load_linked(const uintptr_t* word) {
  return load_linked(const_cast<uintptr_t*>(word), sizeof *word, HERE);
}
int barefxt_port_store_conditional(uintptr_t* word, uintptr_t value) {
  return store_conditional(word, sizeof *word, value, HERE);
}

}  // extern "C"
