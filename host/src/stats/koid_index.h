// Small numbers for koids, so that what is kept of a thread can lie in an array: an open hash table
// that most look-ups hit at once.
//
// Invariant: at most kMost koids have a number; the rest have none.
#pragma once

#include <cstdint>
#include <vector>

namespace barefxt::host {

class KoidIndex {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  static constexpr std::size_t kMost = std::size_t{1} << 16;

  KoidIndex() : slots_(kFirstSlots, Slot{0, kNone}) {}

  // Numbers count up from 0.
  [[gnu::always_inline]] std::uint32_t number_of(std::uint64_t koid) {
    std::size_t at = place(koid);
    while (slots_[at].number != kNone) {
      if (slots_[at].koid == koid) return slots_[at].number;
      at = (at + 1) & (slots_.size() - 1);
    }
    return insert(koid);
  }
  std::uint32_t find(std::uint64_t koid) const {
    std::size_t at = place(koid);
    while (slots_[at].number != kNone && slots_[at].koid != koid)
      at = (at + 1) & (slots_.size() - 1);
    return slots_[at].number;
  }
  std::uint64_t koid_of(std::uint32_t number) const { return koids_[number]; }
  std::size_t size() const { return koids_.size(); }

 private:
  struct Slot {
    std::uint64_t koid;
    std::uint32_t number;
  };
  static constexpr std::size_t kFirstSlots = 1024;

  std::size_t place(std::uint64_t koid) const {
    return (koid * 0x9E3779B97F4A7C15U >> 32) & (slots_.size() - 1);
  }
  [[gnu::noinline]] std::uint32_t insert(std::uint64_t koid) {
    if (koids_.size() == kMost) return kNone;
    koids_.push_back(koid);
    if (koids_.size() * 2 <= slots_.size()) {
      put(koids_.size() - 1);
    } else {
      slots_.assign(slots_.size() * 2, Slot{0, kNone});
      for (std::size_t i = 0; i < koids_.size(); ++i) put(i);
    }
    return static_cast<std::uint32_t>(koids_.size() - 1);
  }

  void put(std::size_t number) {
    std::size_t at = place(koids_[number]);
    while (slots_[at].number != kNone) at = (at + 1) & (slots_.size() - 1);
    slots_[at] = {koids_[number], static_cast<std::uint32_t>(number)};
  }

  std::vector<Slot> slots_;
  std::vector<std::uint64_t> koids_;
};

}  // namespace barefxt::host
