// The counter changes its rate, or stands still while the CPU sleeps: the archive's times are the
// true ones all the same.

#include <random>
#include <sstream>

#include "skewed_cpus.h"

namespace barefxt::test::clock_change_test {
namespace {

BAREFXT_CATEGORY(work, 3);

constexpr uint64_t kEventBytes = 48;  // an instant with two u64

// The possible error: a tick of the counter at either end of each stretch between changes, since it
// shows whole ticks; half a tick in the sum of a change; and the time of the call.
class Tolerance {
 public:
  void add(uint64_t ticks_per_second) { nanoseconds_ += 2'000'000'000 / ticks_per_second + 3; }
  uint64_t nanoseconds() const { return nanoseconds_; }

 private:
  uint64_t nanoseconds_ = 3;
};

class ClockChangeTest : public SkewedCpusTest {
 protected:
  // Forgets all that was before.
  void start_afresh(unsigned segments) {
    barefxt_stop();
    SetUp();
    tolerance_ = {};
    attempted_ = 0;
    start(segments);
  }

  void change_rate(uint64_t ticks_per_second) {
    set_rate(barefxt_host_cpu, ticks_per_second);
    rate_ = ticks_per_second;
    tolerance_.add(rate_);
    EXPECT_EQ(barefxt_clock_changed(rate_, 0), BAREFXT_OK);
  }
  void fall_asleep(uint64_t nanoseconds) {
    sleep(barefxt_host_cpu, nanoseconds);
    tolerance_.add(rate_);
    EXPECT_EQ(barefxt_clock_changed(rate_, nanoseconds), BAREFXT_OK);
  }

  // Records its true time, and the possible error of the archive's.
  void record() {
    BAREFXT_INSTANT(work, "n", BAREFXT_ARG_U64("true", now()),
                    BAREFXT_ARG_U64("off", tolerance_.nanoseconds()));
    ++attempted_;
  }
  void record(unsigned count, uint64_t apart) {
    for (unsigned i = 0; i < count; ++i) {
      pass(apart);
      record();
    }
  }
  // So that not even the smallest record fits any more.
  static void fill_the_segment() {
    while (rings[0].position.load_relaxed() % kSegmentBytes < kSegmentBytes - 16)
      BAREFXT_INSTANT(work, "x");
  }
  static void expect_true_times(const std::vector<PlainRecord>& events) {
    uint64_t before = 0;
    for (const PlainRecord& event : events) {
      const uint64_t truth = event.argument("true")->bits;
      const uint64_t off = event.argument("off")->bits;
      ASSERT_LE(std::max(truth, event.timestamp) - std::min(truth, event.timestamp), off)
          << event.timestamp << " for " << truth;
      ASSERT_GE(event.timestamp, before);
      before = event.timestamp;
    }
  }

  Tolerance tolerance_;
  uint64_t rate_ = kRate;
  unsigned attempted_ = 0;
};

TEST_F(ClockChangeTest, TheRateHalves) {
  start();
  record(3, 1000);
  change_rate(kRate / 2);
  record(3, 1'000'000);
  const auto events = stop_and_read().events("n");
  ASSERT_EQ(events.size(), 6u);
  expect_true_times(events);
}

// Memory that lost some of its content over a reset may end with such a clock.
TEST(DamagedClock, ThatIsTooShortEndsTheWalk) {
  for (size_t words = 1; words < fxt::RingRecord::kClockWords; ++words) {
    std::vector<fxt::Word> damaged(words);
    damaged[0] = fxt::RingRecord::make(fxt::RingRecordType::kClock, words);
    SegmentWalker walker(reinterpret_cast<const uint8_t*>(damaged.data()), 0,
                         static_cast<uint32_t>(words * sizeof(fxt::Word)));
    SegmentWalker::Record record;
    EXPECT_FALSE(walker.next(record));
    EXPECT_EQ(walker.clock(), nullptr);
  }
}

TEST_F(ClockChangeTest, ASleepIsNotLeftOut) {
  start();
  record(3, 1000);
  fall_asleep(12'345'678'901);
  record(3, 1000);
  const auto events = stop_and_read().events("n");
  ASSERT_EQ(events.size(), 6u);
  EXPECT_GT(events[3].timestamp - events[2].timestamp, 12'345'678'901u);
  expect_true_times(events);
}

TEST_F(ClockChangeTest, OneThatSleepsOverAStopIsNotOfTheNextSession) {
  start();
  const barefxt_config again = config(16);
  barefxt_error error = BAREFXT_OK;
  after_next_read([&] {
    barefxt_stop();
    error = barefxt_start(&again);
  });
  ASSERT_EQ(barefxt_clock_changed(kRate / 2, 0), BAREFXT_OK);
  EXPECT_EQ(error, BAREFXT_ERROR_RUNNING);
  ASSERT_EQ(barefxt_start(&again), BAREFXT_OK);
  EXPECT_EQ(clock_changes[0].count(), 0u);
}

TEST_F(ClockChangeTest, AnyNumberOfChangesInAnyOrderOverManySegments) {
  start(64);
  std::mt19937_64 random(4);
  const std::vector<uint64_t> rates{kRate, kRate / 2, kRate / 3, 32'768, 1'999'999'999, 48'000'000};
  for (unsigned i = 0; i < 700; ++i) {
    if (random() % 3 == 0)
      fall_asleep(random() % 1'000'000'000);
    else
      change_rate(rates[random() % rates.size()]);
    record(random() % 5, random() % 100'000);
  }
  const auto events = stop_and_read().events("n");
  ASSERT_EQ(events.size(), attempted_);
  expect_true_times(events);
}

TEST_F(ClockChangeTest, AFlightRecorderThatOverwroteTheChangeStillKnowsIt) {
  start(4, ~0u, BAREFXT_MODE_CIRCULAR);
  record(10, 1000);
  change_rate(kRate / 4);
  fall_asleep(5'000'000'000);
  record(5000, 400);
  const barefxt_stop_report report = barefxt_stop();
  EXPECT_EQ(report.recorded_records + report.overwritten_records, attempted_)
      << "a clock is no record";
  const PlainArchive archive = stop_and_read();
  const auto events = archive.events("n");
  EXPECT_EQ(events.size(), report.recorded_records);
  ASSERT_GT(events.size(), 100u);
  expect_true_times(events);
  EXPECT_EQ(archive.events("drop_stats").at(0).argument("bytes")->bits,
            report.overwritten_records * kEventBytes);
}

TEST_F(ClockChangeTest, AFullRingCountsItsLossesAsWithoutClocks) {
  start(2);
  for (unsigned i = 0; i < 300; ++i) {
    record();
    if (i % 4 == 0) change_rate(i % 8 == 0 ? kRate / 2 : kRate);
  }
  const barefxt_stop_report report = barefxt_stop();
  EXPECT_GT(report.lost_records, 0u);
  EXPECT_EQ(report.recorded_records + report.lost_records, attempted_);
  EXPECT_EQ(report.unfinished_records, 0u);
  const PlainArchive archive = stop_and_read();
  expect_true_times(archive.events("n"));
  EXPECT_EQ(archive.events("drop_stats").at(0).argument("bytes")->bits,
            report.lost_records * kEventBytes);
}

TEST_F(ClockChangeTest, WithoutAChangeNothingIsSpentOnIt) {
  start(3, ~0u, BAREFXT_MODE_CIRCULAR);
  record(1000, 10);
  for (uint32_t slot = 0; slot < 3; ++slot) {
    SegmentWalker walker(rings[0].segment(slot));
    SegmentWalker::Record found;
    while (walker.next(found)) ASSERT_EQ(walker.clock(), nullptr);
  }
}

TEST_F(ClockChangeTest, StartingAgainForgetsChanges) {
  start();
  change_rate(kRate / 2);
  fall_asleep(1'000'000'000);
  barefxt_stop();
  set_rate(0, kRate);
  start();
  const uint64_t begin = barefxt_ticks();
  BAREFXT_INSTANT(work, "n");
  EXPECT_EQ(stop_and_read().events("n").at(0).timestamp, begin + 1);
}

// An interrupt within the call, before or after it reads the counter, that records a little, or so
// much that it opens segments.
TEST_F(ClockChangeTest, WritersMayInterruptTheCall) {
  for (const unsigned count : {1u, 100u, 300u})
    for (const bool after : {false, true})
      for (const unsigned ahead : {0u, 3u, 60u, 82u, 83u, 84u}) {
        start_afresh(32);
        record(ahead, 10);
        sleep(0, 5'000'000'000);  // the call comes late: what it interrupts is later still
        tolerance_.add(kRate);
        SCOPED_TRACE(std::to_string(count) + (after ? " after, behind " : " before, behind ") +
                     std::to_string(ahead));
        const auto interrupt = [&] { record(count, 1000); };
        if (after) after_next_read(interrupt);
        EXPECT_EQ(barefxt_clock_changed(kRate, 5'000'000'000), BAREFXT_OK);
        record(3, 10);
        const auto events = stop_and_read().events("n");
        ASSERT_EQ(events.size(), ahead + (after ? count : 0) + 3);
        expect_true_times(events);
        if (HasFatalFailure()) return;
      }
}

TEST_F(ClockChangeTest, AWriterThatOpensASegmentMayBeInterruptedByTheCall) {
  for (const unsigned segments : {2u, 3u, 16u})
    for (const bool after : {false, true})
      for (unsigned ahead = 78; ahead < 88; ++ahead) {  // 83 fill a segment, but for 32 bytes
        SCOPED_TRACE(std::to_string(segments) + " segments, " + std::to_string(ahead) + " ahead" +
                     (after ? ", after" : ""));
        start_afresh(segments);
        record(ahead, 10);
        if (ahead == 83) fill_the_segment();
        const auto interrupt = [&] { fall_asleep(5'000'000'000); };
        (after ? after_next_read : before_next_read)(interrupt);
        BAREFXT_INSTANT(work, "interrupted");
        record(20, 10);
        const PlainArchive archive = stop_and_read();
        ASSERT_EQ(archive.events("interrupted").size(), 1u);
        ASSERT_EQ(archive.events("n").size(), ahead + 20);
        expect_true_times(archive.events("n"));
        if (HasFatalFailure()) return;
      }
}

// It is interrupted while it opens a segment, and sleeps over a stop and a start.
TEST_F(ClockChangeTest, AWriterOfTheSessionBeforeLeavesNoClockOfItsOwn) {
  barefxt_config again = config(3);
  ASSERT_EQ(barefxt_start(&again), BAREFXT_OK);
  record(50, 10);
  fall_asleep(5'000'000'000);
  fill_the_segment();
  before_next_read([&] {
    barefxt_stop();
    ASSERT_EQ(barefxt_start(&again), BAREFXT_OK);
  });
  BAREFXT_INSTANT(work, "interrupted");
  for (uint32_t slot = 1; slot < 3; ++slot)
    for (size_t i = 0; i < 20; ++i)
      ASSERT_EQ(rings[0].segment(slot).first_word()[i], 0u) << "a free segment is zero";
  const uint64_t begin = barefxt_ticks();
  for (unsigned i = 0; i < 150; ++i) BAREFXT_INSTANT(work, "n", BAREFXT_ARG_U64("i", i));
  const auto events = stop_and_read().events("n");
  ASSERT_GT(events.size(), 100u) << "the segment that it had is used";
  for (size_t i = 0; i < events.size(); ++i) ASSERT_EQ(events[i].timestamp, begin + 1 + i);
}

TEST_F(ClockChangeTest, ACallWithinACallIsRefused) {
  start();
  static barefxt_error nested;
  nested = BAREFXT_OK;
  after_next_read([] { nested = barefxt_clock_changed(kRate, 0); });
  EXPECT_EQ(barefxt_clock_changed(kRate, 0), BAREFXT_OK);
  EXPECT_EQ(nested, BAREFXT_ERROR_CLOCK_BUSY);
  EXPECT_EQ(barefxt_clock_changed(0, 0), BAREFXT_ERROR_COUNTER_RATE);
  EXPECT_EQ(barefxt_clock_changed(~uint64_t{0}, 0), BAREFXT_ERROR_COUNTER_RATE);
}

// Its begin counts by the clock before the last change: that it lies before another is not known.
TEST_F(ClockChangeTest, ADurationMayBeginBeforeTwoChanges) {
  start(4, ~0u, BAREFXT_MODE_CIRCULAR);
  change_rate(kRate / 2);
  record(500, 1000);
  const uint64_t begin = barefxt_ticks();
  const uint64_t truth = now();
  pass(500);
  sleep(0, 7'000'000'000);
  tolerance_.add(rate_);
  change_rate(kRate);  // distinct from the sleep
  EXPECT_EQ(barefxt_clock_changed(kRate, 7'000'000'000), BAREFXT_OK);
  BAREFXT_DURATION_COMPLETE(work, "idle", begin, BAREFXT_ARG_U64("true", truth));
  const uint64_t end = now();
  record(20, 10);
  const auto events = stop_and_read().events("idle");
  ASSERT_EQ(events.size(), 1u);
  const auto off = static_cast<double>(tolerance_.nanoseconds());
  EXPECT_NEAR(static_cast<double>(events[0].value), static_cast<double>(end), off);
  EXPECT_LT(events[0].timestamp, events[0].value);
}

// The natural way to trace idle time: begun before the sleep, recorded after it.
TEST_F(ClockChangeTest, ADurationMayHoldASleep) {
  start(4, ~0u, BAREFXT_MODE_CIRCULAR);
  change_rate(kRate / 2);
  record(500, 1000);
  const uint64_t begin = barefxt_ticks();
  const uint64_t truth = now();
  pass(500);
  fall_asleep(7'000'000'000);
  BAREFXT_DURATION_COMPLETE(work, "idle", begin);
  const uint64_t end = now();
  const auto events = stop_and_read().events("idle");
  ASSERT_EQ(events.size(), 1u);
  const auto off = static_cast<double>(tolerance_.nanoseconds());
  EXPECT_NEAR(static_cast<double>(events[0].timestamp), static_cast<double>(truth), off);
  EXPECT_NEAR(static_cast<double>(events[0].value), static_cast<double>(end), off);
}

TEST_F(ClockChangeTest, WhicheverFrameIsMissingTheOthersTimesAreRight) {
  start(16);
  for (unsigned i = 0; i < 30; ++i) {
    if (i % 2 == 0)
      change_rate(i % 4 == 0 ? kRate / 2 : kRate);
    else
      fall_asleep(1'000'000'000);
    record(9, 100);
  }
  barefxt_stop();
  const std::vector<uint8_t> text = dump(BAREFXT_DUMP_TEXT);
  std::vector<std::string> lines;
  std::istringstream stream(std::string(text.begin(), text.end()));
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  for (size_t missing = 0; missing < lines.size(); ++missing) {
    Bytes left;
    for (size_t i = 0; i < lines.size(); ++i) {
      if (i == missing) continue;
      left.insert(left.end(), lines[i].begin(), lines[i].end());
      left.push_back('\n');
    }
    const auto events = decode_plainly(rebuild(left).archive).events("n");
    EXPECT_GE(events.size(), attempted_ - 18);
    expect_true_times(events);
  }
}

TEST_F(ClockChangeTest, EveryCpuGoesByTheClockThatIsItsOwn) {
  start();
  run_on_cpu(1);
  const uint64_t before = now();
  BAREFXT_INSTANT(work, "before");
  run_on_cpu(0);
  sleep(0, 3'000'000'000);
  ASSERT_EQ(barefxt_clock_changed(kRate, 3'000'000'000), BAREFXT_OK);
  run_on_cpu(1);
  BAREFXT_INSTANT(work, "after");
  const uint64_t after = now();
  run_on_cpu(0);
  const PlainArchive archive = stop_and_read();
  EXPECT_NEAR(static_cast<double>(archive.events("before").at(0).timestamp),
              static_cast<double>(before), 10);
  // A counter of its own did not stand still, and one that all share did for all.
  EXPECT_NEAR(static_cast<double>(archive.events("after").at(0).timestamp),
              static_cast<double>(after), 10);
}

TEST_F(ClockChangeTest, TheCaptureEndsByTheSameClock) {
  start();
  change_rate(kRate / 8);
  fall_asleep(9'000'000'000);
  EXPECT_NEAR(static_cast<double>(capture_ticks_now()), static_cast<double>(now()),
              static_cast<double>(tolerance_.nanoseconds()));
}

// The sum that the target makes by the bit, against the compiler's own.
TEST_F(ClockChangeTest, NominalTicksAreTheNearest) {
  start();
  std::mt19937_64 random(1);
  __extension__ using Wide = unsigned __int128;
  for (unsigned i = 0; i < 20000; ++i) {
    uint64_t change[fxt::ClockWords::kCount];
    const uint64_t rate = (random() >> 2 >> random() % 61) + 1;
    const uint64_t ticks = random() >> random() % 64;
    change[fxt::ClockWords::kSince] = 5;
    change[fxt::ClockWords::kTicksPerSecond] = rate;
    change[fxt::ClockWords::kNominal] = 7;
    const Wide exact =
        (static_cast<Wide>(ticks) * kRate * 2 + rate) / (static_cast<Wide>(rate) * 2);
    if (exact >> 63 != 0 || ticks >> 63 != 0) continue;
    ASSERT_EQ(nominal_ticks(change, ticks + 5), static_cast<uint64_t>(exact) + 7)
        << ticks << " at " << rate;
  }
}

}  // namespace
}  // namespace barefxt::test::clock_change_test
