// A table whose columns give way by importance where a terminal is narrow.
#pragma once

#include <string>
#include <vector>

#include "text_width.h"

namespace barefxt::top {

struct Column {
  std::string title;
  size_t columns = 0;  // at least
  unsigned rank = 0;   // 0: never gives way; the highest does so first
  Align align = Align::kRight;
  size_t most = 0;  // it grows up to here, by what the others leave
};

class Table {
 public:
  Table(std::vector<Column> columns, size_t width);

  std::string head() const;
  // A cell for each column, shown or not.
  std::string row(const std::vector<std::string>& cells) const;
  size_t columns_of(size_t column) const { return columns_[column].columns; }

 private:
  std::vector<Column> columns_;
  std::vector<bool> is_shown_;
  size_t width_;
};

}  // namespace barefxt::top
