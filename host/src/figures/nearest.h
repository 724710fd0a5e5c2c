// The name that somebody may have meant.
#pragma once

#include <string>
#include <string_view>

namespace barefxt::host {

class Nearest {
 public:
  explicit Nearest(std::string_view word) : word_(word.substr(0, kMaxBytes)) {}

  void see(std::string_view candidate);
  // " (did you mean 'X'?)", or nothing where no candidate is near.
  std::string question() const;

 private:
  static constexpr size_t kMaxBytes = 64;  // of a word and of candidates

  std::string word_;
  std::string best_;
  size_t distance_ = kMaxBytes;
};

}  // namespace barefxt::host
