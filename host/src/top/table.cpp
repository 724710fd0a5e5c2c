#include "table.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace barefxt::top {

Table::Table(std::vector<Column> columns, size_t width)
    : columns_(std::move(columns)), is_shown_(columns_.size()), width_(width) {
  std::vector<size_t> order(columns_.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return std::pair(columns_[a].rank, a) < std::pair(columns_[b].rank, b);
  });
  size_t used = 0;
  for (const size_t i : order) {
    const size_t wanted = columns_[i].columns + (used == 0 ? 0 : 1);
    if (used + wanted > width && columns_[i].rank != 0) break;
    used += wanted;
    is_shown_[i] = true;
  }
  size_t left = width > used ? width - used : 0;
  for (size_t i = 0; i < columns_.size(); ++i) {
    if (!is_shown_[i] || columns_[i].most <= columns_[i].columns) continue;
    const size_t more = std::min(left, columns_[i].most - columns_[i].columns);
    columns_[i].columns += more;
    left -= more;
  }
}

std::string Table::head() const {
  std::vector<std::string> titles;
  titles.reserve(columns_.size());
  for (const Column& column : columns_) titles.push_back(column.title);
  return row(titles);
}

std::string Table::row(const std::vector<std::string>& cells) const {
  std::string line;
  for (size_t i = 0; i < columns_.size(); ++i) {
    if (!is_shown_[i]) continue;
    if (!line.empty()) line += ' ';
    line += fitted(cells[i], columns_[i].columns, columns_[i].align);
  }
  return fitted(line, width_);
}

}  // namespace barefxt::top
