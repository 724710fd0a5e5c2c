#include "chance.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace barefxt::host {
namespace {

// ln n!, by Stirling's series from 16 on.
double log_factorial(double n) {
  double sum = 0;
  while (n < 16) sum -= std::log(n += 1);
  constexpr double kTwoPi = 2 * std::numbers::pi;
  return sum + n * std::log(n) - n + std::log(kTwoPi * n) / 2 + 1 / (12 * n) -
         1 / (360 * n * n * n) + 1 / (1260 * n * n * n * n * n);
}

// The probability that Student's t exceeds `value`, which is not negative: the finite series of
// Abramowitz and Stegun, 26.7.3 and 26.7.4.
double chance_of_student(unsigned freedom, double value) {
  const double angle = std::atan(value / std::sqrt(static_cast<double>(freedom)));
  const double cosine = std::cos(angle);
  const bool odd = freedom % 2 == 1;
  double term = odd ? cosine : 1;
  double series = freedom == 1 ? 0 : term;
  for (unsigned i = odd ? 3 : 2; i < freedom; i += 2) {
    term *= cosine * cosine * (i - 1.0) / i;
    series += term;
  }
  const double within =
      odd ? (angle + std::sin(angle) * series) * 2 / std::numbers::pi : std::sin(angle) * series;
  return (1 - within) / 2;
}

// The value from 0 on for which `chance` falls to `error`.
template <typename Chance>
double where(double error, const Chance& chance) {
  double low = 0;
  double high = 1;
  while (chance(high) > error && high < 1e9) high *= 2;
  constexpr int kSteps = 60;
  for (int i = 0; i < kSteps; ++i) {
    const double middle = (low + high) / 2;
    (chance(middle) > error ? low : high) = middle;
  }
  return high;
}

}  // namespace

double chance_of_at_most(uint64_t count, double share, uint64_t most) {
  if (most >= count || share <= 0) return 1;
  if (share >= 1) return 0;
  const auto all = static_cast<double>(count);
  auto some = static_cast<double>(most);
  // Down from the largest term; beyond the mean, the other tail is the shorter sum.
  if (some > all * share) {
    return 1 - chance_of_at_most(count, 1 - share, count - most - 1);
  }
  double term = std::exp(log_factorial(all) - log_factorial(some) - log_factorial(all - some) +
                         some * std::log(share) + (all - some) * std::log1p(-share));
  double sum = 0;
  while (term > sum * 1e-16) {
    sum += term;
    term *= some / (all - some + 1) * (1 - share) / share;
    some -= 1;
  }
  return std::min(sum, 1.0);
}

uint64_t rank_below(uint64_t count, double share, double error) {
  uint64_t low = 0;  // fits
  uint64_t high = count + 1;
  while (high - low > 1) {
    const uint64_t rank = low + (high - low) / 2;
    (chance_of_at_most(count, share, rank - 1) <= error ? low : high) = rank;
  }
  return low;
}

double chance_of_all_longest(uint64_t old, uint64_t now, uint64_t longest) {
  double chance = 1;
  for (uint64_t i = 0; i < longest && chance > 0; ++i) {
    if (i >= now) return 0;
    chance *= static_cast<double>(now - i) / static_cast<double>(old + now - i);
  }
  return chance;
}

double chance_of_squares(unsigned freedom, double sum) {
  if (sum <= 0) return 1;
  // Abramowitz and Stegun, 26.4.4 and 26.4.5.
  const bool odd = freedom % 2 == 1;
  double term = odd ? std::sqrt(2 * sum / std::numbers::pi) : 1;
  double series = 0;
  for (unsigned i = odd ? 1 : 0; i + 2 <= freedom; i += 2) {
    series += term;
    term *= sum / (i + 2);
  }
  return (odd ? std::erfc(std::sqrt(sum / 2)) : 0) + std::exp(-sum / 2) * series;
}

double normal_limit(double error) {
  return where(error, [](double value) { return std::erfc(value / std::numbers::sqrt2) / 2; });
}

double student_limit(unsigned freedom, double error) {
  return where(error, [&](double value) { return chance_of_student(freedom, value); });
}

}  // namespace barefxt::host
