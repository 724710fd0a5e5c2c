// Threads write into a ring without segments at once: nothing torn, nothing out of order, nothing
// lost in silence.
//
// An image without segments has one CPU; where threads play it they are as many interrupts of each
// other, at any place. Also built alone under ThreadSanitizer.

#include <gtest/gtest.h>
#include <thread>
#include <vector>

#include <barefxt/intern.h>

#include "configuration.h"
#include "linear_boot.h"
#include "linear_dumped.h"
#include "torture/checker.h"

namespace barefxt::test::linear_torture_test {
namespace {

BAREFXT_CATEGORY(work, 3);

using linear::Place;
using torture::Checker;

constexpr uint32_t kThreads = 4;
#if BAREFXT_THREAD_SANITIZER_
constexpr uint32_t kEach = 20000;
constexpr uint32_t kRounds = 20;
#else
constexpr uint32_t kEach = 200000;
constexpr uint32_t kRounds = 100;
#endif

// Room for more than a round takes, and quickly cleared.
constexpr size_t kRoundBytes = size_t{4} << 20;

uint64_t now = 0;
uint64_t next_tick() { return __atomic_add_fetch(&now, 1, __ATOMIC_RELAXED); }

// The records of a torture, and short ones with their writer's number and their own.
class Judge : public torture::RecordSink {
 public:
  void segment(uint32_t ring, uint32_t sequence) override { checker_.segment(ring, sequence); }
  void record(const fxt::Word* words, uint32_t count) override {
    checker_.record(words, count);
    if (fxt::Event::Name::in(words[0]) != BAREFXT_STRING("short")) return;
    ASSERT_EQ(count, 3u);
    const auto writer_and_number = static_cast<uint32_t>(words[2] >> 32);
    ASSERT_LT(writer_and_number >> 24, kThreads);
    // One gap, at the end: so none is missing ahead of it.
    EXPECT_EQ(writer_and_number & 0xffffff, next_short_[writer_and_number >> 24]++);
  }
  static Judge of_dump() {
    Judge judge;
    torture::FrameReader reader(judge);
    const barefxt_writer writer = {&torture::FrameReader::write, &reader};
    EXPECT_EQ(barefxt_dump(&writer, BAREFXT_DUMP_BINARY), BAREFXT_OK);
    EXPECT_STREQ(reader.problem(), nullptr);
    EXPECT_STREQ(judge.checker_.problem(), nullptr);
    EXPECT_EQ(reader.totals().records, judge.checker_.records());
    judge.end = reader.totals();
    return judge;
  }

  torture::EndTotals end;

 private:
  Checker checker_;
  uint32_t next_short_[kThreads] = {};
};

class LinearTortureTest : public ::testing::Test {
 protected:
  void SetUp() override {
    barefxt_host_counter = next_tick;
    memory_.resize((size_t{32} << 20) / sizeof(uint64_t));
  }
  void TearDown() override { barefxt_stop(); }

  void start(size_t bytes) {
    boot();
    barefxt_config config = config_of(memory_.data(), bytes);
    ASSERT_EQ(barefxt_start(&config), BAREFXT_OK);
  }

  // Each writes `pairs` pairs, or until recording ends.
  void write(uint32_t pairs) {
    for (uint32_t t = 0; t < kThreads; ++t)
      threads_.emplace_back([t, pairs] {
        torture::Writer writer;
        writer.number = t;
        for (uint32_t i = 0; i < pairs && barefxt_running(); ++i) {
          torture::write(writer);
          BAREFXT_INSTANT(work, "short", BAREFXT_ARG_U32("n", t << 24 | i));
        }
      });
  }
  void join() {
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
  }

  std::vector<uint64_t> memory_;
  std::vector<std::thread> threads_;
};

TEST_F(LinearTortureTest, NothingIsTornOrForgotten) {
  start(memory_.size() * sizeof(uint64_t));
  write(kEach);
  join();
  const barefxt_stop_report report = barefxt_stop();
  EXPECT_EQ(report.unfinished_records, 0u);
  EXPECT_EQ(report.recorded_records + report.lost_records, uint64_t{2} * kThreads * kEach);
  const Judge judge = Judge::of_dump();
  EXPECT_EQ(judge.end.records, report.recorded_records);
  EXPECT_EQ(judge.end.lost, report.lost_records);
  EXPECT_EQ(judge.end.unfinished, 0u);
}

TEST_F(LinearTortureTest, AStopInTheMiddleLeavesNoneOutThatIsFinished) {
  for (uint32_t round = 0; round < kRounds && !HasFailure(); ++round) {
    start(kRoundBytes);
    write(~0u);
    while (rings[0].finished.load_relaxed() < 100 * round) std::this_thread::yield();
    const barefxt_stop_report report = barefxt_stop();
    // Some of them are not done yet.
    const Judge early = Judge::of_dump();
    EXPECT_GE(early.end.records, report.recorded_records);
    EXPECT_EQ(early.end.records + early.end.unfinished,
              report.recorded_records + report.unfinished_records);
    join();
    EXPECT_EQ(barefxt_unfinished(), 0u);
    const Judge late = Judge::of_dump();
    EXPECT_EQ(late.end.unfinished, 0u);
    EXPECT_EQ(late.end.records, report.recorded_records + report.unfinished_records);
  }
}

TEST_F(LinearTortureTest, OfThreadsThatRegisterAtOnceEachHasItsOwnEntry) {
  for (uint32_t round = 0; round < kRounds && !HasFailure(); ++round) {
    start(kSegmentBytes);
    std::vector<barefxt_thread> registered(8 * kThreads);
    for (uint32_t t = 0; t < kThreads; ++t)
      threads_.emplace_back([t, &registered] {
        for (uint32_t i = 8 * t; i < 8 * t + 8; ++i) {
          const std::string name = "thread " + std::to_string(i);
          barefxt_thread_register(&registered[i], 10, 100 + i, name.c_str(), 1);
        }
      });
    join();
    std::vector<uint32_t> has_it(BAREFXT_MAX_THREADS + 1);
    for (const barefxt_thread& thread : registered) ++has_it[thread.reference >> 24];
    EXPECT_EQ(has_it[0], registered.size() - BAREFXT_MAX_THREADS) << "without an entry";
    for (uint32_t index = 1; index <= BAREFXT_MAX_THREADS; ++index) {
      EXPECT_EQ(has_it[index], 1u);
      const linear::Entry& entry = linear::threads.entries[index - 1];
      EXPECT_EQ(registered[entry.koid - 100].reference >> 24, index);
      EXPECT_EQ("thread " + std::to_string(entry.koid - 100), entry.name);
    }
    barefxt_stop();
  }
}

// Nothing but the commit orders writer and reader here: a race detector finds out if it does not.
TEST_F(LinearTortureTest, WhoSeesACommitSeesWhatWasCommitted) {
  start(kSegmentBytes);
  std::thread thread([] {
    torture::Writer writer;
    for (uint32_t i = 0; i < 8; ++i) {
      torture::write(writer);
      BAREFXT_INSTANT(work, "short", BAREFXT_ARG_U32("n", i));
    }
  });
  uint64_t sum = 0;
  for (uint32_t found = 0; found < 16;) {
    found = 0;
    SegmentWalker walker(rings[0].memory, Place::kFirst, kSegmentBytes);
    SegmentWalker::Record record;
    while (walker.next(record)) {
      if (!record.finished) continue;
      ++found;
      for (uint32_t i = 1; i < record.bytes / sizeof(fxt::Word); ++i) sum += record.words[i];
    }
  }
  thread.join();
  EXPECT_NE(sum, 0u);
}

// A caller that has waited for the stopped ring may then read its memory without locks.
TEST_F(LinearTortureTest, WhoHasWaitedForAllWritersSeesAllThatTheyWrote) {
  for (uint32_t round = 0; round < kRounds; ++round) {
    start(kRoundBytes);
    write(~0u);
    while (rings[0].finished.load_relaxed() < 100) std::this_thread::yield();
    const barefxt_stop_report report = barefxt_stop();
    while (barefxt_unfinished() != 0) std::this_thread::yield();
    const uint32_t end = Place::offset_when_closed(rings[0].position.load_relaxed());
    uint32_t records = 0;
    for (uint32_t at = Place::kFirst; at < end; ++records) {
      const fxt::Word header = *reinterpret_cast<const fxt::Word*>(rings[0].memory + at);
      ASSERT_FALSE(fxt::RingRecord::is(header, fxt::RingRecordType::kUnfinished));
      ASSERT_NE(header, 0u);
      at += static_cast<uint32_t>(fxt::RecordHeader::SizeWords::in(header) * sizeof header);
    }
    EXPECT_EQ(records, report.recorded_records + report.unfinished_records);
    join();
  }
}

}  // namespace
}  // namespace barefxt::test::linear_torture_test
