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

// A full run interrupts every instruction, any other every 13th of each experiment.
uint32_t every_in_this_run();

struct CallSweep {
  uint32_t every = every_in_this_run();
  uint64_t interrupts = 0;
  std::set<std::string> ways;  // in which calls were made
  std::set<uint64_t> hits;     // of all experiments together
};

// Sweeps calls; `what` is the kernel's word for the sweep. Expects each experiment to be sound, and
// at least this many interrupts in a full run.
CallSweep sweep_calls(const Image& image, const std::string& name, const std::string& what,
                      uint64_t interrupts);

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

// The coverage of the functions that `is_meant` accepts, without jumps to `excepted_target` (empty:
// none) and without the code of the lines.
CallCoverage coverage_of(const CallSweep& sweep, const Image& image, const std::string& name,
                         const std::function<bool(const std::string& function)>& is_meant,
                         const std::string& excepted_target = {},
                         const std::vector<ExceptedLine>& excepted_lines = {});

// At most `never` of them were not hit. If an experiment does not interrupt every instruction, all
// experiments together hit more than half of them.
void expect_reached(const CallSweep& sweep, const CallCoverage& coverage, size_t never);

}  // namespace barefxt::test
