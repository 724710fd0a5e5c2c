// Interrupts a runtime without segments at every instruction in a full run, else at every 13th:
// see qemu-tests/linear/sweep.h. The kernel checks its ring. This test checks the kernel's counts,
// and which instructions were reached: in a full run all but those that are masked or excepted.

#include <algorithm>
#include <gtest/gtest.h>
#include <set>
#include <sstream>

#include "call_sweep.h"
#include "key_values.h"
#include "linear_images.h"
#include "masked_windows.h"
#include "qemu.h"

namespace barefxt::test {
namespace {

// Images of CPUs with compare-and-swap, and of CPUs that mask interrupts.
std::vector<Image> swept_images() {
  std::vector<Image> images = linear_images();
  std::erase_if(images, [](const Image& image) {
    return image.target != "cortex-m3" && image.target != "cortex-m0" &&
           image.target != "rv32-no-a";
  });
  return images;
}

// These functions write records, begin and end recording, and put threads into the table, by the
// linker's names or their part; some compilers inline the latter.
constexpr const char* kFunctions[] = {"barefxt_context_switch", "barefxt_write_event",
                                      "barefxt_thread_wakeup",  "barefxt_thread_register",
                                      "barefxt_set_categories", "barefxt_stop"};
constexpr const char* kInnerFunctions[] = {"4loseE", "11write_shortE", "14reserve_slowlyE",
                                           "14count_finishedE", "21write_event_carefullyE"};

bool is_concerned(const std::string& function) {
  for (const char* name : kFunctions)
    if (function == name) return true;
  for (const char* part : kInnerFunctions)
    if (is_of_runtime(function) && function.find(part) != std::string::npos) return true;
  return false;
}

// Which no interrupt of these sweeps comes to, and why.
const std::vector<ExceptedLine> kLinearExceptions = {
    // Behind a stop that came in between: only a call that was interrupted already comes there.
    {"linear_session.cpp", "store_release(barefxt_enabled_categories, uint32_t{0})"},
};

class LinearSweepTest : public ::testing::TestWithParam<Image> {};

void expect_sound(const KeyValues& line) {
  EXPECT_EQ(line.at("result"), "ok") << shown(line);
  // From one interrupt to the next the CPU got on by exactly one instruction.
  EXPECT_EQ(line.at("skipped"), "0") << shown(line);
  EXPECT_GT(number(line, "interrupts"), 0u) << shown(line);
  for (const std::string bytes : {"", "_bytes"})
    EXPECT_EQ(number(line, "attempted" + bytes),
              number(line, "read" + bytes) + number(line, "lost" + bytes))
        << shown(line);
}

TEST_P(LinearSweepTest, AnInterruptAtAnyInstructionLeavesTheRingWhole) {
  CallSweep sweep;
  const Booted run =
      boot(options_of_linear(GetParam(), "mode=sweep every=" + std::to_string(sweep.every)));
  EXPECT_EQ(run.status, 0) << read_file(run.file("qemu.log"));
  std::set<std::string> experiments;
  bool is_complete = false;
  std::istringstream lines(read_file(run.uart));
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string first;
    words >> first;
    if (line == "SWEEP end") {
      is_complete = true;
    } else if (first == "SWEEP") {
      const KeyValues fields = read_key_values(words);
      expect_sound(fields);
      sweep.interrupts += number(fields, "interrupts");
      experiments.insert(fields.at("path") + fields.at("place") + fields.at("action"));
    } else if (first == "HIT") {
      const KeyValues fields = read_key_values(words);
      for (uint64_t at = number(fields, "from"); at < number(fields, "to"); ++at)
        sweep.hits.insert(at);
    } else {
      ADD_FAILURE() << line;
    }
  }
  EXPECT_TRUE(is_complete);
  EXPECT_GT(experiments.size(), 200u);
  EXPECT_GT(sweep.interrupts * sweep.every, 30000u);

  // No interrupt comes where it is masked: right behind that, instead.
  const std::vector<Function> functions = functions_of(image_path(GetParam().build, kLinearImage));
  const MaskedWindows masked = masked_windows_of(functions);
  for (const uint64_t address : masked.instructions) {
    EXPECT_EQ(sweep.hits.count(address), 0u) << "interrupted: " << std::hex << address;
  }
  for (const char* name : kFunctions)
    EXPECT_TRUE(std::any_of(functions.begin(), functions.end(), [name](const Function& function) {
      return function.name == name;
    })) << name;
  CallSweep reached = sweep;
  reached.hits.insert(masked.instructions.begin(), masked.instructions.end());
  const CallCoverage coverage =
      coverage_of(reached, GetParam(), kLinearImage, &is_concerned, {}, kLinearExceptions);
  expect_reached(sweep, coverage, 0);
  std::printf("LINEAR target=%s compiler=%s interrupts=%llu instructions=%zu masked=%zu\n",
              GetParam().target.c_str(), GetParam().compiler.c_str(),
              static_cast<unsigned long long>(sweep.interrupts), coverage.instructions,
              masked.instructions.size());
}

INSTANTIATE_TEST_SUITE_P(Targets, LinearSweepTest, ::testing::ValuesIn(swept_images()),
                         name_of_image);

}  // namespace
}  // namespace barefxt::test
