// Runs code instruction by instruction, on x86-64, and does something in between: an interrupt at
// every place, one after the other.
#pragma once

#include <cstdint>

namespace barefxt::test {

// Under a sanitizer there are many more instructions, and copies of the process are slow.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define BAREFXT_TEST_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define BAREFXT_TEST_SANITIZED 1
#endif
#endif

#if defined(__x86_64__) && !defined(BAREFXT_TEST_SANITIZED)
inline constexpr bool kCanStep = true;
#else
inline constexpr bool kCanStep = false;
#endif

// Calls `between(k)` before the k-th instruction of `code`, from 1 on, until it returns false; then
// the rest runs as it is. Returns the last k.
uint32_t step(void (*code)(), bool (*between)(uint32_t k));

// For `code` with many instructions that do not matter: those between these two calls are not
// stepped through.
void step_no_further();
void step_from_here();

// Before each instruction of `code` a copy of the process splits off, is interrupted there, and
// runs on. The function returns in the copy, too, which must judge and end, with status 0 if all is
// well. With `is_due`, only before instructions for which it returns true. Unless
// BAREFXT_FULL is set, none before an instruction that touches no memory, and 16 before one that
// runs more often.
struct Interrupted {
  bool is_copy;
  uint32_t failed_at;     // before which instruction a copy found something wrong, or 0
  uint32_t instructions;  // gone through
};
Interrupted interrupt_copies(void (*code)(), void (*interrupt)(), bool (*is_due)() = nullptr);

}  // namespace barefxt::test
