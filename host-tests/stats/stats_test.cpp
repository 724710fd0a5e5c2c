// Statistics of archives small enough to be added up by hand.
#include <cstdlib>
#include <gtest/gtest.h>
#include <unistd.h>

#include <barefxt/host/json.h>
#include <barefxt/host/stats.h>

#include "contains.h"
#include "goldens/goldens.h"

namespace barefxt::test::stats_test {
namespace {

using U = uint64_t;
using Pieces = std::vector<Piece>;

host::Statistics statistics_of(const Pieces& pieces, const host::StatisticsOptions& options = {}) {
  const std::string archive = little_endian(pieces);
  std::string path = ::testing::TempDir() + "barefxt-stats-XXXXXX";
  const int file = ::mkstemp(path.data());
  EXPECT_EQ(::write(file, archive.data(), archive.size()), static_cast<ssize_t>(archive.size()));
  ::close(file);
  host::Result<host::Source> source = host::Source::open(path);
  ::unlink(path.c_str());
  host::Result<host::Statistics> statistics =
      host::collect_statistics(source.value(), host::Form{}, options);
  EXPECT_TRUE(statistics.ok());
  return std::move(statistics.value());
}

U ran(const host::Statistics& all, U thread) {
  return all.threads.at(thread).time(host::ThreadTime::kRunning);
}

Pieces thread_object(U koid, U process, const char* name) {
  std::string bytes = name;
  const U size = bytes.size();
  bytes.resize(8);
  return {W(U{7} << 0 | U{6} << 4 | U{2} << 16 | (0x8000 | size) << 24 | U{1} << 40),
          W(koid),
          Piece{{}, bytes},
          W(U{8} << 0 | U{3} << 4 | U{0x8007} << 16),
          S("process\0"),
          W(process)};
}

// A subtype 1 switch.
Pieces change(U time, U cpu, U from, U to) {
  return {W(U{8} << 0 | U{4} << 4 | cpu << 20 | U{3} << 36 | U{1} << 60), W(time), W(from), W(to)};
}

Pieces wakeup(U time, U thread) {
  return {W(U{8} << 0 | U{3} << 4 | U{2} << 60), W(time), W(thread)};
}

// An event without arguments, category "c", name "n", thread inline, and a trailing word or none.
Pieces event(U type, U time, U thread, std::optional<U> trailing = {}) {
  Pieces pieces = {
      W(U{4} << 0 | (trailing ? U{7} : U{6}) << 4 | type << 16 | U{0x8001} << 32 | U{0x8001} << 48),
      W(time),
      W(10),
      W(thread),
      S("c\0\0\0\0\0\0\0"),
      S("n\0\0\0\0\0\0\0")};
  if (trailing) pieces.push_back(W(*trailing));
  return pieces;
}

Pieces loss(U from, U to, U thread, bool counted) {
  Pieces pieces = {W(U{4} << 0 | (counted ? U{16} : U{11}) << 4 | U{4} << 16 |
                     (counted ? U{3} : U{1}) << 20 | U{0x8007} << 32 | U{0x800a} << 48),
                   W(from),
                   W(10),
                   W(thread),
                   S("barefxt\0"),
                   S("drop_stats\0\0\0\0\0\0")};
  if (counted) {
    for (const Piece& piece :
         {W(U{4} << 0 | U{3} << 4 | U{0x8007} << 16), S("records\0"), W(5),
          W(U{4} << 0 | U{3} << 4 | U{0x8005} << 16), S("bytes\0\0\0"), W(80)}) {
      pieces.push_back(piece);
    }
  }
  for (const Piece& piece : {W(U{6} << 0 | U{3} << 4 | U{0x8005} << 16 | U{0x8004} << 32),
                             S("where\0\0\0"), S("ring\0\0\0\0")}) {
    pieces.push_back(piece);
  }
  pieces.push_back(W(to));
  // header, time, koids, category, name in two words, arguments, end
  pieces[0] = W(U{4} << 0 | U{counted ? 17U : 11U} << 4 | U{4} << 16 | U{counted ? 3U : 1U} << 20 |
                U{0x8007} << 32 | U{0x800a} << 48);
  return pieces;
}

Pieces archive(const std::vector<Pieces>& parts) {
  Pieces all = {W(kMagic), W(U{1} << 0 | U{2} << 4), W(1000)};
  for (const Pieces& name : {thread_object(1, 0, "idle/0"), thread_object(2, 10, "work"),
                             thread_object(3, 10, "cpu-0")}) {
    all.insert(all.end(), name.begin(), name.end());
  }
  for (const Pieces& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

TEST(Stats, CreditsTheThreadThatRan) {
  const host::Statistics all = statistics_of(
      archive({change(10, 0, 1, 2), change(30, 0, 2, 1), change(35, 0, 1, 2), event(0, 45, 2)}));
  ASSERT_EQ(all.cpus.size(), 1U);
  const host::CpuStatistics& cpu = all.cpus.at(0);
  EXPECT_EQ(cpu.switches.total(), 3U);
  EXPECT_EQ(cpu.busy, 20U + 10U);  // the last run lasts to the end of the trace
  EXPECT_EQ(cpu.idle, 5U);
  EXPECT_EQ(cpu.unknown, 0U);
  EXPECT_EQ(ran(all, 2), 30U);
  EXPECT_EQ(all.threads.at(2).runs, 2U);
  EXPECT_FALSE(all.sorted);
}

TEST(Stats, TheOrderOfRecordsChangesNothing) {
  const host::Statistics all = statistics_of(
      archive({event(0, 45, 2), change(35, 0, 1, 2), change(10, 0, 1, 2), change(30, 0, 2, 1)}));
  EXPECT_TRUE(all.sorted);
  EXPECT_EQ(ran(all, 2), 30U);
  EXPECT_EQ(all.cpus.at(0).idle, 5U);
}

TEST(Stats, CreditsNobodyWhereASwitchIsMissing) {
  const host::Statistics all = statistics_of(archive({change(10, 0, 1, 2), change(30, 0, 4, 1)}));
  EXPECT_EQ(all.cpus.at(0).unknown, 20U);
  EXPECT_EQ(ran(all, 2), 0U);
}

// Thread 2 comes in on CPU 1 at 200, while it is still on CPU 0.
host::Statistics statistics_of_a_move(const std::vector<Pieces>& later) {
  std::vector<Pieces> all = {change(100, 0, 1, 2), change(100, 1, 3, 4), change(200, 1, 4, 2)};
  all.insert(all.end(), later.begin(), later.end());
  return statistics_of(archive(all));
}

TEST(Stats, CreditsAThreadThatMovesOnBothCpus) {
  const host::Statistics all =
      statistics_of_a_move({change(210, 0, 2, 1), change(300, 1, 2, 4), change(400, 0, 1, 5)});
  EXPECT_EQ(ran(all, 2), 200U);
  EXPECT_EQ(all.threads.at(2).time(host::ThreadTime::kUnknown), 0U);
  EXPECT_EQ(all.threads.at(2).time(host::ThreadTime::kBlocked), 100U);
  EXPECT_EQ(all.threads.at(2).run.total(), 200U);
  EXPECT_EQ(ran(all, 1), 190U);
  EXPECT_EQ(all.cpus.at(0).unknown, 10U);
  EXPECT_EQ(all.cpus.at(1).unknown, 0U);
}

TEST(Stats, CreditsNobodyIfTheCpuThatAThreadMovedFromRecordsAnother) {
  const host::Statistics all = statistics_of_a_move({change(210, 0, 9, 1), change(300, 1, 2, 4)});
  EXPECT_EQ(ran(all, 2), 100U);
  EXPECT_EQ(all.threads.at(2).time(host::ThreadTime::kUnknown), 100U);
  EXPECT_EQ(all.cpus.at(0).unknown, 110U);
}

TEST(Stats, KnowsAThreadThatHasLeftBothCpusWhenTheFirstRecordsThat) {
  const host::Statistics all =
      statistics_of_a_move({change(205, 1, 2, 4), change(210, 0, 2, 1), change(400, 0, 1, 5)});
  EXPECT_EQ(ran(all, 2), 5U);
  EXPECT_EQ(all.threads.at(2).time(host::ThreadTime::kUnknown), 100U);
  EXPECT_EQ(all.threads.at(2).time(host::ThreadTime::kBlocked), 195U);
  EXPECT_EQ(ran(all, 1), 190U);
}

// As in a part of a trace, which has not all that came before it.
TEST(Stats, KnowsAThreadThatLeftAnotherCpuThanItWasSeenToComeInOn) {
  const host::Statistics all = statistics_of(archive(
      {change(100, 0, 1, 2), change(205, 1, 2, 4), change(210, 0, 2, 1), change(400, 0, 1, 5)}));
  EXPECT_EQ(ran(all, 2), 0U);
  EXPECT_EQ(all.threads.at(2).time(host::ThreadTime::kUnknown), 105U);
  EXPECT_EQ(all.threads.at(2).time(host::ThreadTime::kBlocked), 195U);
}

TEST(Stats, DoesNotKnowARunIfTheTraceEndsAheadOfTheRecord) {
  const host::Statistics all = statistics_of_a_move({change(300, 1, 2, 4)});
  EXPECT_EQ(ran(all, 2), 100U);
  EXPECT_EQ(all.threads.at(2).time(host::ThreadTime::kUnknown), 100U);
  EXPECT_EQ(all.cpus.at(0).unknown, 200U);
}

TEST(Stats, CreditsNobodyWhereRecordsWereLost) {
  const host::Statistics all =
      statistics_of(archive({change(10, 0, 1, 2), loss(15, 25, 3, true), change(30, 0, 2, 1)}));
  EXPECT_EQ(all.cpus.at(0).unknown, 10U);
  EXPECT_EQ(ran(all, 2), 5U + 5U);
  const host::LossStatistics& lost = all.losses.at({"cpu-0", "ring"});
  EXPECT_EQ(lost.records, 5U);
  EXPECT_EQ(lost.bytes, 80U);
  EXPECT_FALSE(lost.records_unknown);
  EXPECT_EQ(lost.first, 15U);
  EXPECT_EQ(lost.last, 25U);
}

TEST(Stats, ALossOfUnknownSizeIsUnknown) {
  const host::Statistics all = statistics_of(archive({loss(15, 25, 3, false)}));
  EXPECT_TRUE(all.losses.at({"cpu-0", "ring"}).records_unknown);
  EXPECT_TRUE(all.losses.at({"cpu-0", "ring"}).bytes_unknown);
  host::StringOutput out;
  host::print_statistics(out, all);
  EXPECT_TRUE(contains(out.take(), "cpu-0, ring: unknown records, unknown bytes"));
}

TEST(Stats, MeasuresFromWakeupToRunning) {
  const host::Statistics all =
      statistics_of(archive({wakeup(5, 2), wakeup(7, 2), change(10, 0, 1, 2), wakeup(12, 2),
                             change(20, 0, 2, 1), wakeup(21, 2), change(24, 0, 1, 2)}));
  const host::ThreadStatistics& thread = all.threads.at(2);
  EXPECT_EQ(thread.wakeups, 4U);
  EXPECT_EQ(thread.latency.count(), 2U);  // woken twice is woken once, and while it runs not at all
  EXPECT_EQ(thread.latency.total(), 5U + 3U);
  EXPECT_EQ(thread.latency.longest(), 5U);
}

TEST(Stats, CountsInterruptsOfACpuAndNestedOnesOnce) {
  const host::Statistics all =
      statistics_of(archive({event(2, 10, 3), event(2, 12, 3), event(3, 14, 3), event(3, 20, 3),
                             event(2, 30, 2), event(3, 31, 2)}));
  const host::InterruptStatistics& interrupts = all.interrupts.at({0, "n"});
  EXPECT_EQ(interrupts.length.count(), 2U);
  EXPECT_EQ(interrupts.length.total(), 2U + 10U);
  EXPECT_EQ(interrupts.length.longest(), 10U);
  EXPECT_EQ(interrupts.own, 10U);
  EXPECT_EQ(interrupts.nested, 1U);
  EXPECT_EQ(interrupts.deepest, 2U);
  EXPECT_EQ(all.durations.at({"c", "n"}).total.count(), 3U);
}

TEST(Stats, CountsCompleteDurationsFlowsAndCounters) {
  const Pieces counter = {
      W(U{4} << 0 | U{9} << 4 | U{1} << 16 | U{2} << 20 | U{0x8001} << 32 | U{0x8001} << 48),
      W(9),
      W(10),
      W(2),
      S("c\0\0\0\0\0\0\0"),
      S("n\0\0\0\0\0\0\0"),
      W(U{1} << 0 | U{1} << 4 | U{0xffffffff} << 32),
      W(U{0} << 0 | U{1} << 4),
      W(6)};
  const host::Statistics all = statistics_of(
      archive({event(4, 1, 2, U{5}), event(8, 6, 2, U{1}), event(10, 7, 2, U{1}), counter}));
  EXPECT_EQ(all.durations.at({"c", "n"}).total.total(), 4U);
  EXPECT_EQ(all.flows.at({"c", "n"}).begun, 1U);
  EXPECT_EQ(all.flows.at({"c", "n"}).ended, 1U);
  ASSERT_EQ(all.counters.size(), 1U);
  EXPECT_EQ(all.counters.begin()->second.last, -1);
}

TEST(Stats, ProvidersOfDifferentRatesMeetInNanoseconds) {
  Pieces pieces = {W(kMagic)};
  const Pieces instant = event(0, 5, 2);
  for (U provider = 1; provider <= 2; ++provider) {
    pieces.push_back(W(U{0} << 0 | U{1} << 4 | U{1} << 16 | provider << 20));
    pieces.push_back(W(U{1} << 0 | U{2} << 4));
    pieces.push_back(W(provider * 1000));
    pieces.insert(pieces.end(), instant.begin(), instant.end());
  }
  const host::Statistics all = statistics_of(pieces);
  EXPECT_EQ(all.ticks_per_second, 1'000'000'000U);
  EXPECT_EQ(all.first, 2'500'000U);
  EXPECT_EQ(all.last, 5'000'000U);
}

TEST(Stats, JsonHasTheKeysThatScriptsLookFor) {
  host::StringOutput out;
  host::print_statistics_json(out, statistics_of(archive({change(10, 0, 1, 2)})));
  const std::string json = out.take();
  for (const char* key : {"cpus", "threads", "interrupts", "durations", "counters", "flows",
                          "contention", "losses", "records"}) {
    EXPECT_TRUE(contains(json, "\"" + std::string(key) + "\":")) << key;
  }
}

TEST(Stats, TextSaysThatNothingWasLost) {
  host::StringOutput out;
  host::print_statistics(out, statistics_of(archive({change(10, 0, 1, 2), change(20, 0, 2, 1)})));
  const std::string text = out.take();
  EXPECT_TRUE(contains(text, "Losses: none"));
  EXPECT_TRUE(contains(text, "work"));
}

}  // namespace
}  // namespace barefxt::test::stats_test
