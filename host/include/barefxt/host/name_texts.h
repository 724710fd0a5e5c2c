// The names of a program's functions, kept after the file is closed and demangled on request.
//
// Invariant: memory is at most the size of the file's string table (names that overlap there
// overlap here) plus kMaxShown demangled names.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace barefxt::host {

class NameTexts {
 public:
  NameTexts() = default;
  // Names that are not empty must lie in one file's memory.
  explicit NameTexts(std::span<const std::string_view> names);

  bool empty(size_t index) const { return places_[index].bytes == 0; }
  // Returns the demangled name. Valid until the next call.
  std::string_view shown(size_t index) const;

 private:
  static constexpr size_t kMaxShown = 4096;
  // Names beyond are as if there were none: what uses them counts that.
  static constexpr size_t kMaxTextBytes = size_t{256} << 20;

  struct Place {
    size_t at = 0;
    size_t bytes = 0;
  };
  std::string text_;
  std::vector<Place> places_;
  mutable std::unordered_map<size_t, std::string> shown_;
};

}  // namespace barefxt::host
