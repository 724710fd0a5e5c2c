// Sleds: clang compiled the kernel with -fxray-instrument, and its functions are patched while it
// runs.

#include <gtest/gtest.h>

#include "costs_file.h"
#include "events.h"
#include "function_calls.h"
#include "key_values.h"
#include "qemu.h"
#include "tally_lines.h"
#include "targets.h"

namespace barefxt::test {
namespace {

constexpr const char* kImage = "kernel_xray";

std::vector<Image> images_with_sleds() {
  std::vector<Image> images = images_of({"aarch64", "armv7a", "x86_64"});
  std::erase_if(images, [](const Image& image) { return image.compiler != "clang"; });
  return images;
}

Booted boot_sleds(const Image& image, const std::string& arguments) {
  Boot options;
  options.build = image.build;
  options.image = kImage;
  options.arguments = arguments;
  Booted run = boot(options);
  EXPECT_EQ(run.status, 0) << read_file(run.file("qemu.log"))
                           << read_file(run.uart).substr(0, 2000);
  return run;
}

// Into t.fxt of the run.
std::vector<Json> rebuild(const Image& image, const Booted& run) {
  const Output rebuilt = barefxt("rebuild " + run.uart + " --elf " +
                                 image_path(image.build, kImage) + " -o " + run.file("t.fxt"));
  EXPECT_EQ(rebuilt.status, 0) << rebuilt.err;
  return read_archive(run.file("t.fxt"));
}

class SledsTest : public ::testing::TestWithParam<Image> {};

TEST_P(SledsTest, PatchedFunctionsAreInTheArchiveAsOftenAsTheKernelCounted) {
  const Booted run = boot_sleds(GetParam(), "seconds=1 workers=60 dump=uart");
  const Tally tally = read_tally(read_file(run.uart));
  ASSERT_TRUE(tally.complete);
  ASSERT_EQ(tally.reported_lost, 0u);
  ASSERT_FALSE(tally.calls.empty());
  std::map<std::string, uint64_t> begins = begins_by_function(rebuild(GetParam(), run));
  for (const auto& [function, count] : tally.calls) {
    EXPECT_GT(count, 0u) << function;
    EXPECT_EQ(begins[function], count) << function;
  }

  // LLVM's tools find the functions by the image's own map.
  const std::string image = image_path(GetParam().build, kImage);
  const std::string log = run.file("t.fdr");
  const Output converted =
      barefxt("convert " + run.file("t.fxt") + " --to fdr --elf " + image + " -o " + log);
  ASSERT_EQ(converted.status, 0) << converted.err;
  const Output accepted = run_command("llvm-xray-19 account " + log + " -m " + image);
  EXPECT_EQ(accepted.status, 0) << accepted.err;
  const Output yaml =
      run_command("llvm-xray-19 convert " + log + " -m " + image + " -symbolize -f yaml");
  ASSERT_EQ(yaml.status, 0) << yaml.err;
  std::map<std::string, uint64_t> entries = entries_by_function(yaml.out);
  for (const auto& [function, count] : tally.calls) EXPECT_EQ(entries[function], count) << function;
}

// The numbers in the kernel's lines "SLEDS ...", see workload/sleds.h.
std::map<std::string, uint64_t> numbers_of(const std::string& console) {
  std::map<std::string, uint64_t> numbers;
  const std::string mark = "SLEDS ";
  for (size_t at = console.find(mark); at != std::string::npos; at = console.find(mark, at + 1)) {
    const size_t end = console.find_first_of("\r\n", at);
    std::istringstream words(console.substr(at + mark.size(), end - at - mark.size()));
    for (const auto& [key, value] : read_key_values(words)) numbers[key] = std::stoull(value);
  }
  return numbers;
}

uint64_t sum_of_arguments(const std::vector<Json>& archive, const char* function) {
  uint64_t sum = 0;
  for (const Json& record : archive)
    if (is_call(record, "duration_begin") && without_arguments(record.at("name")) == function)
      for (const Json& argument : record.at("args"))
        if (argument.at("name") == "argument 0") sum += argument.at("value").get<uint64_t>();
  return sum;
}

uint64_t calls_behind(const std::vector<Json>& archive, const char* instant, const char* function) {
  uint64_t calls = 0;
  bool is_behind = false;
  for (const Json& record : archive) {
    if (record.at("record") != "event") continue;
    is_behind = is_behind || record.at("name") == instant;
    if (is_behind && is_call(record, "duration_begin") &&
        without_arguments(record.at("name")) == function)
      ++calls;
  }
  return calls;
}

TEST_P(SledsTest, FunctionsArePatchedAndUnpatchedTenThousandTimesWhileAllCpusCallThem) {
  const Booted run = boot_sleds(GetParam(), "mode=sleds rounds=10000 dump=uart");
  const std::map<std::string, uint64_t> numbers = numbers_of(read_file(run.uart));
  ASSERT_EQ(numbers.count("after"), 1u);
  EXPECT_EQ(numbers.at("rounds"), 10000u);
  EXPECT_EQ(numbers.at("wrong"), 0u);
  EXPECT_GE(numbers.at("steady"), 10000u);

  // Those that were patched throughout are there to the last; of the other there is what was
  // called while it was patched.
  const std::vector<Json> archive = rebuild(GetParam(), run);
  std::map<std::string, uint64_t> begins = begins_by_function(archive);
  EXPECT_EQ(begins["kernel::workload::sled_steady"], numbers.at("steady"));
  EXPECT_EQ(begins["kernel::workload::sled_jumping"], numbers.at("jumping"));
  EXPECT_EQ(begins["kernel::workload::sled_two_words"], numbers.at("jumping"));
  EXPECT_GT(numbers.at("arguments"), 0u);
  EXPECT_EQ(sum_of_arguments(archive, "kernel::workload::sled_two_words"), numbers.at("arguments"));
  // A log has them, too, and LLVM's tools read it.
  const std::string image = " --elf " + image_path(GetParam().build, kImage) + " -o ";
  const std::string log = run.file("t.fdr");
  ASSERT_EQ(barefxt("convert " + run.file("t.fxt") + " --to fdr" + image + log).status, 0);
  EXPECT_EQ(run_command("llvm-xray-19 fdr-dump -verify " + log).status, 0);
  ASSERT_EQ(barefxt("convert " + log + " --to fxt" + image + run.file("back.fxt")).status, 0);
  EXPECT_EQ(
      sum_of_arguments(read_archive(run.file("back.fxt")), "kernel::workload::sled_two_words"),
      numbers.at("arguments"));
  EXPECT_GT(begins["kernel::workload::sled_toggled"], 0u);
  EXPECT_LT(begins["kernel::workload::sled_toggled"], numbers.at("toggled") + numbers.at("after"));
  EXPECT_EQ(calls_behind(archive, "for good", "kernel::workload::sled_toggled"),
            numbers.at("after"));
}

TEST_P(SledsTest, WhatCannotBePatchedIsRefused) {
  const Booted run = boot_sleds(GetParam(), "mode=sleds rounds=10 dump=none");
  const std::map<std::string, uint64_t> numbers = numbers_of(read_file(run.uart));
  ASSERT_EQ(numbers.count("refused"), 1u);
  EXPECT_GT(numbers.at("functions"), 20u);
  EXPECT_EQ(numbers.at("refused"), 4u);
  EXPECT_GT(numbers.at("opened"), 0u);
  EXPECT_EQ(numbers.at("opened"), numbers.at("closed"));
}

// What they took when that was last written down, in instructions.
struct Limit {
  const char* target;
  const char* record;
  double instructions;
};
constexpr Limit kMeasured[] = {
    // Two branches that clang puts there; on x86-64 a jump, and a byte ahead of the return.
    {"aarch64", "sleds_unpatched", 2},   {"aarch64", "fdr_pair_sleds_off", 20},
    {"aarch64", "fdr_pair_sleds", 69},   {"x86_64", "sleds_unpatched", 2},
    {"x86_64", "fdr_pair_sleds_off", 8}, {"x86_64", "fdr_pair_sleds", 68.11},
    {"armv7a", "sleds_unpatched", 2},    {"armv7a", "fdr_pair_sleds_off", 36},
    {"armv7a", "fdr_pair_sleds", 115.1},
};
constexpr double kWorse = 1.02;

TEST_P(SledsTest, APairOfCallsTakesNoMoreInstructionsThanItMay) {
  const Image& image = GetParam();
  Boot options;
  options.build = image.build;
  options.image = kImage;
  options.counting = true;
  options.arguments = "mode=sleds rounds=0";
  const Booted run = boot(options);
  ASSERT_EQ(run.status, 0) << read_file(run.uart);
  const std::map<std::string, double> costs = read_costs(read_file(run.uart));
  ASSERT_EQ(costs.size(), 3u);
  for (const auto& [record, cost] : costs) std::printf("%-20s %g\n", record.c_str(), cost);
  for (const auto& [target, record, measured] : kMeasured) {
    if (image.target == target) {
      EXPECT_LE(costs.at(record), measured * kWorse) << record;
    }
  }
  // The goals where CPUs have 64 bits.
  if (image.target != "armv7a") {
    EXPECT_LE(costs.at("fdr_pair_sleds"), 70);
    EXPECT_LE(costs.at("fdr_pair_sleds_off"), 30);
  }
  Json entries = Json::array();
  for (const char* record : {"fdr_pair_sleds", "fdr_pair_sleds_off"})
    entries.push_back({{"target", image.target},
                       {"compiler", image.compiler},
                       {"record", record},
                       {"instructions", costs.at(record)},
                       {"masked_instructions", 0}});
  note_costs(entries);
}

class NoSledsTest : public ::testing::TestWithParam<Image> {};

// An image that has the runtime for sleds, but no function with any.
TEST_P(NoSledsTest, AnImageWithoutAMapSaysSo) {
  Boot options;
  options.build = GetParam().build;
  options.image = "kernel_functions";
  options.arguments = "mode=sleds";
  const Booted run = boot(options);
  EXPECT_EQ(run.status, 0) << read_file(run.uart);
  EXPECT_NE(read_file(run.uart).find("SLEDS none"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Targets, NoSledsTest, ::testing::ValuesIn(images_of({"aarch64"})),
                         name_of_image);
INSTANTIATE_TEST_SUITE_P(Targets, SledsTest, ::testing::ValuesIn(images_with_sleds()),
                         name_of_image);

}  // namespace
}  // namespace barefxt::test
