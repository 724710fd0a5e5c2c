#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>

#include <barefxt/host/formatted.h>

namespace barefxt::host {
namespace {

// [<|>][0][WIDTH] of text and of digits.
void append_padded(std::string& text, std::string_view value, std::string_view spec, bool is_left) {
  if (spec.starts_with('<') || spec.starts_with('>')) {
    is_left = spec.front() == '<';
    spec.remove_prefix(1);
  }
  const char filling = spec.starts_with('0') ? '0' : ' ';
  size_t width = 0;
  std::from_chars(spec.data(), spec.data() + spec.size(), width);
  const size_t missing = width - std::min(width, value.size());
  if (!is_left) text.append(missing, filling);
  text += value;
  if (is_left) text.append(missing, filling);
}

template <typename Integer>
void append_integer(std::string& text, Integer value, std::string_view spec) {
  std::array<char, 24> digits;
  const int base = spec.ends_with('x') ? 16 : 10;
  const char* end = std::to_chars(digits.begin(), digits.end(), value, base).ptr;
  append_padded(text, {digits.data(), end}, spec, false);
}

void append_real(std::string& text, double value, std::string_view spec) {
  const std::string pattern = "%" + std::string(spec.empty() ? "g" : spec);
  std::array<char, 400> room;  // %f of the largest double has 309 digits before its point
  const int size = std::snprintf(room.data(), room.size(), pattern.c_str(), value);
  text.append(room.data(), static_cast<size_t>(size));
}

}  // namespace

void FormatValue::append_to(std::string& text, std::string_view spec) const {
  switch (kind_) {
    case Kind::kText:
      return append_padded(text, text_, spec, true);
    case Kind::kReal:
      return append_real(text, real_, spec);
    case Kind::kUnsigned:
      return append_integer(text, unsigned_, spec);
    case Kind::kSigned:
      return append_integer(text, signed_, spec);
  }
}

void append_values(std::string& text, std::string_view pattern,
                   std::initializer_list<FormatValue> values) {
  const FormatValue* value = values.begin();
  for (size_t at = 0; at < pattern.size();) {
    const size_t brace = std::min(pattern.find_first_of("{}", at), pattern.size());
    text += pattern.substr(at, brace - at);
    at = brace + 1;
    if (at >= pattern.size()) break;
    if (pattern[at] == pattern[brace]) {
      text += pattern[at++];
      continue;
    }
    const size_t end = pattern.find('}', at);
    (value++)->append_to(text, pattern.substr(at, end - at).substr(pattern[at] == ':' ? 1 : 0));
    at = end + 1;
  }
}

std::string formatted_values(std::string_view pattern, std::initializer_list<FormatValue> values) {
  std::string text;
  append_values(text, pattern, values);
  return text;
}

std::string counted(uint64_t count, std::string_view one, std::string_view many) {
  return formatted("{} {}", count, count == 1 ? one : many);
}

std::string counted(uint64_t count, std::string_view noun) {
  return formatted("{} {}{}", count, noun, count == 1 ? "" : "s");
}

}  // namespace barefxt::host
