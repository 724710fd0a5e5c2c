#include "text_table.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace barefxt::host {
namespace {

std::string blanks(size_t count) { return std::string(count, ' '); }

std::string padding(const std::string& text, size_t columns) {
  return blanks(columns - std::min(columns, columns_of(text)));
}

// The blanks between a column and the one before it.
size_t gap(const TextTable::Column& column) { return column.is_left ? 2 : 1; }

}  // namespace

size_t TextTable::name_columns() const {
  size_t columns = columns_of(title_);
  for (const Row& row : rows_) columns = std::max(columns, columns_of(row.name));
  return std::max(columns_of(title_), std::min(columns, kMaxNameColumns));
}

std::vector<size_t> TextTable::widths() const {
  std::vector<size_t> widths;
  for (size_t i = 0; i < columns_.size(); ++i) {
    size_t width = columns_of(columns_[i].title);
    for (const Row& row : rows_)
      if (i < row.cells.size()) width = std::max(width, columns_of(row.cells[i]));
    widths.push_back(width);
  }
  return widths;
}

std::vector<bool> TextTable::fitting(const std::vector<size_t>& widths, size_t width) const {
  std::vector<size_t> by_rank(columns_.size());
  std::iota(by_rank.begin(), by_rank.end(), size_t{0});
  std::ranges::sort(by_rank, {}, [&](size_t i) { return std::pair(columns_[i].rank, i); });
  std::vector<bool> fits(columns_.size(), width == 0);
  size_t taken = name_columns();
  for (const size_t i : by_rank) {
    const size_t more = gap(columns_[i]) + widths[i];
    if (width == 0 || taken + more > width) continue;
    taken += more;
    fits[i] = true;
  }
  return fits;
}

void TextTable::print(Output& out, const TextLook& look) const {
  const size_t names = name_columns();
  const std::vector<size_t> widths = this->widths();
  const std::vector<bool> fits = fitting(widths, look.width);
  const auto line = [&](const std::string& name, const auto& text_of) {
    std::string text = name + padding(name, names);
    for (size_t i = 0; i < columns_.size(); ++i) {
      if (!fits[i]) continue;
      const std::string cell = text_of(i);
      text += blanks(gap(columns_[i]));
      text +=
          columns_[i].is_left ? cell + padding(cell, widths[i]) : padding(cell, widths[i]) + cell;
    }
    return text.substr(0, text.find_last_not_of(' ') + 1);
  };
  out.text(look.strong(line(title_, [&](size_t i) { return std::string(columns_[i].title); })));
  out.character('\n');
  for (const Row& row : rows_) {
    const auto cell = [&](size_t i) { return i < row.cells.size() ? row.cells[i] : std::string(); };
    std::string text = line(row.name, cell);
    if (look.width != 0 && columns_of(row.name) > names && columns_of(text) > look.width) {
      out.text(row.name);
      out.character('\n');
      text = line("", cell);
    }
    out.text(text);
    out.character('\n');
    std::string below;
    for (size_t i = 0; i < columns_.size(); ++i) {
      if (fits[i] || columns_[i].is_picture || cell(i).empty()) continue;
      below += below.empty() ? "    " : ", ";
      below.append(columns_[i].title).append(" ").append(cell(i));
    }
    if (!below.empty()) out.text(below + "\n");
    for (const std::string& note : row.notes) out.text(note + "\n");
  }
  for (const std::string& note : end_notes_) out.text(note + "\n");
}

}  // namespace barefxt::host
