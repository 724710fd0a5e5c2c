// Lays the pieces out as bytes, and brings the families together.
#include "goldens.h"

#include <cstdlib>
#include <iterator>

namespace barefxt::test {
namespace {

std::string lay_out(const std::vector<Piece>& pieces, bool big) {
  std::string bytes;
  for (const Piece& piece : pieces) {
    bytes += piece.stream;
    for (const uint64_t word : piece.words)
      for (int i = 0; i < 8; ++i)
        bytes += static_cast<char>(word >> (big ? 56 - 8 * i : 8 * i) & 0xff);
  }
  return bytes;
}

std::vector<Golden> all_goldens() {
  std::vector<Golden> all;
  for (const auto family :
       {&tables_goldens, &events_goldens, &arguments_goldens, &objects_goldens, &scheduling_goldens,
        &logs_and_profiles_goldens, &unknown_goldens, &dialect_2017_goldens}) {
    std::vector<Golden> some = family();
    std::move(some.begin(), some.end(), std::back_inserter(all));
  }
  return all;
}

}  // namespace

std::string little_endian(const std::vector<Piece>& pieces) { return lay_out(pieces, false); }
std::string big_endian(const std::vector<Piece>& pieces) { return lay_out(pieces, true); }

const std::vector<Golden>& goldens() {
  static const std::vector<Golden> all = all_goldens();
  return all;
}

const Golden& golden(std::string_view name) {
  for (const Golden& one : goldens()) {
    if (one.name == name) return one;
  }
  std::abort();
}

}  // namespace barefxt::test
