// Numbers for what records name by text: pairs of category and name, counters, locks.
//
// Invariants: the same text has the same number; memory is bounded: beyond kMaxNamed of a kind, or
// kMaxNamedBytes, there is no number. Text that an archive holds once is at one address, so most
// look-ups compare addresses only.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <barefxt/host/stats.h>

namespace barefxt::host {

inline constexpr size_t kMaxNamed = size_t{1} << 16;
// Bytes of text, of each kind: an archive may use one long text in very many names.
inline constexpr size_t kMaxNamedBytes = size_t{8} << 20;

// Limits the count and the text of one kind of names.
class NamedRoom {
 public:
  bool take(size_t text_bytes) {
    if (count_ == kMaxNamed || text_bytes > kMaxNamedBytes - bytes_) return false;
    ++count_;
    bytes_ += text_bytes;
    return true;
  }

 private:
  size_t count_ = 0;
  size_t bytes_ = 0;
};

// A category's role in the sums, decided once for a label rather than at every duration.
enum class Role : uint8_t { kOther, kCall, kLock };

class Labels {
 public:
  static constexpr uint32_t kNone = ~uint32_t{0};

  // kNone beyond the limit.
  uint32_t number_of(std::string_view category, std::string_view name) {
    Recent& recent = recent_[place(category, name)];
    if (recent.category == category.data() && recent.name == name.data() &&
        recent.category_size == category.size() && recent.name_size == name.size())
      return recent.number;
    recent = {category.data(), name.data(), category.size(), name.size(), find(category, name)};
    return recent.number;
  }
  // Text at the addresses seen so far may become another one.
  void forget_addresses() { recent_.fill({}); }
  const ProbeName& operator[](uint32_t number) const { return labels_[number]; }
  Role role(uint32_t number) const { return roles_[number]; }
  size_t size() const { return labels_.size(); }

 private:
  struct Recent {
    const char* category = nullptr;
    const char* name = nullptr;
    size_t category_size = ~size_t{0};  // of no text
    size_t name_size = 0;
    uint32_t number = kNone;
  };
  static constexpr size_t kRecent = 1024;

  static size_t place(std::string_view category, std::string_view name) {
    const auto mixed = reinterpret_cast<uintptr_t>(category.data()) * 31 +
                       reinterpret_cast<uintptr_t>(name.data());
    return (mixed * 0x9E3779B97F4A7C15U) >> 54;
  }
  uint32_t find(std::string_view category, std::string_view name);

  std::array<Recent, kRecent> recent_{};
  std::unordered_map<std::string, uint32_t> numbers_;
  std::vector<ProbeName> labels_;
  std::vector<Role> roles_;  // by label
  std::string key_;          // kept to save the allocation
  NamedRoom room_;
};

// Keys of a label and a number: a counter and its id, a lock and its address. A counter's arguments
// are keys, too: of the counter's number and the argument's name.
class Keys {
 public:
  struct Key {
    uint32_t label;
    uint32_t second;
    std::optional<uint64_t> number;
    bool operator==(const Key&) const = default;
  };
  // `text_bytes`: how long its name is where it is spelled out.
  uint32_t number_of(const Key& key, size_t text_bytes);
  const Key& operator[](uint32_t number) const { return keys_[number]; }
  size_t size() const { return keys_.size(); }

 private:
  struct Hash {
    size_t operator()(const Key& key) const;
  };
  std::unordered_map<Key, uint32_t, Hash> numbers_;
  std::vector<Key> keys_;
  NamedRoom room_;
};

// When a job is due, from the record that begins it. 0: the record has no such argument.
struct JobTerms {
  uint32_t label;
  uint64_t period_ns;
  uint64_t deadline_ns;
};

// Everything that has been numbered.
struct Names {
  Labels labels;
  Labels arguments;  // of counters, without a category
  Keys series;
  Keys objects;
  Keys periods;    // of jobs: a label and its period
  Keys deadlines;  // the number of a period, and the deadline: the terms

  uint32_t number_of(const JobTerms& terms) {
    const uint32_t period =
        periods.number_of({terms.label, 0, terms.period_ns}, labels[terms.label].name.size());
    if (period == Labels::kNone) return period;
    return deadlines.number_of({period, 0, terms.deadline_ns}, 0);
  }
  JobTerms terms(uint32_t number) const {
    const Keys::Key& deadline = deadlines[number];
    const Keys::Key& period = periods[deadline.label];
    return {period.label, period.number.value_or(0), deadline.number.value_or(0)};
  }
};

}  // namespace barefxt::host
