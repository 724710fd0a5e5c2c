// barefxt stats as scripts and pipelines use it: what is chosen, budgets, baselines.
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sstream>
#include <sys/wait.h>

#include <barefxt/host/archive_writer.h>

#include "archive/memory_sink.h"
#include "everything.h"
#include "thread_name.h"

namespace barefxt::test::stats_command_test {
namespace {

using host::ArchiveArgument;
using host::ArchiveText;

struct CommandResult {
  int status;
  std::string out;
  std::string err;
};

std::string text_of_file(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// A thread `control` that is woken every millisecond, and runs so many microseconds later; it waits
// for the lock `bus` that `log` holds, while `net`, of a priority in between, runs.
std::string archive(const std::vector<uint64_t>& latencies) {
  constexpr uint64_t kIdle = 9;
  constexpr uint64_t kControl = 1;
  constexpr uint64_t kLog = 2;
  constexpr uint64_t kNet = 3;
  MemorySink sink;
  host::ArchiveWriter writer(sink, host::ByteOrder::kLittle);
  writer.magic_number();
  writer.initialization(1'000'000);
  name_thread(writer, kIdle, 0, "idle/0");
  name_thread(writer, kControl, 5, "control");
  name_thread(writer, kLog, 5, "log");
  name_thread(writer, kNet, 5, "net");
  const auto priority = [](uint64_t thread) -> uint8_t {
    return thread == kControl ? 30 : thread == kNet ? 20 : thread == kLog ? 10 : 0;
  };
  const auto change = [&](uint64_t time, uint64_t out, fxt::ThreadState state, uint64_t in) {
    writer.legacy_context_switch({.timestamp = time,
                                  .cpu = 0,
                                  .outgoing_state = state,
                                  .outgoing = {0, 5, out},
                                  .incoming = {0, 5, in},
                                  .outgoing_priority = priority(out),
                                  .incoming_priority = priority(in)});
  };
  const auto wake = [&](uint64_t time, uint64_t thread) {
    (void)writer.thread_wakeup({.timestamp = time, .cpu = 0, .thread = thread}, {});
  };
  uint64_t now = 1000;
  for (const uint64_t latency : latencies) {
    wake(now, kControl);
    change(now + latency, kIdle, fxt::ThreadState::kNew, kControl);
    change(now + latency + 10, kControl, fxt::ThreadState::kBlocked, kIdle);
    now += 1000;
  }
  wake(now, kLog);
  change(now + 1, kIdle, fxt::ThreadState::kNew, kLog);
  wake(now + 2, kControl);
  change(now + 3, kLog, fxt::ThreadState::kNew, kControl);
  change(now + 5, kControl, fxt::ThreadState::kBlocked, kLog);  // waits for log
  wake(now + 6, kNet);
  change(now + 7, kLog, fxt::ThreadState::kNew, kNet);
  change(now + 107, kNet, fxt::ThreadState::kBlocked, kLog);
  wake(now + 108, kControl);
  change(now + 109, kLog, fxt::ThreadState::kNew, kControl);
  const auto mutex = ArchiveArgument::pointer(ArchiveText::spelled_out("mutex"), 4096);
  (void)writer.event({.type = fxt::EventType::kDurationComplete,
                      .timestamp = now + 4,
                      .thread = {0, 5, kControl},
                      .category = ArchiveText::spelled_out("lock"),
                      .name = ArchiveText::spelled_out("bus"),
                      .trailing_word = now + 110},
                     {&mutex, 1});
  (void)writer.flush();
  return {sink.bytes().begin(), sink.bytes().end()};
}

// With one blank between words, and no line ends: wherever the lines are broken.
std::string words_of(const std::string& text) {
  std::istringstream stream(text);
  std::string words;
  for (std::string word; stream >> word;) words += (words.empty() ? "" : " ") + word;
  return words;
}

class StatsCommand : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = ::testing::TempDir() + "barefxt-stats-XXXXXX";
    ASSERT_NE(::mkdtemp(folder_.data()), nullptr);
    write("trace.fxt", archive(std::vector<uint64_t>(200, 30)));
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return folder_ + "/" + name; }
  void write(const std::string& name, const std::string& bytes) const {
    std::ofstream(path(name), std::ios::binary) << bytes;
  }

  CommandResult run(const std::string& arguments) const {
    const std::string line = "cd '" + folder_ + "' && '" BAREFXT_COMMAND "' stats " + arguments +
                             " >'" + path("out") + "' 2>'" + path("err") + "'";
    const int status = std::system(line.c_str());  // NOLINT(cert-env33-c)
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, text_of_file(path("out")),
            text_of_file(path("err"))};
  }
  CommandResult held_to(const std::string& budget, const std::string& more = {}) const {
    write("budget", budget);
    return run("trace.fxt --budget budget " + more);
  }

 private:
  std::string folder_;
};

TEST_F(StatsCommand, ABudgetThatIsKeptIsDone) {
  const CommandResult ran = held_to(
      "# what control may take\n"
      "wakeup_latency thread=control p99 <= 30us\n"
      "wakeup_latency thread=\"con*\" max < 31 us   # the same\n"
      "busy cpu=0 share <= 5%\n"
      "losses records = 0\n"
      "priority_inversion? thread=net count = 0\n"
      "runs thread=control count >= 200\n");
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(ran.err, "");
}

TEST_F(StatsCommand, AViolatedBudgetIsOneWithAPlace) {
  std::vector<uint64_t> latencies(200, 30);
  latencies[70] = 400;
  write("trace.fxt", archive(latencies));
  const CommandResult ran = held_to(
      "wakeup_latency thread=control p99 <= 30us\n"
      "wakeup_latency thread=control max <= 50us\n");
  EXPECT_EQ(ran.status, 1);
  EXPECT_NE(ran.err.find("budget:2: violated: wakeup_latency thread=control max is 400.000 us, and "
                         "may be at most 50.000 us; the longest is from 0.071000000 to 0.071400000 "
                         "(record at offset "),
            std::string::npos)
      << ran.err;
  // Behind it, why: this trace does not show it.
  const size_t why = ran.err.find('\n') + 1;
  EXPECT_EQ(ran.err.find("violated", why), std::string::npos);
  EXPECT_NE(ran.err.find("control", why), std::string::npos) << ran.err;
  EXPECT_LE(std::count(ran.err.begin(), ran.err.end(), '\n'), 11);
}

TEST_F(StatsCommand, ALineAboutNothingIsNotJudged) {
  const char* const line = "wakeup_latency thread=controll p99 <= 30us\n";
  const CommandResult ran = held_to(line, "--junit junit.xml");
  EXPECT_EQ(ran.status, 1);
  EXPECT_NE(ran.err.find("budget:1: not judged: this trace has nothing for this line (did you mean "
                         "'control'?) (write"),
            std::string::npos)
      << ran.err;
  // A name that is far from all of them, and one that is there, on a CPU that is not.
  for (const char* other_line : {"wakeup_latency thread=zzzzzzzz p99 <= 30us\n",
                                 "running_on thread=control cpu=7 total <= 30us\n"}) {
    const CommandResult other = held_to(other_line);
    EXPECT_NE(other.err.find("this trace has nothing for this line"), std::string::npos)
        << other.err;
    EXPECT_EQ(other.err.find("did you mean"), std::string::npos) << other.err;
  }
  EXPECT_NE(text_of_file(path("junit.xml")).find("<failure message=\"not judged: "),
            std::string::npos);
  const CommandResult allowed = held_to(line, "--allow-unknown --junit junit.xml");
  EXPECT_EQ(allowed.status, 0);
  EXPECT_NE(allowed.err.find("not judged: "), std::string::npos) << allowed.err;
  const std::string xml = text_of_file(path("junit.xml"));
  EXPECT_NE(xml.find("failures=\"0\""), std::string::npos) << xml;
  EXPECT_NE(xml.find("<skipped message=\"not judged: "), std::string::npos) << xml;
  EXPECT_EQ(held_to("wakeup_latency? thread=controll p99 <= 30us\n").status, 0);
}

TEST_F(StatsCommand, ABudgetThatCannotBeUnderstoodSaysWhere) {
  struct Case {
    const char* line;
    const char* message;
  };
  for (const Case& one : std::to_array<Case>({
           {"wakeup thread=x p99 <= 50us",
            "no metric 'wakeup' (did you mean 'wakeups'?); there is: "},
           {"run thread=x maxx <= 50us", "no statistic 'maxx' (did you mean 'max'?); there is: "},
           {"run thread=x p98 <= 50us", "no statistic 'p98'"},
           {"zzzzzzzz thread=x p99 <= 50us", "no metric 'zzzzzzzz'; there is: "},
           {"run threat=x p99 <= 50us",
            "no selector 'threat=x' (did you mean 'thread'?); there is, each with =TEXT: "},
           {"run p99 <= 50ks", "'50ks' is no limit; that is a number, or one with ns, us, ms"},
           {"run thread=x p99 50us", "no comparison in front of the limit"},
           {"run p99", "it is too short; a line is METRIC"},
           {"run thread=\"x p99 <= 5us", "a quote that does not end"},
           {"run p99 <= 50", "run p99 is a time, with ns, us, ms, s or ticks"},
           {"runs count <= 50us", "runs count is a number without a unit"},
       })) {
    const CommandResult ran = held_to("losses records = 0\n\n" + std::string(one.line) + "\n");
    EXPECT_EQ(ran.status, 2) << one.line;
    EXPECT_NE(ran.err.find("budget:3: "), std::string::npos) << ran.err;
    EXPECT_NE(ran.err.find(one.message), std::string::npos) << ran.err;
  }
  EXPECT_EQ(held_to("# nothing\n").status, 2);
  EXPECT_EQ(run("trace.fxt --budget nowhere").status, 2);
}

TEST_F(StatsCommand, JunitHasATestForEachLine) {
  const CommandResult ran = held_to(
      "wakeup_latency thread=control p99 <= 30us\n"
      "wakeup_latency thread=\"control\" max <= 5us\n",
      "--junit junit.xml");
  EXPECT_EQ(ran.status, 1);
  const std::string xml = text_of_file(path("junit.xml"));
  EXPECT_EQ(xml.rfind("<?xml version=\"1.0\"", 0), 0U);
  EXPECT_NE(xml.find("tests=\"2\" failures=\"1\""), std::string::npos) << xml;
  EXPECT_NE(xml.find("name=\"wakeup_latency thread=control p99 &lt;= 30us\"/>"), std::string::npos)
      << xml;
  EXPECT_NE(xml.find("<failure message=\"wakeup_latency thread=control max is 30.000 us"),
            std::string::npos)
      << xml;
  EXPECT_EQ(run("trace.fxt --junit junit.xml").status, 2);
}

TEST_F(StatsCommand, ABaselineShowsWhatBecameLonger) {
  std::vector<uint64_t> noisy;
  std::vector<uint64_t> other;
  std::vector<uint64_t> slower;
  for (uint64_t i = 0; i < 400; ++i) {
    noisy.push_back(20 + i * 7 % 20);
    other.push_back(20 + i * 11 % 19);
    slower.push_back(26 + i * 11 % 20);
  }
  write("old.fxt", archive(noisy));
  write("trace.fxt", archive(noisy));
  const CommandResult same = run("trace.fxt --baseline old.fxt");
  EXPECT_EQ(same.status, 0) << same.err;
  EXPECT_NE(same.err.find("barefxt: against old.fxt: of "), std::string::npos) << same.err;
  EXPECT_NE(same.err.find(" measures 0 worse, 0 new, 0 vanished, 0 cannot be judged, 0 better, "),
            std::string::npos)
      << same.err;

  write("trace.fxt", archive(slower));
  const CommandResult longer = run("trace.fxt --baseline old.fxt --json");
  EXPECT_EQ(longer.status, 1);
  EXPECT_NE(longer.err.find("worse: wakeup_latency thread=control p50: 29.000 us, now 35.000 us"),
            std::string::npos)
      << longer.err;
  const auto json = nlohmann::json::parse(longer.out)["baseline"];
  ASSERT_FALSE(json["findings"].empty());
  EXPECT_EQ(json["findings"].back()["metric"], "wakeup_latency");
  EXPECT_EQ(nlohmann::json::parse(run("trace.fxt --json").out).count("baseline"), 0U);
  // No relevant change, as the user has it.
  const std::string allowing = "trace.fxt --baseline old.fxt --allow-unknown ";
  EXPECT_EQ(run(allowing).status, 1);
  for (const char* relevant : {"--baseline-percent 100", "--baseline-time 50us"})
    EXPECT_EQ(run(allowing + relevant).status, 0) << relevant;

  const CommandResult shorter = run("old.fxt --baseline trace.fxt");
  EXPECT_EQ(shorter.status, 0) << shorter.err;
  EXPECT_NE(shorter.err.find("better: wakeup_latency thread=control p50: "), std::string::npos)
      << shorter.err;

  write("trace.fxt", archive(other));
  const CommandResult unknown = run("trace.fxt --baseline old.fxt");
  EXPECT_EQ(unknown.status, 1);
  EXPECT_NE(unknown.err.find("cannot judge: wakeup_latency thread=control: "), std::string::npos)
      << unknown.err;
  EXPECT_EQ(run("trace.fxt --baseline old.fxt --allow-unknown").status, 0);
}

TEST_F(StatsCommand, EachFileIsARunOfItsSide) {
  std::vector<uint64_t> fast;
  std::vector<uint64_t> slow;
  for (uint64_t i = 0; i < 400; ++i) {
    fast.push_back(20 + i * 7 % 20);
    slow.push_back(35 + i * 7 % 20);
  }
  write("fast.fxt", archive(fast));
  write("slow.fxt", archive(slow));
  const CommandResult mixed =
      run("slow.fxt fast.fxt slow.fxt --baseline fast.fxt --baseline slow.fxt --baseline fast.fxt");
  EXPECT_EQ(mixed.status, 1);
  EXPECT_EQ(mixed.err.find("worse: "), std::string::npos) << mixed.err;
  EXPECT_NE(mixed.err.find("count as one, since runs differ"), std::string::npos) << mixed.err;
  EXPECT_NE(mixed.err.find("against fast.fxt and 2 more: "), std::string::npos) << mixed.err;
  const CommandResult apart =
      run("slow.fxt slow.fxt --baseline fast.fxt --baseline fast.fxt --allow-unknown");
  EXPECT_EQ(apart.status, 1);
  EXPECT_NE(apart.err.find("worse: wakeup_latency thread=control p50: "), std::string::npos)
      << apart.err;
}

TEST_F(StatsCommand, ABaselineThatCannotBeReadIsAFailure) {
  EXPECT_EQ(run("trace.fxt --baseline nowhere.fxt").status, 2);
  EXPECT_EQ(run("trace.fxt --baseline trace.fxt --baseline nowhere.fxt").status, 2);
  EXPECT_EQ(run("trace.fxt - --baseline trace.fxt <trace.fxt").status, 2);
  EXPECT_EQ(run("trace.fxt --baseline trace.fxt --baseline-time soon").status, 2);
  EXPECT_EQ(run("trace.fxt --baseline trace.fxt --baseline-percent -1").status, 2);
  EXPECT_EQ(run("trace.fxt --baseline-percent 3").status, 2);
  write("empty.fxt", "");
  EXPECT_EQ(run("trace.fxt --baseline empty.fxt").status, 4);
  // A missing part of the baseline is reported, and has a status of its own.
  const std::string whole = archive(std::vector<uint64_t>(200, 30));
  write("cut.fxt", whole.substr(0, whole.size() - 8));
  const CommandResult cut = run("trace.fxt --baseline cut.fxt --allow-unknown");
  EXPECT_EQ(cut.status, 3) << cut.err;
  EXPECT_NE(cut.err.find("cut.fxt: "), std::string::npos) << cut.err;
}

TEST_F(StatsCommand, NamesWhoKeptTheHolderOfALockOff) {
  const auto json = nlohmann::json::parse(run("trace.fxt --json").out);
  ASSERT_EQ(json["contention"].size(), 1U);
  const auto& lock = json["contention"][0];
  EXPECT_EQ(lock["name"], "bus");
  EXPECT_EQ(lock["object"], 4096);
  EXPECT_EQ(lock["max_ticks"], 106);
  EXPECT_EQ(lock["holders"][0]["thread"], 2);
  ASSERT_EQ(json["priority_inversions"].size(), 1U);
  const auto& inversion = json["priority_inversions"][0];
  EXPECT_EQ(inversion["waiter"], 1);
  EXPECT_EQ(inversion["holder"], 2);
  EXPECT_EQ(inversion["runner"], 3);
  EXPECT_EQ(inversion["max_ticks"], 100);
  EXPECT_NE(words_of(run("trace.fxt").out)
                .find("Priority inversion: control waited for log, which held bus 0x1000, while "
                      "net ran"),
            std::string::npos);
}

TEST_F(StatsCommand, DistinguishesYieldingFromPreemption) {
  const auto json = nlohmann::json::parse(run("trace.fxt --json").out);
  const auto& log = json["threads"][1];
  ASSERT_EQ(log["name"], "log");
  EXPECT_EQ(log["preempted"], 3);  // for control, for net, for control
  const auto& control = json["threads"][0];
  EXPECT_EQ(control["blocked"], 201);
  EXPECT_EQ(control["yielded"], 0);
}

TEST_F(StatsCommand, TimesAndThreadsCanBeChosen) {
  const CommandResult ran = run("trace.fxt --json --from 10ms --to 0.0205 --thread 'con*'");
  const auto json = nlohmann::json::parse(ran.out);
  EXPECT_EQ(json["first"], 10000);
  EXPECT_EQ(json["last"], 20500);
  ASSERT_EQ(json["threads"].size(), 1U);
  EXPECT_EQ(json["threads"][0]["wakeup_latency"]["count"], 11);
  EXPECT_EQ(json["threads"][0]["running_ticks"], 110);
  EXPECT_EQ(json["cpus"][0]["observed_ticks"], 10500);
  const auto other = nlohmann::json::parse(run("trace.fxt --json --cpu 3 --from 10000ticks").out);
  EXPECT_TRUE(other["cpus"].empty());
  EXPECT_EQ(other["first"], 10000);
  for (const char* wrong : {"--from soon", "--to 5x", "--from -1", "--csv --json", "--cpu x"})
    EXPECT_EQ(run("trace.fxt " + std::string(wrong)).status, 2) << wrong;
}

// Sums over all threads, too, keep only the selected thread's part.
TEST_F(StatsCommand, WhatAThreadDidIsLeftOfSums) {
  const auto of = [&](const std::string& thread) {
    return nlohmann::json::parse(run("trace.fxt --json --thread " + thread).out);
  };
  // `control` waits for `log`.
  for (const char* thread : {"control", "log", "2"}) {
    ASSERT_EQ(of(thread)["contention"].size(), 1U) << thread;
    EXPECT_EQ(of(thread)["contention"][0]["count"], 1) << thread;
  }
  EXPECT_TRUE(of("net")["contention"].empty());
  EXPECT_EQ(of("control")["durations"].size(), 1U);
  EXPECT_TRUE(of("log")["durations"].empty());
  for (const char* thread : {"control", "log", "net"})
    EXPECT_EQ(of(thread)["priority_inversions"].size(), 1U) << thread;
  EXPECT_TRUE(of("idle*")["priority_inversions"].empty());
  // A line of a budget about another thread finds nothing then.
  EXPECT_EQ(held_to("duration name=bus count = 1\n", "--thread control").status, 0);
  EXPECT_EQ(held_to("duration name=bus count = 1\n", "--thread log").status, 1);
}

TEST_F(StatsCommand, SetsOfOneNameAreComparedEachWithItsOwn) {
  const auto of = [](uint64_t first, uint64_t second) {
    MemorySink sink;
    host::ArchiveWriter writer(sink, host::ByteOrder::kLittle);
    writer.magic_number();
    writer.initialization(1'000'000);
    uint64_t now = 1000;
    for (unsigned i = 0; i < 2000; ++i) {
      const uint64_t length = (i % 2 == 0 ? first : second) + i / 2 % 5;
      const auto lock =
          ArchiveArgument::pointer(ArchiveText::spelled_out("mutex"), 4096 + i % 2 * 64);
      (void)writer.event({.type = fxt::EventType::kDurationComplete,
                          .timestamp = now,
                          .thread = {0, 5, 1},
                          .category = ArchiveText::spelled_out("lock"),
                          .name = ArchiveText::spelled_out("mutex"),
                          .trailing_word = now + length},
                         {&lock, 1});
      now += 100;
    }
    (void)writer.flush();
    return std::string(sink.bytes().begin(), sink.bytes().end());
  };
  write("old.fxt", of(10, 50));
  write("trace.fxt", of(10, 50));
  const CommandResult same = run("trace.fxt --baseline old.fxt");
  EXPECT_EQ(same.status, 0) << same.err;
  EXPECT_NE(same.err.find(" 0 new, 0 vanished, 0 cannot be judged"), std::string::npos) << same.err;
  write("trace.fxt", of(10, 70));
  const CommandResult longer = run("trace.fxt --baseline old.fxt");
  EXPECT_EQ(longer.status, 1);
  EXPECT_NE(longer.err.find("worse: contention category=lock name=mutex (2) p50: "),
            std::string::npos)
      << longer.err;
}

TEST_F(StatsCommand, TextHasATableOfEachKind) {
  write("everything.fxt", archive_of_everything());
  const std::string text = run("everything.fxt").out;
  for (const char* head :
       {"\nCPU  ", "\nBusiest threads ", "\nSwitched away ", "\nLongest wakeup to run ",
        "\nLongest without a switch ", "\nLongest blocked ", "\nInterrupts ", "\nDurations ",
        "\nCounters ", "\nFlows, end to end ", "\nFunctions ", "\nWaits for locks ", "\nLosses:\n",
        "  cpu-0, ring: 4 records, 96 bytes, within 10.000 us\n",
        "  cpu-0, line: unknown records, unknown bytes, within 10.000 us\n"})
    EXPECT_NE(text.find(head), std::string::npos) << head << text;
  const std::string words = words_of(text);
  for (const char* part :
       {"Priority inversion: control waited for log, which held bus 0x1000, while net ran: 1 wait, "
        "100.000 us at most, at 0.002110000 ",
        "Waits for locks count mean p50 p99 max at bus 0x1000 2 53.500 us 1.000 us 106.000 us "
        "106.000 us 0.002110000 p95 106.000 us for log "})
    EXPECT_NE(words.find(part), std::string::npos) << part << "\n" << words;
  EXPECT_NE(text.find("    total 9.000 us, self 6.000 us (of 1)\n"), std::string::npos) << text;
  EXPECT_NE(text.find("    2 begun, 1 steps, 1 ended, 1 unfinished\n"), std::string::npos) << text;
  EXPECT_NE(text.find(" a second; 1 nested, 2 deep\n"), std::string::npos) << text;
  EXPECT_NE(text.find(" a second; kept control off for 10.000 us\n"), std::string::npos) << text;
}

// Two shells, and one editor.
TEST_F(StatsCommand, ThreadsOfOneNameAreDistinguishedByTheirKoids) {
  MemorySink sink;
  host::ArchiveWriter writer(sink, host::ByteOrder::kLittle);
  writer.magic_number();
  writer.initialization(1'000'000);
  name_thread(writer, 70, 7, "sh");
  name_thread(writer, 80, 8, "sh");
  name_thread(writer, 90, 9, "vi");
  constexpr std::array<uint64_t, 4> kTurns = {70, 80, 90, 70};
  for (uint64_t i = 1; i < kTurns.size(); ++i)
    writer.legacy_context_switch({.timestamp = i * 10,
                                  .cpu = 0,
                                  .outgoing_state = fxt::ThreadState::kBlocked,
                                  .outgoing = {0, 5, kTurns[i - 1]},
                                  .incoming = {0, 5, kTurns[i]},
                                  .outgoing_priority = 1,
                                  .incoming_priority = 1});
  (void)writer.flush();
  write("shells.fxt", {sink.bytes().begin(), sink.bytes().end()});
  const std::string text = run("shells.fxt").out;
  EXPECT_NE(text.find("\nsh #80          10.000 us"), std::string::npos) << text;
  EXPECT_NE(text.find("\nvi              10.000 us"), std::string::npos) << text;
}

TEST_F(StatsCommand, GroupsByNameOrProcess) {
  const CommandResult by_process = run("trace.fxt --group-by process");
  EXPECT_EQ(by_process.status, 0) << by_process.err;
  EXPECT_NE(by_process.out.find("\nprocess 5 x3 "), std::string::npos) << by_process.out;
  const auto json = nlohmann::json::parse(run("trace.fxt --group-by name --json --thread net").out);
  ASSERT_EQ(json["groups"].size(), 1U);
  EXPECT_EQ(json["groups"][0]["name"], "net");
  EXPECT_EQ(run("trace.fxt --group-by colour").status, 2);
  EXPECT_EQ(run("trace.fxt --group-by name --baseline trace.fxt").status, 2);
}

TEST_F(StatsCommand, ADeadlineHoldsAThreadsWakeups) {
  // Each of 200 takes 40 us.
  const CommandResult kept = run("trace.fxt --thread control --deadline thread=cont*,40us");
  EXPECT_EQ(kept.status, 0);
  EXPECT_NE(kept.out.find("deadline 40.000 us: 0 of 201 late (0.00%)"), std::string::npos)
      << kept.out;
  EXPECT_NE(kept.out.find("up to  50.000 us        200"), std::string::npos) << kept.out;
  EXPECT_EQ(kept.err, "");
  const CommandResult json =
      run("trace.fxt --deadline thread=control,39us --deadline thread=net,1s --json");
  const auto jobs = nlohmann::json::parse(json.out)["jobs"];
  ASSERT_EQ(jobs.size(), 2U);
  EXPECT_EQ(jobs[0]["late"], 200);
  EXPECT_EQ(jobs[0]["source"], "wakeups");
  EXPECT_EQ(jobs[1]["late"], 0);
  EXPECT_EQ(held_to("job thread=control late = 0", "--deadline thread=control,40us").status, 0);
  EXPECT_EQ(held_to("job thread=control late = 0", "--deadline thread=control,39us").status, 1);
  // Without the option there is no such job.
  EXPECT_EQ(held_to("job thread=control late = 0").status, 1);
  const CommandResult nobody = run("trace.fxt --deadline thread=nobody,1ms");
  EXPECT_EQ(nobody.status, 0);
  EXPECT_NE(nobody.err.find("--deadline names no thread of it: nobody"), std::string::npos);
  for (const char* wrong : {"control,1ms", "thread=control", "thread=,1ms", "thread=control,1",
                            "thread=control,-1ms", "thread=control,0ms", "thread=control,nanms"}) {
    const CommandResult refused = run("trace.fxt --deadline '" + std::string(wrong) + "'");
    EXPECT_EQ(refused.status, 2) << wrong;
    EXPECT_NE(refused.err.find("thread=NAME,TIME"), std::string::npos) << refused.err;
  }
}

TEST_F(StatsCommand, LengthsAboveATimeAreCounted) {
  const CommandResult text = run("trace.fxt --above 29us --above 1s");
  EXPECT_EQ(text.status, 0);
  EXPECT_NE(text.out.find("Above 29us:\n"), std::string::npos) << text.out;
  EXPECT_NE(text.out.find("200 of        202 (99.01%)  wakeup_latency thread=control"),
            std::string::npos)
      << text.out;
  EXPECT_NE(text.out.find("Above 1s: nothing\n"), std::string::npos) << text.out;
  const auto above = nlohmann::json::parse(run("trace.fxt --above 29us --json").out)["above"];
  bool found = false;
  for (const auto& one : above) {
    if (one["metric"] != "wakeup_latency" || one["of"] != "thread=control") continue;
    found = true;
    EXPECT_EQ(one["count"], 200);
    EXPECT_EQ(one["limit_ticks"], 29);
    EXPECT_DOUBLE_EQ(one["share"], 200.0 / 202);
  }
  EXPECT_TRUE(found) << above;
  EXPECT_NE(run("trace.fxt --above 29us --csv").out.find("count above 29us,count,200"),
            std::string::npos);
  EXPECT_EQ(held_to("wakeup_latency thread=control count above 29us = 200").status, 0);
  EXPECT_EQ(held_to("wakeup_latency thread=control count above 30us = 0").status, 0);
  EXPECT_EQ(held_to("wakeup_latency thread=control share above 29us <= 99%").status, 1);
  EXPECT_EQ(run("trace.fxt --above 29").status, 2);
}

TEST_F(StatsCommand, CsvHasARowForEachNumber) {
  const std::string csv = run("trace.fxt --csv").out;
  EXPECT_EQ(csv.rfind("metric,cpu,thread,thread_name,category,name,argument,object,holder,"
                      "runner,statistic,unit,value,begin,end,offset\n",
                      0),
            0U);
  EXPECT_NE(csv.find("\nwakeup_latency,,1,control,,,,,,,p99,ticks,30.0,1000,1030,"),
            std::string::npos)
      << csv;
  std::istringstream lines(csv);
  for (std::string line; std::getline(lines, line);)
    EXPECT_EQ(std::count(line.begin(), line.end(), ','), 15) << line;
}

// Two calls of `work()`, one with `step(int)` in it, and `idle()`, which does not end; `probe` is
// none.
std::string calls() {
  MemorySink sink;
  host::ArchiveWriter writer(sink, host::ByteOrder::kLittle);
  writer.magic_number();
  writer.initialization(1'000'000);
  const auto event = [&](fxt::EventType type, uint64_t time, const char* category,
                         const char* name) {
    (void)writer.event({.type = type,
                        .timestamp = time,
                        .thread = {0, 5, 1},
                        .category = ArchiveText::spelled_out(category),
                        .name = ArchiveText::spelled_out(name)},
                       {});
  };
  const auto begin = fxt::EventType::kDurationBegin;
  const auto end = fxt::EventType::kDurationEnd;
  event(begin, 100, "function", "work()");
  event(begin, 120, "function", "step(int)");
  event(end, 150, "function", "step(int)");
  event(begin, 160, "c", "probe");
  event(end, 170, "c", "probe");
  event(end, 200, "function", "work()");
  event(begin, 300, "function", "work()");
  event(end, 310, "function", "work()");
  event(begin, 320, "function", "idle()");
  (void)writer.flush();
  return {sink.bytes().begin(), sink.bytes().end()};
}

TEST_F(StatsCommand, FunctionsHaveATableOfTheirOwn) {
  write("calls.fxt", calls());
  const CommandResult text = run("calls.fxt --functions");
  EXPECT_EQ(text.status, 0) << text.err;
  EXPECT_NE(words_of(text.out).find("3 calls of 3 functions; 0 more in doubt, since records were "
                                    "lost meanwhile, and 1 without an end "),
            std::string::npos)
      << text.out;
  EXPECT_NE(text.out.find(
                "\nFunctions calls      total      self       min    median        p99        max\n"
                "work()        2 110.000 us 80.000 us 10.000 us 10.000 us 100.000 us 100.000 us\n"
                "step(int)     1  30.000 us 30.000 us 30.000 us 30.000 us  30.000 us  30.000 us\n"
                "idle()        0          -         -         -         -          -          -\n"),
            std::string::npos)
      << text.out;
  EXPECT_EQ(text.out.find("probe"), std::string::npos);
  EXPECT_NE(text.out.find("\nLosses: none\n"), std::string::npos);

  const auto json = nlohmann::json::parse(run("calls.fxt --functions --json").out);
  EXPECT_FALSE(json.contains("durations"));
  ASSERT_EQ(json["functions"].size(), 3U);
  const auto& work = json["functions"][2];
  EXPECT_EQ(work["name"], "work()");
  EXPECT_EQ(work["count"], 2);
  EXPECT_EQ(work["total_ticks"], 110);
  EXPECT_EQ(work["self_ticks"], 80);
  EXPECT_EQ(work["min_ticks"], 10);
  EXPECT_EQ(work["p50_ticks"], 10);
  EXPECT_EQ(work["p99_ticks"], 100);
  EXPECT_EQ(work["max_ticks"], 100);
  EXPECT_EQ(json["functions"][0]["unended"], 1);
  EXPECT_TRUE(json.contains("losses"));
  const auto all = nlohmann::json::parse(run("calls.fxt --json").out);
  EXPECT_EQ(all["functions"], json["functions"]);
  ASSERT_EQ(all["durations"].size(), 1U);
  EXPECT_EQ(all["durations"][0]["name"], "probe");

  const std::string csv = run("calls.fxt --functions --csv").out;
  EXPECT_NE(csv.find("\nfunction,,,,function,work(),,,,,self,ticks,80.0,,,\n"), std::string::npos)
      << csv;
  EXPECT_EQ(csv.find("duration"), std::string::npos);
  EXPECT_NE(csv.find("\nlosses,"), std::string::npos);
}

TEST_F(StatsCommand, CallsMayHaveABudget) {
  write("trace.fxt", calls());
  EXPECT_EQ(held_to("function name=\"work()\" max <= 100us\n", "--functions").status, 0);
  EXPECT_EQ(held_to("function name=work* max <= 99us\n").status, 1);
}

// The same numbers as in rebuild's message; two captures in one archive are added up.
TEST_F(StatsCommand, CallsThatTheTargetLeftOutAreReported) {
  MemorySink sink;
  host::ArchiveWriter writer(sink, host::ByteOrder::kLittle);
  writer.magic_number();
  writer.initialization(1'000'000);
  const auto write_left_out = [&](const char* category, uint64_t too_short) {
    const auto count = [](const char* name, uint64_t value) {
      return ArchiveArgument::uint64(ArchiveText::spelled_out(name), value);
    };
    const std::array<ArchiveArgument, 4> arguments = {count("too_short", too_short),
                                                      count("too_deep", 2), count("without_end", 1),
                                                      count("open", 0)};
    (void)writer.event({.type = fxt::EventType::kInstant,
                        .timestamp = 100,
                        .thread = {0, 5, 1},
                        .category = ArchiveText::spelled_out(category),
                        .name = ArchiveText::spelled_out("calls_left_out")},
                       arguments);
  };
  write_left_out("barefxt", 5'000'000'000);
  write_left_out("barefxt", 7);
  write_left_out("another", 1000);
  (void)writer.flush();
  write("left.fxt", {sink.bytes().begin(), sink.bytes().end()});
  const char* line =
      "5000000013 calls left out by the limits on the target: 5000000007 too short, 4 too deep, 2 "
      "without an end of their own, 0 that had not ended\n";
  for (const char* options : {"left.fxt", "left.fxt --functions"}) {
    const CommandResult text = run(options);
    EXPECT_EQ(text.status, 0) << text.err;
    EXPECT_NE(words_of(text.out).find(words_of(line)), std::string::npos) << text.out;
  }
  const auto json = nlohmann::json::parse(run("left.fxt --functions --json").out);
  EXPECT_EQ(
      json["calls_left_out"],
      nlohmann::json::parse(R"({"too_short":5000000007,"too_deep":4,"without_end":2,"open":0})"));

  write("calls.fxt", calls());
  EXPECT_FALSE(nlohmann::json::parse(run("calls.fxt --json").out).contains("calls_left_out"));
}

}  // namespace
}  // namespace barefxt::test::stats_command_test
