// Small archives for lint: one that fires each rule and nothing besides, and one close to it that
// does not.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "goldens/goldens.h"

namespace barefxt::test {

using U = uint64_t;
using Pieces = std::vector<Piece>;

// Magic, provider 1, a rate, string 1 "c", string 2 "d", threads 1 and 2 of process 10, and what
// they are called; an instant ends it.
inline Pieces prologue() {
  return {
      W(kMagic),
      W(U{0} << 0 | U{2} << 4 | U{1} << 16 | U{1} << 20 | U{1} << 52),
      S("p\0\0\0\0\0\0\0"),
      W(U{1} << 0 | U{2} << 4, 1000),
      W(U{2} << 0 | U{2} << 4 | U{1} << 16 | U{1} << 32),
      S("c\0\0\0\0\0\0\0"),
      W(U{2} << 0 | U{2} << 4 | U{2} << 16 | U{1} << 32),
      S("d\0\0\0\0\0\0\0"),
      W(U{3} << 0 | U{3} << 4 | U{1} << 16, 10, 11),
      W(U{3} << 0 | U{3} << 4 | U{2} << 16, 10, 12),
      W(U{7} << 0 | U{2} << 4 | U{1} << 16 | U{1} << 24, 10),
      W(U{7} << 0 | U{5} << 4 | U{2} << 16 | U{1} << 24 | U{1} << 40, 11),
      W(U{8} << 0 | U{3} << 4 | U{0x8007} << 16),
      S("process\0"),
      W(10),
      W(U{7} << 0 | U{5} << 4 | U{2} << 16 | U{1} << 24 | U{1} << 40, 12),
      W(U{8} << 0 | U{3} << 4 | U{0x8007} << 16),
      S("process\0"),
      W(10),
      W(U{4} << 0 | U{2} << 4 | U{1} << 24 | U{1} << 32 | U{1} << 48, 0),
  };
}

inline Pieces clean(const Pieces& more) {
  Pieces pieces = prologue();
  pieces.insert(pieces.end(), more.begin(), more.end());
  return pieces;
}

// An event of thread 1, category and name 1; its type at bit 16.
inline Piece event(unsigned type, unsigned words, unsigned arguments = 0, unsigned name = 1,
                   unsigned thread = 1) {
  return W(U{4} << 0 | U{words} << 4 | U{type} << 16 | U{arguments} << 20 | U{thread} << 24 |
           U{1} << 32 | U{name} << 48);
}

// A legacy switch on CPU 0 from and to registered threads.
inline Piece change(unsigned from, unsigned to, unsigned state = 3) {
  return W(U{8} << 0 | U{2} << 4 | U{state} << 24 | U{from} << 28 | U{to} << 36);
}

// Events of heaps, by the strings of with_heap().
inline constexpr unsigned kAlloc = 4;
inline constexpr unsigned kFree = 5;
inline constexpr unsigned kPool = 6;
inline Piece heap(unsigned name, U time, U address, U bytes = 0) {
  const U head = U{4} << 0 | U{1} << 24 | U{3} << 32 | U{name} << 48;
  const U pointer = U{7} << 0 | U{2} << 4 | U{7} << 16;
  if (name == kFree) return W(head | U{4} << 4 | U{1} << 20, time, pointer, address);
  return W(head | U{5} << 4 | U{2} << 20, time, pointer, address,
           U{2} << 0 | U{1} << 4 | U{8} << 16 | bytes << 32);
}
inline Pieces with_heap(const Pieces& more) {
  Pieces pieces;
  const auto string = [&](U index, U bytes, const auto& text) {
    pieces.push_back(W(U{2} << 0 | U{2} << 4 | index << 16 | bytes << 32));
    pieces.push_back(S(text));
  };
  string(3, 4, "heap\0\0\0\0");
  string(4, 5, "alloc\0\0\0");
  string(5, 4, "free\0\0\0\0");
  string(6, 4, "pool\0\0\0\0");
  string(7, 7, "address\0");
  string(8, 5, "bytes\0\0\0");
  pieces.insert(pieces.end(), more.begin(), more.end());
  return clean(pieces);
}

struct LintCase {
  std::string_view rule;
  Pieces pieces;
  std::vector<std::string> also = {};  // what cannot be avoided along with it
  bool big_endian = false;
};

// One for each rule (but for `limit`, which takes four million events).
std::vector<LintCase> firing_cases();
// One for each rule on which it does not fire; these have no `also`.
std::vector<LintCase> near_misses();

}  // namespace barefxt::test
