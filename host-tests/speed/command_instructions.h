// The instructions of one run of the command, counted by callgrind: for tests of what one verb
// takes beside another.
#pragma once

#include <cstdlib>
#include <gtest/gtest.h>
#include <string>

#include "cli/shell_line.h"

namespace barefxt::test {

// `verb`: with its options. 0, with a failure, where nothing was counted.
inline double command_instructions(const std::string& verb, const std::string& path) {
  const std::string line =
      "valgrind --tool=callgrind --callgrind-out-file=/dev/null " BAREFXT_COMMAND " " + verb + " " +
      path + " 2>&1 >/dev/null";
  const std::string output = run_line(line).output;
  const std::string word = "Collected : ";
  const size_t at = output.find(word);
  EXPECT_NE(at, std::string::npos) << output;
  return at == std::string::npos ? 0 : std::atof(output.c_str() + at + word.size());
}

}  // namespace barefxt::test
