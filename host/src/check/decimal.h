// Numbers of few digits, as people write bounds.
#pragma once

#include <cstdint>
#include <string>

namespace barefxt::host {

enum class Rounding : uint8_t { kDown, kNearest, kUp };

// mantissa x 10^exponent, and exactly that as text.
struct Decimal {
  long long mantissa = 0;
  int exponent = 0;

  long double value() const;
  std::string text() const;
};

// `value` is not negative. Its least digit is that of 10^least_exponent or higher.
Decimal rounded(long double value, int digits, Rounding rounding, int least_exponent = -6);

// As rules have it, in the largest unit that it is one of: "62us".
std::string time_text(Decimal nanoseconds);

}  // namespace barefxt::host
