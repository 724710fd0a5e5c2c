// barefxt stats as scripts and pipelines use it: what is chosen, and what is printed.
#include <array>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sstream>

#include "archive/memory_archive.h"
#include "everything.h"
#include "stats_command.h"

namespace barefxt::test::stats_command_test {
namespace {

using host::ArchiveArgument;
using host::ArchiveText;

// With one blank between words, and no line ends: wherever the lines are broken.
std::string words_of(const std::string& text) {
  std::istringstream stream(text);
  std::string words;
  for (std::string word; stream >> word;) words += (words.empty() ? "" : " ") + word;
  return words;
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
  EXPECT_TRUE(contains(words_of(run("trace.fxt").out),
                       "Priority inversion: control waited for log, which held bus 0x1000, while "
                       "net ran"));
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

TEST_F(StatsCommand, TextHasATableOfEachKind) {
  write("everything.fxt", archive_of_everything());
  const std::string text = run("everything.fxt").out;
  for (const char* head :
       {"\nCPU  ", "\nBusiest threads ", "\nSwitched away ", "\nLongest wakeup to run ",
        "\nLongest without a switch ", "\nLongest blocked ", "\nInterrupts ", "\nDurations ",
        "\nCounters ", "\nFlows, end to end ", "\nFunctions ", "\nWaits for locks ", "\nLosses:\n",
        "  cpu-0, ring: 4 records, 96 bytes, within 10.000 us\n",
        "  cpu-0, line: unknown records, unknown bytes, within 10.000 us\n"})
    EXPECT_TRUE(contains(text, head));
  const std::string words = words_of(text);
  for (const char* part :
       {"Priority inversion: control waited for log, which held bus 0x1000, while net ran: 1 wait, "
        "100.000 us at most, at 0.002110000 ",
        "Waits for locks count mean p50 p99 max at bus 0x1000 2 53.500 us 1.000 us 106.000 us "
        "106.000 us 0.002110000 p95 106.000 us for log "})
    EXPECT_TRUE(contains(words, part));
  EXPECT_TRUE(contains(text, "    total 9.000 us, self 6.000 us (of 1)\n"));
  EXPECT_TRUE(contains(text, "    2 begun, 1 steps, 1 ended, 1 unfinished\n"));
  EXPECT_TRUE(contains(text, " a second; 1 nested, 2 deep\n"));
  EXPECT_TRUE(contains(text, " a second; kept control off for 10.000 us\n"));
}

// Two shells, and one editor.
TEST_F(StatsCommand, ThreadsOfOneNameAreDistinguishedByTheirKoids) {
  MemoryArchive writer(1'000'000);
  name_thread(writer, 70, 7, "sh");
  name_thread(writer, 80, 8, "sh");
  name_thread(writer, 90, 9, "vi");
  constexpr std::array<uint64_t, 4> kTurns = {70, 80, 90, 70};
  for (uint64_t i = 1; i < kTurns.size(); ++i)
    add_switch(writer, i * 10, 0, {5, kTurns[i - 1], 1}, fxt::ThreadState::kBlocked,
               {5, kTurns[i], 1});
  write("shells.fxt", writer.text());
  const std::string text = run("shells.fxt").out;
  EXPECT_TRUE(contains(text, "\nsh #80          10.000 us"));
  EXPECT_TRUE(contains(text, "\nvi              10.000 us"));
}

TEST_F(StatsCommand, GroupsByNameOrProcess) {
  const CommandResult by_process = run("trace.fxt --group-by process");
  EXPECT_EQ(by_process.status, 0) << by_process.err;
  EXPECT_TRUE(contains(by_process.out, "\nprocess 5 x3 "));
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
  EXPECT_TRUE(contains(kept.out, "deadline 40.000 us: 0 of 201 late (0.00%)"));
  EXPECT_TRUE(contains(kept.out, "up to  50.000 us        200"));
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
  EXPECT_TRUE(contains(nobody.err, "--deadline names no thread of it: nobody"));
  for (const char* wrong : {"control,1ms", "thread=control", "thread=,1ms", "thread=control,1",
                            "thread=control,-1ms", "thread=control,0ms", "thread=control,nanms"}) {
    const CommandResult refused = run("trace.fxt --deadline '" + std::string(wrong) + "'");
    EXPECT_EQ(refused.status, 2) << wrong;
    EXPECT_TRUE(contains(refused.err, "thread=NAME,TIME"));
  }
}

TEST_F(StatsCommand, LengthsAboveATimeAreCounted) {
  const CommandResult text = run("trace.fxt --above 29us --above 1s");
  EXPECT_EQ(text.status, 0);
  EXPECT_TRUE(contains(text.out, "Above 29us:\n"));
  EXPECT_TRUE(contains(text.out, "200 of        202 (99.01%)  wakeup_latency thread=control"));
  EXPECT_TRUE(contains(text.out, "Above 1s: nothing\n"));
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
  EXPECT_TRUE(contains(run("trace.fxt --above 29us --csv").out, "count above 29us,count,200"));
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
  EXPECT_TRUE(contains(csv, "\nwakeup_latency,,1,control,,,,,,,p99,ticks,30.0,1000,1030,"));
  std::istringstream lines(csv);
  for (std::string line; std::getline(lines, line);)
    EXPECT_EQ(std::count(line.begin(), line.end(), ','), 15) << line;
}

// Two calls of `work()`, one with `step(int)` in it, and `idle()`, which does not end; `probe` is
// none.
std::string calls() {
  MemoryArchive writer(1'000'000);
  const auto event = [&](fxt::EventType type, uint64_t time, const char* category,
                         const char* name) {
    add_event(writer, type, time, {0, 5, 1}, category, name);
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
  return writer.text();
}

TEST_F(StatsCommand, FunctionsHaveATableOfTheirOwn) {
  write("calls.fxt", calls());
  const CommandResult text = run("calls.fxt --functions");
  EXPECT_EQ(text.status, 0) << text.err;
  EXPECT_TRUE(contains(words_of(text.out),
                       "3 calls of 3 functions; 0 more in doubt, since records were "
                       "lost meanwhile, and 1 without an end "))
      << text.out;
  EXPECT_TRUE(
      contains(text.out,
               "\nFunctions calls      total      self       min    median        p99        max\n"
               "work()        2 110.000 us 80.000 us 10.000 us 10.000 us 100.000 us 100.000 us\n"
               "step(int)     1  30.000 us 30.000 us 30.000 us 30.000 us  30.000 us  30.000 us\n"
               "idle()        0          -         -         -         -          -          -\n"));
  EXPECT_TRUE(lacks(text.out, "probe"));
  EXPECT_TRUE(contains(text.out, "\nLosses: none\n"));

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
  EXPECT_TRUE(contains(csv, "\nfunction,,,,function,work(),,,,,self,ticks,80.0,,,\n"));
  EXPECT_TRUE(lacks(csv, "duration"));
  EXPECT_TRUE(contains(csv, "\nlosses,"));
}

TEST_F(StatsCommand, CallsMayHaveABudget) {
  write("trace.fxt", calls());
  EXPECT_EQ(held_to("function name=\"work()\" max <= 100us\n", "--functions").status, 0);
  EXPECT_EQ(held_to("function name=work* max <= 99us\n").status, 1);
}

// The same numbers as in rebuild's message; two captures in one archive are added up.
TEST_F(StatsCommand, CallsThatTheTargetLeftOutAreReported) {
  MemoryArchive writer(1'000'000);
  const auto write_left_out = [&](const char* category, uint64_t too_short) {
    const auto count = [](const char* name, uint64_t value) {
      return ArchiveArgument::uint64(ArchiveText::spelled_out(name), value);
    };
    const std::array<ArchiveArgument, 4> arguments = {count("too_short", too_short),
                                                      count("too_deep", 2), count("without_end", 1),
                                                      count("open", 0)};
    add_event(writer, fxt::EventType::kInstant, 100, {0, 5, 1}, category, "calls_left_out", 0,
              arguments);
  };
  write_left_out("barefxt", 5'000'000'000);
  write_left_out("barefxt", 7);
  write_left_out("another", 1000);
  write("left.fxt", writer.text());
  const char* line =
      "5000000013 calls left out by the limits on the target: 5000000007 too short, 4 too deep, 2 "
      "without an end of their own, 0 that had not ended\n";
  for (const char* options : {"left.fxt", "left.fxt --functions"}) {
    const CommandResult text = run(options);
    EXPECT_EQ(text.status, 0) << text.err;
    EXPECT_TRUE(contains(words_of(text.out), words_of(line))) << text.out;
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
