// Errors are values: what went wrong, where, and a hint for the user. Status is the result of an
// operation without a value, Result that of one with a value.
//
// Nothing in this library throws for an expected failure, so a caller sees from a signature what
// can fail. Success is asked for by name, `ok()`, in both. Neither converts to bool: a Status that
// is true for a failure looks like a Result that is true for success.
#pragma once

#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include <barefxt/host/formatted.h>

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

// An Error that an errno value explains: "cannot write: No space left on device".
inline Error system_error(const std::string& what, int error_number, std::string where,
                          std::string hint = {}) {
  return {formatted("{}: {}", what, std::strerror(error_number)), std::move(where),
          std::move(hint)};
}

class [[nodiscard]] Status {
 public:
  Status() = default;                                // success
  Status(Error error) : error_(std::move(error)) {}  // NOLINT(google-explicit-constructor)

  bool ok() const { return !error_; }
  // Requires !ok().
  const Error& error() const { return *error_; }  // NOLINT(bugprone-unchecked-optional-access)

 private:
  std::optional<Error> error_;
};

template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::move(value)) {}      // NOLINT(google-explicit-constructor)
  Result(Error error) : state_(std::move(error)) {}  // NOLINT(google-explicit-constructor)

  bool ok() const { return std::holds_alternative<T>(state_); }
  // Requires ok().
  T& value() { return *std::get_if<T>(&state_); }
  const T& value() const { return *std::get_if<T>(&state_); }
  // Requires !ok().
  const Error& error() const { return *std::get_if<Error>(&state_); }

 private:
  std::variant<T, Error> state_;
};

}  // namespace barefxt::host
