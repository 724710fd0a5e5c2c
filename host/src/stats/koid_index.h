// Small numbers for koids, so that what is kept of a thread can lie in an array: an open hash table
// that most look-ups hit at once.
//
// Invariant: at most kMax koids have a number; the rest have none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace barefxt::host {

class KoidIndex {
 public:
  static constexpr uint32_t kNone = ~uint32_t{0};
  static constexpr size_t kMax = size_t{1} << 16;

  KoidIndex() : slots_(kFirstSlots, Slot{0, kNone}) {}

  // Numbers count up from 0.
  [[gnu::always_inline]] uint32_t number_of(uint64_t koid) {
    size_t at = place(koid);
    while (slots_[at].number != kNone) {
      if (slots_[at].koid == koid) return slots_[at].number;
      at = (at + 1) & (slots_.size() - 1);
    }
    return insert(koid);
  }
  uint32_t find(uint64_t koid) const {
    size_t at = place(koid);
    while (slots_[at].number != kNone && slots_[at].koid != koid)
      at = (at + 1) & (slots_.size() - 1);
    return slots_[at].number;
  }
  uint64_t koid_of(uint32_t number) const { return koids_[number]; }
  size_t size() const { return koids_.size(); }

 private:
  struct Slot {
    uint64_t koid;
    uint32_t number;
  };
  static constexpr size_t kFirstSlots = 1024;

  size_t place(uint64_t koid) const {
    return (koid * 0x9E3779B97F4A7C15U >> 32) & (slots_.size() - 1);
  }
  [[gnu::noinline]] uint32_t insert(uint64_t koid) {
    if (koids_.size() == kMax) return kNone;
    koids_.push_back(koid);
    if (koids_.size() * 2 <= slots_.size()) {
      put(koids_.size() - 1);
    } else {
      slots_.assign(slots_.size() * 2, Slot{0, kNone});
      for (size_t i = 0; i < koids_.size(); ++i) put(i);
    }
    return static_cast<uint32_t>(koids_.size() - 1);
  }

  void put(size_t number) {
    size_t at = place(koids_[number]);
    while (slots_[at].number != kNone) at = (at + 1) & (slots_.size() - 1);
    slots_[at] = {koids_[number], static_cast<uint32_t>(number)};
  }

  std::vector<Slot> slots_;
  std::vector<uint64_t> koids_;
};

}  // namespace barefxt::host
