// Calls of functions: the kernel is compiled with -finstrument-functions, and the archive has as
// many calls of each as the kernel counted, on the threads that made them.

#include <gtest/gtest.h>
#include <set>
#include <sstream>

#include "call_sweep.h"
#include "costs_file.h"
#include "events.h"
#include "function_calls.h"
#include "key_values.h"
#include "qemu.h"
#include "tally_lines.h"
#include "targets.h"

namespace barefxt::test {
namespace {

constexpr const char* kFunctionsImage = "kernel_functions";
constexpr const char* kBegin = "\"duration_begin\"";

class FunctionsTest : public ::testing::TestWithParam<Image> {
 protected:
  static std::string image() { return image_path(GetParam().build, kFunctionsImage); }

  static Output rebuild(const Booted& run, const std::string& elf) {
    return barefxt("rebuild " + run.file("trace.bin") + " --elf " + elf + " -o " +
                   run.file("t.fxt"));
  }

  static void expect_calls_as_counted(const Booted& run, const Tally& tally) {
    std::map<std::string, uint64_t> begins =
        begins_by_function(read_archive(run.file("t.fxt"), kBegin));
    ASSERT_EQ(tally.calls.size(), 5u);
    for (const auto& [function, count] : tally.calls) {
      EXPECT_GT(count, 0u) << function;
      EXPECT_EQ(begins[function], count) << function;
    }

    // Probes and calls nest in each other, and no end lacks its begin. Calls that were open at the
    // stop have no end.
    const Output lint = barefxt("lint " + run.file("t.fxt"));
    std::istringstream findings(lint.out);
    for (std::string finding; std::getline(findings, finding);)
      EXPECT_TRUE(finding.find("[duration-unmatched-begin]") != std::string::npos ||
                  finding.find("[tick-precision]") != std::string::npos)
          << finding;
  }

  static void expect_llvms_tools_to_read_them(const Booted& run, const Tally& tally) {
    const std::string map = run.file("mapped.elf");
    const std::string log = run.file("t.fdr");
    ASSERT_EQ(barefxt("convert " + image() + " --to xray-elf -o " + map).status, 0);
    // The content of a version does not depend on the target, nor which tool reads it.
    const bool all = is_full_run() || GetParam().target == "cortex-m3";
    for (const std::string& version :
         all ? std::vector<std::string>{"1", "3", "5"} : std::vector<std::string>{"5"}) {
      SCOPED_TRACE("version " + version);
      const Output converted = barefxt("convert " + run.file("t.fxt") + " --to fdr --fdr-version " +
                                       version + " --elf " + map + " -o " + log);
      ASSERT_EQ(converted.status, 0) << converted.err;
      for (const std::string tool : {"account", "stack", "graph"}) {
        if (!is_full_run() && !(all && version == "5")) break;
        const Output accepted = run_command("llvm-xray-19 " + tool + " " + log + " -m " + map);
        EXPECT_EQ(accepted.status, 0) << tool << ": " << accepted.err;
      }
      if (all) {
        EXPECT_EQ(run_command("llvm-xray-19 fdr-dump -verify " + log).status, 0);
      }
      const Output yaml =
          run_command("llvm-xray-19 convert " + log + " -m " + map + " -symbolize -f yaml");
      ASSERT_EQ(yaml.status, 0) << yaml.err;
      std::map<std::string, uint64_t> entries = entries_by_function(yaml.out);
      for (const auto& [function, count] : tally.calls)
        EXPECT_EQ(entries[function], count) << function;
    }
  }

  // Names of another build would be wrong, and no reader could see that.
  static void expect_no_names_of_another_build(const Booted& run) {
    const Output rebuilt = rebuild(run, image_path(GetParam().build));
    EXPECT_EQ(rebuilt.status, 3) << rebuilt.err;
    EXPECT_TRUE(contains(rebuilt.err, "recorded by another build than --elf names: by build id "));
    for (const auto& [function, count] :
         begins_by_function(read_archive(run.file("t.fxt"), kBegin)))
      EXPECT_EQ(function.find("function#"), 0u) << function;
  }
};

// And under their names alone, in the archive as in LLVM's tools.
TEST_P(FunctionsTest, TheArchiveHasAsManyCallsAsTheKernelCounted) {
  const Booted run = boot({.build = GetParam().build,
                           .image = kFunctionsImage,
                           .arguments = "seconds=1 workers=60 dump=file"});
  const std::string console = read_file(run.uart);
  ASSERT_EQ(run.status, 0) << read_file(run.file("qemu.log")) << console.substr(0, 2000);
  const Tally tally = read_tally(console);
  ASSERT_TRUE(tally.complete);
  ASSERT_EQ(tally.reported_lost, 0u);
  const Output rebuilt = rebuild(run, image());
  ASSERT_EQ(rebuilt.status, 0) << rebuilt.err;
  expect_calls_as_counted(run, tally);
  expect_llvms_tools_to_read_them(run, tally);
  expect_no_names_of_another_build(run);
}

void print(const Image& image, const std::string& what, const CallSweep& sweep,
           const CallCoverage& coverage) {
  std::printf("CALLS target=%s compiler=%s sweep=%s instructions=%zu hit=%zu interrupts=%llu\n",
              image.target.c_str(), image.compiler.c_str(), what.c_str(), coverage.instructions,
              coverage.hit, static_cast<unsigned long long>(sweep.interrupts));
}

// See sweep/calls.h: the kernel checks what its ring holds. That it was interrupted everywhere is
// checked here: of all experiments together, since a call may take another way when the upper bits
// of the time become others.
TEST_P(FunctionsTest, AnInterruptAtAnyInstructionOfACallTearsNothing) {
  const CallSweep sweep = sweep_calls(GetParam(), kFunctionsImage, "calls", 10'000);
  EXPECT_EQ(sweep.ways, std::set<std::string>{"hooks"});
  // Exceptions are the ways out if the category is off, and if the swap's own load finds another
  // value, which happens only to a hook that was interrupted already: up to three instructions a
  // hook. So is the jump to the code that limits calls, which is interrupted below.
  const CallCoverage coverage = coverage_of(
      sweep, GetParam(), kFunctionsImage,
      [](const std::string& function) {
        return function.find("__cyg_profile_func_") == 0 || contains(function, "record_call") ||
               contains(function, "record_long_call") ||
               contains(function, "record_disturbed_call");
      },
      "record_limited_call");
  EXPECT_GT(coverage.instructions, 80u);
  expect_reached(sweep, coverage, 6);
  print(GetParam(), "calls", sweep, coverage);
}

TEST_P(FunctionsTest, AnInterruptAtAnyInstructionOfACallWithLimitsLeavesEachAccountedFor) {
  const CallSweep sweep = sweep_calls(GetParam(), kFunctionsImage, "limited", 10'000);
  EXPECT_EQ(sweep.ways, (std::set<std::string>{"hooks", "hooks_unended", "hooks_within"}));
  // No experiment comes to these: a total's carry into its upper half, and a thread that loses its
  // index in the middle of a call.
  const CallCoverage coverage = coverage_of(
      sweep, GetParam(), kFunctionsImage,
      [](const std::string& function) {
        return contains(function, "take_limited_call") || contains(function, "record_limited_call");
      },
      {},
      {{"atomic.h", "if (now != epoch) epoch_.compare_exchange_relaxed(epoch, now)"},
       // Clang looks at the parities first, and adds only where there is a carry.
       {"atomic.h", "const uint32_t now = Halves::gone_by(epoch, low_.load_relaxed())"},
       {"call_limits.cpp", "call.words[2] = call.owner_process"},
       {"call_limits.cpp", "call.words[3] = call.owner_koid"},
       {"functions.cpp", "call.ring->call_base.set(call.segment, call.ticks)"}});
  EXPECT_GT(coverage.instructions, 80u);
  // Some of those have no line: the address of a total's upper half, and the way out behind it. And
  // a compiler may ask again if there is a stack.
  expect_reached(sweep, coverage, 8);
  print(GetParam(), "limited", sweep, coverage);
}

// Left-out calls are counted: the archive has for each function at most as many calls as the kernel
// counted, and in all no more are missing than were left out or are open.
using LimitedCallsTest = FunctionsTest;
TEST_P(LimitedCallsTest, CallsBeyondLimitsAreLeftOutAndCounted) {
  struct Limits {
    uint64_t deepest;
    uint64_t least;
  };
  for (const auto& [deepest, least] : {Limits{3, 0}, Limits{32, 1'000'000'000}}) {
    const Boot options = {.build = GetParam().build,
                          .image = kFunctionsImage,
                          .arguments = "seconds=1 workers=10 dump=file deepest=" +
                                       std::to_string(deepest) + " least=" + std::to_string(least)};
    SCOPED_TRACE(options.arguments);
    const Booted run = boot(options);
    const std::string console = read_file(run.uart);
    ASSERT_EQ(run.status, 0) << read_file(run.file("qemu.log")) << console.substr(0, 2000);
    const Output rebuilt =
        barefxt("rebuild " + run.file("trace.bin") + " --elf " +
                image_path(GetParam().build, kFunctionsImage) + " -o " + run.file("t.fxt"));
    ASSERT_EQ(rebuilt.status, 0) << rebuilt.err;
    const size_t at = console.find("LEFT ");
    ASSERT_NE(at, std::string::npos);
    std::istringstream words(console.substr(at + 5, console.find_first_of("\r\n", at) - at - 5));
    const KeyValues left = read_key_values(words);

    std::map<std::string, uint64_t> calls;
    for (const Json& record : read_archive(run.file("t.fxt"))) {
      if (!is_call(record, "duration_complete")) continue;
      ++calls[without_arguments(record.at("name"))];
      EXPECT_GE(record.at("end_timestamp").get<uint64_t>() - record.at("timestamp").get<uint64_t>(),
                least);
    }
    const Tally tally = read_tally(console);
    ASSERT_EQ(tally.reported_lost, 0u);
    uint64_t missing = 0;
    for (const auto& [function, count] : tally.calls) {
      EXPECT_LE(calls[function], count) << function;
      missing += count - calls[function];
    }
    EXPECT_LE(missing, number(left, "too_short") + number(left, "too_deep") +
                           number(left, "without_end") + number(left, "open"));
    // The dump had the numbers, and readers of the archive have them, too.
    const std::string message =
        std::to_string(number(left, "too_short") + number(left, "too_deep") +
                       number(left, "without_end") + number(left, "open")) +
        " calls left out by the limits on the target: " +
        std::to_string(number(left, "too_short")) + " too short, ";
    EXPECT_TRUE(contains(rebuilt.err, message));
    const Output stats = barefxt("stats --functions " + run.file("t.fxt"));
    EXPECT_TRUE(contains(stats.out, message));
    // However busy the host is, few calls take a second or more.
    EXPECT_EQ(number(left, "too_short") != 0, least != 0);
    if (least != 0) continue;
    EXPECT_FALSE(calls.empty());
    EXPECT_GT(number(left, "too_deep"), 0u);
    const Output lint = barefxt("lint " + run.file("t.fxt"));
    EXPECT_TRUE(lacks(lint.out, "[duration-")) << lint.out.substr(0, 1000);

    // In a log they begin and end in order of time, each within the one around it.
    const std::string map = run.file("mapped.elf");
    const std::string log = run.file("t.fdr");
    ASSERT_EQ(barefxt("convert " + image_path(GetParam().build, kFunctionsImage) +
                      " --to xray-elf -o " + map)
                  .status,
              0);
    const Output converted =
        barefxt("convert " + run.file("t.fxt") + " --to fdr --elf " + map + " -o " + log);
    ASSERT_EQ(converted.status, 0) << converted.err;
    EXPECT_EQ(converted.err, "") << "repairs";
    const Output accepted = run_command("llvm-xray-19 account " + log + " -m " + map);
    EXPECT_EQ(accepted.status, 0) << accepted.err;
    const Output yaml =
        run_command("llvm-xray-19 convert " + log + " -m " + map + " -symbolize -f yaml");
    std::map<std::string, uint64_t> entries = entries_by_function(yaml.out);
    for (const auto& [function, count] : tally.calls)
      EXPECT_EQ(entries[function], calls[function]) << function;
  }
}

// Their costs when last written down, in instructions, with GCC's code and with clang's.
struct CallLimit {
  const char* target;
  const char* record;
  double gcc;
  double clang;
};
constexpr CallLimit kCallCosts[] = {
    {"aarch64", "fdr_pair_instrument_functions", 69.93, 63.91},
    {"aarch64", "fdr_pair_instrument_functions_off", 24, 23},
    {"armv7a", "fdr_pair_instrument_functions", 86.11, 84.06},
    {"armv7a", "fdr_pair_instrument_functions_off", 17, 20},
    {"cortex-m3", "fdr_pair_instrument_functions", 70.06, 71.02},
    {"cortex-m3", "fdr_pair_instrument_functions_off", 17, 18},
    {"rv64", "fdr_pair_instrument_functions", 65.40, 65.34},
    {"rv64", "fdr_pair_instrument_functions_off", 22, 25},
    {"x86_64", "fdr_pair_instrument_functions", 73.01, 72.99},
    {"x86_64", "fdr_pair_instrument_functions_off", 13, 17},
};

// Measures an empty function (hooked_empty): its stack frame serves the hooks alone, and is part of
// their cost.
using CallCostTest = FunctionsTest;

TEST_P(CallCostTest, APairOfCallsTakesNoMoreInstructionsThanItMay) {
  const Image& image = GetParam();
  const Booted run = boot({.build = image.build,
                           .image = kFunctionsImage,
                           .arguments = "mode=sleds rounds=0",
                           .counting = true});
  ASSERT_EQ(run.status, 0) << read_file(run.uart);
  const std::map<std::string, double> costs = read_costs(read_file(run.uart));
  ASSERT_EQ(costs.size(), 2u);
  for (const auto& [target, record, gcc, clang] : kCallCosts) {
    if (image.target == target) {
      EXPECT_LE(costs.at(record), kWorse * (image.compiler == "gcc" ? gcc : clang)) << record;
    }
  }
  // Above a function without hooks. In clang's code for RISC-V the frame for two calls of hooks is
  // 17 of them, three more than GCC's.
  if (image.target == "cortex-m3" || image.target == "rv64") {
    EXPECT_LE(
        costs.at("fdr_pair_instrument_functions") + costs.at("fdr_pair_instrument_functions_off"),
        image.target == "rv64" && image.compiler == "clang" ? 91 : 90);
  }
  Json entries = Json::array();
  for (const auto& [record, instructions] : costs) {
    std::printf("%-34s %g\n", record.c_str(), instructions);
    entries.push_back({{"target", image.target},
                       {"compiler", image.compiler},
                       {"record", record},
                       {"instructions", instructions},
                       {"masked_instructions", 0}});
  }
  note_costs(entries);
}

BAREFXT_TEST_IMAGES(FunctionsTest, Portion::kAll, images_of({BAREFXT_FUNCTION_TARGETS}));
// The limits are the same code on each target: one with several CPUs, and one of 32 bits.
BAREFXT_TEST_IMAGES(LimitedCallsTest, Portion::kAll, images_of({BAREFXT_FUNCTION_TARGETS}),
                    {"aarch64", "cortex-m3"});
BAREFXT_TEST_IMAGES(CallCostTest, Portion::kCosts, images_of({BAREFXT_FUNCTION_TARGETS}));

}  // namespace
}  // namespace barefxt::test
