// Puts pieces of an output into the order of time. Complete durations stand in an archive where
// they end, but a format may require them at their begin.
//
// Invariant: memory is bounded; what is more waits in a temporary file.
#pragma once

#include <cstdint>
#include <string_view>
#include <tuple>

#include <barefxt/host/status.h>

#include "../archive/spilling_sorter.h"

namespace barefxt::host {

// The sort key of a piece. Pieces with equal keys stay in the order of adding.
struct PieceOrder {
  uint64_t time = 0;
  uint32_t rank = 0;    // among those of one time
  uint64_t within = 0;  // among those of one rank
  uint64_t then = 0;    // among those
};

class SortedPieces {
 public:
  Status add(const PieceOrder& order, std::string_view piece) {
    return sorter_.add({order, added_++}, piece);
  }

  // Calls `see` with each piece, in order.
  template <typename See>
  Status take(const See& see) {
    return sorter_.take([&](const Element&, std::string_view piece) { see(piece); });
  }

 private:
  static constexpr size_t kElements = size_t{1} << 17;

  struct Element {
    PieceOrder order;
    uint64_t number;
  };
  struct Before {
    bool operator()(const Element& x, const Element& y) const {
      const auto key = [](const Element& e) {
        return std::tie(e.order.time, e.order.rank, e.order.within, e.order.then, e.number);
      };
      return key(x) < key(y);
    }
  };

  SpillingSorter<Element, Before> sorter_{{.elements = kElements}};
  uint64_t added_ = 0;
};

}  // namespace barefxt::host
