// Texts and keys, numbered.
#include "names.h"

namespace barefxt::host {
namespace {

Role role_of(std::string_view category) {
  if (category == kCallCategory) return Role::kCall;
  return category == kLockCategory ? Role::kLock : Role::kOther;
}

}  // namespace

uint32_t Labels::find(std::string_view category, std::string_view name) {
  key_.assign(category);
  key_ += '\0';
  key_ += name;
  const auto found = numbers_.find(key_);
  if (found != numbers_.end()) return found->second;
  if (!room_.take(key_.size())) return kNone;
  const auto number = static_cast<uint32_t>(labels_.size());
  labels_.push_back({std::string(category), std::string(name)});
  roles_.push_back(role_of(category));
  numbers_.emplace(key_, number);
  return number;
}

uint32_t Keys::number_of(const Key& key, size_t text_bytes) {
  const auto found = numbers_.find(key);
  if (found != numbers_.end()) return found->second;
  if (!room_.take(text_bytes)) return Labels::kNone;
  const auto number = static_cast<uint32_t>(keys_.size());
  keys_.push_back(key);
  numbers_.emplace(key, number);
  return number;
}

size_t Keys::Hash::operator()(const Key& key) const {
  constexpr uint64_t kOdd = 0x9E3779B97F4A7C15;
  const uint64_t names = uint64_t{key.label} << 32 | key.second;
  return (names * kOdd ^ key.number.value_or(0)) * kOdd >> 16;
}

}  // namespace barefxt::host
