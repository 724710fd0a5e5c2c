// Samples taken by a timer's interrupt: the shares that `barefxt profile` shows, against what the
// kernel has counted under -icount, and the stacks, against those that gdb shows.

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <sstream>

#include "events.h"
#include "key_values.h"
#include "machine.h"
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
    run_ = boot({.build = GetParam().build,
                 .arguments = "mode=profile dump=uart " + arguments,
                 .counting = true});
    EXPECT_EQ(run_.status, 0) << read_file(run_.file("qemu.log")) << read_file(run_.uart);
    sampled_ = read_sampled(read_file(run_.uart));
    const Output shown =
        barefxt("profile --json " + run_.uart + " --elf " + image_path(GetParam().build));
    EXPECT_EQ(shown.status, 0) << shown.err;
    return shown.out.empty() ? Json() : Json::parse(shown.out);
  }

  void expect_shares(unsigned seed) {
    constexpr double kSamples = 8000;
    const Json shown = profile("records=8000 seed=" + std::to_string(seed));
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
      EXPECT_TRUE(contains(innermost["place"].get<std::string>(), "workload/profile.cpp:"));
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

  Booted run_;
  Sampled sampled_;
};

TEST_P(ProfileTest, SharesAreThoseOfTheInstructions) {
  // In a full run about 1,000 runs, over all images.
  const unsigned runs = is_full_run() ? 40 : 1;
  for (unsigned seed = 1; seed <= runs && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    expect_shares(seed);
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
  const Booted run = boot({.build = GetParam().build,
                           .arguments = "mode=demo samples=3 seconds=1 workers=20 dump=uart"});
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

// Addresses in the callers of a function, the innermost first, up to the kernel's entry.
using Callers = std::vector<uint64_t>;
constexpr const char* kEntry = "kernel_main";

// Those of each backtrace: lines "#3  0x000000004021899c in FUNCTION (...) at FILE:LINE", without
// an address for a function that was inlined into the next.
std::set<Callers> callers_in(const std::string& backtraces) {
  std::set<Callers> all;
  std::istringstream lines(backtraces);
  Callers callers;
  bool is_inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("#0 ")) {
      is_inside = true;
      callers.clear();
    } else if (is_inside && line.find(kEntry) != std::string::npos) {
      is_inside = false;
      all.insert(callers);
    } else if (const size_t at = line.find(" 0x"); is_inside && line[0] == '#' && at == 3) {
      callers.push_back(std::stoull(line.substr(at + 1), nullptr, 16));
    }
  }
  return all;
}

// Those of each sample that hit one of the functions that gdb stopped in, and how many samples.
std::map<Callers, double> callers_of_samples(const Json& profile, const Image& image) {
  // A return address to Thumb code has this in its lowest bit.
  const uint64_t thumb = image.target.starts_with("cortex-") ? 1 : 0;
  const std::set<std::string> leaves = {"profile_checksum", "profile_sort", "profile_receive"};
  std::map<Callers, double> all;
  for (const Json& stack : profile["stacks"]) {
    Callers callers;
    std::string leaf;
    for (const Json& frame : stack["frames"]) {
      if (frame.contains("inlined")) continue;
      if (frame["function"] == kEntry) break;
      if (leaf.empty())
        leaf = frame["function"];
      else
        callers.push_back(frame["address"].get<uint64_t>() & ~thumb);
    }
    if (leaves.count(leaf) != 0) all[callers] += stack["samples"].get<double>();
  }
  return all;
}

// QEMU's registers of a big-endian A64 machine are not as gdb takes them.
std::vector<Image> images_with_frames() {
  std::vector<Image> images = images_of(Machine::targets());
  images.erase(std::remove_if(images.begin(), images.end(),
                              [](const Image& image) {
                                return !has_frames(image) || image.target == "aarch64_be";
                              }),
               images.end());
  return images;
}

class StacksOfGdbTest : public ProfileTest {};

TEST_P(StacksOfGdbTest, AreThoseOfTheSamples) {
  std::set<Callers> expected;
  {
    const Boot options = {.build = GetParam().build, .arguments = "mode=profile", .extra = "-S"};
    const Machine machine(options);
    // Before the start the functions are called as well, from elsewhere. These are the calls of a
    // round.
    std::string commands = "-ex 'set width 0' -ex 'tbreak barefxt_start' -ex continue";
    for (const char* function :
         {"profile_checksum", "profile_sort", "profile_checksum", "profile_receive"})
      commands += std::string(" -ex 'tbreak ") + function + "' -ex continue -ex backtrace";
    const Output gdb = machine.gdb(commands + " -ex kill");
    expected = callers_in(gdb.out);
    ASSERT_EQ(expected.size(), 4u) << gdb.out << gdb.err;
  }
  // A run of its own: a stop by gdb makes QEMU's timers late, and counted time jump.
  constexpr double kSamples = 2000;
  std::map<Callers, double> found = callers_of_samples(profile("records=2000"), GetParam());
  double whole = 0;
  for (const Callers& callers : expected) {
    EXPECT_GT(found[callers], kSamples / 50) << callers.size() << " callers";
    whole += found[callers];
    found.erase(callers);
  }
  // A sample at the first or last instructions of a function lacks its caller.
  double others = 0;
  for (const auto& [callers, samples] : found) {
    others += samples;
    bool lacks_one = false;
    for (const Callers& each : expected)
      lacks_one |= Callers(each.begin() + 1, each.end()) == callers;
    EXPECT_TRUE(lacks_one) << samples << " samples in " << callers.size() << " callers";
  }
  EXPECT_LT(others, whole / 50);
}

BAREFXT_TEST_IMAGES(StacksOfGdbTest, Portion::kAll, images_with_frames());

}  // namespace
}  // namespace barefxt::test
