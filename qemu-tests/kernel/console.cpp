// Text on the console.
#include "kernel/console.h"

#include "kernel/board.h"

namespace kernel {
namespace {

constexpr unsigned kMaxDigits = 20;

struct PowersOfTen {
  uint64_t value[kMaxDigits];
  constexpr PowersOfTen() : value() {
    uint64_t power = 1;
    for (uint64_t& each : value) {
      each = power;
      power *= 10;
    }
  }
};
constexpr PowersOfTen kPowersOfTen;

void character(char c) {
  const auto byte = static_cast<uint8_t>(c);
  board::console_write(&byte, 1);
}

// At least `fewest` digits; with a point before the last `fraction` of them.
void decimal(uint64_t value, unsigned fewest, unsigned fraction) {
  bool started = false;
  for (unsigned place = kMaxDigits; place-- > 0;) {
    char digit = '0';
    while (value >= kPowersOfTen.value[place]) {
      value -= kPowersOfTen.value[place];
      ++digit;
    }
    started = started || digit != '0' || place < fewest;
    if (started) character(digit);
    if (place != 0 && place == fraction) character('.');
  }
}

}  // namespace

void print_one(const char* text) {
  for (; *text != '\0'; ++text) character(*text);
}

void print_one(uint64_t value) { decimal(value, 1, 0); }

void print_one(Hex value) {
  print_one("0x");
  for (unsigned shift = 64; shift != 0; shift -= 4) {
    const uint64_t nibble = (value.value >> (shift - 4)) & 15;
    character(static_cast<char>(nibble < 10 ? '0' + nibble : 'a' + (nibble - 10)));
  }
}

void print_one(TenThousandths value) { decimal(value.value, 5, 4); }

void write_to_console(void* /*context*/, const uint8_t* bytes, size_t count) {
  board::console_write(bytes, count);
}

}  // namespace kernel
