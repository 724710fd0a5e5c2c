// Random faults of a line on the bytes sent over it, by a seed.
#pragma once

#include <random>
#include <string>

#include "rebuild/capture_builder.h"

namespace barefxt::test {

class LineFaults {
 public:
  explicit LineFaults(uint32_t seed) : random_(seed) {}

  // One fault more, anywhere. `is_text`: a log may add to its lines, too.
  void strike(Bytes& line, bool is_text);

  size_t below(size_t limit) { return limit == 0 ? 0 : random_() % limit; }

 private:
  using Place = Bytes::difference_type;

  Place anywhere(const Bytes& line) { return static_cast<Place>(below(line.size() + 1)); }
  // So many bytes from `at` on, or all that there are.
  static Place behind(const Bytes& line, Place at, size_t count);

  void drop(Bytes& line);
  void flip(Bytes& line);
  void repeat(Bytes& line);
  void insert(Bytes& line);
  void reorder(Bytes& line);
  void cut(Bytes& line);
  void add_console_text(Bytes& line);
  void add_to_line_ends(Bytes& line);

  std::mt19937 random_;
};

}  // namespace barefxt::test
