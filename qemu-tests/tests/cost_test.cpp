// Instructions per record, counted by the kernel itself under -icount, where they are exact.

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>

#include "cost_baseline.h"
#include "costs_file.h"
#include "events.h"
#include "key_values.h"
#include "masked_windows.h"
#include "qemu.h"
#include "tally_lines.h"
#include "targets.h"

namespace barefxt::test {
namespace {

using Costs = std::map<std::string, double>;

// Returns the console's text.
std::string count(const Image& image, const std::string& kernel = {}) {
  const Booted run = boot({.build = image.build,
                           .image = kernel,
                           .arguments = "mode=cost dump=none",
                           .counting = true});
  std::string console = read_file(run.uart);
  EXPECT_EQ(run.status, 0) << read_file(run.file("qemu.log")) << console;
  return console;
}

void note(const Image& image, const Costs& costs, size_t masked) {
  Json entries = Json::array();
  for (const auto& [record, instructions] : costs) {
    entries.push_back({{"target", image.target},
                       {"compiler", image.compiler},
                       {"record", record},
                       {"instructions", instructions},
                       {"masked_instructions", masked}});
    std::printf("%-32s %g\n", record.c_str(), instructions);
  }
  note_costs(entries);
}

// The most that a record may cost with the better of the compilers. A target that is not named has
// no limit yet.
struct RecordLimit {
  const char* target;
  const char* record;
  double instructions;
};
constexpr RecordLimit kLimits[] = {
    {"aarch64", "context_switch", 35},
    {"aarch64", "instant", 40},
    {"aarch64-lse", "context_switch", 42},
    {"aarch64-lse", "instant", 40},
    {"aarch64_be", "context_switch", 42},
    {"aarch64_be", "instant", 40},
    {"armv7a", "context_switch", 44},
    {"armv7a", "instant", 52},
    {"rv64", "context_switch", 44},
    {"rv64", "instant", 46},
    {"rv32", "context_switch", 50},
    {"rv32", "instant", 65},
    {"rv32-no-a", "context_switch", 67},
    {"rv32-no-a", "instant", 65},
    {"x86_64", "context_switch", 37},
    {"x86_64", "instant", 38},
    {"cortex-m0", "context_switch", 60},
    {"cortex-m0", "instant", 65},
    {"cortex-m3", "context_switch", 42},
    {"cortex-m3", "instant", 50},
    {"cortex-m3", "lock_pair", 180},
    {"cortex-m4", "context_switch", 42},
    {"cortex-m4", "instant", 65},
    {"cortex-m7", "context_switch", 42},
    {"cortex-m7", "instant", 65},
    {"cortex-m33", "context_switch", 42},
    {"cortex-m33", "instant", 65},
    {"cortex-m55", "context_switch", 67.6},
    {"cortex-m55", "instant", 65},
    {"m68k", "context_switch", 67.6},
    {"m68k", "instant", 65},
    {"cortex-m33-smp", "context_switch", 58},
    {"cortex-m33-smp", "instant", 65},
};
// An address alone, and each caller, on every target and with either compiler.
constexpr double kMaxSample = 60;
constexpr double kMaxSampleFrame = 12;
// By one compiler at least: clang's code for Cortex-M0 takes 66.
constexpr double kMaxHeap = 60;
constexpr double kOtherCompiler = 1.25;

bool has_compare_and_swap(const Image& image) {
  return image.target != "rv32-no-a" && image.target != "cortex-m0";
}

class CostTest : public ::testing::TestWithParam<Image> {};

void expect_no_more_than_it_may(const Image& mine, const Costs& costs) {
  std::vector<Costs> of_all_compilers = {costs};
  for (const Image& image : images_of({mine.target}))
    if (image.build != mine.build && std::filesystem::exists(image_path(image.build)))
      of_all_compilers.push_back(read_costs(count(image)));
  const auto expect_at_most = [&](const char* record, double limit) {
    double best = costs.at(record);
    for (const Costs& each : of_all_compilers) best = std::min(best, each.at(record));
    EXPECT_LE(best, limit + kResolution) << record;
    EXPECT_LE(costs.at(record), kOtherCompiler * best) << record;
  };
  expect_at_most("disabled_probe", kDisabledProbe);
  EXPECT_LE(costs.at("sample_pc"), kMaxSample);
  // GCC's Thumb code has no frames.
  if (costs.count("sample_frame") != 0) {
    EXPECT_LE(costs.at("sample_frame"), kMaxSampleFrame);
  }
  for (const char* record : {"heap_alloc", "heap_free"}) {
    expect_at_most(record, kMaxHeap);
    EXPECT_GE(costs.at(record), costs.at("sample_pc") / 2) << record << " records nothing";
  }
  for (const auto& [target, record, limit] : kLimits)
    if (mine.target == target) expect_at_most(record, limit);
}

// More than two percent.
void expect_none_to_be_dearer(const std::string& build, const Costs& costs) {
  CostBaseline baseline = CostBaseline::read(BAREFXT_COST_BASELINE);
  if (std::getenv("BAREFXT_WRITE_COST_BASELINE") != nullptr) {
    for (const auto& [record, count] : costs) baseline.set(record, build, count);
    baseline.write(BAREFXT_COST_BASELINE);
    return;
  }
  bool has_become_better = false;
  for (const auto& [record, count] : costs) {
    const double* before = baseline.find(record, build);
    if (before == nullptr) {
      ADD_FAILURE() << record << " has no count in cost_baseline.txt";
      continue;
    }
    EXPECT_LE(count, *before * kWorse) << record << " took " << *before << " instructions";
    if (count >= *before / kWorse) continue;
    has_become_better = true;
    std::printf("%s takes %g instructions rather than %g\n", record.c_str(), count, *before);
  }
  if (has_become_better || ::testing::Test::HasFailure())
    std::printf("CostTest with BAREFXT_WRITE_COST_BASELINE=1 writes the new counts into\n%s\n",
                BAREFXT_COST_BASELINE);
}

// A line of 921600 baud on a CPU of 25 MHz, an instruction a cycle: ten bits a byte.
void expect_the_line_to_be_slower_than_the_coder(const Image& image, const std::string& console) {
  constexpr double kInstructionsPerByte = 25'000'000 / (921'600 / 10.0);
  const double coded = read_coded_dump(console);
  std::printf("coder_instructions_per_byte %.1f\n", coded);
  EXPECT_GT(coded, 10) << "fewer than a CRC needs: a wrong count";
  EXPECT_LT(coded, kInstructionsPerByte);
  // One compiler's figures stand for the target.
  if (image.compiler == "gcc")
    note_costs(Json::array(
        {{{"target", image.target}, {"record", "image"}, {"coder_instructions_per_byte", coded}}}));
}

// Apart from the records: the cost of a mark that does not move, at each switch, is what counts.
void expect_marks_of_stacks_to_cost_little(const std::string& console) {
  constexpr double kMaxReached = 20;
  constexpr double kMaxMoved = 500;
  constexpr double kMaxScanned = 9;
  const size_t line = console.find("STACK reached=");
  ASSERT_NE(line, std::string::npos);
  std::istringstream words(console.substr(line, console.find('\n', line) - line));
  const KeyValues values = read_key_values(words);
  std::printf("%s\n", words.str().c_str());
  EXPECT_GE(std::stod(values.at("reached")), 2) << "fewer than a compare needs: a wrong count";
  EXPECT_LE(std::stod(values.at("reached")), kMaxReached);
  EXPECT_LE(std::stod(values.at("moved")), kMaxMoved);
  EXPECT_LE(std::stod(values.at("scanned")), kMaxScanned);
}

// In any function that writes records, also where it opens a segment.
void expect_few_masked(const Image& image, const MaskedWindows& windows) {
  EXPECT_TRUE(windows.endless.empty()) << windows.endless.front();
  if (has_compare_and_swap(image)) {
    EXPECT_EQ(windows.longest, 0u);
    return;
  }
  EXPECT_GT(windows.longest, 0u);
  EXPECT_LE(windows.longest, kMaxMasked);
}

TEST_P(CostTest, RecordsTakeTheSameInstructionsEachTimeAndNoMoreThanTheyMay) {
  const Image& image = GetParam();
  const std::string console = count(image);
  const Costs costs = read_costs(console);
  ASSERT_EQ(costs.count("context_switch"), 1u);
  EXPECT_GE(costs.at("context_switch"), 20) << "fewer than the protocol needs: a wrong count";
  EXPECT_EQ(read_costs(count(image)), costs);
  expect_no_more_than_it_may(image, costs);
  expect_none_to_be_dearer(image.build, costs);
  expect_the_line_to_be_slower_than_the_coder(image, console);
  expect_marks_of_stacks_to_cost_little(console);
  const MaskedWindows windows = masked_windows_of(functions_of(image_path(image.build)));
  expect_few_masked(image, windows);
  note(image, costs, windows.longest);
}

BAREFXT_TEST_IMAGES(CostTest, Portion::kCosts);

// A runtime that reads the address of a CPU's ring, rather than to make it from the CPU's number.
class RingRegisterCostTest : public ::testing::TestWithParam<Image> {};

TEST_P(RingRegisterCostTest, RecordsTakeFewerInstructionsThanByTheNumber) {
  const Image& image = GetParam();
  const Costs by_number = read_costs(count(image));
  const Costs costs = read_costs(count(image, kRingRegisterImage));
  ASSERT_EQ(costs.size(), by_number.size());
  for (const auto& [record, instructions] : costs) {
    std::printf("%-32s %g\n", record.c_str(), instructions);
    EXPECT_LE(instructions, by_number.at(record) * kWorse) << record;
  }
  for (const char* record : {"context_switch", "thread_wakeup", "instant", "instant_1_u32",
                             "counter", "duration_scope", "irq_scope"})
    EXPECT_LT(costs.at(record), by_number.at(record) - 0.5) << record;
  const std::map<std::string, double> most = {{"aarch64", 34}, {"rv64", 41}, {"x86_64", 35}};
  if (image.compiler == "gcc") {
    EXPECT_LE(costs.at("context_switch"), most.at(image.target));
  }
  expect_none_to_be_dearer(image.build + "-ring", costs);
}

TEST_P(RingRegisterCostTest, AStartRefusesACpuThatHasNotStoredItsRing) {
  const std::string unset =
      "RING checked=BAREFXT_ERROR_RING_ADDRESS started=BAREFXT_ERROR_RING_ADDRESS";
  const std::string console = count(GetParam(), kRingRegisterImage);
  EXPECT_TRUE(contains(console, unset));
  const std::string by_number = count(GetParam());
  EXPECT_TRUE(contains(by_number, "RING checked=BAREFXT_OK started=BAREFXT_OK"));
}

BAREFXT_TEST_IMAGES(RingRegisterCostTest, Portion::kCosts, images_with_ring_register());

}  // namespace
}  // namespace barefxt::test
