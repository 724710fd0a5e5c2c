// Inputs of any size, each one pattern repeated, and the work that a test measures on them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace barefxt::test {

struct Grown {
  std::string name;
  size_t scale = 1;        // multiplies its sizes: the pattern must be longer than one frame
  bool only_full = false;  // only in full runs
  // Makes an input of about `size` bytes. Returns the work to measure.
  std::function<std::function<void()>(size_t size)> prepare;
  // The first of its sizes, at most: the pattern stops growing at four times that.
  size_t most = SIZE_MAX;
  // Bytes of one of its names, records or levels, where a million of them are tried as well.
  size_t each = 0;
};

std::vector<Grown> grown_captures();
std::vector<Grown> grown_archives();
std::vector<Grown> grown_programs();
// XRay logs, budgets, lists of interrupts, memories.
std::vector<Grown> grown_logs();

inline std::vector<Grown> all_grown() {
  std::vector<Grown> all;
  for (const auto& some : {grown_captures(), grown_archives(), grown_programs(), grown_logs()})
    all.insert(all.end(), some.begin(), some.end());
  return all;
}

}  // namespace barefxt::test
