// The clocks in frames, and their effect on the times of records of every kind.
#include <gtest/gtest.h>

#include "build_kind.h"
#include "documented_frames.h"
#include "rebuild_harness.h"

namespace barefxt::test::rebuild_clock_test {
namespace {

using host::RebuildVerdict;

constexpr uint64_t kUnknown = ~uint64_t{0};

// Instants named `tick` with n from 0 on, at these times of a CPU's counter.
TestPiece instants(uint16_t cpu, uint32_t segment, uint32_t first,
                   const std::vector<uint64_t>& times) {
  TestPiece piece{.cpu = cpu, .segment = segment, .records = {}};
  for (const uint64_t time : times) piece.records.push_back(instant(time, 1, 1, 2, 3, first++));
  return piece;
}

TestCapture capture_of(const std::vector<TestPiece>& pieces) {
  TestCapture capture = two_cpu_capture(0, 0);
  capture.pieces = pieces;
  return capture;
}

Rebuilt rebuild(const TestCapture& capture) {
  const Rebuilt rebuilt = test::rebuild(binary_form(capture.frames()));
  expect_sound(rebuilt);
  return rebuilt;
}

std::vector<uint64_t> times(const Rebuilt& rebuilt) {
  std::vector<uint64_t> found;
  for (const PlainRecord& event : decode_plainly(rebuilt.archive).events("tick"))
    found.push_back(event.timestamp);
  return found;
}

TestCapture skewed(int64_t offset, uint64_t error) {
  TestCapture capture =
      capture_of({instants(0, 0, 0, {1000, 3000}), instants(1, 0, 2, {500, 700})});
  capture.counter_flags = 3;
  capture.clocks = {{0, 0}, {offset, error}};
  return capture;
}

TEST(RebuildClock, ACpusOffsetIsAddedToItsTimes) {
  Rebuilt rebuilt = rebuild(skewed(1500, 12));
  EXPECT_EQ(rebuilt.verdict, RebuildVerdict::kComplete);
  EXPECT_EQ(times(rebuilt), (std::vector<uint64_t>{1000, 2000, 2200, 3000}));
  EXPECT_TRUE(rebuilt.reports("1 CPU set by the clock of cpu 0, right to within 12 ticks"));

  rebuilt = rebuild(skewed(-600, 12));
  EXPECT_EQ(times(rebuilt), (std::vector<uint64_t>{0, 100, 1000, 3000})) << "no time before 0";
}

TEST(RebuildClock, AnOffsetThatWasNeverMeasuredIsSaidAndNoFailure) {
  const Rebuilt rebuilt = rebuild(skewed(99, kUnknown));
  EXPECT_EQ(rebuilt.verdict, RebuildVerdict::kComplete);
  EXPECT_EQ(times(rebuilt), (std::vector<uint64_t>{500, 700, 1000, 3000}));
  EXPECT_TRUE(rebuilt.reports("1 CPU never compared with the clock of cpu 0")) << rebuilt.messages;
}

TEST(RebuildClock, EitherCopyOfTheClocksWillDoAndWithoutBothThatIsSaid) {
  const std::vector<Bytes> frames = skewed(1500, 12).frames();
  const auto without = [&](unsigned first, unsigned last) {
    std::vector<Bytes> left;
    unsigned copy = 0;
    for (const Bytes& frame : frames) {
      const bool is_clocks = frame[1] == 6;
      if (is_clocks && copy >= first && copy <= last) {
        ++copy;
        continue;
      }
      if (is_clocks) ++copy;
      left.push_back(frame);
    }
    EXPECT_EQ(copy, 2u);
    return test::rebuild(binary_form(left));
  };
  EXPECT_EQ(times(without(0, 0)), (std::vector<uint64_t>{1000, 2000, 2200, 3000}));
  EXPECT_EQ(times(without(1, 1)), (std::vector<uint64_t>{1000, 2000, 2200, 3000}));
  const Rebuilt blind = without(0, 1);
  EXPECT_EQ(blind.verdict, RebuildVerdict::kIncomplete);
  EXPECT_TRUE(blind.reports("2 CPUs whose clock's offset is missing in both copies"))
      << blind.messages;
  EXPECT_EQ(times(blind), (std::vector<uint64_t>{500, 700, 1000, 3000}));
}

TEST(RebuildClock, AClocksFrameThatEndsInTheMiddleIsReported) {
  TestCapture capture = skewed(1500, 12);
  std::vector<Bytes> frames = capture.frames();
  for (Bytes& frame : frames)
    if (frame[1] == 6) {
      Bytes payload(frame.begin() + 12, frame.end() - 5);
      const uint32_t sequence = frame[8];
      frame = make_frame(6, frame[2], capture.id, sequence, payload);
    }
  const Rebuilt rebuilt = test::rebuild(binary_form(frames));
  EXPECT_EQ(rebuilt.verdict, RebuildVerdict::kIncomplete);
  EXPECT_TRUE(rebuilt.reports("2 frames with content that cannot be read to its end"));
}

// 1000000 ticks a second by the hello. From counter 2000 on 250000, and 5000 ticks were slept.
std::vector<uint64_t> slower() { return {2000, 250'000, 2000 + 5000, 1'000'000, 5000}; }

TEST(RebuildClock, APieceGoesByTheClockThatItCarries) {
  TestPiece later = instants(0, 0, 2, {2000, 2001, 3000});
  later.clock = slower();
  const Rebuilt rebuilt = rebuild(capture_of({instants(0, 0, 0, {1000, 1990}), later}));
  EXPECT_EQ(rebuilt.verdict, RebuildVerdict::kComplete);
  EXPECT_EQ(times(rebuilt), (std::vector<uint64_t>{1000, 1990, 7000, 7004, 11000}));
}

TEST(RebuildClock, ARecordThatCameInWhileTheChangeWasSentGoesByTheNewClock) {
  std::vector<TestPiece> pieces{instants(0, 0, 0, {1000, 2000, 2500})};
  // However many pieces are between.
  for (uint32_t i = 0; i < 5; ++i) pieces.push_back(instants(0, 1 + i, 3 + i, {2501 + i}));
  TestPiece later = instants(0, 9, 8, {3000});
  later.clock = slower();
  pieces.push_back(later);
  EXPECT_EQ(times(rebuild(capture_of(pieces))),
            (std::vector<uint64_t>{1000, 2000, 9000, 9004, 9008, 9012, 9016, 9020, 11000}))
      << "the one in the very tick of the change was before it";
}

TEST(RebuildClock, TimesOfEveryKindOfRecordAreMapped) {
  // Header, then a word that is no time.
  const auto header = [](unsigned type, size_t words, uint64_t rest) {
    return uint64_t{type} | static_cast<uint64_t>(words) << 4 | rest;
  };
  TestPiece piece{.cpu = 0, .segment = 0, .records = {}, .clock = slower()};
  piece.records = {
      instant(3000, 1, 1, 2, 3, 1),
      duration_complete(1900, 3000, 1, 1, 2),
      context_switch(3000, 0, 3, 1, 2, 5, 0),
      // The newer switch: time, outgoing, incoming.
      {header(8, 4, uint64_t{1} << 60), 3000, 11, 12},
      // Wakeup: time, thread.
      {header(8, 3, uint64_t{2} << 60), 3000, 11},
      // Log of 2 bytes.
      {header(9, 3, uint64_t{2} << 16 | uint64_t{1} << 32), 3000, 0x6968},
      // Profiler mapping: time, start, range, virtual address.
      {header(10, 5, uint64_t{1} << 16 | uint64_t{1} << 20), 3000, 1, 2, 3},
      // Large blob with an event's parts: format, time, size, payload.
      {uint64_t{15} | uint64_t{5} << 4, uint64_t{1} | uint64_t{2} << 16 | uint64_t{1} << 36, 3000,
       1, 0x61},
  };
  const Rebuilt rebuilt = rebuild(capture_of({piece}));
  EXPECT_EQ(rebuilt.verdict, RebuildVerdict::kComplete) << rebuilt.messages;
  unsigned found = 0;
  for (const PlainRecord& record : decode_plainly(rebuilt.archive).records) {
    if (record.type != 4 && record.type < 8) continue;
    ++found;
    if (record.type == 4 && record.subtype == 4) {
      EXPECT_EQ(record.timestamp, 1900u) << "before the change, by the clock of then";
      EXPECT_EQ(record.value, 11000u);
    } else {
      EXPECT_EQ(record.timestamp, 11000u) << record.type;
    }
  }
  EXPECT_EQ(found, piece.records.size());
}

TEST(RebuildClock, ChangeAndOffsetGoTogether) {
  TestPiece piece = instants(1, 0, 0, {3000});
  piece.clock = slower();
  TestCapture capture = capture_of({piece});
  capture.counter_flags = 0;
  capture.clocks = {{0, 0}, {-1000, 1}};
  EXPECT_EQ(times(rebuild(capture)), (std::vector<uint64_t>{10000}));
}

TEST(RebuildClock, AGapIsCutByTheSameClock) {
  // On CPU 1, which is 1500 behind, an interrupt begins in the gap and outlives it.
  TestCapture capture = skewed(1500, 12);
  TestPiece behind{.cpu = 1, .segment = 1, .records = {}, .records_lost = 1, .bytes_lost = 24};
  behind.records = {instant(2000, 1, 1, 2, 3, 4), duration_complete(1900, 2100, 5, 1, 4)};
  capture.pieces.push_back(behind);
  const auto drops = decode_plainly(rebuild(capture).archive).events("drop_stats");
  ASSERT_EQ(drops.size(), 1u);
  EXPECT_EQ(drops[0].timestamp, 2200u);
  EXPECT_EQ(drops[0].value, 3400u);
}

TEST(RebuildClock, WhateverAClockClaimsTheArchiveIsSound) {
  const std::vector<uint64_t> values{0, 1, 2000, uint64_t{1} << 63, ~uint64_t{0}};
  for (size_t i = 0; i < 3125; i += places_apart()) {
    TestPiece piece = instants(0, 0, 0, {1, 2000, uint64_t{1} << 63, ~uint64_t{0}});
    piece.records.push_back(duration_complete(0, ~uint64_t{0}, 1, 1, 2));
    for (size_t rest = i; piece.clock.size() < 5; rest /= 5)
      piece.clock.push_back(values[rest % 5]);
    TestCapture capture = capture_of({piece});
    capture.counter_flags = 0;
    capture.clocks = {{static_cast<int64_t>(values[i % 5]), 1}, {0, 0}};
    const Rebuilt rebuilt = rebuild(capture);
    ASSERT_EQ(times(rebuilt).size(), 5u);
  }
}

TEST(RebuildClock, APieceTooShortForItsClockIsNotRead) {
  TestCapture capture = capture_of({});
  std::vector<Bytes> frames = capture.frames();
  ByteBuilder payload;
  payload.u16(0).u8(0).u8(1).u32(0).u64(0).u64(0).u64(0).u64(0).u64(1).u64(2);
  frames.push_back(make_frame(4, 0, capture.id, 99, payload.bytes()));
  const Rebuilt rebuilt = test::rebuild(binary_form(frames));
  EXPECT_TRUE(rebuilt.reports("1 frame of a type or coding that this barefxt does not know"))
      << rebuilt.messages;
}

TEST(RebuildClock, FramesOfTheDocumentAreWhatItSays) {
  TestCapture capture = skewed(1500, 12);
  capture.id = 0x0badcafe;
  const std::vector<std::string> clocks = documented_frames("hex clocks");
  ASSERT_EQ(clocks.size(), 1u);
  EXPECT_EQ(from_hex(clocks[0]), capture.frames().at(1));

  TestPiece piece = instants(0, 0, 0, {3000});
  piece.clock = slower();
  capture = capture_of({piece});
  std::vector<Bytes> frames = capture.frames();
  const std::vector<std::string> records = documented_frames("hex records with a clock");
  ASSERT_EQ(records.size(), 1u);
  bool found = false;
  for (Bytes& frame : frames) {
    if (frame[1] != 4) continue;
    EXPECT_EQ(from_hex(records[0]), frame);
    frame = from_hex(records[0]);
    found = true;
  }
  EXPECT_TRUE(found);
  EXPECT_EQ(times(test::rebuild(binary_form(frames))), (std::vector<uint64_t>{11000}));
}

}  // namespace
}  // namespace barefxt::test::rebuild_clock_test
