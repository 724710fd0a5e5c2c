// What a provider registers and its later records refer to: strings, threads, ticks per second.
//
// Invariants: memory is bounded by what was registered, never by the largest index, and text is a
// view into the archive's bytes, so that registering copies nothing.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include <barefxt/fxt/reference.h>

namespace barefxt::host {

class StringTable {
 public:
  // Null where nothing was registered. The empty string has data() too.
  const std::string_view* find(unsigned index) const {
    const unsigned page = index / kPageEntries;
    if (page >= pages_.size() || !pages_[page]) return nullptr;
    const std::string_view& entry = (*pages_[page])[index % kPageEntries];
    return entry.data() == nullptr ? nullptr : &entry;
  }

  void set(unsigned index, std::string_view text) {
    const unsigned page = index / kPageEntries;
    if (page >= pages_.size()) pages_.resize(page + 1);
    if (!pages_[page]) pages_[page] = std::make_unique<Page>();
    (*pages_[page])[index % kPageEntries] = text;
  }

 private:
  static constexpr unsigned kPageEntries = 64;
  using Page = std::array<std::string_view, kPageEntries>;
  std::vector<std::unique_ptr<Page>> pages_;
};

class ThreadTable {
 public:
  struct Entry {
    std::uint64_t process = 0;
    std::uint64_t thread = 0;
    bool registered = false;
  };

  const Entry* find(unsigned index) const {
    return index < entries_.size() && entries_[index].registered ? &entries_[index] : nullptr;
  }

  void set(unsigned index, std::uint64_t process, std::uint64_t thread) {
    if (index >= entries_.size()) entries_.resize(index + 1);
    entries_[index] = {process, thread, true};
  }

 private:
  std::vector<Entry> entries_;
};

struct ProviderState {
  static constexpr std::uint64_t kDefaultTicksPerSecond = 1'000'000'000;

  std::string_view name;
  bool declared = false;  // by a provider info record, not merely by a section
  bool initialized = false;
  std::uint64_t ticks_per_second = kDefaultTicksPerSecond;
  StringTable strings;
  ThreadTable threads;
};

}  // namespace barefxt::host
