// Windows in which the runtime masks interrupts, by the disassembly: on a CPU without
// compare-and-swap, around each read-modify-write; elsewhere nowhere.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "image_code.h"

namespace barefxt::test {

struct MaskedWindows {
  // Executed while interrupts are masked: behind the instruction that masks them, up to the one
  // that undoes it and with that.
  std::set<uint64_t> instructions;
  // The most of them one behind the other, on any way from the one to the other.
  size_t longest = 0;
  // Windows that have no end before a call, a return or a loop.
  std::vector<std::string> endless;
};

// In instructions, the most that the runtime may mask.
inline constexpr size_t kMaxMasked = 20;

MaskedWindows masked_windows_of(const std::vector<Function>& functions);

// Returns true for the runtime, and for code compiled from its headers.
bool is_of_runtime(const std::string& function);

}  // namespace barefxt::test
