// Each CPU has a counter of its own: their difference is measured, and a record has the counter
// value of its ring's CPU.

#include <random>
#include <thread>

#include "binary_frames.h"
#include "skewed_cpus.h"

namespace barefxt::test::clock_per_cpu_test {
namespace {

BAREFXT_CATEGORY(work, 3);

// In reads of a counter: a minute on a slow machine.
constexpr uint64_t kNoHurry = 30'000'000;
constexpr uint64_t kCpuThread = 0x7f000000;

class PerCpuClockTest : public SkewedCpusTest {
 protected:
  // All CPUs at once, as threads.
  static std::vector<barefxt_error> sync(uint16_t cpus = kCpus) {
    yield_on_reads();
    std::vector<barefxt_error> results(cpus, BAREFXT_ERROR_RUNNING);
    std::vector<std::thread> threads;
    for (uint32_t cpu = 0; cpu < cpus; ++cpu)
      threads.emplace_back([cpu, cpus, &results] {
        run_on_cpu(cpu);
        results[cpu] = barefxt_clock_sync(cpus, kNoHurry);
      });
    for (std::thread& thread : threads) thread.join();
    return results;
  }
  static const std::vector<barefxt_error> kAllWell;

  void skew_all() {
    set_skew(0, -3000);
    set_skew(1, 1'000'000);
    set_skew(2, -700'000'000);
    set_skew(3, 12);
  }
};
const std::vector<barefxt_error> PerCpuClockTest::kAllWell(kCpus, BAREFXT_OK);

TEST_F(PerCpuClockTest, OffsetsAreMeasuredAndNoFurtherOffThanSaid) {
  std::mt19937_64 random(8);
  for (unsigned round = 0; round < 20; ++round) {
    for (uint32_t cpu = 0; cpu < kCpus; ++cpu)
      set_skew(cpu, static_cast<int64_t>(random() % 1'000'000'000) - 500'000'000);
    ASSERT_EQ(sync(), kAllWell);
    for (uint32_t cpu = 1; cpu < kCpus; ++cpu) {
      uint64_t words[ClockOffset::kWords];
      ASSERT_NE(clock_offsets[cpu].read(words), 0u);
      const int64_t off = static_cast<int64_t>(words[ClockOffset::kTicks]) - true_offset(cpu);
      EXPECT_LE(std::abs(off), static_cast<int64_t>(words[ClockOffset::kError]));
      EXPECT_LT(words[ClockOffset::kError], 1'000'000u) << "a bound that says something";
    }
  }
}

TEST_F(PerCpuClockTest, WhoWaitsInVainGivesUpAndAllIsWellTheNextTime) {
  skew_all();
  run_on_cpu(0);
  EXPECT_EQ(barefxt_clock_sync(2, 1000), BAREFXT_ERROR_CLOCK_UNANSWERED);
  run_on_cpu(1);  // its question gets no answer until the next time
  EXPECT_EQ(barefxt_clock_sync(2, 1000), BAREFXT_ERROR_CLOCK_UNANSWERED);
  EXPECT_EQ(clock_offsets[1].count(), 0u);
  EXPECT_EQ(sync(2), std::vector<barefxt_error>(2, BAREFXT_OK));
  EXPECT_EQ(sync(), kAllWell);
}

TEST_F(PerCpuClockTest, ACpuWhoseCounterStandsStillIsFound) {
  barefxt_host_counter = [] { return uint64_t{7}; };
  run_on_cpu(1);
  EXPECT_EQ(barefxt_clock_sync(kCpus, kNoHurry), BAREFXT_ERROR_COUNTER_STOPPED);
  run_on_cpu(kCpus);
  EXPECT_EQ(barefxt_clock_sync(kCpus, kNoHurry), BAREFXT_ERROR_CPU_COUNT);
}

TEST_F(PerCpuClockTest, RecordsOfAllCpusComeInTrueOrderAndAtTrueTimes) {
  skew_all();
  report_true_offsets();
  start();
  std::vector<uint64_t> times;
  for (uint32_t i = 0; i < 400; ++i) {
    run_on_cpu((i * 7 + i / 5) % kCpus);
    pass(i % 3 * 50);
    BAREFXT_INSTANT(work, "n", BAREFXT_ARG_U32("i", i));
    times.push_back(now());
  }
  run_on_cpu(0);
  const PlainArchive archive = stop_and_read();
  EXPECT_TRUE(rebuilt_.reports("3 CPUs set by the clock of cpu 0, right to within 3 ticks"))
      << rebuilt_.messages;
  const auto events = archive.events("n");
  ASSERT_EQ(events.size(), times.size());
  for (uint32_t i = 0; i < events.size(); ++i) {
    ASSERT_EQ(events[i].argument("i")->bits, i);
    ASSERT_EQ(events[i].timestamp, times[i] - 3000) << "by the counter of cpu 0";
  }
}

TEST_F(PerCpuClockTest, WhatWasNeverMeasuredIsSaid) {
  skew_all();
  report_offset(1, true_offset(1), 17);
  start();
  BAREFXT_INSTANT(work, "here");
  const PlainArchive archive = stop_and_read();
  EXPECT_TRUE(rebuilt_.reports("1 CPU set by the clock of cpu 0, right to within 17 ticks"));
  EXPECT_TRUE(rebuilt_.reports("2 CPUs never compared with the clock of cpu 0"))
      << rebuilt_.messages;
}

// All CPUs are measured anew at each call of a dump's writer, each time with another outcome.
struct RestlessLine {
  static uint64_t ticks_with(uint64_t error) { return error << 40 | error; }

  static void measure(uint32_t cpus, uint64_t error) {
    const uint64_t words[] = {ticks_with(error), error};
    for (uint32_t cpu = 1; cpu < cpus; ++cpu) publish_clock_offset(cpu, words);
  }
  static void write(void* context, const uint8_t* bytes, size_t count) {
    auto& line = *static_cast<RestlessLine*>(context);
    line.frames.take(bytes, count, [&](const auto& frame) { line.look_at(frame); });
    measure(line.cpus, 1 + ++line.calls);
  }
  void look_at(const std::vector<uint8_t>& frame) {
    if (type_of(frame) != wire::FrameType::kClocks) return;
    using wire::ClocksEntry;
    const uint8_t* at = frame.data() + wire::FrameHeader::kBytes + wire::Clocks::kEntries;
    for (uint32_t cpu = 1; cpu < cpus; ++cpu) {
      at += ClocksEntry::kBytes;
      const uint64_t ticks = wire::load_u64(at + ClocksEntry::kOffset);
      const uint64_t error = wire::load_u64(at + ClocksEntry::kError);
      ++entries;
      if (ticks != ticks_with(error)) ++mixed;
    }
  }

  uint32_t cpus;
  BinaryFrames frames = {};
  uint32_t calls = 0;
  uint32_t entries = 0;
  uint32_t mixed = 0;
};

TEST_F(PerCpuClockTest, AClockMeasuredWhileADumpIsSentIsReportedWithItsOwnError) {
  RestlessLine::measure(kCpus, 1);
  start();
  barefxt_stop();
  RestlessLine line = {kCpus};
  const barefxt_writer writer = {&RestlessLine::write, &line};
  ASSERT_EQ(barefxt_dump(&writer, BAREFXT_DUMP_BINARY), BAREFXT_OK);
  EXPECT_EQ(line.entries, 2u * (kCpus - 1)) << "in both copies";
  EXPECT_EQ(line.mixed, 0u);
  EXPECT_GT(line.calls, 10u);
}

// Each way of writing, when its writer is moved from CPU 0 to CPU 1 before it reads the counter, or
// right after it.
class MigrationTest : public PerCpuClockTest {
 protected:
  void expect_one_record_of_cpu_1(void (*write)(), unsigned segments = 16) {
    for (const bool after : {false, true}) {
      skew_all();
      report_true_offsets();
      start(segments);
      while (segments == 2 &&
             this_ring().position.load_relaxed() % kSegmentBytes < kSegmentBytes - 16)
        BAREFXT_INSTANT(work, "x");
      const uint64_t begin = now();
      (after ? after_next_read : before_next_read)([] { run_on_cpu(1); });
      write();
      run_on_cpu(0);
      const uint64_t end = now();
      EXPECT_EQ(barefxt_stop().lost_records, 0u);
      const PlainArchive archive = stop_and_read();
      std::vector<PlainRecord> events = archive.events("moved");
      for (const PlainRecord& record : archive.of_type(9)) events.push_back(record);
      ASSERT_EQ(events.size(), 1u);
      EXPECT_EQ(events[0].thread, kCpuThread + 1);
      EXPECT_GT(events[0].timestamp + 3000, begin);
      EXPECT_LE(events[0].timestamp + 3000, end);
    }
  }
};

TEST_F(MigrationTest, OnTheUndisturbedPath) {
  expect_one_record_of_cpu_1([] { BAREFXT_INSTANT(work, "moved"); });
}
TEST_F(MigrationTest, OnTheCarefulPath) {
  expect_one_record_of_cpu_1([] { BAREFXT_LOG(work, "moved", 5); });
}
TEST_F(MigrationTest, WhileItOpensASegment) {
  expect_one_record_of_cpu_1([] { BAREFXT_INSTANT(work, "moved"); }, 2);
}

TEST_F(PerCpuClockTest, AWriterThatIsMovedEachTimeGivesUpAndTheRecordIsCounted) {
  skew_all();
  start();
  static unsigned moves;
  moves = 0;
  static void (*move)();
  move = [] {
    ++moves;
    run_on_cpu(1 - barefxt_host_cpu);
    before_next_read(move);
  };
  before_next_read(move);
  BAREFXT_INSTANT(work, "hunted");
  before_next_read(nullptr);
  run_on_cpu(0);
  EXPECT_GT(moves, 10u);
  EXPECT_LT(moves, 1000u);
  EXPECT_EQ(barefxt_stop().lost_records, 1u);
}

TEST_F(PerCpuClockTest, ADurationMayBeginOnOneCpuAndEndOnAnother) {
  skew_all();
  report_true_offsets();
  start();
  for (const uint32_t from : {0u, 1u, 2u, 3u})
    for (const uint32_t to : {0u, 1u, 2u, 3u}) {
      run_on_cpu(from);
      const uint64_t begin = barefxt_ticks();
      EXPECT_EQ(begin, now() - 3000) << "one clock for all";
      pass(40);
      run_on_cpu(to);
      BAREFXT_DURATION_COMPLETE(work, "moved", begin, BAREFXT_ARG_U64("begin", begin));
    }
  run_on_cpu(0);
  const auto events = stop_and_read().events("moved");
  ASSERT_EQ(events.size(), 16u);
  for (const PlainRecord& event : events) EXPECT_EQ(event.timestamp, event.argument("begin")->bits);
}

TEST_F(PerCpuClockTest, HoweverWrongTheOffsetsNoDurationIsLost) {
  skew_all();
  start();
  run_on_cpu(1);  // a millisecond ahead, and not measured
  const uint64_t begin = barefxt_ticks();
  run_on_cpu(0);
  BAREFXT_DURATION_COMPLETE(work, "moved", begin);
  BAREFXT_EVENT(work, BAREFXT_EVENT_DURATION_COMPLETE, nullptr, BAREFXT_TEXT("moved"), begin);
  EXPECT_EQ(stop_and_read().events("moved").size(), 2u);
}

}  // namespace
}  // namespace barefxt::test::clock_per_cpu_test
