// Code that is interrupted before each of its instructions, and a judgement of what came of each.
#pragma once

#include <cstdio>
#include <gtest/gtest.h>
#include <unistd.h>

#include "stepping.h"

namespace barefxt::test {

// In a copy of the process for each, which judges when `code` has run to its end. Skips the test on
// machines where nothing can be stepped through, but returns: what follows in the test is to hold
// there, too, or to be kept from running there.
inline void at_every_instruction(void (*code)(), void (*interrupt_with)(), void (*judge)(),
                                 bool (*is_due)() = nullptr) {
  if (!kCanStep) GTEST_SKIP() << "not on this machine";
  std::fflush(stdout);
  const Interrupted interrupted = interrupt_copies(code, interrupt_with, is_due);
  if (interrupted.is_copy) {
    judge();
    std::fflush(stdout);
    _exit(::testing::Test::HasFailure() ? 1 : 0);
  }
  EXPECT_EQ(interrupted.failed_at, 0u) << "interrupted before this instruction";
  EXPECT_GT(interrupted.instructions, 16u);
}

}  // namespace barefxt::test
