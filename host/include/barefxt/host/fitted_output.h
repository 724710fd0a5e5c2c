// Text for people, fitted to the width of a terminal.
//
// Invariants: no word is cut, so a line is longer than the width only if it is a single word.
// Escape sequences of colours take no column, and every other character takes one.
#pragma once

#include <string>
#include <string_view>

#include <barefxt/host/output.h>

namespace barefxt::host {

// How a text looks.
struct TextLook {
  size_t width = 80;  // columns; 0: lines are as long as they are
  bool has_color = false;

  std::string strong(std::string_view text) const { return colored(text, "\x1b[1m"); }
  std::string alarm(std::string_view text) const { return colored(text, "\x1b[1;31m"); }
  std::string faint(std::string_view text) const { return colored(text, "\x1b[2m"); }

 private:
  std::string colored(std::string_view text, std::string_view code) const;
};

// The columns that a text takes.
size_t columns_of(std::string_view text);

// The text, or its beginning and its end with "..." between them, in at most this many columns.
std::string shortened(std::string_view text, size_t columns);

// Lines as they are, or broken between words; what goes on begins `indent` columns further right
// than the line did.
class FittedOutput : public Output {
 public:
  FittedOutput(Output& to, size_t width, size_t indent) : to_(to), width_(width), indent_(indent) {}
  // Hands on what is left, also of a last line without its end.
  void finish();

 protected:
  bool drain(std::string_view piece) override;

 private:
  void put(std::string_view line);

  Output& to_;
  size_t width_;
  size_t indent_;
  std::string line_;  // as far as it has come
};

}  // namespace barefxt::host
