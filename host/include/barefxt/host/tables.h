// A provider's registrations, to which its later records refer: strings, threads, ticks per second.
//
// Invariants: memory is bounded by what was registered, never by the largest index, and text is a
// view into the archive's bytes, so that registering copies nothing. Resolving a reference takes
// loads only, no branch: this is done several times for every record.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include <barefxt/fxt/reference.h>

namespace barefxt::host {

// A string reference and what it stands for.
struct Text {
  std::string_view bytes;  // not necessarily UTF-8; empty where the reference is unregistered
  fxt::StringRef ref;
  bool registered = true;  // false only for an index that no string record gave a value

  bool is_inline() const { return ref.is_inline(); }
};

// A thread reference and the koids it stands for.
struct ThreadId {
  uint64_t process = 0;
  uint64_t thread = 0;
  fxt::ThreadRef ref;
  bool registered = true;  // false only for an index that no thread record gave a value
};

class StringTable {
 public:
  StringTable() { pages_.fill(kNothing.data()); }
  StringTable(const StringTable&) = delete;
  StringTable& operator=(const StringTable&) = delete;

  // Resolves an index, or the empty reference.
  [[gnu::always_inline]] Text resolve(fxt::StringRef ref) const {
    const std::string_view bytes = pages_[ref.value / kPageEntries][ref.value % kPageEntries];
    // Registered texts have an address, even the empty one.
    return {bytes, ref, bytes.data() != nullptr || ref.is_empty()};
  }

  // Index 0 is the empty string and cannot be registered.
  void set(unsigned index, std::string_view text) {
    if (index == 0 || index > fxt::kMaxStringIndex) return;
    const size_t page = index / kPageEntries;
    if (!owned_[page]) {
      ++pages_owned_;
      owned_[page] = std::make_unique<Page>();
      pages_[page] = owned_[page]->data();
    }
    (*owned_[page])[index % kPageEntries] = text;
    end_ = std::max(end_, page + 1);
  }

  void clear() {
    for (size_t page = 0; page < end_; ++page) {
      owned_[page].reset();
      pages_[page] = kNothing.data();
    }
    end_ = pages_owned_ = 0;
  }

  size_t pages() const { return pages_owned_; }  // in memory, of a KiB
  static constexpr size_t kPageEntries = 64;

 private:
  static constexpr size_t kPages = (fxt::kMaxStringIndex + 1) / kPageEntries;
  using Page = std::array<std::string_view, kPageEntries>;
  static constexpr Page kNothing{};

  // Pages without registrations are kNothing, so that look-ups need not check for a page.
  std::array<const std::string_view*, kPages> pages_;
  std::array<std::unique_ptr<Page>, kPages> owned_;
  size_t end_ = 0;  // one more than the highest page that is owned
  size_t pages_owned_ = 0;
};

class ThreadTable {
 public:
  // Resolves an index.
  [[gnu::always_inline]] ThreadId resolve(fxt::ThreadRef ref) const {
    const Entry& entry = entries_[ref.value];
    return {entry.process, entry.thread, ref, entry.registered};
  }

  // Index 0 stands for koids inline and cannot be registered.
  void set(unsigned index, uint64_t process, uint64_t thread) {
    if (index == 0 || index > fxt::kMaxThreadIndex) return;
    entries_[index] = {process, thread, true};
    end_ = std::max(end_, index + 1);
  }

  void clear() {
    std::fill_n(entries_.begin(), end_, Entry{});
    end_ = 0;
  }

 private:
  struct Entry {
    uint64_t process = 0;
    uint64_t thread = 0;
    bool registered = false;
  };
  std::array<Entry, fxt::kMaxThreadIndex + 1> entries_;
  unsigned end_ = 0;  // one more than the highest index that was registered
};

struct ProviderState {
  static constexpr uint64_t kDefaultTicksPerSecond = 1'000'000'000;

  std::string_view name;
  bool declared = false;  // by a provider info record, not merely by a section
  bool initialized = false;
  uint64_t ticks_per_second = kDefaultTicksPerSecond;
  StringTable strings;
  ThreadTable threads;

  // As if nothing had been registered; costs as much as was.
  void clear() {
    name = {};
    declared = initialized = false;
    ticks_per_second = kDefaultTicksPerSecond;
    strings.clear();
    threads.clear();
  }
};

}  // namespace barefxt::host
