// Processes and threads that come and go in the kernel by the thousand, in threads and interrupts
// of all CPUs. The archive has each event "said" with its speaker and the names of that time, as
// the kernel recorded them.

#include <gtest/gtest.h>
#include <map>
#include <sstream>

#include "events.h"
#include "key_values.h"
#include "qemu.h"
#include "targets.h"

namespace barefxt::test {
namespace {

// The parts of a file, by the provider that each capture becomes: in the order of the modes.
constexpr const char* kModes[] = {"one-shot", "streaming", "circular"};

class Archive {
 public:
  explicit Archive(const std::vector<Json>& records) {
    for (const Json& record : records) {
      const std::string& kind = record.at("record").get_ref<const std::string&>();
      if (kind == "kernel_object") {
        Names& names = names_[record.value("provider", 0u)];
        names.last[record.at("koid")] = record.at("name");
      } else if (kind == "event") {
        see_event(record);
      }
    }
  }

  // Judges the events "said". Those whose thread is unknown, or whose names may have been lost with
  // records, are counted.
  //
  // A ring that passes over a segment with an unfinished record has a hole behind that segment. The
  // archive counts what was in it, but not at its place: it is found by the numbers of the events.
  void judge(unsigned provider) {
    const uint64_t end_of_holes = end_of_last_hole(provider);
    if (lost_until_.count(provider) == 0) {
      EXPECT_EQ(end_of_holes, 0u) << "a hole without a recorded loss";
    }
    lost_until_[provider] = std::max(lost_until_[provider], end_of_holes);
    for (const Json& event : events_[provider]) {
      ++count;
      const uint64_t thread = argument_word(*find_argument(event, "thread"));
      const uint64_t process = argument_word(*find_argument(event, "process"));
      const std::string name = find_argument(event, "name")->at("value");
      const uint64_t time = event.at("timestamp");
      const bool may_be_lost = time <= lost_until_[provider];
      if (may_be_lost && event.at("thread").get<uint64_t>() >= kOwnKoids) {
        ++unknown;
        continue;
      }
      EXPECT_EQ(event.at("thread"), thread) << event;
      EXPECT_EQ(event.at("process"), process) << event;
      if (may_be_lost) {
        ++not_judged;
        continue;
      }
      const Moment moment{time, event.at("place")};
      EXPECT_EQ(names_[provider].at(thread, moment), name) << event;
      EXPECT_EQ(names_[provider].at(process, moment), name) << event;
    }
  }

  void judge_all() {
    for (auto& [provider, events] : events_) judge(provider);
  }

  uint64_t count = 0;
  uint64_t unknown = 0;
  uint64_t not_judged = 0;

 private:
  static constexpr uint64_t kOwnKoids = 0x7d000000;

  // Records of one tick are in the order of their places in the archive.
  using Moment = std::pair<uint64_t, uint64_t>;
  struct Names {
    std::map<uint64_t, std::map<Moment, std::string>> until;
    std::map<uint64_t, std::string> last;

    std::string at(uint64_t koid, Moment moment) const {
      if (const auto found = until.find(koid); found != until.end())
        if (const auto next = found->second.upper_bound(moment); next != found->second.end())
          return next->second;
      const auto found = last.find(koid);
      return found == last.end() ? "" : found->second;
    }
  };

  // The time of the last event whose predecessor (of the same father) is missing; 0: none is.
  uint64_t end_of_last_hole(unsigned provider) {
    std::map<uint64_t, std::map<uint64_t, uint64_t>> times;  // by father and number
    for (const Json& event : events_[provider]) {
      const uint64_t father = argument_word(*find_argument(event, "process")) / 1000;
      times[father][argument_word(*find_argument(event, "number"))] = event.at("timestamp");
    }
    uint64_t end = 0;
    for (const auto& [father, of_father] : times) {
      uint64_t expected = of_father.begin()->first;
      for (const auto& [number, time] : of_father) {
        if (number != expected) end = std::max(end, time);
        expected = number + 1;
      }
    }
    return end;
  }

  void see_event(const Json& record) {
    const unsigned provider = record.value("provider", 0u);
    const std::string& name = record.at("name").get_ref<const std::string&>();
    if (name == "said") {
      events_[provider].push_back(record);
      events_[provider].back()["place"] = ++place_;
    } else if (name == "renamed") {
      const Moment moment{record.at("timestamp"), ++place_};
      names_[provider].until[argument_word(*find_argument(record, "koid"))][moment] =
          find_argument(record, "old")->at("value");
    } else if (name == "drop_stats") {
      uint64_t& until = lost_until_[provider];
      until = std::max(until, record.at("end_timestamp").get<uint64_t>());
    }
  }

  uint64_t place_ = 0;  // of the latest event or rename
  std::map<unsigned, std::vector<Json>> events_;
  std::map<unsigned, Names> names_;
  std::map<unsigned, uint64_t> lost_until_;
};

class LivesTest : public ::testing::TestWithParam<Image> {
 protected:
  // On all CPUs; or on one, with this number of interrupts a second. Time is counted in
  // instructions then.
  static void live(uint32_t interrupts_on_one_cpu);
};

void LivesTest::live(uint32_t interrupts_on_one_cpu) {
  Boot options = {
      .build = GetParam().build,
      .arguments = "mode=lives records=" + std::to_string(is_full_run() ? 20'000 : 1'000),
      .counting = interrupts_on_one_cpu != 0};
  if (options.counting) options.arguments += " rate=" + std::to_string(interrupts_on_one_cpu);
  const Booted run = boot(options);
  const std::string console = read_file(run.uart);
  ASSERT_EQ(run.status, 0) << console << read_file(run.file("qemu.log"));
  std::printf("%s", console.substr(console.find("LIVES")).c_str());
  const Output rebuilt = barefxt("rebuild " + run.file("trace.bin") + " -o " + run.file("t.fxt"));
  EXPECT_EQ(rebuilt.status, 0) << rebuilt.err;
  Archive archive(read_archive(run.file("t.fxt")));
  for (unsigned provider = 1; provider <= 3; ++provider) {
    archive.count = archive.unknown = archive.not_judged = 0;
    archive.judge(provider);
    std::printf("%s: %llu said, %llu of unknown threads, %llu before the last loss\n",
                kModes[provider - 1], static_cast<unsigned long long>(archive.count),
                static_cast<unsigned long long>(archive.unknown),
                static_cast<unsigned long long>(archive.not_judged));
    EXPECT_GT(archive.count - archive.unknown - archive.not_judged, 50u) << kModes[provider - 1];
  }
}

TEST_P(LivesTest, EveryProcessIsCalledAsTheKernelCalledItThen) { live(0); }

// A step of a process takes some 10,000 instructions, and an interrupt makes one: what it
// interrupts has to get on, too. RISC-V's machine counts a microsecond for each instruction, the
// others' less than 0.1.
using LivesOnOneCpuTest = LivesTest;
TEST_P(LivesOnOneCpuTest, EveryProcessIsCalledAsTheKernelCalledItThen) {
  live(GetParam().target.starts_with("rv") ? 5 : 1000);
}

// Prime, as in sweep_test.cpp. Most of what is interrupted is loops over the table.
constexpr uint32_t kEvery = 127;

class NamesSweepTest : public ::testing::TestWithParam<Image> {
 protected:
  void sweep(uint32_t later) {
    const Booted run = boot({.build = GetParam().build,
                             .arguments = "mode=sweep sweep=names every=" + std::to_string(kEvery) +
                                          " later=" + std::to_string(later),
                             .counting = true});
    const std::string console = read_file(run.uart);
    ASSERT_EQ(run.status, 0) << console << read_file(run.file("qemu.log"));
    std::map<std::string, uint64_t> interrupts;  // by mode
    std::istringstream lines(console);
    for (std::string line; std::getline(lines, line);) {
      std::istringstream words(line);
      std::string first;
      words >> first;
      if (first != "NAMES") continue;
      const KeyValues fields = read_key_values(words);
      EXPECT_GT(number(fields, "interrupts"), 0u) << line;
      interrupts[fields.at("mode")] += number(fields, "interrupts");
    }
    ASSERT_EQ(interrupts.size(), 3u) << console;
    const Output rebuilt = barefxt("rebuild " + run.file("trace.bin") + " -o " + run.file("t.fxt"));
    EXPECT_EQ(rebuilt.status, 0) << rebuilt.err;
    Archive archive(read_archive(run.file("t.fxt")));
    archive.judge_all();
    interrupts_ += interrupts["one-shot"] + interrupts["circular"] + interrupts["streaming"];
    events_ += archive.count;
    // Each of an experiment's processes records an event; a circular ring loses some.
    EXPECT_GT(archive.count, 5 * (interrupts["one-shot"] + interrupts["streaming"]));
    EXPECT_LE(20 * (archive.unknown + archive.not_judged), archive.count);
  }

  uint64_t interrupts_ = 0;
  uint64_t events_ = 0;
};

TEST_P(NamesSweepTest, ChangesInterruptedByOthersAtAnyInstructionLeaveEachItsName) {
  const uint32_t boots = is_full_run() ? kEvery : 1;
  for (uint32_t later = 0; later < boots && !HasFatalFailure(); ++later) sweep(later);
  std::printf("NAMES target=%s compiler=%s boots=%u interrupts=%llu said=%llu\n",
              GetParam().target.c_str(), GetParam().compiler.c_str(), boots,
              static_cast<unsigned long long>(interrupts_),
              static_cast<unsigned long long>(events_));
}

BAREFXT_TEST_IMAGES(LivesTest, Portion::kAll, all_images(), kOneOfEachKind);
BAREFXT_TEST_IMAGES(LivesOnOneCpuTest, Portion::kAll, images_of({"aarch64", "rv32", "rv64"}));
// One for each way to swap a word.
BAREFXT_TEST_IMAGES(NamesSweepTest, Portion::kAll,
                    images_of({"aarch64", "cortex-m0", "cortex-m3", "rv32", "rv64"}));

}  // namespace
}  // namespace barefxt::test
