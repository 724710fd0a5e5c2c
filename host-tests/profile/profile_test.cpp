// Samples as `barefxt profile` shows them: functions, groups, forms.

#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>

#include <barefxt/host/archive_writer.h>

#include "archive/memory_archive.h"
#include "hostile/function_elf.h"
#include "hostile/shell.h"

namespace barefxt::test::profile_test {
namespace {

using Json = nlohmann::json;

constexpr uint64_t kCpus = 0x7e000000;
constexpr uint64_t kCpu0 = 0x7f000000;

class ProfileVerb : public Shell {
 protected:
  void SetUp() override {
    Shell::SetUp();
    name(11, "alpha");
    name(12, "beta");
    write_program("");
  }
  void write_program(const std::string& build_id) {
    const std::string names("\0main\0work\0help\0", 16);
    write("program.elf",
          function_elf(names, {{1, 0x10f0}, {6, 0x1100}, {11, 0x1200}}, {}, build_id));
  }
  void module(const std::string& build_id) {
    ASSERT_TRUE(writer_.profiler_module({.timestamp = ++time_,
                                         .thread = {0, kCpus, kCpu0},
                                         .name = "image",
                                         .build_id = build_id}));
  }

  void name(uint64_t koid, const char* text) {
    ASSERT_TRUE(writer_.kernel_object(koid, fxt::KernelObjectType::kThread,
                                      host::ArchiveText::spelled_out(text), {}));
  }
  void switch_to(uint64_t thread, uint8_t cpu) {
    add_switch(writer_, ++time_, cpu, {5, 99, 1}, fxt::ThreadState::kBlocked, {5, thread, 1});
  }
  // Innermost first.
  void sample(uint64_t thread, const std::vector<uint64_t>& frames, uint64_t process = 5) {
    ASSERT_TRUE(writer_.profiler_backtrace(
        {.timestamp = ++time_, .thread = {0, process, thread}, .frames = frames}));
  }
  void interrupt(fxt::EventType type, const char* what) {
    ASSERT_TRUE(add_event(writer_, type, ++time_, {0, kCpus, kCpu0}, "irq", what));
  }
  void lose(uint64_t records) {
    const auto count =
        host::ArchiveArgument::uint64(host::ArchiveText::spelled_out("records"), records);
    ASSERT_TRUE(add_event(writer_, fxt::EventType::kDurationComplete, time_, {0, kCpus, kCpu0},
                          "barefxt", "drop_stats", time_ + 1, {&count, 1}));
  }
  std::string profile(const std::string& options, int status = 0) {
    write("in.fxt", writer_.text());
    EXPECT_EQ(run("BAREFXT profile in.fxt " + options), status) << messages();
    return printed();
  }
  Json json(const std::string& options) { return Json::parse(profile("--json " + options)); }
  static std::map<std::string, std::pair<int, int>> functions(const Json& shown) {
    std::map<std::string, std::pair<int, int>> all;
    for (const Json& one : shown["functions"])
      all[one["function"]] = {one["self"].get<int>(), one["total"].get<int>()};
    return all;
  }
  void add_samples() {
    switch_to(11, 0);
    for (int i = 0; i < 3; ++i) sample(11, {0x1104, 0x10f8});
    sample(11, {0x1204, 0x1110, 0x10f8});
    switch_to(12, 1);
    sample(12, {0x1208, 0x1110});
  }

  MemoryArchive writer_{1'000'000};
  uint64_t time_ = 0;
};

TEST_F(ProfileVerb, AFunctionCountsOnceForEachSampleThatItIsOnThePathOf) {
  add_samples();
  sample(12, {0x1208, 0x110c, 0x1208, 0x1110});  // twice on its path
  const Json shown = json("--elf program.elf");
  EXPECT_EQ(shown["samples"], 6);
  EXPECT_EQ(functions(shown), (std::map<std::string, std::pair<int, int>>{
                                  {"main", {0, 4}}, {"work", {3, 6}}, {"help", {3, 3}}}));
}

TEST_F(ProfileVerb, AReturnAddressBehindACallAtTheEndBelongsToTheCaller) {
  switch_to(11, 0);
  sample(11, {0x1104, 0x1100});  // what main calls last never returns
  sample(11, {0x1100});
  const auto found = functions(json("--elf program.elf"));
  EXPECT_EQ(found.at("main"), (std::pair{0, 1}));
  EXPECT_EQ(found.at("work"), (std::pair{2, 2}));
}

TEST_F(ProfileVerb, AnAddressOutsideOfTheProgramIsUnknown) {
  switch_to(11, 0);
  sample(11, {0x10});
  EXPECT_EQ(functions(json("--elf program.elf")).at("[unknown]"), (std::pair{1, 1}));
}

TEST_F(ProfileVerb, ASignedReturnAddressOfAArch64IsTheSame) {
  switch_to(11, 0);
  sample(11, {0x1204, 0x002a000000001110});
  EXPECT_EQ(functions(json("--elf program.elf")).at("work"), (std::pair{0, 1}));
}

TEST_F(ProfileVerb, WithoutAProgramAddressesAreTheNames) {
  add_samples();
  EXPECT_EQ(functions(json("")).at("0x1104"), (std::pair{3, 3}));
  EXPECT_TRUE(contains(messages(), "without --elf IMAGE"));
}

TEST_F(ProfileVerb, AProgramOfAnotherBuildGivesNoNames) {
  write_program("abcd");
  module("abce");
  add_samples();
  const Json shown = Json::parse(profile("--json --elf program.elf", 3));
  EXPECT_EQ(functions(shown).at("0x1104"), (std::pair{3, 3}));
  EXPECT_TRUE(contains(messages(),
                       "recorded by another build than --elf names: by build id 61626365, not "
                       "61626364; functions have no names"));
}

TEST_F(ProfileVerb, AProgramOfTheSameBuildIsTakenInSilence) {
  write_program("abcd");
  module("ab");  // a target may send only the beginning
  module("other");
  add_samples();
  EXPECT_EQ(functions(json("--elf program.elf")).at("main"), (std::pair{0, 4}));
  EXPECT_EQ(messages(), "");
}

TEST_F(ProfileVerb, ABuildThatCannotBeComparedIsReported) {
  add_samples();
  EXPECT_EQ(functions(json("--elf program.elf")).at("main"), (std::pair{0, 4}));
  EXPECT_TRUE(contains(messages(), "--elf has no build id"));
  write_program("abcd");
  (void)json("--elf program.elf");
  EXPECT_TRUE(contains(messages(), "the samples have no build id"));
}

TEST_F(ProfileVerb, OnlyTheBuildsOfSampledProvidersAreCompared) {
  write_program("abcd");
  module("abcd");
  add_samples();
  writer_.provider_info(7, "other");
  writer_.initialization(1'000'000);
  module("abce");
  (void)json("--elf program.elf");
  EXPECT_EQ(messages(), "");
  sample(11, {0x1104});
  (void)profile("--elf program.elf", 3);
}

TEST_F(ProfileVerb, SamplesAreOfTheCpuOfTheirThreadAndOfTheInnermostInterruptThere) {
  switch_to(11, 0);
  sample(11, {0x1104});
  interrupt(fxt::EventType::kDurationBegin, "uart");
  interrupt(fxt::EventType::kDurationBegin, "timer");
  sample(11, {0x1104});
  interrupt(fxt::EventType::kDurationEnd, "timer");
  sample(kCpu0, {0x1104}, kCpus);
  interrupt(fxt::EventType::kDurationEnd, "uart");
  switch_to(11, 1);
  sample(11, {0x1104});
  std::vector<std::string> found;
  const Json shown = json("");
  for (const Json& group : shown["groups"])
    found.push_back(group["cpu"].dump() + " " + group["interrupt"].dump());
  EXPECT_EQ(found, (std::vector<std::string>{"0 null", "0 \"timer\"", "0 \"uart\"", "1 null"}));
}

TEST_F(ProfileVerb, BehindALossTheCpuAndTheInterruptAreUnknownAndTheLossIsCounted) {
  switch_to(11, 0);
  interrupt(fxt::EventType::kDurationBegin, "uart");
  lose(7);
  sample(11, {0x1104});
  const Json shown = json("");
  EXPECT_EQ(shown["lost_records"], 7);
  EXPECT_TRUE(shown["groups"][0]["cpu"].is_null());
  EXPECT_TRUE(shown["groups"][0]["interrupt"].is_null());
}

TEST_F(ProfileVerb, ASelectionChoosesSamplesByThreadTimeAndCpu) {
  add_samples();
  const auto samples = [&](const std::string& options) {
    return json(options)["samples"].get<int>();
  };
  EXPECT_EQ(samples("--thread alpha"), 4);
  EXPECT_EQ(samples("--cpu 1"), 1);
  EXPECT_EQ(samples("--to 3ticks"), 2);
  EXPECT_EQ(samples("--from 3ticks --cpu 0"), 3);
}

TEST_F(ProfileVerb, FoldedStacksHaveALineForEachPath) {
  add_samples();
  EXPECT_EQ(profile("--elf program.elf --to folded -o -"),
            "alpha;main;work 3\nalpha;main;work;help 1\nbeta;work;help 1\n");
}

TEST_F(ProfileVerb, SamplesAreGroupedByTheirProcess) {
  ASSERT_TRUE(writer_.kernel_object(5, fxt::KernelObjectType::kProcess,
                                    host::ArchiveText::spelled_out("kernel"), {}));
  add_samples();
  sample(13, {0x1104}, 6);
  EXPECT_EQ(profile("--elf program.elf --by process --to folded -o -"),
            "kernel;main;work 3\nkernel;main;work;help 1\nkernel;work;help 1\nprocess 6;work 1\n");
}

TEST_F(ProfileVerb, SpeedscopeHasAProfileForEachGroup) {
  add_samples();
  const Json file = Json::parse(profile("--elf program.elf --by cpu --to speedscope -o -"));
  ASSERT_EQ(file["profiles"].size(), 2u);
  const Json& first = file["profiles"][0];
  EXPECT_EQ(first["name"], "CPU 0");
  EXPECT_EQ(first["endValue"], 4);
  EXPECT_EQ(first["weights"], (Json{3, 1}));
  std::vector<std::string> names;
  for (const Json& frame : first["samples"][1])
    names.push_back(file["shared"]["frames"][frame.get<size_t>()]["name"]);
  EXPECT_EQ(names, (std::vector<std::string>{"main", "work", "help"}));
}

// Reads a message of protocol buffers: the content of each field of one number.
std::vector<std::string> fields(const std::string& message, uint64_t wanted) {
  std::vector<std::string> found;
  size_t at = 0;
  const auto number = [&] {
    uint64_t value = 0;
    for (unsigned shift = 0; at < message.size(); shift += 7) {
      const auto byte = static_cast<uint8_t>(message[at++]);
      value |= uint64_t{byte & 0x7fu} << shift;
      if (byte < 0x80) break;
    }
    return value;
  };
  while (at < message.size()) {
    const uint64_t tag = number();
    std::string content;
    if ((tag & 7) == 2) {
      const size_t bytes = number();
      content = message.substr(at, bytes);
      at += bytes;
    } else {
      content = std::to_string(number());
    }
    if (tag >> 3 == wanted) found.push_back(content);
  }
  return found;
}

TEST_F(ProfileVerb, PprofHasTheCountOfEachPathAndTheNamesOfItsFunctions) {
  add_samples();
  const std::string message = profile("--elf program.elf --to pprof -o -");
  const std::vector<std::string> strings = fields(message, 6);
  ASSERT_FALSE(strings.empty());
  EXPECT_EQ(strings[0], "");
  std::map<std::string, std::string> function_names;
  for (const std::string& function : fields(message, 5))
    function_names[fields(function, 1).at(0)] = strings.at(std::stoul(fields(function, 2).at(0)));
  std::map<std::string, std::string> locations;
  for (const std::string& location : fields(message, 4))
    locations[fields(location, 1).at(0)] =
        function_names.at(fields(fields(location, 4).at(0), 1).at(0));
  std::map<std::string, int> paths;
  for (const std::string& sample : fields(message, 2)) {
    const std::string label = fields(sample, 3).at(0);
    std::string path = strings.at(std::stoul(fields(label, 2).at(0)));
    for (const std::string& location : fields(sample, 1)) path += " " + locations.at(location);
    paths[path] += std::stoi(fields(sample, 2).at(0));
  }
  EXPECT_EQ(paths,
            (std::map<std::string, int>{
                {"alpha work main", 3}, {"alpha help work main", 1}, {"beta help work", 1}}));
}

TEST_F(ProfileVerb, TheTreeLeavesSmallPartsOutAndCountsThem) {
  switch_to(11, 0);
  for (int i = 0; i < 99; ++i) sample(11, {0x1104});
  sample(11, {0x1204});
  EXPECT_EQ(
      profile("--elf program.elf --least 2"),
      "100 samples\n\n  self   total  function\n 99.0%   99.0%  work\n  1.0%    1.0%  help\n\n"
      "100.0%  alpha\n 99.0%    work\n  1.0%    (others)\n");
}

TEST_F(ProfileVerb, ATraceWithoutSamplesIsNoFailureAndSaidSo) {
  switch_to(11, 0);
  EXPECT_EQ(json("")["samples"], 0);
  EXPECT_TRUE(contains(messages(), "no samples"));
}

TEST_F(ProfileVerb, AFormNeedsAnOutputAndAnOutputAForm) {
  for (const char* options : {"--to folded", "-o out", "--to nonsense -o out",
                              "--to folded --to pprof -o out", "--json --to folded -o out"})
    (void)profile(options, 2);
  EXPECT_TRUE(lacks(entries(), "out"));
}

}  // namespace
}  // namespace barefxt::test::profile_test
