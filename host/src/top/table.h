// A table whose columns give way by importance where a terminal is narrow.
#pragma once

#include <string>
#include <vector>

#include "text_width.h"

namespace barefxt::top {

struct Column {
  std::string title;
  size_t columns = 0;  // at least, for the one that grows
  unsigned rank = 0;   // 0: never gives way; the highest does so first
  Align align = Align::kRight;
  bool grows = false;  // takes what the others leave, up to kMostGrown
  static constexpr size_t kMostGrown = 32;
};

class Table {
 public:
  Table(std::vector<Column> columns, size_t width);

  std::string head() const;
  // A cell for each column, shown or not.
  std::string row(const std::vector<std::string>& cells) const;
  // Columns of the one that grows.
  size_t grown() const { return grown_; }

 private:
  std::vector<Column> columns_;
  std::vector<bool> is_shown_;
  size_t width_;
  size_t grown_ = 0;
};

}  // namespace barefxt::top
