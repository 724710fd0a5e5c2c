// The instructions of one run of the command, counted by callgrind: for tests of what one verb
// takes beside another.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <gtest/gtest.h>
#include <string>

namespace barefxt::test {

// `verb`: with its options. 0, with a failure, where nothing was counted.
inline double command_instructions(const std::string& verb, const std::string& path) {
  const std::string line =
      "valgrind --tool=callgrind --callgrind-out-file=/dev/null " BAREFXT_COMMAND " " + verb + " " +
      path + " 2>&1 >/dev/null";
  std::string output;
  std::FILE* pipe = ::popen(line.c_str(), "r");
  if (pipe == nullptr) {
    ADD_FAILURE() << "no shell";
    return 0;
  }
  char part[4096];
  while (const size_t got = std::fread(part, 1, sizeof part, pipe)) output.append(part, got);
  ::pclose(pipe);
  const std::string word = "Collected : ";
  const size_t at = output.find(word);
  EXPECT_NE(at, std::string::npos) << output;
  return at == std::string::npos ? 0 : std::atof(output.c_str() + at + word.size());
}

}  // namespace barefxt::test
