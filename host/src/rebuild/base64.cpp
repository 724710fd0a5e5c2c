#include "base64.h"

#include <array>

namespace barefxt::host {
namespace {

constexpr uint8_t kNone = 0xff;
constexpr uint8_t kPadding = 0xfe;

constexpr std::array<uint8_t, 256> make_values() {
  constexpr std::string_view kAlphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::array<uint8_t, 256> values{};
  values.fill(kNone);
  for (size_t i = 0; i < kAlphabet.size(); ++i)
    values[static_cast<uint8_t>(kAlphabet[i])] = static_cast<uint8_t>(i);
  values[static_cast<uint8_t>('=')] = kPadding;
  return values;
}

constexpr std::array<uint8_t, 256> kValues = make_values();

uint8_t value_of(char character) { return kValues[static_cast<uint8_t>(character)]; }

}  // namespace

size_t base64_run(std::string_view text) {
  size_t run = 0;
  while (run < text.size() && value_of(text[run]) != kNone) ++run;
  return run;
}

std::optional<size_t> base64_decode(std::string_view text, uint8_t* decoded) {
  if (text.size() % 4 != 0) return {};
  size_t padding = 0;
  while (padding < 2 && padding < text.size() && text[text.size() - 1 - padding] == '=') ++padding;

  size_t written = 0;
  for (size_t at = 0; at < text.size(); at += 4) {
    const bool last = at + 4 == text.size();
    const size_t digits = last ? 4 - padding : 4;
    uint32_t bits = 0;
    for (size_t i = 0; i < 4; ++i) {
      const uint8_t value = i < digits ? value_of(text[at + i]) : uint8_t{0};
      if (value > 63) return {};
      bits = (bits << 6) | value;
    }
    const size_t count = digits - 1;
    if ((bits & (0xffffffu >> (8 * count))) != 0 && count < 3) return {};
    for (size_t i = 0; i < count; ++i)
      decoded[written++] = static_cast<uint8_t>(bits >> (16 - 8 * i));
  }
  return written;
}

}  // namespace barefxt::host
