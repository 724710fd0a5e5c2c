// Samples of a capture: backtraces in the archive, behind a record of the build that they are of.
#include <gtest/gtest.h>

#include "coded_records.h"
#include "rebuild_harness.h"

namespace barefxt::test::rebuild_samples_test {
namespace {

using host::RebuildVerdict;

constexpr unsigned kProfiler = 10;
constexpr unsigned kModule = 0;
constexpr unsigned kBacktrace = 2;
constexpr unsigned kVersionOfSamples = 6;

// Type 13, subtype 3: bits 32 to 35 of the address from bit 20, the thread from 24, the rest of the
// address from 32.
Words sample(uint64_t address, uint64_t time, uint64_t thread) {
  return {13 | 2 << 4 | 3 << 16 | (address >> 32 & 15) << 20 | thread << 24 | address << 32, time};
}
Words inline_sample(uint64_t address, uint64_t time, uint64_t process, uint64_t thread) {
  return {13 | 4 << 4 | 3 << 16 | address << 32, time, process, thread};
}
Words backtrace(uint64_t time, uint64_t thread, const Words& frames) {
  Words record = {10 | (2 + frames.size()) << 4 | 2 << 16 | thread << 20 | frames.size() << 28,
                  time};
  record.insert(record.end(), frames.begin(), frames.end());
  return record;
}

TestCapture capture_of(const std::vector<Words>& records) {
  TestCapture capture = two_cpu_capture(0);
  capture.cpus = 1;
  capture.pieces = {{.records = records}};
  return capture;
}

std::vector<PlainRecord> of_profiler(const Rebuilt& rebuilt) {
  return decode_plainly(rebuilt.archive).of_type(kProfiler);
}

TEST(RebuildSamples, BecomeBacktraces) {
  const Rebuilt rebuilt = rebuild(binary_form(
      capture_of({sample(0xffff'ffff'fffc'0010, 1000, 1), inline_sample(0x1234, 1001, 5, 6),
                  backtrace(1002, 1, {0x1234, 0x2000})})
          .frames()));
  expect_sound(rebuilt);
  EXPECT_EQ(rebuilt.verdict, RebuildVerdict::kComplete) << rebuilt.messages;
  const std::vector<PlainRecord> records = of_profiler(rebuilt);
  ASSERT_EQ(records.size(), 3u);
  for (const PlainRecord& record : records) EXPECT_EQ(record.subtype, kBacktrace);
  EXPECT_EQ(records[0].numbers, Words{0xffff'ffff'fffc'0010});
  EXPECT_EQ(records[1].numbers, Words{0x1234});
  EXPECT_EQ(records[1].thread, 6u);
  EXPECT_EQ(records[2].numbers, (Words{0x1234, 0x2000}));
}

TEST(RebuildSamples, HaveARecordOfTheBuildAheadOfTheFirst) {
  for (const Words& first : {sample(0x1234, 1000, 1), backtrace(1000, 1, {0x1234})}) {
    TestCapture capture = capture_of({instant(900, 1, 1, 2, 3, 1), first, sample(0x1234, 1001, 1)});
    capture.build_id = "abcd";
    capture.target = "board\xff";
    const Rebuilt rebuilt = rebuild(binary_form(capture.frames()));
    expect_sound(rebuilt);
    EXPECT_TRUE(rebuilt.reports("3 records")) << rebuilt.messages;
    const std::vector<PlainRecord> records = of_profiler(rebuilt);
    ASSERT_EQ(records.size(), 3u);
    EXPECT_EQ(records[0].subtype, kModule);
    EXPECT_EQ(records[0].payload, "abcd");
    EXPECT_EQ(records[0].name, "board?");
    EXPECT_EQ(records[0].value, 0xffffu);
    EXPECT_EQ(records[0].timestamp, 1000u);
  }
}

TEST(RebuildSamples, ABuildWithoutSamplesIsNoRecord) {
  TestCapture capture = capture_of({instant(900, 1, 1, 2, 3, 1)});
  capture.build_id = "abcd";
  EXPECT_TRUE(of_profiler(rebuild(binary_form(capture.frames()))).empty());
}

// Coded ones have that of coded records.
TEST(RebuildSamples, ComeInRecordsFramesOfAVersionOfTheirOwn) {
  const std::vector<Bytes> raw = capture_of({sample(0x1234, 1000, 1)}).frames();
  std::vector<Bytes> newer = raw;
  for (Bytes& frame : newer) {
    if (frame[1] != 4) continue;
    const Bytes payload(frame.begin() + 12, frame.end() - 4);
    frame =
        make_frame(4, frame[2], 0x0badcafe, wire::load_u32(&frame[8]), payload, kVersionOfSamples);
  }
  for (const std::vector<Bytes>& frames : {newer, coded(raw)}) {
    const Rebuilt rebuilt = rebuild(binary_form(frames));
    EXPECT_EQ(rebuilt.verdict, RebuildVerdict::kComplete) << rebuilt.messages;
    EXPECT_EQ(rebuilt.archive, rebuild(binary_form(raw)).archive);
  }
  // No other frame has this version.
  std::vector<Bytes> hello = raw;
  const Bytes payload(raw[0].begin() + 12, raw[0].end() - 4);
  hello[0] = make_frame(1, raw[0][2], 0x0badcafe, 0, payload, kVersionOfSamples);
  EXPECT_TRUE(rebuild(binary_form(hello)).reports("1 frame of a type or coding"));
}

}  // namespace
}  // namespace barefxt::test::rebuild_samples_test
