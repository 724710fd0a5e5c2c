// Letters to insert, leave out, change or swap until one word is the other.
#include "nearest.h"

#include <algorithm>
#include <array>

namespace barefxt::host {

void Nearest::see(std::string_view candidate) {
  const size_t size = candidate.size();
  if (size == 0 || size > kMaxBytes || word_.empty()) return;
  // The last three rows of the table of distances between beginnings.
  std::array<std::array<size_t, kMaxBytes + 1>, 3> rows{};
  for (size_t j = 0; j <= size; ++j) rows[0][j] = j;
  for (size_t i = 1; i <= word_.size(); ++i) {
    auto& row = rows[i % 3];
    const auto& above = rows[(i - 1) % 3];
    row[0] = i;
    for (size_t j = 1; j <= size; ++j) {
      const bool same = word_[i - 1] == candidate[j - 1];
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (same ? 0U : 1U)});
      if (i > 1 && j > 1 && word_[i - 1] == candidate[j - 2] && word_[i - 2] == candidate[j - 1])
        row[j] = std::min(row[j], rows[(i - 2) % 3][j - 2] + 1);
    }
  }
  const size_t distance = rows[word_.size() % 3][size];
  if (distance >= distance_) return;
  distance_ = distance;
  best_ = candidate;
}

std::string Nearest::question() const {
  // A third of the letters may differ.
  if (best_.empty() || distance_ > std::max<size_t>(1, word_.size() / 3)) return {};
  return " (did you mean '" + best_ + "'?)";
}

}  // namespace barefxt::host
