// A table for people. Columns are as wide as what stands in them. Those that have no room stand on
// a line below their row, the least important first, so that no number is lost.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <barefxt/host/fitted_output.h>

namespace barefxt::host {

class TextTable {
 public:
  struct Column {
    const char* title;
    int rank;                 // the larger, the sooner below
    bool is_left = false;     // aligned
    bool is_picture = false;  // shows what another column has: it is left out rather than below
  };
  static constexpr size_t kMaxNameColumns = 24;

  TextTable(std::string title, std::vector<Column> columns)
      : title_(std::move(title)), columns_(std::move(columns)) {}

  // A name longer than kMaxNameColumns stands on a line of its own where it takes the room of a
  // column.
  void row(std::string name, std::vector<std::string> cells) {
    rows_.push_back({std::move(name), std::move(cells), {}});
  }
  // A line below the last row.
  void note(std::string_view line) { rows_.back().notes.emplace_back(line); }
  // The same below all rows.
  void end_note(std::string_view line) { end_notes_.emplace_back(line); }

  void print(Output& out, const TextLook& look) const;

 private:
  struct Row {
    std::string name;
    std::vector<std::string> cells;
    std::vector<std::string> notes;
  };
  size_t name_columns() const;
  std::vector<size_t> widths() const;
  std::vector<bool> fitting(const std::vector<size_t>& widths, size_t width) const;

  std::string title_;
  std::vector<Column> columns_;
  std::vector<Row> rows_;
  std::vector<std::string> end_notes_;
};

}  // namespace barefxt::host
