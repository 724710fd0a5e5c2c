// Every way in which a trace leaves the target includes its clocks: dumps, snapshots, streams, the
// format without frames, and its memory.

#include "own_memory.h"
#include "skewed_cpus.h"

namespace barefxt::test::clock_ways_out_test {
namespace {

BAREFXT_CATEGORY(work, 3);

class WaysOutTest : public SkewedCpusTest {
 protected:
  static constexpr uint64_t kSkew = 700'000;
  static constexpr uint64_t kOff = 60;  // six changes, each within a tick and what the call takes

  void SetUp() override {
    SkewedCpusTest::SetUp();
    if (kCounterIsPerCpu) set_skew(1, kSkew);
    report_true_offsets();
  }

  // On two CPUs in turns. Each changes its clock and sleeps.
  void record() {
    for (unsigned i = 0; i < 30; ++i) {
      run_on_cpu(kCounterIsPerCpu ? i % 2 : 0);
      if (i == 8 || i == 9) change(kRate / 2, 0);
      if (i == 16 || i == 17) change(kRate / 2, 2'000'000'000);
      if (i == 22 || i == 23) change(kRate, 0);
      for (unsigned n = 0; n < 20; ++n) instant();
      const uint64_t begin = barefxt_ticks();
      const uint64_t truth = now();
      pass(200);
      BAREFXT_DURATION_COMPLETE(work, "whole", begin, BAREFXT_ARG_U64("true", truth));
    }
    run_on_cpu(0);
  }
  static void change(uint64_t rate, uint64_t slept) {
    if (slept != 0) sleep(barefxt_host_cpu, slept);
    set_rate(barefxt_host_cpu, rate);
    ASSERT_EQ(barefxt_clock_changed(rate, slept), BAREFXT_OK);
  }
  static void instant() {
    BAREFXT_INSTANT(work, "whole", BAREFXT_ARG_U64("true", now()));
    BAREFXT_EVENT(work, BAREFXT_EVENT_COUNTER, nullptr, BAREFXT_TEXT("counted"), 1);
  }
  static void expect_true_times(const PlainArchive& archive, size_t count) {
    const auto events = archive.events("whole");
    EXPECT_EQ(events.size(), count);
    for (const PlainRecord& event : events) {
      const uint64_t truth = event.argument("true")->bits;
      ASSERT_LE(std::max(truth, event.timestamp) - std::min(truth, event.timestamp), kOff);
      if (event.subtype == 4) {
        ASSERT_GE(event.value, event.timestamp + 100);
      }
    }
  }
};

TEST_F(WaysOutTest, ADump) {
  start(16);
  record();
  expect_true_times(stop_and_read(), 630);
}

TEST_F(WaysOutTest, AnImageOfTheMemory) {
  start(16);
  record();
  barefxt_stop();
  const Rebuilt rebuilt = rebuild_memory(own_memory(), own_program());
  EXPECT_EQ(rebuilt.verdict, host::RebuildVerdict::kComplete) << rebuilt.messages;
  expect_true_times(decode_plainly(rebuilt.archive), 630);
}

TEST_F(WaysOutTest, ASnapshotIsCutByTheSameClock) {
  start(6, ~0u, BAREFXT_MODE_CIRCULAR);
  record();
  const uint64_t end = now();
  ASSERT_EQ(barefxt_snapshot(), BAREFXT_OK);
  const Rebuilt rebuilt = rebuild(dump());
  EXPECT_EQ(rebuilt.verdict, host::RebuildVerdict::kComplete) << rebuilt.messages;
  const PlainArchive archive = decode_plainly(rebuilt.archive);
  const auto events = archive.events("whole");
  ASSERT_GT(events.size(), 50u);
  expect_true_times(archive, events.size());
  EXPECT_LE(end - events.back().timestamp, 2000u) << "up to the moment it was taken";
}

TEST_F(WaysOutTest, TheIntervalOfASnapshotIsByOneClock) {
  if (!kCounterIsPerCpu) GTEST_SKIP() << "one counter";
  start(6, ~0u, BAREFXT_MODE_CIRCULAR);
  run_on_cpu(1);
  BAREFXT_INSTANT(work, "early");
  // From here on its counter is far behind that of CPU 0.
  change(kRate, 4'000'000'000);
  run_on_cpu(0);
  for (unsigned i = 0; i < 3000; ++i) instant();  // overwritten in part
  run_on_cpu(1);
  instant();
  run_on_cpu(0);
  instant();
  ASSERT_EQ(barefxt_snapshot(), BAREFXT_OK);
  const PlainArchive archive = decode_plainly(rebuild(dump()).archive);
  EXPECT_TRUE(archive.events("early").empty()) << "of that time CPU 0 has nothing left";
  unsigned of_cpu_1 = 0;
  for (const PlainRecord& event : archive.events("whole"))
    if (event.thread == 0x7f000001) ++of_cpu_1;
  EXPECT_EQ(of_cpu_1, 1u);
}

TEST_F(WaysOutTest, AStreamThatIsDrainedInSmallBites) {
  for (const auto& [bite, form] :
       {std::pair{700u, BAREFXT_DUMP_BINARY}, std::pair{1100u, BAREFXT_DUMP_BINARY},
        std::pair{5000u, BAREFXT_DUMP_BINARY}, std::pair{700u, BAREFXT_DUMP_BINARY_CODED},
        std::pair{5000u, BAREFXT_DUMP_TEXT_CODED}}) {
    barefxt_stop();
    SetUp();
    start(6, ~0u, BAREFXT_MODE_STREAMING);
    Bytes stream;
    Bytes buffer(bite);
    const auto drain = [&, way = form] {
      while (const size_t count = barefxt_drain(buffer.data(), buffer.size(), way))
        stream.insert(stream.end(), buffer.begin(), buffer.begin() + static_cast<long>(count));
    };
    size_t attempted = 0;
    for (unsigned round = 0; round < 6; ++round) {
      change(round % 2 == 0 ? kRate / 2 : kRate, 1'000'000'000);
      for (unsigned i = 0; i < 60; ++i, ++attempted) instant();
      drain();
    }
    barefxt_stop();
    drain();
    const Rebuilt rebuilt = rebuild(stream);
    EXPECT_EQ(rebuilt.verdict, host::RebuildVerdict::kComplete) << rebuilt.messages;
    expect_true_times(decode_plainly(rebuilt.archive), attempted);
  }
}

TEST_F(WaysOutTest, AnIdleStreamWithAChangedClockSendsNoEmptySegments) {
  start(6, ~0u, BAREFXT_MODE_STREAMING);
  change(kRate / 2, 0);
  instant();
  uint8_t buffer[4096];
  for (unsigned i = 0; i < 4; ++i) {
    while (barefxt_drain(buffer, sizeof buffer, BAREFXT_DUMP_BINARY) != 0) {
    }
    pass(1'000'000'000);
  }
  const uint32_t open = rings[0].open_segment(rings[0].position.load_relaxed()).sequence;
  for (unsigned i = 0; i < 10; ++i) {
    EXPECT_EQ(barefxt_drain(buffer, sizeof buffer, BAREFXT_DUMP_BINARY), 0u);
    pass(1'000'000'000);
  }
  EXPECT_EQ(rings[0].open_segment(rings[0].position.load_relaxed()).sequence, open);
}

TEST_F(WaysOutTest, TheFormatWithoutFrames) {
  start(16);
  record();
  BAREFXT_LARGE_BLOB_EVENT(work, BAREFXT_TEXT("large"), "payload", 7);
  const uint64_t large = now();
  barefxt_stop();
  const PlainArchive archive = dump_without_frames();
  expect_true_times(archive, 630);
  bool found = false;
  for (const PlainRecord& record : archive.of_type(15)) {
    found = true;
    EXPECT_NEAR(static_cast<double>(record.timestamp), static_cast<double>(large), kOff);
  }
  EXPECT_TRUE(found);
}

}  // namespace
}  // namespace barefxt::test::clock_ways_out_test
