// Errors are values: what went wrong, where, and a hint for the user.
//
// Nothing in this library throws for an expected failure, so a caller sees from a signature what
// can fail.
#pragma once

#include <string>
#include <utility>
#include <variant>

namespace barefxt::host {

struct Error {
  std::string what;   // "cannot open: No such file or directory"
  std::string where;  // the file, argument or place it is about
  std::string hint;   // what to do about it; may be empty

  std::string text() const {
    std::string line = where.empty() ? what : where + ": " + what;
    if (!hint.empty()) line += ". Hint: " + hint;
    return line;
  }
};

template <typename T>
class Result {
 public:
  Result(T value) : state_(std::move(value)) {}      // NOLINT(google-explicit-constructor)
  Result(Error error) : state_(std::move(error)) {}  // NOLINT(google-explicit-constructor)

  explicit operator bool() const { return std::holds_alternative<T>(state_); }
  // Only to be asked for after the check above.
  T& value() { return *std::get_if<T>(&state_); }
  const T& value() const { return *std::get_if<T>(&state_); }
  const Error& error() const { return *std::get_if<Error>(&state_); }

 private:
  std::variant<T, Error> state_;
};

}  // namespace barefxt::host
