// Takes a line of rules apart.
#include "tokens.h"

#include <array>
#include <charconv>
#include <cmath>

#include <barefxt/host/rules.h>
#include <barefxt/host/safe_text.h>

namespace barefxt::host {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_of_word(char c) { return is_letter(c) || is_digit(c) || c == '.'; }

constexpr std::string_view kPlusMinus = "\u00b1";
constexpr auto kSymbols =
    std::to_array<std::string_view>({"+-", kPlusMinus, "<=", ">=", "<", ">", "=", "%"});

class Lexer {
 public:
  explicit Lexer(std::string_view line) : line_(line) {}

  std::variant<std::vector<Token>, LineFault> run() {
    while (skip_blanks()) {
      const LineFault* fault = take();
      if (fault != nullptr) return *fault;
    }
    begin(Token::Kind::kEnd);
    return std::move(tokens_);
  }

 private:
  // False at the end, or at a comment.
  bool skip_blanks() {
    while (at_ < line_.size() && (line_[at_] == ' ' || line_[at_] == '\t' || line_[at_] == '\r'))
      ++at_;
    return at_ < line_.size() && line_[at_] != '#';
  }

  size_t column() const {
    size_t characters = 1;
    for (const char c : line_.substr(0, at_))
      if ((static_cast<uint8_t>(c) & 0xc0) != 0x80) ++characters;
    return characters;
  }

  Token& begin(Token::Kind kind) {
    Token& token = tokens_.emplace_back();
    token.kind = kind;
    token.column = column();
    token.begin = at_;
    return token;
  }

  const LineFault* fail(std::string what, std::string hint) {
    fault_ = {column(), std::move(what), std::move(hint)};
    return &fault_;
  }

  const LineFault* take() {
    const char c = line_[at_];
    if (c == '"') return take_string();
    if (is_digit(c)) return take_number();
    if (is_letter(c)) {
      Token& token = begin(Token::Kind::kWord);
      while (at_ < line_.size() && is_of_word(line_[at_])) token.text += line_[at_++];
      return nullptr;
    }
    for (const std::string_view symbol : kSymbols) {
      if (!line_.substr(at_).starts_with(symbol)) continue;
      begin(Token::Kind::kSymbol).text = symbol == kPlusMinus ? "+-" : symbol;
      at_ += symbol.size();
      return nullptr;
    }
    size_t end = at_ + 1;
    while (end < line_.size() && (static_cast<uint8_t>(line_[end]) & 0xc0) == 0x80) ++end;
    return fail("'" + safe_text(line_.substr(at_, end - at_)) + "' begins nothing",
                "names stand in quotes");
  }

  const LineFault* take_string() {
    const size_t from = at_;
    std::string text;
    for (size_t i = at_ + 1; i < line_.size(); ++i) {
      if (line_[i] == '\\' && i + 1 < line_.size() &&
          (line_[i + 1] == '"' || line_[i + 1] == '\\')) {
        text += line_[++i];
      } else if (line_[i] == '"') {
        if (text.size() > kMaxRuleNameBytes)
          return fail(formatted("this name is longer than {} bytes", kMaxRuleNameBytes), "");
        if (text.empty()) return fail("this name is empty", "\"*\" stands for any");
        begin(Token::Kind::kString).text = std::move(text);
        at_ = i + 1;
        return nullptr;
      } else {
        text += line_[i];
      }
    }
    at_ = from;
    return fail("a quote that does not end", "add a \"");
  }

  const LineFault* take_number() {
    const char* const first = line_.data() + at_;
    double number = 0;
    const auto [end, error] =
        std::from_chars(first, line_.data() + line_.size(), number, std::chars_format::fixed);
    if (error != std::errc{} || !std::isfinite(number)) return fail("this number is too large", "");
    Token& token = begin(Token::Kind::kNumber);
    token.text.assign(first, end);
    token.number = number;
    at_ += static_cast<size_t>(end - first);
    return nullptr;
  }

  std::string_view line_;
  size_t at_ = 0;
  std::vector<Token> tokens_;
  LineFault fault_{};
};

}  // namespace

std::string Token::shown() const {
  if (kind == Kind::kEnd) return "the line ends";
  if (kind == Kind::kString) return "there is \"" + safe_text(text) + "\"";
  return "there is '" + safe_text(text) + "'";
}

std::variant<std::vector<Token>, LineFault> tokens_of(std::string_view line) {
  return Lexer(line).run();
}

}  // namespace barefxt::host
