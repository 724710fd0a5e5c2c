// Classifies the bytes of an input without frames, or with damaged ones: text, nothing at all,
// another byte order, bytes that a terminal driver changes or removes.
//
// Invariant: memory is bounded: the bytes are counted by value, and only the first are kept.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace barefxt::host {

class LineSurvey {
 public:
  void feed(std::span<const uint8_t> bytes);

  uint64_t bytes() const { return bytes_; }
  uint64_t count(uint8_t value) const { return counts_[value]; }
  // Bytes that a console prints, of all.
  uint64_t text_bytes() const;
  // Bytes with the highest bit set.
  uint64_t high_bytes() const;
  // Line feeds with a carriage return ahead of them.
  uint64_t returned_feeds() const { return returned_feeds_; }
  // The first bytes, as many as are kept.
  std::span<const uint8_t> beginning() const { return beginning_; }

  // In groups of how many bytes the beginning has to be turned round for frames to be found in it:
  // 2, 4 or 8; 0 where that does not help.
  unsigned turned_groups() const;

 private:
  static constexpr size_t kKept = size_t{256} << 10;

  std::array<uint64_t, 256> counts_{};
  uint64_t bytes_ = 0;
  uint64_t returned_feeds_ = 0;
  uint8_t last_ = 0;
  std::vector<uint8_t> beginning_;
};

}  // namespace barefxt::host
