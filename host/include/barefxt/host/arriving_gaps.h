// The records that a capture still lacks while it arrives: gaps in each CPU's record numbers, which
// count in the order of sending.
//
// Invariant: memory is bounded. Beyond the limit the oldest gaps are forgotten here, and remain
// losses.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace barefxt::host {

struct Gap {
  uint16_t cpu = 0;
  uint64_t first = 0;
  uint64_t count = 0;

  friend bool operator==(const Gap&, const Gap&) = default;
};

class ArrivingGaps {
 public:
  // Records from number `first` on have come.
  void on_piece(uint16_t cpu, uint64_t first, uint64_t count);
  // CPU `cpu` has `records` records in all.
  void on_end(uint16_t cpu, uint64_t records) { on_piece(cpu, records, 0); }
  void clear();

  // The oldest first.
  std::span<const Gap> all() const { return gaps_; }

 private:
  static constexpr size_t kMax = 1024;

  void fill(uint16_t cpu, uint64_t first, uint64_t end);

  std::vector<uint64_t> behind_;  // the last that has come, by CPU
  std::vector<Gap> gaps_;
};

}  // namespace barefxt::host
