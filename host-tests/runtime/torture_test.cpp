// Writers in all contexts on a few rings at once, in all modes, with a drain, snapshots and starts
// in between: nothing torn, nothing out of order, nothing lost in silence.
//
// Also built alone under ThreadSanitizer, so it needs the runtime and nothing of the host's
// library.

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <gtest/gtest.h>
#include <iterator>
#include <map>
#include <string>

#include <barefxt/ring.h>

#include "configuration.h"
#include "torture/checker.h"
#include "torture/frame_reader.h"
#include "torture_writers.h"

namespace barefxt::torture {
namespace {

#if BAREFXT_THREAD_SANITIZER_
constexpr uint64_t kAttempts = 200000;
constexpr uint64_t kDrained = 5000;
constexpr int kStarts = 60;
#else
constexpr uint64_t kAttempts = 3000000;
constexpr uint64_t kDrained = 50000;
constexpr int kStarts = 200;
#endif

// BAREFXT_FULL=1 in the environment: a hundred times as much.
uint64_t share(uint64_t attempts) {
  return std::getenv("BAREFXT_FULL") == nullptr ? attempts : attempts * 100;
}

// Each writer's records, to find those missing in between.
class Seen {
 public:
  explicit Seen(Checker& checker) {
    checker.context = this;
    checker.each = [](void* context, uint32_t writer, uint32_t number) {
      static_cast<Seen*>(context)->numbers_[writer].push_back(number);
    };
  }
  // Between the second and the last of each writer: the first may be of one that slept over the
  // start, and got its place before probes were enabled. Fails the test for one that is there
  // twice.
  uint64_t missing() {
    uint64_t missing = 0;
    for (auto& [writer, numbers] : numbers_) {
      std::sort(numbers.begin(), numbers.end());
      EXPECT_EQ(std::adjacent_find(numbers.begin(), numbers.end()), numbers.end());
      if (numbers.size() > 1) missing += numbers.back() - numbers[1] + 2 - numbers.size();
    }
    return missing;
  }

 private:
  std::map<uint32_t, std::vector<uint32_t>> numbers_;
};

class TortureTest : public ::testing::Test {
 protected:
  void TearDown() override { barefxt_stop(); }

  void start(barefxt_mode mode, unsigned segments) {
    if (memory_.empty())
      memory_.resize(size_t{kCpus} * segments * BAREFXT_SEGMENT_BYTES / sizeof(uint64_t));
    barefxt_config config =
        test::config_of(memory_.data(), memory_.size() * sizeof(uint64_t), kCpus, mode);
    config.partial_after_ticks = 100000;
    barefxt_error error = BAREFXT_ERROR_RUNNING;
    // So it is while a writer that came to a trigger's end sleeps there.
    while (error == BAREFXT_ERROR_RUNNING) error = barefxt_start(&config);
    ASSERT_EQ(error, BAREFXT_OK);
  }

  static EndTotals dump(Checker& checker) {
    FrameReader reader(checker);
    const barefxt_writer writer = {&FrameReader::write, &reader};
    EXPECT_EQ(barefxt_dump(&writer, BAREFXT_DUMP_BINARY), BAREFXT_OK);
    expect_fine(checker, reader);
    EXPECT_EQ(reader.totals().records, checker.records());
    return reader.totals();
  }
  static void expect_fine(const Checker& checker, const FrameReader& reader) {
    EXPECT_STREQ(checker.problem(), nullptr);
    EXPECT_STREQ(reader.problem(), nullptr);
    EXPECT_EQ(checker.written(), checker.records());
  }

  // Checks the sums of a session. `read`: found, whole.
  static void expect_accounted_for(const char* mode, const Writers& writers,
                                   const barefxt_stop_report& report, uint64_t read) {
    EXPECT_EQ(report.unfinished_records, 0u);
    EXPECT_EQ(report.recorded_records, read);
    EXPECT_EQ(read + report.lost_records + report.overwritten_records, writers.attempted());
    const uint64_t swaps_lost =
        writers.counter_reads() - writers.attempted() - read - report.overwritten_records;
    EXPECT_GT(swaps_lost, (read + report.overwritten_records) / 1000);
    EXPECT_GT(writers.contended(), (read + report.overwritten_records) / 1000);
    EXPECT_GT(writers.migrated(), writers.attempted() / 1000);
    const bool is_fine = !HasFailure();
    std::printf(
        "TORTURE on=host mode=%s cpus=%u writers=%u attempted=%llu read=%llu lost=%llu "
        "overwritten=%llu contended=%llu swaps_lost=%llu migrated=%llu result=%s\n",
        mode, kCpus, kThreads * kLevels, count(writers.attempted()), count(read),
        count(report.lost_records), count(report.overwritten_records), count(writers.contended()),
        count(swaps_lost), count(writers.migrated()), is_fine ? "ok" : "failed");
  }
  static unsigned long long count(uint64_t value) { return value; }

  std::vector<uint64_t> memory_;
};

TEST_F(TortureTest, OneShot) {
  start(BAREFXT_MODE_ONE_SHOT, 400);
  Writers writers(share(kAttempts));
  writers.join();
  const barefxt_stop_report report = barefxt_stop();
  Checker checker;
  dump(checker);
  expect_accounted_for("one-shot", writers, report, checker.records());
}

TEST_F(TortureTest, CircularWithSnapshots) {
  start(BAREFXT_MODE_CIRCULAR, 8);
  uint64_t snapshots = 0;
  Writers writers(share(kAttempts));
  while (!writers.are_done() || snapshots < 10) {
    ASSERT_EQ(barefxt_snapshot(), BAREFXT_OK);
    if (++snapshots % 4 == 0) {
      barefxt_snapshot_release();
    } else {
      Checker checker;
      dump(checker);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  writers.join();
  const barefxt_stop_report report = barefxt_stop();
  Checker checker;
  const EndTotals dumped = dump(checker);
  EXPECT_EQ(dumped.lost, report.lost_records + report.overwritten_records);
  expect_accounted_for("circular", writers, report, checker.records());
}

TEST_F(TortureTest, StreamingWithADrainThatIsNowAndThenLate) {
  start(BAREFXT_MODE_STREAMING, 8);
  Checker checker;
  FrameReader reader(checker);
  std::vector<uint8_t> buffer(BAREFXT_DRAIN_BYTES);
  uint64_t calls = 0;
  const auto drain = [&] {
    const size_t room = ++calls % 3 == 0 ? buffer.size() : 1500;
    const size_t bytes = barefxt_drain(buffer.data(), room, BAREFXT_DUMP_BINARY);
    reader.take(buffer.data(), bytes);
  };
  // The rings go round many times, and fill now and then.
  Writers writers(~uint64_t{0} / 2, Pace::kWithPauses);
  while (checker.records() < share(kDrained) || rings[0].records_lost.value() == 0) {
    drain();
    if (calls % 500 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  writers.stop();
  writers.join();
  const barefxt_stop_report report = barefxt_stop();
  while (!barefxt_drain_is_over()) drain();
  expect_fine(checker, reader);
  EXPECT_TRUE(reader.totals().came);
  EXPECT_EQ(reader.totals().records, checker.records());
  EXPECT_EQ(reader.totals().lost, report.lost_records);
  expect_accounted_for("streaming", writers, report, checker.records());
}

// The sessions are over: one thread reads what is left of each, another takes it.
TEST_F(TortureTest, ADumpAndAReportBesideADrain) {
  uint64_t dumped = 0;
  for (int round = 0; round < kStarts; ++round) {
    start(BAREFXT_MODE_STREAMING, 8);
    Writers writers(2000);
    writers.join();
    const uint64_t recorded = barefxt_stop().recorded_records;
    Checker streamed;
    FrameReader reader(streamed);
    std::atomic<bool> is_over{false};
    std::thread drainer([&reader, &is_over] {
      std::vector<uint8_t> buffer(1500);
      while (!barefxt_drain_is_over())
        reader.take(buffer.data(),
                    barefxt_drain(buffer.data(), buffer.size(), BAREFXT_DUMP_BINARY));
      is_over.store(true);
    });
    do {
      Checker checker;
      dumped += dump(checker).records;
      EXPECT_LE(barefxt_stop().recorded_records, recorded);
    } while (!is_over.load());
    drainer.join();
    expect_fine(streamed, reader);
    EXPECT_EQ(reader.totals().records, recorded);
    EXPECT_EQ(streamed.records(), recorded);
    EXPECT_EQ(barefxt_stop().recorded_records, recorded);
    ASSERT_FALSE(HasFailure()) << "round " << round;
  }
  EXPECT_GT(dumped, 0u);
}

// Nothing but the commit orders writer and reader here: a race detector finds out if it does not.
TEST_F(TortureTest, WhoSeesACommitSeesWhatWasCommitted) {
  start(BAREFXT_MODE_ONE_SHOT, 2);
  std::thread thread([] {
    Writer writer;
    writer.number = 1;
    for (unsigned record = 0; record < 8; ++record) write(writer);
  });
  uint64_t sum = 0;
  for (uint32_t found = 0; found < 8;) {
    found = 0;
    for (Ring& ring : rings) {
      if (ring.segments == 0) continue;
      SegmentWalker walker(ring.segment(0));
      SegmentWalker::Record record;
      while (walker.next(record)) {
        if (!record.finished) continue;
        ++found;
        for (uint32_t i = 1; i < record.bytes / sizeof(fxt::Word); ++i) sum += record.words[i];
      }
    }
  }
  thread.join();
  EXPECT_NE(sum, 0u);
}

class Counted final : public RecordSink {
 public:
  void segment(uint32_t, uint32_t) override {}
  void record(const fxt::Word*, uint32_t) override { ++records; }

  uint64_t records = 0;
};

// One CPU registers a thread, changes it, and unregisters it; another switches to it and away; a
// third sends the table. A race detector finds out if they may not.
TEST_F(TortureTest, AThreadIsChangedInEveryWayWhileItIsSwitchedAndDumped) {
  start(BAREFXT_MODE_STREAMING, 8);
  static barefxt_thread thread;
  // More often than there are entries, whose threads are gone until the next start.
  constexpr uint32_t kRounds = BAREFXT_MAX_THREADS + 50;
  std::atomic<bool> is_over{false};
  std::atomic<bool> is_switched{false};
  std::thread changes([&] {
    barefxt_host_cpu = 1;
    while (!is_switched) std::this_thread::yield();
    for (uint32_t round = 0; round < kRounds; ++round) {
      barefxt_thread_register(&thread, 1, 1000 + round, "registered", 1);
      barefxt_thread_set_priority(&thread, static_cast<uint8_t>(round));
      barefxt_thread_rename(&thread, "a name of 16 byt");
      barefxt_thread_rename(&thread, "an");
      barefxt_thread_unregister(&thread);
    }
    is_over = true;
  });
  std::thread switches([&] {
    barefxt_host_cpu = 2;
    while (!is_over) {
      barefxt_thread_wakeup(&thread);
      barefxt_context_switch(BAREFXT_THIS_CPU, BAREFXT_STATE_RUNNABLE, &thread);
      barefxt_context_switch(&thread, BAREFXT_STATE_BLOCKED, BAREFXT_THIS_CPU);
      is_switched = true;
    }
  });
  Counted counted;
  FrameReader reader(counted);
  std::vector<uint8_t> buffer(BAREFXT_DRAIN_BYTES);
  const auto drain = [&] {
    reader.take(buffer.data(), barefxt_drain(buffer.data(), buffer.size(), BAREFXT_DUMP_BINARY));
  };
  while (!is_over) drain();
  changes.join();
  switches.join();
  barefxt_stop();
  while (!barefxt_drain_is_over()) drain();
  EXPECT_STREQ(reader.problem(), nullptr);
  EXPECT_TRUE(reader.totals().came);
  EXPECT_EQ(reader.totals().records, counted.records);
}

// Some by their own calls, others by a trigger, while writers stay at work.
TEST_F(TortureTest, StopsAtOnceAreOneStop) {
  Writers writers(~uint64_t{0} / 2);
  constexpr uint32_t kStoppers = 3;
  for (int round = 0; round < kStarts * (share(1) == 1 ? 1 : 20); ++round) {
    ASSERT_NO_FATAL_FAILURE(start(BAREFXT_MODE_CIRCULAR, 6));
    const uint64_t started = barefxt_descriptor.start_ticks;
    if (round % 2 == 0) barefxt_trigger(1);
    std::atomic<uint32_t> ready{0};
    std::atomic<uint32_t> running{0};
    std::vector<std::thread> stoppers;
    for (uint32_t i = 0; i < kStoppers; ++i) {
      stoppers.emplace_back([&] {
        // It is about to publish the time of the stop: the others come in meanwhile.
        Writers::held_up_microseconds = 200;
        ready.fetch_add(1);
        while (ready.load() != kStoppers) std::this_thread::yield();
        barefxt_stop();
        if (barefxt_running()) running.fetch_add(1);
      });
    }
    for (std::thread& stopper : stoppers) stopper.join();
    ASSERT_EQ(running.load(), 0u);
    Checker checker;
    EXPECT_GE(dump(checker).stop_ticks, started);
    ASSERT_FALSE(HasFailure()) << "round " << round;
  }
  writers.stop();
  writers.join();
}

// At once, and beside writers. (Not barefxt_unfinished: code that walks segments that are being
// overwritten reads what writers store, and looks again.)
TEST_F(TortureTest, CallsOfAnyContextBesideStartsAndRewinds) {
  Writers writers(~uint64_t{0} / 2);
  ASSERT_NO_FATAL_FAILURE(start(BAREFXT_MODE_CIRCULAR, 6));
  std::atomic<bool> is_over{false};
  constexpr void (*kCalls[])() = {
      [] { barefxt_set_categories(~0u); },
      [] { barefxt_trigger(1); },
      [] { barefxt_stop(); },
  };
  std::vector<std::thread> callers;
  for (uint32_t first = 0; first < 3; ++first) {
    callers.emplace_back([&, first] {
      for (uint32_t turn = first; !is_over.load(std::memory_order_relaxed); ++turn) {
        kCalls[turn % std::size(kCalls)]();
        if (turn % 7 == first) std::this_thread::yield();
      }
    });
  }
  for (int round = 0; round < kStarts * (share(1) == 1 ? 5 : 100); ++round) {
    if (round % 3 == 0)
      barefxt_rewind();
    else
      start(round % 2 == 0 ? BAREFXT_MODE_ONE_SHOT : BAREFXT_MODE_CIRCULAR, 6);
    while (round % 3 == 2 && barefxt_running()) std::this_thread::yield();
  }
  is_over.store(true);
  for (std::thread& caller : callers) caller.join();
  barefxt_stop();
  // A writer that came to a trigger's end may still be disabling what is disabled.
  EXPECT_EQ(__atomic_load_n(&barefxt_enabled_categories, __ATOMIC_RELAXED), 0u);
  ASSERT_NO_FATAL_FAILURE(start(BAREFXT_MODE_ONE_SHOT, 6));
  EXPECT_EQ(__atomic_load_n(&barefxt_enabled_categories, __ATOMIC_RELAXED), ~0u);
  writers.stop();
  writers.join();
  const barefxt_stop_report report = barefxt_stop();
  Checker checker;
  EXPECT_EQ(dump(checker).records, report.recorded_records);
}

// Writers stay at work, and are interrupted, while recording stops and starts again.
TEST_F(TortureTest, StopsAndStartsInTheMiddle) {
  Writers writers(~uint64_t{0} / 2);
  uint64_t read = 0;
  for (int round = 0; round < kStarts * (share(1) == 1 ? 1 : 20); ++round) {
    constexpr barefxt_mode kModes[] = {BAREFXT_MODE_ONE_SHOT, BAREFXT_MODE_CIRCULAR};
    ASSERT_NO_FATAL_FAILURE(start(kModes[round / 3 % 2], 6));
    std::this_thread::sleep_for(std::chrono::milliseconds(1 + round % 5));
    if (round % 5 == 1) {
      const barefxt_error error = barefxt_rewind();
      ASSERT_TRUE(error == BAREFXT_OK || error == BAREFXT_ERROR_RUNNING);
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    if (round % 5 == 2) {
      barefxt_trigger(2);
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    const barefxt_stop_report report = barefxt_stop();
    if (round % 2 == 0) barefxt_wait_unfinished(1000000000);
    Checker checker;
    Seen seen(checker);
    const EndTotals dumped = dump(checker);
    // Those that were interrupted may have come to an end since: of a record, or of one for which
    // they had found no room; or one that made room has overwritten a segment yet.
    const uint64_t reported =
        report.recorded_records + report.lost_records + report.overwritten_records;
    ASSERT_GE(dumped.records + dumped.lost, reported);
    ASSERT_LE(dumped.records + dumped.lost,
              reported + report.unfinished_records + kThreads * kLevels);
    ASSERT_LE(dumped.unfinished, report.unfinished_records);
    EXPECT_LE(seen.missing(), dumped.lost + dumped.unfinished);
    read += dumped.records;
    ASSERT_FALSE(HasFailure()) << "round " << round;
  }
  EXPECT_GT(read, 1000u);
  writers.stop();
  writers.join();
}

}  // namespace
}  // namespace barefxt::torture
