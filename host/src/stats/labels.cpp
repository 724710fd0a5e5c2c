// Category and name, numbered.
#include "moment.h"

namespace barefxt::host {

std::uint32_t Labels::number_of(std::string_view category, std::string_view name) {
  key_.assign(category);
  key_ += '\0';
  key_ += name;
  const auto found = numbers_.find(key_);
  if (found != numbers_.end()) return found->second;
  if (labels_.size() == kMost) return kMost - 1;
  const auto number = static_cast<std::uint32_t>(labels_.size());
  if (labels_.size() == kMost - 1) {
    labels_.push_back({"", "(others)"});
    return number;
  }
  labels_.push_back({std::string(category), std::string(name)});
  numbers_.emplace(key_, number);
  return number;
}

}  // namespace barefxt::host
