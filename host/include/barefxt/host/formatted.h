// Text with values in it, by patterns as std::format has them: formatted("{} of {}", count, what).
//
// Known are {}, and {:SPEC} with SPEC as [<|>][0][WIDTH][x] for text and integers and as
// [+][.PRECISION][f|g] for a double, and {{ and }} for braces. WIDTH counts bytes. A pattern with
// other specs, or for another number of values, does not compile.
//
// Ours, because GCC 12 has no std::format and Debian 12 has libfmt as a shared library only, whose
// name differs in each release of a distribution. To compile 60 calls takes 0.4 s of CPU time, with
// libfmt compiled in 3.8 s, and as sums of std::to_string 1.7 s (GCC 12, -O2).
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace barefxt::host {

// A value of a pattern. Refers to text, so that it must not outlive it.
class FormatValue {
 public:
  FormatValue(std::string_view text) : kind_(Kind::kText), text_(text) {}        // NOLINT
  FormatValue(const std::string& text) : FormatValue(std::string_view(text)) {}  // NOLINT
  FormatValue(const char* text) : FormatValue(std::string_view(text)) {}         // NOLINT
  FormatValue(double number) : kind_(Kind::kReal), real_(number) {}              // NOLINT
  template <std::unsigned_integral T>
    requires(!std::same_as<T, bool>)
  FormatValue(T number) : kind_(Kind::kUnsigned), unsigned_(number) {}  // NOLINT
  template <std::signed_integral T>
    requires(!std::same_as<T, char>)
  FormatValue(T number) : kind_(Kind::kSigned), signed_(number) {}  // NOLINT

  void append_to(std::string& text, std::string_view spec) const;

 private:
  enum class Kind : uint8_t { kText, kReal, kUnsigned, kSigned };
  Kind kind_;
  union {
    std::string_view text_;
    double real_;
    uint64_t unsigned_;
    int64_t signed_;
  };
};

template <size_t kValues>
class FormatPattern {
 public:
  consteval FormatPattern(const char* text) : text_(text) {  // NOLINT
    size_t values = 0;
    for (const char* at = text; *at != '\0'; ++at) {
      if (*at != '{' && *at != '}') continue;
      if (at[1] == *at) {
        ++at;
        continue;
      }
      if (*at == '}') throw "} without {";
      ++values;
      if (*++at == ':')
        while (std::string_view("<>+.0123456789xfg").find(*++at) != std::string_view::npos)
          continue;
      if (*at != '}') throw "no pattern known here";
    }
    if (values != kValues) throw "as many {} as values";
  }
  std::string_view text() const { return text_; }

 private:
  std::string_view text_;
};

void append_values(std::string& text, std::string_view pattern,
                   std::initializer_list<FormatValue> values);
std::string formatted_values(std::string_view pattern, std::initializer_list<FormatValue> values);

template <typename... Values>
std::string formatted(FormatPattern<sizeof...(Values)> pattern, const Values&... values) {
  return formatted_values(pattern.text(), {FormatValue(values)...});
}

template <typename... Values>
void append(std::string& text, FormatPattern<sizeof...(Values)> pattern, const Values&... values) {
  append_values(text, pattern.text(), {FormatValue(values)...});
}

// "1 record", "2 records". `many`: for a noun that takes more than an s.
std::string counted(uint64_t count, std::string_view noun);
std::string counted(uint64_t count, std::string_view one, std::string_view many);

}  // namespace barefxt::host
