// A runtime without segments (BAREFXT_LINEAR). The small demo, recorded once from boot on and
// dumped after the stop, has what its kernel counted. Measures what its records take.
//
// Under an instruction counter, so that each run is the same.

#include <algorithm>
#include <gtest/gtest.h>
#include <set>
#include <sstream>

#include "comparison.h"
#include "costs_file.h"
#include "key_values.h"
#include "linear_images.h"
#include "masked_windows.h"
#include "qemu.h"
#include "targets.h"

namespace barefxt::test {
namespace {

class LinearDemoTest : public ::testing::TestWithParam<Image> {
 protected:
  static Booted boot_linear(const Boot& options) {
    Booted run = boot(options);
    EXPECT_EQ(run.status, 0) << read_file(run.file("qemu.log")) << read_file(run.uart);
    return run;
  }
  // So that the kernel has time for more than its ticks.
  static Boot demo(const std::string& arguments) {
    Boot options = options_of_linear(GetParam(), arguments);
    if (GetParam().target.compare(0, 2, "rv") != 0) return options;
    options.counting = false;
    options.extra += " -smp 1 -icount shift=4,sleep=off";
    return options;
  }
};

std::vector<Json> rebuild(const Booted& run) {
  const Output rebuilt = barefxt("rebuild " + run.uart + " -o " + run.file("trace.fxt"));
  EXPECT_EQ(rebuilt.status, 0) << rebuilt.err;
  return read_archive(run.file("trace.fxt"));
}
Json stats_of(const Booted& run) {
  return Json::parse(barefxt("stats --json " + run.file("trace.fxt")).out);
}

std::string after(const std::string& text, const std::string& mark) {
  const size_t at = text.find(mark);
  return at == std::string::npos ? std::string() : text.substr(at + mark.size());
}

KeyValues line_of(const std::string& console, const std::string& mark) {
  std::istringstream line(after(console, mark).substr(0, 200));
  std::string text;
  std::getline(line, text);
  std::istringstream words(text);
  return read_key_values(words);
}

const std::set<std::string> kLinearThreads = {"idle/0",      "sensor/conductor", "sensor/adc",
                                              "sensor/imu",  "sensor/filter",    "network/tx",
                                              "network/poll"};

std::set<std::string> threads_that_ran(const Json& stats) {
  std::set<std::string> names;
  for (const Json& thread : stats.at("threads"))
    if (thread.at("running_ticks") > 0) names.insert(thread.at("name").get<std::string>());
  return names;
}

TEST_P(LinearDemoTest, TheArchiveSaysWhatTheKernelCounted) {
  // More than a ring of a CPU of 32 bits uses.
  const Booted run = boot_linear(demo("ring=131072"));
  const Tally tally = read_tally(read_file(run.uart));
  const std::vector<Json> archive = rebuild(run);
  EXPECT_EQ(tally.reported_lost, 0u);
  EXPECT_EQ(tally.reported_unfinished, 0u);
  EXPECT_EQ(tally.reported_recorded, tally.records);
  EXPECT_GT(tally.records, 3000u);
  EXPECT_EQ(tally.processes.size(), 2u);
  EXPECT_EQ(tally.threads.size(), kLinearThreads.size());
  EXPECT_FALSE(tally.brackets.empty());
  const std::vector<std::string> differences = compare(tally, archive);
  EXPECT_TRUE(differences.empty()) << join(differences);
  const Output lint = barefxt("lint " + run.file("trace.fxt"));
  EXPECT_EQ(lint.status, 0) << lint.out << lint.err;
  const Output doctor = barefxt("doctor " + run.uart);
  EXPECT_EQ(doctor.status, 0) << doctor.out << doctor.err;

  const Json stats = stats_of(run);
  ASSERT_EQ(stats.at("cpus").size(), 1u);
  const Json& cpu = stats.at("cpus")[0];
  EXPECT_EQ(cpu.at("unknown_ticks"), 0);
  EXPECT_EQ(cpu.at("lost_ticks"), 0);
  uint64_t switches_away = 0;
  for (const char* why : {"preempted", "yielded", "blocked"})
    switches_away += cpu.at(why).get<uint64_t>();
  EXPECT_EQ(switches_away, tally.switches.at(0).count);
  EXPECT_EQ(threads_that_ran(stats), kLinearThreads);
  EXPECT_TRUE(stats.at("losses").empty());
  // Each thread has a process and a name; the pseudo-thread, too.
  std::set<std::string> named;
  for (const Json& record : archive)
    if (record.at("record") == "kernel_object") named.insert(record.at("name").get<std::string>());
  for (const char* name : {"sensor", "network", "cpu-0"}) EXPECT_EQ(named.count(name), 1u) << name;
}

// ---- Full

// The archive up to where each sequence has as many as were counted at the kernel's last look that
// found nothing lost.
struct Cut {
  uint64_t switches;
  uint64_t interrupts;
  uint64_t wakeups;
};

std::vector<Json> cut(const std::vector<Json>& archive, Cut left) {
  std::vector<Json> first;
  for (const Json& record : archive) {
    const std::string kind = record.at("record");
    if (kind == "context_switch" && left.switches-- == 0) break;
    if (kind == "context_switch") first.push_back(record);
  }
  for (const Json& record : archive) {
    if (record.at("record") == "kernel_object") first.push_back(record);
    if (record.at("record") == "thread_wakeup" && left.wakeups != 0) {
      --left.wakeups;
      first.push_back(record);
    }
    if (record.at("record") != "event" || record.at("category") != "irq" || left.interrupts == 0)
      continue;
    // The look is taken between the last one's entry and its exit.
    if (record.at("event") == "duration_begin") --left.interrupts;
    first.push_back(record);
  }
  // Their order in the archive counts, too: no time may run back.
  std::stable_sort(first.begin(), first.end(), [](const Json& a, const Json& b) {
    return a.value("timestamp", uint64_t{0}) < b.value("timestamp", uint64_t{0});
  });
  return first;
}

// The sequences, in a tally without other counts.
Tally tally_of_first(const std::string& console, const Tally& all, const Cut& counts) {
  const auto hash = [&console](const std::string& what) {
    return number(line_of(console, "FIRST " + what), "hash");
  };
  constexpr uint64_t kHashOfNothing = 0xcbf29ce484222325;
  Tally first;
  first.complete = all.complete;
  first.cpus = all.cpus;
  first.switches[0] = {counts.switches, hash("switches")};
  first.interrupts[0] = {counts.interrupts, hash("interrupts")};
  first.wakeups[0] = {counts.wakeups, hash("wakeups")};
  first.messages[0] = {0, kHashOfNothing};
  first.processes = all.processes;
  first.threads = all.threads;
  return first;
}

// Nothing is wrong but that what was begun has no end.
void expect_only_ends_to_be_missing(const std::string& archive) {
  const std::set<std::string> expected = {"wide-integer", "duration-unmatched-begin",
                                          "flow-unmatched-begin", "async-unmatched-begin"};
  std::istringstream findings(barefxt("lint --json " + archive).out);
  for (std::string line; std::getline(findings, line);)
    EXPECT_EQ(expected.count(Json::parse(line).at("rule")), 1u) << line;
}

bool is_by_host(const Json& record) {
  return record.at("record") == "event" && record.at("category") == "barefxt";
}

TEST_P(LinearDemoTest, AFullRingHoldsExactlyTheFirstRecordsAndTheRestIsOneGap) {
  const Booted run = boot_linear(demo("ring=8192"));
  const std::string console = read_file(run.uart);
  const Tally tally = read_tally(console);
  const std::vector<Json> archive = rebuild(run);
  EXPECT_GT(tally.reported_lost, 1000u);
  EXPECT_EQ(tally.reported_unfinished, 0u);
  EXPECT_EQ(tally.reported_recorded + tally.reported_lost, tally.records);
  const RecordCounts counts = count_records(archive);
  EXPECT_EQ(counts.recorded, tally.reported_recorded);
  EXPECT_EQ(counts.lost, tally.reported_lost);
  EXPECT_EQ(counts.provider_events, 1u);

  expect_only_ends_to_be_missing(run.file("trace.fxt"));

  // Nothing was recorded once something was lost.
  const uint64_t recorded_then = number(line_of(console, "FULL"), "recorded");
  EXPECT_EQ(recorded_then, tally.reported_recorded);
  // And ahead of that nothing is missing: up to a tick before.
  const auto count = [&console](const std::string& what) {
    return number(line_of(console, "FIRST " + what), "count");
  };
  const Cut first = {count("switches"), count("interrupts"), count("wakeups")};
  EXPECT_LE(count("records"), recorded_then);
  EXPECT_GT(first.switches, 50u);
  const std::vector<std::string> differences =
      compare(tally_of_first(console, tally, first), cut(archive, first));
  EXPECT_TRUE(differences.empty()) << join(differences);

  // The gap is reported once, behind all recorded events.
  unsigned gaps = 0;
  uint64_t last = 0;
  for (const Json& record : archive) {
    if (is_by_host(record)) {
      ++gaps;
      EXPECT_EQ(record.at("timestamp"), last);
      EXPECT_GT(record.at("end_timestamp"), last);
    } else if (record.contains("timestamp")) {
      EXPECT_EQ(gaps, 0u) << record;
      last = record.at("timestamp");
    }
  }
  EXPECT_EQ(gaps, 1u);

  const Json stats = stats_of(run);
  ASSERT_EQ(stats.at("losses").size(), 1u);
  EXPECT_EQ(stats.at("losses")[0].at("records"), tally.reported_lost);
  EXPECT_EQ(threads_that_ran(stats), kLinearThreads);
}

TEST_P(LinearDemoTest, WhatItsImageHasNotIsRefused) {
  const Booted run = boot(options_of_linear(GetParam(), "mode=records"));
  EXPECT_NE(run.status, 0);
  EXPECT_TRUE(contains(read_file(run.uart), "without segments knows"));
}

// ---- Costs

// Measured; with the runtime at the level for size. An event loads a word and joins it to its
// thread, so that none is credited to the thread of a switch that was turned off in the middle.
struct LinearLimit {
  const char* build;
  double context_switch;
  double instant;
  double instant_1_u32;
};
constexpr LinearLimit kLinearLimits[] = {
    {"aarch64", 80, 74, 80},         {"cortex-m0", 116, 113, 127}, {"cortex-m3", 93, 87, 89},
    {"cortex-m3-clang", 86, 85, 87}, {"m68k", 110, 94, 113},       {"rv32", 79, 77, 85},
    {"rv32-no-a", 83, 81, 89},
};

TEST_P(LinearDemoTest, NoRecordHasBecomeMoreThanTwoPercentDearer) {
  std::map<std::string, double> costs =
      read_costs(read_file(boot_linear(options_of_linear(GetParam(), "mode=cost")).uart));
  ASSERT_EQ(costs.count("context_switch"), 1u);
  EXPECT_GE(costs.at("context_switch"), 20) << "fewer than the protocol needs: a wrong count";
  EXPECT_LE(costs.at("disabled_probe"), kDisabledProbe + kResolution);
  for (const auto& [record, instructions] : costs)
    std::printf("LINEAR target=%s compiler=%s record=%s instructions=%g\n",
                GetParam().target.c_str(), GetParam().compiler.c_str(), record.c_str(),
                instructions);
  for (const LinearLimit& limit : kLinearLimits) {
    if (GetParam().build != limit.build) continue;
    EXPECT_LE(costs.at("context_switch"), limit.context_switch * kWorse);
    EXPECT_LE(costs.at("instant"), limit.instant * kWorse);
    EXPECT_LE(costs.at("instant_1_u32"), limit.instant_1_u32 * kWorse);
    return;
  }
  ADD_FAILURE() << GetParam().build << " has no counts in kLinearLimits";
}

TEST_P(LinearDemoTest, InterruptsAreMaskedForFewInstructionsOrNever) {
  const MaskedWindows windows =
      masked_windows_of(functions_of(image_path(GetParam().build, kLinearImage)));
  EXPECT_TRUE(windows.endless.empty()) << windows.endless.front();
  std::printf("LINEAR target=%s compiler=%s masked_instructions=%zu\n", GetParam().target.c_str(),
              GetParam().compiler.c_str(), windows.longest);
  const bool masks = GetParam().target == "rv32-no-a" || GetParam().target == "cortex-m0";
  EXPECT_EQ(windows.longest > 0, masks);
  EXPECT_LE(windows.longest, kMaxMasked);
}

INSTANTIATE_TEST_SUITE_P(Targets, LinearDemoTest, ::testing::ValuesIn(linear_images()),
                         name_of_image);

}  // namespace
}  // namespace barefxt::test
