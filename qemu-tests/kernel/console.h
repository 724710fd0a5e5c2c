// Text on the console: print("count=", count, " hash=", Hex{hash}, "\n").
//
// Type-safe without a format, and without division: no board needs a library for it. One caller at
// a time; the kernel prints from one thread, and from a failing CPU.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace kernel {

struct Hex {
  uint64_t value;
};
struct TenThousandths {  // printed as a decimal fraction
  uint64_t value;
};

void print_one(const char* text);
void print_one(uint64_t value);
void print_one(Hex value);
void print_one(TenThousandths value);
// Both 32-bit types: uint32_t is the one or the other.
inline void print_one(unsigned value) { print_one(uint64_t{value}); }
#if UINTPTR_MAX <= 0xffffffff
inline void print_one(unsigned long value) { print_one(uint64_t{value}); }
#endif

template <typename... Parts>
void print(const Parts&... parts) {
  (print_one(parts), ...);
}

// The function of a barefxt_writer without context.
void write_to_console(void* context, const uint8_t* bytes, size_t count);

}  // namespace kernel
