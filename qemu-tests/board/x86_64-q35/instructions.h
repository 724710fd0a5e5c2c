// Length and destination of the few hundred instructions that compilers make of kernel code. Fails
// visibly on any other instruction.
#pragma once

#include <stdint.h>

namespace board {

// Instructions begin at any address.
inline constexpr uintptr_t kInstructionBytes = 1;

uintptr_t instruction_after(uintptr_t address);

// Returns true if a CPU that was about to execute the instruction at `before` may have come to
// `after` by it.
bool may_follow(uintptr_t before, uintptr_t after);

// Returns true if the instruction swaps a position: LOCK CMPXCHG.
bool is_swap(uintptr_t address);

}  // namespace board
