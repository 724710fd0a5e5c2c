// One line of a file of rules, as words, strings, numbers and symbols.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <barefxt/host/status.h>

namespace barefxt::host {

struct Token {
  enum class Kind : uint8_t { kWord, kString, kNumber, kSymbol, kEnd };
  Kind kind = Kind::kEnd;
  std::string text;  // a string's without quotes
  double number = 0;
  size_t column = 1;  // in characters
  size_t begin = 0;   // in bytes, from 0

  bool is(std::string_view word) const {
    return (kind == Kind::kWord || kind == Kind::kSymbol) && text == word;
  }
  // As a message shows it.
  std::string shown() const;
};

// The place and the reason of a wrong line.
struct LineFault {
  size_t column;
  std::string what;
  std::string hint = {};
};

// The tokens up to a comment, and kEnd.
std::variant<std::vector<Token>, LineFault> tokens_of(std::string_view line);

}  // namespace barefxt::host
