#include <algorithm>

#include <barefxt/host/fitted_output.h>

namespace barefxt::host {
namespace {

constexpr char kEscape = '\x1b';

// "us," of "10.2 us,": a number and its unit are one word.
bool is_unit(std::string_view word) {
  while (!word.empty() && (word.back() == ',' || word.back() == ';' || word.back() == ':'))
    word.remove_suffix(1);
  return word == "s" || word == "ms" || word == "us" || word == "ns";
}

size_t end_of_word(std::string_view line, size_t at) {
  const size_t end = std::min(line.find(' ', at), line.size());
  if (end == line.size() || line[end - 1] < '0' || line[end - 1] > '9') return end;
  const size_t next = std::min(line.find(' ', end + 1), line.size());
  return is_unit(line.substr(end + 1, next - end - 1)) ? next : end;
}

bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

// Calls `see` with the place of each character that takes a column.
template <typename See>
void for_each_column(std::string_view text, const See& see) {
  bool is_code = false;
  for (size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (is_code) {
      is_code = (c < 'a' || c > 'z') && (c < 'A' || c > 'Z');
    } else if (c == kEscape) {
      is_code = true;
    } else if (!continues_character(c)) {
      see(at);
    }
  }
}

}  // namespace

std::string TextLook::colored(std::string_view text, std::string_view code) const {
  if (!has_color) return std::string(text);
  std::string colored(code);
  colored.append(text).append("\x1b[0m");
  return colored;
}

size_t columns_of(std::string_view text) {
  size_t columns = 0;
  for_each_column(text, [&](size_t) { ++columns; });
  return columns;
}

std::string shortened(std::string_view text, size_t columns) {
  constexpr std::string_view kBetween = "...";
  const size_t all = columns_of(text);
  if (all <= columns) return std::string(text);
  const size_t kept = columns - std::min(columns, kBetween.size());
  const size_t ahead = (kept + 1) / 2;
  const size_t behind = kept / 2;
  size_t end = text.size();  // of what stands ahead
  size_t begin = text.size();
  size_t column = 0;
  for_each_column(text, [&](size_t at) {
    if (column == ahead) end = at;
    if (column == all - behind) begin = at;
    ++column;
  });
  std::string result(text.substr(0, end));
  result.append(kBetween.substr(0, columns)).append(text.substr(begin));
  return result;
}

bool FittedOutput::drain(std::string_view piece) {
  while (!piece.empty()) {
    const size_t end = piece.find('\n');
    if (end == std::string_view::npos) {
      line_.append(piece);
      break;
    }
    if (line_.empty()) {
      put(piece.substr(0, end));
    } else {
      line_.append(piece.substr(0, end));
      put(line_);
      line_.clear();
    }
    to_.character('\n');
    piece.remove_prefix(end + 1);
  }
  return !to_.failed();
}

void FittedOutput::finish() {
  flush();
  put(line_);
  line_.clear();
}

void FittedOutput::put(std::string_view line) {
  // Columns are no more than bytes.
  if (width_ == 0 || line.size() <= width_ || columns_of(line) <= width_) return to_.text(line);
  const size_t begins = std::min(line.find_first_not_of(' '), line.size());
  const size_t hang = std::min(begins + indent_, width_ / 2);
  size_t column = 0;
  size_t last = 0;  // the end of the last word that was put
  for (size_t at = begins; at < line.size();) {
    const size_t end = end_of_word(line, at);
    const std::string_view word = line.substr(at, end - at);
    const size_t size = columns_of(word);
    if (last != 0 && column + (at - last) + size > width_) {
      // A long word stands as far left as it needs to.
      column = std::min(hang, width_ - std::min(width_, size));
      to_.character('\n');
      to_.text(std::string(column, ' '));
    } else {
      const size_t blanks =
          last == 0 ? std::min(begins, width_ - std::min(width_, size)) : at - last;
      to_.text(std::string(blanks, ' '));
      column += blanks;
    }
    to_.text(word);
    column += size;
    last = end;
    at = std::min(line.find_first_not_of(' ', end), line.size());
  }
}

}  // namespace barefxt::host
