// Archives written out by hand, word by word from the specification, and what each must read as.
//
// Invariant: nothing here uses the project's own format headers or writers, so that a mistake in
// those cannot hide in here. In the words, `n << b` puts n at bit b: hold it against the page.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace barefxt::test {

// Words have a byte order, a stream has none.
struct Piece {
  std::vector<uint64_t> words;
  std::string stream;
};

template <typename... Words>
Piece W(Words... words) {
  return {{static_cast<uint64_t>(words)...}, {}};
}

// A stream of whole words, its padding written out.
template <size_t Size>
Piece S(const char (&bytes)[Size]) {
  static_assert((Size - 1) % 8 == 0, "streams are padded to whole words");
  return {{}, std::string(bytes, Size - 1)};
}

struct Golden {
  std::string_view name;
  bool old;  // in the 2017 dialect
  std::vector<Piece> pieces;
  std::string_view json;  // the output of `print --json`, line by line
};

inline constexpr uint64_t kMagic = 0x0016547846040010;

std::string little_endian(const std::vector<Piece>& pieces);
std::string big_endian(const std::vector<Piece>& pieces);

// Written out in a file for each family of records.
std::vector<Golden> tables_goldens();
std::vector<Golden> events_goldens();
std::vector<Golden> arguments_goldens();
std::vector<Golden> objects_goldens();
std::vector<Golden> scheduling_goldens();
std::vector<Golden> logs_and_profiles_goldens();
std::vector<Golden> unknown_goldens();
std::vector<Golden> dialect_2017_goldens();

// All of them.
const std::vector<Golden>& goldens();
const Golden& golden(std::string_view name);

}  // namespace barefxt::test
