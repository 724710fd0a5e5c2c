#include "sweep/addresses.h"

#include "kernel/board.h"
#include "kernel/console.h"
#include "kernel/panic.h"

namespace kernel::sweep {
namespace {

constexpr uintptr_t kStep = board::kInstructionBytes;

uintptr_t text_start() { return reinterpret_cast<uintptr_t>(&image_text_start); }

}  // namespace

void Addresses::clear() {
  for (uint32_t& word : bits_) word = 0;
  count_ = 0;
}

void Addresses::add(uintptr_t address) {
  const uintptr_t number = (address - text_start()) / kStep;
  KERNEL_ASSERT(number / 32 < kWords);
  const uint32_t bit = uint32_t{1} << (number % 32);
  if ((bits_[number / 32] & bit) == 0) ++count_;
  bits_[number / 32] |= bit;
}

void Addresses::print(const char* path) const {
  uint32_t from = 0;
  bool inside = false;
  for (uint32_t number = 0; number <= kWords * 32; ++number) {
    const bool is_hit = number < kWords * 32 && (bits_[number / 32] >> (number % 32) & 1) != 0;
    if (is_hit == inside) continue;
    inside = is_hit;
    if (inside)
      from = number;
    else
      kernel::print("HIT path=", path, " from=", Hex{text_start() + from * kStep},
                    " to=", Hex{text_start() + number * kStep}, "\n");
  }
}

}  // namespace kernel::sweep
