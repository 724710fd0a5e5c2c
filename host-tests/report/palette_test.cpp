// People can distinguish the colours from their background and from each other, also those who do
// not distinguish red and green. Contrast as in WCAG 2; colours as seen by Machado et al.
// (2009); differences in CIELAB.
#include "report/palette.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <gtest/gtest.h>

namespace barefxt::test::palette_test {
namespace {

using Linear = std::array<double, 3>;
using Matrix = std::array<Linear, 3>;

constexpr Matrix kNormal = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
constexpr Matrix kProtanopia = {{{0.152286, 1.052583, -0.204868},
                                 {0.114503, 0.786281, 0.099216},
                                 {-0.003882, -0.048116, 1.051998}}};
constexpr Matrix kDeuteranopia = {{{0.367322, 0.860646, -0.227968},
                                   {0.280085, 0.672501, 0.047413},
                                   {-0.011820, 0.042940, 0.968881}}};

Linear times(const Matrix& matrix, const Linear& vector) {
  Linear product{};
  for (size_t i = 0; i < 3; ++i)
    for (size_t j = 0; j < 3; ++j) product[i] += matrix[i][j] * vector[j];
  return product;
}

Linear linear(uint32_t rgb) {
  Linear light{};
  for (unsigned i = 0; i < 3; ++i) {
    const double part = (rgb >> (16 - 8 * i) & 0xff) / 255.0;
    light[i] = part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
  }
  return light;
}

double contrast(uint32_t one, uint32_t other) {
  const auto luminance = [](uint32_t rgb) {
    const Linear light = linear(rgb);
    return 0.2126 * light[0] + 0.7152 * light[1] + 0.0722 * light[2];
  };
  const double a = luminance(one) + 0.05;
  const double b = luminance(other) + 0.05;
  return std::max(a, b) / std::min(a, b);
}

Linear lab(const Linear& light) {
  constexpr Matrix kToXyz = {{{0.4124564, 0.3575761, 0.1804375},
                              {0.2126729, 0.7151522, 0.0721750},
                              {0.0193339, 0.1191920, 0.9503041}}};
  constexpr Linear kWhite = {0.95047, 1, 1.08883};
  Linear part = times(kToXyz, light);
  for (size_t i = 0; i < 3; ++i) {
    const double share = part[i] / kWhite[i];
    part[i] = share > 216.0 / 24389 ? std::cbrt(share) : (24389.0 / 27 * share + 16) / 116;
  }
  return {116 * part[1] - 16, 500 * (part[0] - part[1]), 200 * (part[1] - part[2])};
}

double difference(uint32_t one, uint32_t other, const Matrix& eyes) {
  const auto seen = [&](uint32_t rgb) {
    Linear light = times(eyes, linear(rgb));
    for (double& part : light) part = std::clamp(part, 0.0, 1.0);
    return lab(light);
  };
  const Linear a = seen(one);
  const Linear b = seen(other);
  return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

uint32_t colour(std::string_view name, bool dark) {
  for (const report::Colour& one : report::kPalette)
    if (one.name == name) return dark ? one.dark : one.light;
  ADD_FAILURE() << "no colour " << name;
  return 0;
}

constexpr std::array<std::string_view, 6> kStates = {"running", "runnable", "blocked",
                                                     "waiting", "unknown",  "idle"};

TEST(Palette, HasEnoughContrast) {
  for (const bool dark : {false, true}) {
    for (const char* ground : {"background", "lane"}) {
      for (const char* text : {"text", "faint", "lost"})
        EXPECT_GE(contrast(colour(text, dark), colour(ground, dark)), 4.5) << text << dark;
      for (const std::string_view state : kStates)
        EXPECT_GE(contrast(colour(state, dark), colour(ground, dark)), 3) << state << dark;
      for (const char* mark : {"lost", "mark", "log", "wakeup", "arrow", "counter", "selection"})
        EXPECT_GE(contrast(colour(mark, dark), colour(ground, dark)), 3) << mark << dark;
    }
    // Names are written upon hues.
    for (const report::Colour& hue : report::kHues)
      EXPECT_GE(contrast(colour("text", dark), dark ? hue.dark : hue.light), 4.5) << hue.light;
  }
}

// A difference of 2 is one that is just seen side by side.
TEST(Palette, IsDistinguishedWithoutRedAndGreen) {
  constexpr double kClear = 15;
  for (const Matrix* eyes : {&kNormal, &kProtanopia, &kDeuteranopia}) {
    for (const bool dark : {false, true}) {
      for (size_t i = 0; i < kStates.size(); ++i)
        for (size_t j = 0; j < i; ++j)
          EXPECT_GE(difference(colour(kStates[i], dark), colour(kStates[j], dark), *eyes), kClear)
              << kStates[i] << " " << kStates[j] << dark;
      for (const report::Colour& one : report::kHues) {
        for (const report::Colour& other : report::kHues) {
          if (&one == &other) continue;
          const auto of = [&](const report::Colour& hue) { return dark ? hue.dark : hue.light; };
          EXPECT_GE(difference(of(one), of(other), *eyes), kClear);
        }
      }
    }
  }
}

}  // namespace
}  // namespace barefxt::test::palette_test
