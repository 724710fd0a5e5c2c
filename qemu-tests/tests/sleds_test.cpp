// Sleds: clang compiled the kernel with -fxray-instrument, and its functions are patched while it
// runs.

#include <algorithm>
#include <gtest/gtest.h>

#include "call_sweep.h"
#include "costs_file.h"
#include "events.h"
#include "function_calls.h"
#include "key_values.h"
#include "qemu.h"
#include "rebuild/base64.h"
#include "tally_lines.h"
#include "targets.h"

namespace barefxt::test {
namespace {

constexpr const char* kSledsImage = "kernel_xray";

std::vector<Image> images_with_sleds() {
  std::vector<Image> images = images_of({"aarch64", "armv7a", "x86_64"});
  std::erase_if(images, [](const Image& image) { return image.compiler != "clang"; });
  return images;
}

Booted boot_sleds(const Image& image, const std::string& arguments) {
  Booted run = boot({.build = image.build, .image = kSledsImage, .arguments = arguments});
  EXPECT_EQ(run.status, 0) << read_file(run.file("qemu.log"))
                           << read_file(run.uart).substr(0, 2000);
  return run;
}

// Into t.fxt of the run.
std::vector<Json> rebuild(const Image& image, const Booted& run) {
  const Output rebuilt = barefxt("rebuild " + run.file("trace.bin") + " --elf " +
                                 image_path(image.build, kSledsImage) + " -o " + run.file("t.fxt"));
  EXPECT_EQ(rebuilt.status, 0) << rebuilt.err;
  return read_archive(run.file("t.fxt"));
}

// Clang has none in A32 code.
bool has_events(const Image& image) { return image.target != "armv7a"; }

// The program with a map that LLVM 19 reads: not one with typed events.
std::string readable_by_llvm(const Image& image, const Booted& run) {
  const std::string path = image_path(image.build, kSledsImage);
  if (!has_events(image)) return path;
  EXPECT_NE(run_command("llvm-xray-19 extract " + path).status, 0) << "no copy is needed by now";
  std::string copy = run.file("mapped.elf");
  const Output mapped = barefxt("convert " + path + " --to xray-elf -o " + copy);
  EXPECT_EQ(mapped.status, 0) << mapped.err;
  return copy;
}

class SledsTest : public ::testing::TestWithParam<Image> {};

TEST_P(SledsTest, PatchedFunctionsAreInTheArchiveAsOftenAsTheKernelCounted) {
  const Booted run = boot_sleds(GetParam(), "seconds=1 workers=60 dump=file");
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
  const std::string image = image_path(GetParam().build, kSledsImage);
  const std::string log = run.file("t.fdr");
  const Output converted =
      barefxt("convert " + run.file("t.fxt") + " --to fdr --elf " + image + " -o " + log);
  ASSERT_EQ(converted.status, 0) << converted.err;
  const std::string map = readable_by_llvm(GetParam(), run);
  const Output accepted = run_command("llvm-xray-19 account " + log + " -m " + map);
  EXPECT_EQ(accepted.status, 0) << accepted.err;
  const Output yaml =
      run_command("llvm-xray-19 convert " + log + " -m " + map + " -symbolize -f yaml");
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

// The same function is in the kernel: workload/sleds.cpp.
uint32_t hash_of_event(uint32_t type, const std::string& payload) {
  uint32_t hash = 0x811c9dc5;
  for (const char byte : payload) hash = (hash ^ static_cast<uint8_t>(byte)) * 0x01000193;
  return (hash ^ type) * 0x01000193;
}

std::string payload_of(const Json& argument) {
  EXPECT_EQ(argument.at("name"), "payload");
  EXPECT_EQ(argument.at("type"), "blob");
  const auto text = argument.at("value").get<std::string>();
  std::string bytes(text.size(), '\0');
  const auto count = host::base64_decode(text, reinterpret_cast<uint8_t*>(bytes.data()));
  EXPECT_TRUE(count) << text;
  bytes.resize(count.value_or(0));
  return bytes;
}

struct SledEvents {
  uint64_t custom = 0;
  uint64_t typed = 0;
  uint64_t toggled = 0;
  uint64_t toggled_for_good = 0;  // behind the instant of that name
  uint32_t sum = 0;               // of the hashes of all but those
};

// Events of a log, in which an event without a payload has one zero byte, and of the archive it
// came from.
SledEvents events_in(const std::vector<Json>& archive) {
  SledEvents events;
  bool is_for_good = false;
  for (const Json& record : archive) {
    if (record.at("record") != "event") continue;
    is_for_good = is_for_good || record.at("name") == "for good";
    if (record.at("category") != "xray") continue;
    EXPECT_EQ(record.at("event"), "instant");
    const bool is_typed = record.at("name") == "typed event";
    if (!is_typed) {
      EXPECT_EQ(record.at("name"), "custom event");
    }
    const Json& arguments = record.at("args");
    EXPECT_EQ(arguments.size(), is_typed ? 2u : 1u);
    std::string payload = payload_of(arguments.back());
    if (payload == std::string(1, '\0')) payload.clear();
    if (payload == "toggled") {
      ++events.toggled;
      if (is_for_good) ++events.toggled_for_good;
      continue;
    }
    ++(is_typed ? events.typed : events.custom);
    events.sum += hash_of_event(is_typed ? arguments[0].at("value").get<uint32_t>() : 0, payload);
  }
  return events;
}

// Lines of `llvm-xray fdr-dump` that begin so.
uint64_t dumped(const std::string& log, const std::string& begin) {
  const Output dump = run_command("llvm-xray-19 fdr-dump -verify " + log);
  EXPECT_EQ(dump.status, 0) << dump.err;
  uint64_t count = 0;
  std::istringstream lines(dump.out);
  for (std::string line; std::getline(lines, line);)
    if (line.find(begin) != std::string::npos) ++count;
  return count;
}

uint64_t calls_of_thread(const std::vector<Json>& archive, uint64_t thread, const char* function) {
  return static_cast<uint64_t>(
      std::count_if(archive.begin(), archive.end(), [&](const Json& record) {
        return is_call(record, "duration_begin") && record.at("thread") == thread &&
               without_arguments(record.at("name")) == function;
      }));
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

TEST_P(SledsTest, FunctionsArePatchedAndUnpatchedThousandsOfTimesWhileAllCpusCallThem) {
  const uint64_t rounds = is_full_run() ? 10000 : 2000;
  const Booted run =
      boot_sleds(GetParam(), "mode=sleds dump=file rounds=" + std::to_string(rounds));
  const std::map<std::string, uint64_t> numbers = numbers_of(read_file(run.uart));
  ASSERT_EQ(numbers.count("after"), 1u);
  EXPECT_EQ(numbers.at("rounds"), rounds);
  EXPECT_EQ(numbers.at("wrong"), 0u);
  EXPECT_GE(numbers.at("steady"), rounds);

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
  const std::string image = " --elf " + image_path(GetParam().build, kSledsImage) + " -o ";
  const std::string log = run.file("t.fdr");
  ASSERT_EQ(barefxt("convert " + run.file("t.fxt") + " --to fdr" + image + log).status, 0);
  EXPECT_EQ(run_command("llvm-xray-19 fdr-dump -verify " + log).status, 0);
  ASSERT_EQ(barefxt("convert " + log + " --to fxt" + image + run.file("back.fxt")).status, 0);
  const std::vector<Json> back = read_archive(run.file("back.fxt"));
  EXPECT_EQ(sum_of_arguments(back, "kernel::workload::sled_two_words"), numbers.at("arguments"));

  // And so have events their payloads, to the byte.
  const SledEvents events = events_in(archive);
  if (has_events(GetParam())) {
    EXPECT_GE(numbers.at("events"), rounds / 50);
    EXPECT_EQ(events.custom, numbers.at("events"));
    EXPECT_EQ(events.typed, numbers.at("events"));
    EXPECT_EQ(events.sum, numbers.at("sum"));
    EXPECT_LE(events.toggled, numbers.at("toggled_events") + numbers.at("after"));
    EXPECT_EQ(events.toggled_for_good, numbers.at("after"));
    const SledEvents in_log = events_in(back);
    EXPECT_EQ(in_log.custom, events.custom);
    EXPECT_EQ(in_log.typed, events.typed);
    EXPECT_EQ(in_log.toggled, events.toggled);
    EXPECT_EQ(in_log.sum, events.sum);
    EXPECT_EQ(dumped(log, "<Typed Event:"), events.typed);
  } else {
    EXPECT_EQ(events.custom + events.typed + events.toggled, 0u);
  }
  EXPECT_GT(begins["kernel::workload::sled_toggled"], 0u);
  EXPECT_LE(begins["kernel::workload::sled_toggled"],
            numbers.at("toggled") + numbers.at("exact") + numbers.at("after"));
  // If CPUs are synchronized it counts from when the call that patches, or unpatches, returns.
  EXPECT_GE(numbers.at("exact"), rounds / 100);
  EXPECT_EQ(calls_of_thread(archive, numbers.at("patcher"), "kernel::workload::sled_toggled"),
            numbers.at("exact") + numbers.at("after"));
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

// All ways to record: trampolines, and the parts that they leave to C++ (see sweep/calls.h).
TEST_P(SledsTest, AnInterruptAtAnyInstructionOfASledTearsNothing) {
  const CallSweep sweep = sweep_calls(GetParam(), kSledsImage, "calls", 10'000);
  EXPECT_EQ(sweep.ways, (std::set<std::string>{"sleds", "sleds_jumping", "sleds_jumping_to",
                                               "sleds_noting", "sleds_taking"}));
  const CallCoverage coverage =
      coverage_of(sweep, GetParam(), kSledsImage, [](const std::string& function) {
        return function.find("barefxt_sled") == 0 || function.find("sled_") == 0 ||
               function.find("__xray_") == 0;
      });
  // In A32 code trampolines do no more than call C++, which functions_test has interrupted. On
  // x86-64 two instructions lie behind a lost swap only, to which only an interrupted trampoline
  // comes.
  const bool is_arm = GetParam().target == "armv7a";
  EXPECT_GT(coverage.instructions, is_arm ? 10u : 80u);
  expect_reached(sweep, coverage, GetParam().target == "x86_64" ? 2 : 0);
  std::printf("CALLS target=%s sweep=sleds instructions=%zu hit=%zu interrupts=%llu\n",
              GetParam().target.c_str(), coverage.instructions, coverage.hit,
              static_cast<unsigned long long>(sweep.interrupts));
}

TEST_P(SledsTest, AnInterruptAtAnyInstructionOfASledWithLimitsLeavesEachCallAccountedFor) {
  sweep_calls(GetParam(), kSledsImage, "limited", 10'000);
}

// Their costs when last written down, in instructions.
struct SledLimit {
  const char* target;
  const char* record;
  double instructions;
};
constexpr SledLimit kSledCosts[] = {
    // Two branches that clang puts there; on x86-64 a jump, and a byte ahead of the return.
    {"aarch64", "sleds_unpatched", 2},    {"aarch64", "fdr_pair_sleds_off", 20},
    {"aarch64", "fdr_pair_sleds", 61.43}, {"x86_64", "sleds_unpatched", 2},
    {"x86_64", "fdr_pair_sleds_off", 4},  {"x86_64", "fdr_pair_sleds", 64.52},
    {"armv7a", "sleds_unpatched", 2},     {"armv7a", "fdr_pair_sleds_off", 36},
    {"armv7a", "fdr_pair_sleds", 105.06},
};

std::map<std::string, double> costs_of_sleds(const Image& image, const std::string& kernel) {
  const Booted run = boot({.build = image.build,
                           .image = kernel,
                           .arguments = "mode=sleds rounds=0",
                           .counting = true});
  EXPECT_EQ(run.status, 0) << read_file(run.uart);
  const std::map<std::string, double> costs = read_costs(read_file(run.uart));
  EXPECT_EQ(costs.size(), 3u);
  for (const auto& [record, cost] : costs) std::printf("%-20s %g\n", record.c_str(), cost);
  return costs;
}

TEST_P(SledsTest, APairOfCallsTakesNoMoreInstructionsThanItMay) {
  const Image& image = GetParam();
  const std::map<std::string, double> costs = costs_of_sleds(image, kSledsImage);
  for (const auto& [target, record, measured] : kSledCosts) {
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
  const Booted run =
      boot({.build = GetParam().build, .image = "kernel_functions", .arguments = "mode=sleds"});
  EXPECT_EQ(run.status, 0) << read_file(run.uart);
  EXPECT_TRUE(contains(read_file(run.uart), "SLEDS none"));
}

// Trampolines that read the address of a CPU's ring.
class RingRegisterSledsTest : public ::testing::TestWithParam<Image> {};
constexpr const char* kRingRegisterSledsImage = "kernel_xray_ring_register";

TEST_P(RingRegisterSledsTest, APairOfCallsTakesFewerInstructionsThanByTheNumber) {
  const double pair = costs_of_sleds(GetParam(), kRingRegisterSledsImage).at("fdr_pair_sleds");
  EXPECT_LE(pair, costs_of_sleds(GetParam(), kSledsImage).at("fdr_pair_sleds") - 4);
  EXPECT_LE(pair, 60);
}

TEST_P(RingRegisterSledsTest, AnInterruptAtAnyInstructionOfASledTearsNothing) {
  EXPECT_GT(sweep_calls(GetParam(), kRingRegisterSledsImage, "calls", 10'000).ways.size(), 0u);
}

std::vector<Image> images_with_sleds_and_ring_register() {
  std::vector<Image> images = images_with_sleds();
  std::erase_if(images, [](const Image& image) { return image.target == "armv7a"; });
  return images;
}

INSTANTIATE_TEST_SUITE_P(Targets, RingRegisterSledsTest,
                         ::testing::ValuesIn(images_with_sleds_and_ring_register()), name_of_image);
INSTANTIATE_TEST_SUITE_P(Targets, NoSledsTest, ::testing::ValuesIn(images_of({"aarch64"})),
                         name_of_image);
INSTANTIATE_TEST_SUITE_P(Targets, SledsTest, ::testing::ValuesIn(images_with_sleds()),
                         name_of_image);

}  // namespace
}  // namespace barefxt::test
