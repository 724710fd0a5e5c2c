// The instructions at which an interrupt was taken.
#pragma once

#include <stdint.h>

#include "kernel/board.h"

namespace kernel::sweep {

class Addresses {
 public:
  void clear();
  void add(uintptr_t address);
  uint32_t count() const { return count_; }
  // A line for each run of instructions without a gap: HIT path=NAME from=0x... to=0x..., `to`
  // itself not among them.
  void print(const char* path) const;

 private:
  static constexpr uintptr_t kTextBytes = uintptr_t{256} << 10;
  static constexpr uint32_t kWords = kTextBytes / board::kInstructionBytes / 32;
  uint32_t bits_[kWords] = {};
  uint32_t count_ = 0;
};

}  // namespace kernel::sweep
