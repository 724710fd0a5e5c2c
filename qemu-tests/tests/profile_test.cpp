// Samples taken by a timer's interrupt: the shares that `barefxt profile` shows, against what the
// kernel has counted under -icount.

#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <sstream>

#include "events.h"
#include "key_values.h"
#include "qemu.h"
#include "targets.h"

namespace barefxt::test {
namespace {

struct Counted {
  double total = 0;
  double self = 0;
};

// The mode "profile" prints this.
struct Sampled {
  std::map<std::string, Counted> functions;
  uint64_t taken = 0;
  uint64_t recorded = 0;
  uint64_t lost = 0;

  double all() const {
    double sum = 0;
    for (const auto& [name, counted] : functions) sum += counted.self;
    return sum;
  }
};

Sampled read_sampled(const std::string& console) {
  Sampled sampled;
  std::istringstream lines(console);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string first;
    words >> first;
    if (first == "FUNCTION") {
      const KeyValues values = read_key_values(words);
      sampled.functions[values.at("name")] = {static_cast<double>(number(values, "total")),
                                              static_cast<double>(number(values, "self"))};
    } else if (first == "SAMPLES") {
      const KeyValues values = read_key_values(words);
      sampled.taken = number(values, "taken");
      sampled.recorded = number(values, "recorded");
      sampled.lost = number(values, "lost");
    }
  }
  return sampled;
}

// GCC's Thumb code has no chain of frames.
bool has_frames(const Image& image) {
  return image.compiler == "clang" || !image.target.starts_with("cortex-");
}

// `hits` of `samples` where each hits with this chance: four standard deviations, and a sample for
// what little the kernel counts of the call.
void expect_share(double hits, double samples, double chance, const std::string& what) {
  const double error = 4 * std::sqrt(samples * chance * (1 - chance)) + 1;
  EXPECT_NEAR(hits, samples * chance, error) << what << " of " << samples;
}

class ProfileTest : public ::testing::TestWithParam<Image> {
 protected:
  // Boots mode "profile", and returns what `barefxt profile --json` says of it.
  Json profile(const std::string& arguments) {
    Boot options;
    options.build = GetParam().build;
    options.counting = true;
    options.arguments = "mode=profile dump=uart " + arguments;
    run_ = boot(options);
    EXPECT_EQ(run_.status, 0) << read_file(run_.file("qemu.log")) << read_file(run_.uart);
    sampled_ = read_sampled(read_file(run_.uart));
    const Output shown =
        barefxt("profile --json " + run_.uart + " --elf " + image_path(GetParam().build));
    EXPECT_EQ(shown.status, 0) << shown.err;
    return shown.out.empty() ? Json() : Json::parse(shown.out);
  }

  Booted run_;
  Sampled sampled_;
};

TEST_P(ProfileTest, SharesAreThoseOfTheInstructions) {
  constexpr double kSamples = 8000;
  const Json shown = profile("records=8000");
  ASSERT_EQ(shown["samples"], kSamples);
  EXPECT_EQ(shown["lost_records"], 0);
  ASSERT_EQ(sampled_.functions.size(), 6u);
  // By the function that holds the code: nearly all of it is inlined.
  std::map<std::string, Counted> found;
  double inlined = 0;
  for (const Json& stack : shown["stacks"]) {
    const double samples = stack["samples"];
    std::set<std::string> holders;
    for (const Json& frame : stack["frames"]) {
      if (frame.contains("inlined")) continue;
      if (holders.empty()) found[frame["function"]].self += samples;
      holders.insert(frame["function"]);
    }
    for (const std::string& holder : holders) found[holder].total += samples;
    const Json& innermost = stack["frames"][0];
    const std::string name = innermost["function"];
    if (name.find("spin") == std::string::npos) continue;
    inlined += samples;
    EXPECT_NE(innermost["place"].get<std::string>().find("workload/profile.cpp:"),
              std::string::npos);
  }
  EXPECT_GT(inlined, 0.98 * kSamples);
  // The tracer itself and the loop around it are not counted.
  double known = 0;
  for (const auto& [name, counted] : sampled_.functions) known += found[name].self;
  EXPECT_GT(known, 0.98 * kSamples);
  for (const auto& [name, counted] : sampled_.functions) {
    expect_share(found[name].self, known, counted.self / sampled_.all(), name);
    if (has_frames(GetParam()))
      expect_share(found[name].total, known, counted.total / sampled_.all(), name + " in all");
  }
}

TEST_P(ProfileTest, SamplesBelongToTheThreadAndTheInterruptThatTheyHit) {
  const Json shown = profile("records=4000");
  std::map<std::string, double> hits;
  double all = 0;
  for (const Json& group : shown["groups"]) {
    EXPECT_EQ(group["cpu"], 0) << group;
    const double samples = group["samples"];
    all += samples;
    if (group["interrupt"].is_null())
      hits[group["thread"]] += samples;
    else
      hits[group["interrupt"]] += samples;
  }
  EXPECT_EQ(all, 4000);
  ASSERT_EQ(hits.size(), 3u);
  // A hundredth more for what is not counted.
  const auto expect_near = [&](const char* who, const char* function) {
    const double chance = sampled_.functions.at(function).total / sampled_.all();
    EXPECT_NEAR(hits[who], all * chance, 4 * std::sqrt(all * chance * (1 - chance)) + all / 100)
        << who;
  };
  expect_near("encoder", "profile_encode");
  expect_near("server", "profile_serve");
  expect_near("receive", "profile_receive");
}

// The file's name and the line, of "FOLDERS/file:line" and of "FOLDERS/file:line:column".
std::string short_place(std::string place, bool has_column) {
  if (has_column) place.resize(place.rfind(':'));
  const size_t folder = place.rfind('/');
  return folder == std::string::npos ? place : place.substr(folder + 1);
}

TEST_P(ProfileTest, LinesAndInlinedFunctionsAreThoseOfLlvmsSymbolizer) {
  ASSERT_STRNE(BAREFXT_SYMBOLIZER, "");
  const Json shown = profile("records=1500");
  // Innermost first; an inlined function's caller has the same address.
  std::map<uint64_t, std::vector<std::string>> ours;
  for (const Json& stack : shown["stacks"]) {
    std::vector<std::string> places;
    for (const Json& frame : stack["frames"]) {
      places.push_back(short_place(frame.value("place", "??:0"), false));
      if (frame.contains("inlined")) continue;
      ours[frame["address"]] = places;
      break;
    }
  }
  std::ostringstream line;
  line << BAREFXT_SYMBOLIZER << " --obj=" << image_path(GetParam().build) << std::hex;
  for (const auto& [address, places] : ours) line << " 0x" << address;
  const Output theirs = run_command(line.str());
  std::istringstream lines(theirs.out);
  size_t compared = 0;
  for (const auto& [address, places] : ours) {
    std::vector<std::string> expected;
    for (std::string function, place; std::getline(lines, function) && !function.empty();) {
      std::getline(lines, place);
      expected.push_back(short_place(place, true));
    }
    // Line 0 is code that has no line.
    if (expected.empty() || expected[0].ends_with(":0")) continue;
    ++compared;
    EXPECT_EQ(places, expected) << std::hex << address;
  }
  EXPECT_GT(compared, 10u);
}

TEST_P(ProfileTest, WhatARingHadNoRoomForIsCounted) {
  const Json shown = profile("records=2000 ring=16384");
  EXPECT_GT(sampled_.lost, 0u);
  EXPECT_EQ(shown["lost_records"], sampled_.lost);
  EXPECT_GT(shown["samples"], 0);
  EXPECT_LT(shown["samples"], 2000);
}

// The demo with all CPUs: the sampling timer is the kernel's tick as well, each third time. How
// often it comes is up to this machine.
TEST_P(ProfileTest, ATimerSamplesEachCpuOfTheDemoAsOftenInEachTick) {
  constexpr int kSamples = 3;
  constexpr uint64_t kFirstCpuThread = 0x7f000000;
  Boot options;
  options.build = GetParam().build;
  options.arguments = "mode=demo samples=3 seconds=1 workers=20 dump=uart";
  const Booted run = boot(options);
  ASSERT_EQ(run.status, 0) << read_file(run.file("qemu.log")) << read_file(run.uart);
  std::map<uint64_t, int> ticks;
  for (const Json& record : read_archive(run.uart, "timer"))
    if (record.value("event", "") == "duration_begin")
      ++ticks[record["thread"].get<uint64_t>() - kFirstCpuThread];
  const Output shown =
      barefxt("profile --json " + run.uart + " --elf " + image_path(GetParam().build));
  ASSERT_EQ(shown.status, 0) << shown.err;
  const Json profile = Json::parse(shown.out);
  EXPECT_EQ(profile["lost_records"], 0);
  std::map<uint64_t, int> samples;
  for (const Json& group : profile["groups"])
    if (!group["cpu"].is_null()) samples[group["cpu"]] += group["samples"].get<int>();
  ASSERT_EQ(samples.size(), GetParam().cpus);
  for (const auto& [cpu, count] : samples) {
    EXPECT_GT(count, 50) << cpu;
    // Recording begins and ends within a tick, and a CPU is unknown until its first switch.
    EXPECT_NEAR(count, kSamples * ticks[cpu], 4 * kSamples) << cpu;
  }
}

BAREFXT_TEST_IMAGES(ProfileTest, Portion::kAll);

}  // namespace
}  // namespace barefxt::test
