#include "nesting.h"

#include <algorithm>
#include <array>
#include <tuple>

namespace barefxt::report {

void nest(Drawing& drawing) {
  std::vector<uint32_t> order;
  for (uint32_t i = 0; i < drawing.items.size(); ++i) {
    if (drawing.items[i].kind == ItemKind::kDuration) order.push_back(i);
  }
  // Lane by lane; among items that begin together the longest first. Among equals the one that
  // ended last, by its record, encloses the others.
  std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    const Item& x = drawing.items[a];
    const Item& y = drawing.items[b];
    return std::tuple(x.lane, x.begin, ~x.end, b) < std::tuple(y.lane, y.begin, ~y.end, a);
  });
  std::array<uint64_t, Drawing::kMaxRows> ends{};
  uint32_t lane = ~uint32_t{0};
  for (const uint32_t number : order) {
    Item& item = drawing.items[number];
    if (item.lane != lane) ends.fill(0);
    lane = item.lane;
    unsigned row = 0;
    while (row + 1 < Drawing::kMaxRows && ends[row] > item.begin) ++row;
    ends[row] = std::max(ends[row], item.end);
    item.other = row;
    drawing.lanes[lane].rows = std::max(drawing.lanes[lane].rows, row + 1);
  }
}

}  // namespace barefxt::report
