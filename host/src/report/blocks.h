// All items of a drawing in blocks that the page unpacks one by one.
//
// Items that last long come first, in blocks that the page always has. All other items
// are shorter than 1/kLongShare of the whole, so a block that ends later than that behind a stretch
// holds none that reaches into it. Times are ticks since the drawing's base. Bytes of a block: the
// size of each column (four bytes, the lowest first), then the columns:
//   kind, 64 if single, 128 if doubtful, late or assumed   a byte
//   lane; other and, of unknown times, kSeemed times what it seemed; label; shape   numbers
//   (bytes.h) end, less that of the item before     a number length a number offset, less the last
//   one, zigzag, plus one; 0: no record   a number text of those with a shape, each ended by a
//   newline
#pragma once

#include <functional>
#include <string>

#include "drawing.h"

namespace barefxt::report {

struct Block {
  uint64_t begin;  // the least of its items, since the base
  uint64_t end;
  uint32_t items;
};

inline constexpr uint32_t kLongShare = 64;
inline constexpr uint32_t kSeemed = 8;

// When time begins: that of the earliest item.
uint64_t base_of(const Drawing& drawing);

// Calls `see` with each; returns how many are those of items that last long.
size_t for_each_block(const Drawing& drawing,
                      const std::function<void(const Block& block, std::string bytes)>& see);

}  // namespace barefxt::report
