// A line that a shell runs, and what it prints.
#pragma once

#include <array>
#include <cstdio>
#include <string>
#include <sys/wait.h>

namespace barefxt::test {

struct LineResult {
  int status = -1;     // of its exit; -1 if it did not exit
  std::string output;  // standard output
};

inline LineResult run_line(const std::string& line) {
  LineResult result;
  std::FILE* const pipe = ::popen(line.c_str(), "re");  // NOLINT(cert-env33-c)
  if (pipe == nullptr) return result;
  std::array<char, 4096> part;
  while (const size_t got = std::fread(part.data(), 1, part.size(), pipe))
    result.output.append(part.data(), got);
  const int status = ::pclose(pipe);
  if (WIFEXITED(status)) result.status = WEXITSTATUS(status);
  return result;
}

}  // namespace barefxt::test
