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
  const auto is_hit = [this](uint32_t number) {
    return number < kWords * 32 && (bits_[number / 32] >> (number % 32) & 1) != 0;
  };
  for (uint32_t number = 0; number < kWords * 32; ++number) {
    if (!is_hit(number)) continue;
    const uintptr_t from = text_start() + number * kStep;
    uintptr_t to = from;
    while (is_hit(number)) {
      to = board::instruction_after(to);
      number = static_cast<uint32_t>((to - text_start()) / kStep);
    }
    kernel::print("HIT path=", path, " from=", Hex{from}, " to=", Hex{to}, "\n");
  }
}

}  // namespace kernel::sweep
