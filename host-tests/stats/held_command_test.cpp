// barefxt stats that holds traces to budgets and baselines, as scripts and pipelines use it.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "archive/memory_archive.h"
#include "stats_command.h"

namespace barefxt::test::held_command_test {
namespace {

using host::ArchiveArgument;

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
  EXPECT_TRUE(contains(ran.err,
                       "budget:2: violated: wakeup_latency thread=control max is 400.000 us, and "
                       "may be at most 50.000 us; the longest is from 0.071000000 to 0.071400000 "
                       "(record at offset "));
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
  EXPECT_TRUE(contains(ran.err,
                       "budget:1: not judged: this trace has nothing for this line (did you mean "
                       "'control'?) (write"));
  // A name that is far from all of them, and one that is there, on a CPU that is not.
  for (const char* other_line : {"wakeup_latency thread=zzzzzzzz p99 <= 30us\n",
                                 "running_on thread=control cpu=7 total <= 30us\n"}) {
    const CommandResult other = held_to(other_line);
    EXPECT_TRUE(contains(other.err, "this trace has nothing for this line"));
    EXPECT_TRUE(lacks(other.err, "did you mean"));
  }
  EXPECT_TRUE(contains(read("junit.xml"), "<failure message=\"not judged: "));
  const CommandResult allowed = held_to(line, "--allow-unknown --junit junit.xml");
  EXPECT_EQ(allowed.status, 0);
  EXPECT_TRUE(contains(allowed.err, "not judged: "));
  const std::string xml = read("junit.xml");
  EXPECT_TRUE(contains(xml, "failures=\"0\""));
  EXPECT_TRUE(contains(xml, "<skipped message=\"not judged: "));
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
    EXPECT_TRUE(contains(ran.err, "budget:3: "));
    EXPECT_TRUE(contains(ran.err, one.message));
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
  const std::string xml = read("junit.xml");
  EXPECT_EQ(xml.rfind("<?xml version=\"1.0\"", 0), 0U);
  EXPECT_TRUE(contains(xml, "tests=\"2\" failures=\"1\""));
  EXPECT_TRUE(contains(xml, "name=\"wakeup_latency thread=control p99 &lt;= 30us\"/>"));
  EXPECT_TRUE(contains(xml, "<failure message=\"wakeup_latency thread=control max is 30.000 us"));
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
  EXPECT_TRUE(contains(same.err, "barefxt: against old.fxt: of "));
  EXPECT_TRUE(
      contains(same.err, " measures 0 worse, 0 new, 0 vanished, 0 cannot be judged, 0 better, "));

  write("trace.fxt", archive(slower));
  const CommandResult longer = run("trace.fxt --baseline old.fxt --json");
  EXPECT_EQ(longer.status, 1);
  EXPECT_TRUE(
      contains(longer.err, "worse: wakeup_latency thread=control p50: 29.000 us, now 35.000 us"));
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
  EXPECT_TRUE(contains(shorter.err, "better: wakeup_latency thread=control p50: "));

  write("trace.fxt", archive(other));
  const CommandResult unknown = run("trace.fxt --baseline old.fxt");
  EXPECT_EQ(unknown.status, 1);
  EXPECT_TRUE(contains(unknown.err, "cannot judge: wakeup_latency thread=control: "));
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
  EXPECT_TRUE(lacks(mixed.err, "worse: "));
  EXPECT_TRUE(contains(mixed.err, "count as one, since runs differ"));
  EXPECT_TRUE(contains(mixed.err, "against fast.fxt and 2 more: "));
  const CommandResult apart =
      run("slow.fxt slow.fxt --baseline fast.fxt --baseline fast.fxt --allow-unknown");
  EXPECT_EQ(apart.status, 1);
  EXPECT_TRUE(contains(apart.err, "worse: wakeup_latency thread=control p50: "));
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
  EXPECT_TRUE(contains(cut.err, "cut.fxt: "));
}

TEST_F(StatsCommand, SetsOfOneNameAreComparedEachWithItsOwn) {
  const auto of = [](uint64_t first, uint64_t second) {
    MemoryArchive writer(1'000'000);
    uint64_t now = 1000;
    for (unsigned i = 0; i < 2000; ++i) {
      const uint64_t length = (i % 2 == 0 ? first : second) + i / 2 % 5;
      const auto lock = ArchiveArgument::pointer(text("mutex"), 4096 + i % 2 * 64);
      add_event(writer, fxt::EventType::kDurationComplete, now, {0, 5, 1}, "lock", "mutex",
                now + length, {&lock, 1});
      now += 100;
    }
    return writer.text();
  };
  write("old.fxt", of(10, 50));
  write("trace.fxt", of(10, 50));
  const CommandResult same = run("trace.fxt --baseline old.fxt");
  EXPECT_EQ(same.status, 0) << same.err;
  EXPECT_TRUE(contains(same.err, " 0 new, 0 vanished, 0 cannot be judged"));
  write("trace.fxt", of(10, 70));
  const CommandResult longer = run("trace.fxt --baseline old.fxt");
  EXPECT_EQ(longer.status, 1);
  EXPECT_TRUE(contains(longer.err, "worse: contention category=lock name=mutex (2) p50: "));
}

}  // namespace
}  // namespace barefxt::test::held_command_test
