// Losses: the place, the amount, and their form in an archive.
#include <algorithm>
#include <gtest/gtest.h>

#include "rebuild_harness.h"

namespace barefxt::test::rebuild_losses_test {
namespace {

using host::RebuildVerdict;

struct Drop {
  uint64_t from;
  uint64_t to;
  uint64_t cpu;
  std::string where;
  int64_t records;  // -1 where unknown
  int64_t bytes;

  bool operator==(const Drop&) const = default;
};

std::ostream& operator<<(std::ostream& out, const Drop& drop) {
  return out << "{" << drop.from << ", " << drop.to << ", " << drop.cpu << ", \"" << drop.where
             << "\", " << drop.records << ", " << drop.bytes << "}";
}

// All drop_stats events; checks that a provider event 0 stands before each.
std::vector<Drop> drops(const Rebuilt& rebuilt) {
  const PlainArchive archive = decode_plainly(rebuilt.archive);
  std::vector<Drop> found;
  for (size_t i = 1; i < archive.records.size(); ++i) {
    const PlainRecord& record = archive.records[i];
    if (record.type != 4 || record.name != "drop_stats") continue;
    const PlainRecord& before = archive.records[i - 1];
    EXPECT_TRUE(before.type == 0 && before.subtype == 3 && before.value == 0);
    EXPECT_EQ(record.subtype, 4u);
    EXPECT_EQ(record.category, "barefxt");
    EXPECT_EQ(record.process, 0x7e000000u);
    const PlainArgument* records = record.argument("records");
    const PlainArgument* bytes = record.argument("bytes");
    const PlainArgument* where = record.argument("where");
    EXPECT_NE(where, nullptr);
    EXPECT_TRUE(records == nullptr || records->type == 4);
    found.push_back({record.timestamp, record.value, record.thread - 0x7f000000,
                     where != nullptr ? where->text : "",
                     records != nullptr ? static_cast<int64_t>(records->bits) : -1,
                     bytes != nullptr ? static_cast<int64_t>(bytes->bits) : -1});
  }
  return found;
}

// One CPU, three pieces of two instants: at 1000 and 1010, 2000 and 2010, 3000 and 3010.
TestCapture one_cpu_capture() {
  TestCapture capture = two_cpu_capture(0);
  capture.cpus = 1;
  capture.start_ticks = 100;
  capture.stop_ticks = 9000;
  for (unsigned piece = 0; piece < 3; ++piece) {
    const uint64_t time = 1000 * (piece + uint64_t{1});
    capture.pieces.push_back({.cpu = 0,
                              .segment = piece,
                              .records = {instant(time, 1, 1, 2, 3, piece * 2),
                                          instant(time + 10, 1, 1, 2, 3, piece * 2 + 1)}});
  }
  return capture;
}

// The index of the first records frame in one_cpu_capture()'s dump.
constexpr size_t kFirstRecords = 4;

Rebuilt without(const TestCapture& capture, const std::vector<size_t>& lost) {
  const std::vector<Bytes> frames = capture.frames();
  std::vector<Bytes> kept;
  for (size_t i = 0; i < frames.size(); ++i)
    if (std::find(lost.begin(), lost.end(), i) == lost.end()) kept.push_back(frames[i]);
  Rebuilt rebuilt = rebuild(binary_form(kept));
  expect_sound(rebuilt);
  return rebuilt;
}

TEST(RebuildLosses, AreNoneInAWholeCapture) {
  const Rebuilt rebuilt = rebuild(binary_form(one_cpu_capture().frames()));
  EXPECT_EQ(rebuilt.verdict, RebuildVerdict::kComplete);
  EXPECT_EQ(drops(rebuilt), std::vector<Drop>{});
}

TEST(RebuildLosses, InTheRingAreTheTargetsAffairAndNoFailure) {
  TestCapture capture = one_cpu_capture();
  capture.pieces[0].records_lost = 5;  // a flight recorder's overwritten beginning
  capture.pieces[0].bytes_lost = 120;
  capture.pieces[1].records_lost = 5;
  capture.pieces[1].bytes_lost = 120;
  capture.pieces[2].records_lost = 7;
  capture.pieces[2].bytes_lost = 168;
  capture.records_lost_in_all = {10};
  const Rebuilt rebuilt = rebuild(binary_form(capture.frames()));
  EXPECT_EQ(rebuilt.verdict, RebuildVerdict::kComplete) << rebuilt.messages;
  expect_sound(rebuilt);
  EXPECT_EQ(drops(rebuilt), (std::vector<Drop>{{100, 1000, 0, "ring", 5, 120},
                                               {2010, 3000, 0, "ring", 2, 48},
                                               {3010, 9000, 0, "ring", 3, 72}}));
  EXPECT_TRUE(
      rebuilt.reports("cpu 0: 10 records (240 bytes) dropped or overwritten on the target "
                      "between ticks 100 and 9000, at 3 places"))
      << rebuilt.messages;
}

// Overwriting passed over a segment with an unfinished record.
TEST(RebuildLosses, BehindASegmentThatWasPassedOverAreShownThere) {
  TestCapture capture = one_cpu_capture();
  for (TestPiece& piece : capture.pieces) {
    piece.segment += 5;
    piece.records_lost = 40;
    piece.bytes_lost = 960;
  }
  capture.pieces[1].segment = 8;
  capture.pieces[2].segment = 9;
  const Rebuilt rebuilt = rebuild(binary_form(capture.frames()));
  EXPECT_EQ(rebuilt.verdict, RebuildVerdict::kComplete) << rebuilt.messages;
  expect_sound(rebuilt);
  EXPECT_EQ(drops(rebuilt),
            (std::vector<Drop>{{100, 1000, 0, "ring", 40, 960}, {1010, 2000, 0, "ring", 0, 0}}));
  EXPECT_TRUE(
      rebuilt.reports("cpu 0: 40 records (960 bytes) dropped or overwritten on the target "
                      "between ticks 100 and 2000, at 2 places: 40 records (960 bytes) between "
                      "ticks 100 and 1000; some of those between ticks 1010 and 2000"))
      << rebuilt.messages;
  const PlainArchive archive = decode_plainly(rebuilt.archive);
  const std::vector<PlainRecord> events = archive.events("drop_stats");
  EXPECT_EQ(events.at(0).argument("counted"), nullptr);
  EXPECT_EQ(events.at(1).argument("counted")->text, "earlier");
  // A frame that the line lost is a loss of the line.
  const Rebuilt cut = without(capture, {kFirstRecords + 1});
  EXPECT_EQ(drops(cut),
            (std::vector<Drop>{{100, 1000, 0, "ring", 40, 960}, {1010, 3000, 0, "line", 2, 48}}));
  // A ring that drops has no such holes.
  capture.mode = 3;
  EXPECT_EQ(drops(rebuild(binary_form(capture.frames()))).size(), 1u);
}

TEST(RebuildLosses, BehindTheFirstSegmentOfASessionAreAllThatIsMissing) {
  TestCapture capture = one_cpu_capture();
  for (TestPiece& piece : capture.pieces) {
    piece.records_lost = 40;
    piece.bytes_lost = 960;
  }
  capture.pieces[1].segment = 8;
  capture.pieces[2].segment = 9;
  const Rebuilt rebuilt = rebuild(binary_form(capture.frames()));
  expect_sound(rebuilt);
  EXPECT_EQ(drops(rebuilt), (std::vector<Drop>{{1010, 2000, 0, "ring", 40, 960}}));
}

TEST(RebuildLosses, OnTheLineAreKnownExactly) {
  for (size_t piece = 0; piece < 3; ++piece) {
    const Rebuilt rebuilt = without(one_cpu_capture(), {kFirstRecords + piece});
    EXPECT_EQ(rebuilt.verdict, RebuildVerdict::kIncomplete);
    const std::vector<Drop> wanted[] = {{{100, 2000, 0, "line", 2, 48}},
                                        {{1010, 3000, 0, "line", 2, 48}},
                                        {{2010, 9000, 0, "line", 2, 48}}};
    EXPECT_EQ(drops(rebuilt), wanted[piece]) << piece;
    EXPECT_TRUE(rebuilt.reports("cpu 0: 2 records (48 bytes) lost on the line between ticks "))
        << rebuilt.messages;
    EXPECT_TRUE(rebuilt.reports("1 frame missing")) << rebuilt.messages;
    EXPECT_EQ(numbers(decode_plainly(rebuilt.archive)).size(), 4u);
  }
}

TEST(RebuildLosses, OfAllRecordsFramesAreKnownFromTheEnd) {
  const Rebuilt rebuilt =
      without(one_cpu_capture(), {kFirstRecords, kFirstRecords + 1, kFirstRecords + 2});
  EXPECT_EQ(rebuilt.verdict, RebuildVerdict::kIncomplete);
  EXPECT_EQ(drops(rebuilt), (std::vector<Drop>{{100, 9000, 0, "line", 6, 144}}));
}

TEST(RebuildLosses, InRingAndOnLineAtOnePlaceAreTwoEvents) {
  TestCapture capture = one_cpu_capture();
  capture.pieces[1].records_lost = 1;
  capture.pieces[1].bytes_lost = 24;
  capture.pieces[2].records_lost = 4;
  capture.pieces[2].bytes_lost = 96;
  const Rebuilt rebuilt = without(capture, {kFirstRecords + 1});
  EXPECT_EQ(drops(rebuilt),
            (std::vector<Drop>{{1010, 3000, 0, "ring", 4, 96}, {1010, 3000, 0, "line", 2, 48}}));
}

TEST(RebuildLosses, AtTheEndAreUnknownWithoutTheEnd) {
  // The last records frame, the second copies and the end frame: all that follows the cut.
  const Rebuilt rebuilt = without(one_cpu_capture(), {6, 7, 8, 9, 10, 11});
  EXPECT_EQ(rebuilt.verdict, RebuildVerdict::kIncomplete);
  EXPECT_EQ(drops(rebuilt), (std::vector<Drop>{{2010, 2010, 0, "line", -1, -1}}));
  EXPECT_TRUE(rebuilt.reports("cpu 0: an unknown number of records lost on the line"))
      << rebuilt.messages;
}

TEST(RebuildLosses, AreNoneInARingThatOverwritesWhereOnlyTheEndFrameIsMissing) {
  const Rebuilt rebuilt = without(one_cpu_capture(), {11});
  EXPECT_EQ(rebuilt.verdict, RebuildVerdict::kIncomplete);
  EXPECT_EQ(drops(rebuilt), std::vector<Drop>{});
}

TEST(RebuildLosses, AreUnknownInARingThatDropsWhereOnlyTheEndFrameIsMissing) {
  TestCapture capture = one_cpu_capture();
  capture.mode = 1;
  const Rebuilt rebuilt = without(capture, {11});
  EXPECT_EQ(rebuilt.verdict, RebuildVerdict::kIncomplete);
  EXPECT_EQ(drops(rebuilt), (std::vector<Drop>{{3010, 3010, 0, "ring", -1, -1}}));
  EXPECT_TRUE(rebuilt.reports("how much the target dropped at the end is unknown"))
      << rebuilt.messages;
}

TEST(RebuildLosses, AtTheEndAreUnknownOfTheCpuWhoseLastFrameIsMissingWithTheEnd) {
  TestCapture capture = two_cpu_capture(2);
  capture.mode = 3;
  const std::vector<Bytes> frames = capture.frames();
  constexpr size_t kCpu = 12;
  size_t last_of_cpu_0 = 0;
  for (size_t i = 0; i < frames.size(); ++i)
    if (frames[i][1] == 4 && frames[i][kCpu] == 0) last_of_cpu_0 = i;
  const std::vector<Drop> found = drops(without(capture, {last_of_cpu_0, frames.size() - 1}));
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(std::tuple(found[0].cpu, found[0].where, found[0].records), std::tuple(0u, "line", -1));
  EXPECT_EQ(std::tuple(found[1].cpu, found[1].where, found[1].records), std::tuple(1u, "ring", -1));
  // Until the last record of any CPU, as no one knows when it was stopped.
  const uint64_t last = capture.pieces.back().records.back()[1];
  EXPECT_EQ(std::tuple(found[0].to, found[1].to), std::tuple(last, last));
}

TEST(RebuildLosses, OnACpuWithoutItsPseudoThreadMakeOne) {
  TestCapture capture = one_cpu_capture();
  capture.threads.resize(4);
  const Rebuilt rebuilt = without(capture, {kFirstRecords});
  EXPECT_EQ(drops(rebuilt).size(), 1u);
  const std::vector<PlainRecord> objects = decode_plainly(rebuilt.archive).of_type(7);
  ASSERT_EQ(objects.size(), 6u);
  EXPECT_EQ(objects[1].name, "cpus");
  EXPECT_EQ(objects[1].value, 0x7e000000u);
  EXPECT_EQ(objects[5].name, "cpu-0");
  EXPECT_EQ(objects[5].value, 0x7f000000u);
}

TEST(RebuildLosses, EndWhereAnInterruptBeganThatOutlivesTheGap) {
  TestCapture capture = one_cpu_capture();
  // Within the gap an interrupt begins (on cpu-0's pseudo-thread), records something and ends.
  capture.pieces[1].records = {instant(2000, 1, 1, 2, 3, 2),
                               duration_complete(1900, 2100, 4, 1, 4)};
  capture.pieces[1].records_lost = 1;
  capture.pieces[1].bytes_lost = 24;
  capture.pieces[2].records_lost = 1;
  capture.pieces[2].bytes_lost = 24;
  EXPECT_EQ(drops(rebuild(binary_form(capture.frames()))),
            (std::vector<Drop>{{1010, 1900, 0, "ring", 1, 24}}));
  // One that began before the gap holds all of it.
  capture.pieces[1].records[1] = duration_complete(1005, 2100, 4, 1, 4);
  EXPECT_EQ(drops(rebuild(binary_form(capture.frames()))),
            (std::vector<Drop>{{1010, 2000, 0, "ring", 1, 24}}));
}

TEST(RebuildLosses, OfTablesAreCoveredByTheSecondCopy) {
  const TestCapture capture = one_cpu_capture();
  const Bytes wanted = rebuild(binary_form(capture.frames())).archive;
  for (const std::vector<size_t>& lost :
       {std::vector<size_t>{0}, {1}, {2}, {3}, {0, 1, 2, 3}, {7, 8, 9, 10}, {0, 8, 2, 10}}) {
    const Rebuilt rebuilt = without(capture, lost);
    EXPECT_EQ(rebuilt.verdict, RebuildVerdict::kComplete) << rebuilt.messages;
    EXPECT_EQ(rebuilt.archive, wanted);
    EXPECT_TRUE(rebuilt.reports(" missing")) << rebuilt.messages;
  }
}

TEST(RebuildLosses, OfBothHellosLeaveTheRateUnknown) {
  const Rebuilt rebuilt = without(one_cpu_capture(), {0, 7});
  EXPECT_EQ(rebuilt.verdict, RebuildVerdict::kIncomplete);
  EXPECT_TRUE(rebuilt.reports("1 tick is taken for 1 ns")) << rebuilt.messages;
  const PlainArchive archive = decode_plainly(rebuilt.archive);
  EXPECT_EQ(archive.records[1].name, "barefxt");
  EXPECT_EQ(archive.records[2].value, 1'000'000'000u);
  EXPECT_EQ(numbers(archive).size(), 6u);
}

TEST(RebuildLosses, OfStringsInBothCopiesLeaveTheirNumbers) {
  const Rebuilt rebuilt = without(one_cpu_capture(), {1, 8});
  EXPECT_EQ(rebuilt.verdict, RebuildVerdict::kIncomplete);
  EXPECT_TRUE(rebuilt.reports("4 strings missing in both copies")) << rebuilt.messages;
  const PlainArchive archive = decode_plainly(rebuilt.archive);
  const std::vector<PlainRecord> events = archive.of_type(4);
  ASSERT_EQ(events.size(), 6u);
  EXPECT_EQ(events[0].category, "string#1");
  EXPECT_EQ(events[0].name, "string#2");
  EXPECT_EQ(events[0].arguments[0].name, "string#3");
}

TEST(RebuildLosses, OfThreadsInBothCopiesLeaveTheirNumbers) {
  const Rebuilt rebuilt = without(one_cpu_capture(), {3, 10});
  EXPECT_EQ(rebuilt.verdict, RebuildVerdict::kIncomplete);
  EXPECT_TRUE(rebuilt.reports("7 threads missing in both copies")) << rebuilt.messages;
  const PlainArchive archive = decode_plainly(rebuilt.archive);
  EXPECT_EQ(archive.of_type(4)[0].thread, 0x7d000001u);
  EXPECT_EQ(archive.of_type(4)[0].process, 0x7d000000u);
  const std::vector<PlainRecord> objects = archive.of_type(7);
  ASSERT_EQ(objects.size(), 2u);
  EXPECT_EQ(objects[0].name, "unknown threads");
  EXPECT_EQ(objects[1].name, "thread#1");
}

// The target was about to change it when the second copy was sent.
TEST(RebuildLosses, OfANameInOneCopyIsNone) {
  for (const bool in_the_first : {false, true}) {
    const TestCapture capture = one_cpu_capture();
    TestCapture nameless = capture;
    nameless.threads[1].name.clear();
    std::vector<Bytes> frames = capture.frames();
    const size_t at = in_the_first ? 3 : 10;
    frames[at] = nameless.frames()[at];
    const Rebuilt rebuilt = rebuild(binary_form(frames));
    EXPECT_EQ(rebuilt.verdict, RebuildVerdict::kComplete) << rebuilt.messages;
    EXPECT_EQ(rebuilt.archive, rebuild(binary_form(capture.frames())).archive);
  }
}

// But not of another that had its place before.
TEST(RebuildLosses, ANameIsOfItsKoidAlone) {
  const TestCapture capture = one_cpu_capture();
  TestCapture another = capture;
  another.threads[1].koid = 99;
  another.threads[1].name.clear();
  std::vector<Bytes> frames = capture.frames();
  frames[10] = another.frames()[10];
  const PlainArchive archive = decode_plainly(rebuild(binary_form(frames)).archive);
  for (const PlainRecord& object : archive.of_type(7)) {
    EXPECT_NE(object.name, "worker");
    EXPECT_TRUE(object.value != 99 || object.name.empty()) << object.name;
  }
}

TEST(RebuildLosses, OfRecordsNeverFinishedAreReported) {
  TestCapture capture = one_cpu_capture();
  capture.unfinished_records = 2;
  const Rebuilt rebuilt = rebuild(binary_form(capture.frames()));
  EXPECT_EQ(rebuilt.verdict, RebuildVerdict::kComplete);
  EXPECT_TRUE(
      rebuilt.reports("cpu 0: 2 records (48 bytes) reserved on the target and never finished"))
      << rebuilt.messages;
}

}  // namespace
}  // namespace barefxt::test::rebuild_losses_test
