// Sweeps of calls (qemu-tests/sweep/calls.h): what the kernel found, and which instructions it was
// interrupted at.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "targets.h"

namespace barefxt::test {

struct CallSweep {
  uint64_t interrupts = 0;
  std::set<std::string> ways;  // in which calls were made
  std::set<uint64_t> hits;     // of all experiments together
};

// `what`: the kernel's word for it. Each experiment has to be sound.
CallSweep sweep_calls(const Image& image, const std::string& name, const std::string& what);

struct CallCoverage {
  size_t instructions = 0;
  size_t hit = 0;
  std::string missed;  // a line for each

  size_t never() const { return instructions - hit; }
};

// A line of a source, by a part of it: what comes of it need not be interrupted.
struct ExceptedLine {
  std::string file;
  std::string text;
};

// Of the functions that `is_meant` says, without jumps to `excepted_target` (empty: none) and what
// comes of the lines.
CallCoverage coverage_of(const CallSweep& sweep, const Image& image, const std::string& name,
                         const std::function<bool(const std::string& function)>& is_meant,
                         const std::string& excepted_target = {},
                         const std::vector<ExceptedLine>& excepted_lines = {});

}  // namespace barefxt::test
