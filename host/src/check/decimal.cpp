#include "decimal.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

namespace barefxt::host {

long double Decimal::value() const {
  const long double power = std::pow(10.0L, std::abs(exponent));
  const auto whole = static_cast<long double>(mantissa);
  return exponent < 0 ? whole / power : whole * power;
}

std::string Decimal::text() const {
  std::string digits = std::to_string(mantissa);
  if (mantissa == 0) return digits;
  if (exponent >= 0) return digits + std::string(static_cast<size_t>(exponent), '0');
  const auto behind = static_cast<size_t>(-exponent);
  if (digits.size() <= behind) digits.insert(0, behind + 1 - digits.size(), '0');
  digits.insert(digits.size() - behind, 1, '.');
  digits.erase(digits.find_last_not_of('0') + 1);
  if (digits.back() == '.') digits.pop_back();
  return digits;
}

Decimal rounded(long double value, int digits, Rounding rounding, int least_exponent) {
  if (value <= 0) return {};
  const int highest = static_cast<int>(std::floor(std::log10(value)));
  const int exponent = std::max(highest - digits + 1, least_exponent);
  const long double power = std::pow(10.0L, std::abs(exponent));
  const long double scaled = exponent < 0 ? value * power : value / power;
  // An error of calculation beside a whole number asks for no step up or down.
  constexpr long double kNoise = 1e-9L;
  const long double whole = rounding == Rounding::kUp     ? std::ceil(scaled - kNoise)
                            : rounding == Rounding::kDown ? std::floor(scaled + kNoise)
                                                          : std::round(scaled);
  return {static_cast<long long>(whole), exponent};
}

std::string time_text(Decimal nanoseconds) {
  static constexpr std::pair<int, std::string_view> kUnits[] = {
      {9, "s"}, {6, "ms"}, {3, "us"}, {0, "ns"}};
  for (const auto& [power, unit] : kUnits) {
    if (power > 0 && nanoseconds.value() < std::pow(10.0L, power)) continue;
    nanoseconds.exponent -= power;
    return nanoseconds.text().append(unit);
  }
  return {};
}

}  // namespace barefxt::host
