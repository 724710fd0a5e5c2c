// From captures to archives: whole captures, merged ones, and separate ones.
#include <algorithm>
#include <gtest/gtest.h>

#include "rebuild_harness.h"

namespace barefxt::test::rebuild_test {
namespace {

using host::RebuildVerdict;

TEST(Rebuild, PutsACaptureTogether) {
  const Rebuilt rebuilt = rebuild(binary_form(two_cpu_capture().frames()));
  EXPECT_EQ(rebuilt.verdict, RebuildVerdict::kComplete) << rebuilt.messages;
  expect_sound(rebuilt);
  EXPECT_EQ(rebuilt.messages, "test (capture 0x0badcafe): 48 records in 15 frames\n");

  const PlainArchive archive = decode_plainly(rebuilt.archive);
  EXPECT_EQ(archive.records[1].name, "test");
  EXPECT_EQ(archive.records[2].value, 1'000'000u);
  EXPECT_EQ(archive.of_type(8).size(), 12u);
  std::vector<uint64_t> found = numbers(archive);
  std::sort(found.begin(), found.end());
  ASSERT_EQ(found.size(), 36u);
  for (size_t i = 0; i < found.size(); ++i) EXPECT_EQ(found[i], i);

  uint64_t time = 0;
  for (const PlainRecord& record : archive.records) {
    if (record.type != 4 && record.type != 8) continue;
    EXPECT_GE(record.timestamp, time);
    time = record.timestamp;
  }
}

TEST(Rebuild, WritesThePrologueInTheOrderThatReadersAccept) {
  const PlainArchive archive =
      decode_plainly(rebuild(binary_form(two_cpu_capture().frames())).archive);
  std::vector<unsigned> types;
  for (const PlainRecord& record : archive.records)
    if (types.empty() || types.back() != record.type) types.push_back(record.type);
  ASSERT_GE(types.size(), 6u);
  EXPECT_EQ(std::vector<unsigned>(types.begin(), types.begin() + 6),
            (std::vector<unsigned>{0, 1, 2, 3, 7, 4}));

  std::vector<std::string> strings;
  for (const PlainRecord& record : archive.of_type(2)) strings.push_back(record.name);
  EXPECT_EQ(strings, (std::vector<std::string>{"demo", "tick", "n", "irq", "unused", "process"}))
      << "each content once";
}

TEST(Rebuild, NamesTheProcessOfTheCpusWhereTheTargetDoesNot) {
  TestCapture capture = two_cpu_capture();
  std::erase_if(capture.threads, [](const TestThread& thread) { return thread.name == "cpus"; });
  const PlainArchive archive = decode_plainly(rebuild(binary_form(capture.frames())).archive);
  EXPECT_EQ(archive.of_type(7).at(1).name, "cpus");
  EXPECT_EQ(archive.of_type(7).at(1).value, 0x7e000000u);
}

TEST(Rebuild, NamesProcessesBeforeTheirThreads) {
  const PlainArchive archive =
      decode_plainly(rebuild(binary_form(two_cpu_capture().frames())).archive);
  const std::vector<PlainRecord> objects = archive.of_type(7);
  ASSERT_EQ(objects.size(), 7u);
  EXPECT_EQ(objects[0].name, "kernel");
  EXPECT_EQ(objects[0].subtype, 1u);
  EXPECT_EQ(objects[1].name, "cpus");
  EXPECT_EQ(objects[2].name, "worker");
  EXPECT_EQ(objects[2].subtype, 2u);
  ASSERT_NE(objects[2].argument("process"), nullptr);
  EXPECT_EQ(objects[2].argument("process")->type, 8);
  EXPECT_EQ(objects[2].argument("process")->bits, 10u);
  EXPECT_EQ(objects[4].name, "idle/0");
  EXPECT_EQ(objects[4].argument("process")->bits, 0u);
  const std::vector<PlainRecord> threads = archive.of_type(3);
  ASSERT_EQ(threads.size(), 5u);
  EXPECT_EQ(threads[0].value, 1u);
  EXPECT_EQ(threads[0].process, 10u);
  EXPECT_EQ(threads[0].thread, 11u);
}

TEST(Rebuild, DoesNotMindHowTheBytesCome) {
  const Bytes capture = binary_form(two_cpu_capture().frames());
  const Rebuilt at_once = rebuild(capture);
  for (const size_t step : {1, 2, 3, 7, 64, 1000})
    EXPECT_EQ(rebuild({capture}, step).archive, at_once.archive) << step;
  const Bytes text = text_form(two_cpu_capture().frames());
  for (const size_t step : {1, 5, 100}) EXPECT_EQ(rebuild({text}, step).archive, at_once.archive);
}

TEST(Rebuild, FindsFramesAmongConsoleText) {
  const std::vector<Bytes> frames = two_cpu_capture().frames();
  ByteBuilder console;
  console.raw("U-Boot 2026.01\r\nbooting, barefxt: tracing on\r\n\n");
  for (const Bytes& frame : frames)
    console.raw(plain_cobs(frame)).raw("\r\n\033[32m[    1.25] caf\xc3\xa9 ready\033[0m\r\n");
  const Rebuilt rebuilt = rebuild(console.bytes());
  EXPECT_EQ(rebuilt.verdict, RebuildVerdict::kComplete) << rebuilt.messages;
  EXPECT_EQ(rebuilt.archive, rebuild(binary_form(frames)).archive);
  EXPECT_FALSE(rebuilt.reports("damaged")) << rebuilt.messages;
}

TEST(Rebuild, FindsTextFramesBehindALogsTimestamps) {
  const std::vector<Bytes> frames = two_cpu_capture().frames();
  const Bytes wanted = rebuild(binary_form(frames)).archive;
  const auto stamp = [](size_t i) {
    return "Nov 21 01:02:03 board kernel: [" + std::to_string(i) + ".000123] ";
  };
  for (const std::string end : {"\n", "\r\n", " \r\n", "\033[0m\n"}) {
    const Rebuilt rebuilt = rebuild(text_form(frames, stamp, end));
    EXPECT_EQ(rebuilt.verdict, RebuildVerdict::kComplete) << rebuilt.messages;
    EXPECT_EQ(rebuilt.archive, wanted);
  }
}

TEST(Rebuild, FindsATextFrameRightBehindOneThatWasCut) {
  const std::vector<Bytes> frames = two_cpu_capture().frames();
  const Rebuilt whole = rebuild(text_form(frames));
  // The letters of the prefix are digits of base64.
  Bytes line = text_form({frames[0]});
  line.resize(line.size() / 2);
  for (const Bytes& frame : frames) {
    const Bytes next = text_form({frame});
    line.insert(line.end(), next.begin(), next.end() - 1);
  }
  EXPECT_EQ(rebuild(line).archive, whole.archive);
}

TEST(Rebuild, TakesBothFormsMixed) {
  const std::vector<Bytes> frames = two_cpu_capture().frames();
  ByteBuilder mixed;
  for (size_t i = 0; i < frames.size(); ++i)
    mixed.raw("log\n").raw(i % 2 == 0 ? plain_cobs(frames[i]) : text_form({frames[i]}));
  EXPECT_EQ(rebuild(mixed.bytes()).archive, rebuild(binary_form(frames)).archive);
}

TEST(Rebuild, SaysAtWhichByteTheFirstDamagedFrameStarts) {
  const std::vector<Bytes> frames = two_cpu_capture().frames();
  for (size_t damaged = 0; damaged < frames.size(); ++damaged) {
    ByteBuilder line;
    size_t start = 0;
    for (size_t i = 0; i < frames.size(); ++i) {
      Bytes coded = plain_cobs(frames[i]);
      if (i >= damaged) coded[coded.size() / 2] ^= coded[coded.size() / 2] == 1 ? 2 : 1;
      if (i == damaged) start = line.bytes().size() + 1;  // behind a zero
      line.raw(coded);
    }
    const std::string messages = rebuild(line.bytes()).messages;
    ASSERT_NE(messages.find(" the first at byte " + std::to_string(start) + "\n"),
              std::string::npos)
        << start << ": " << messages;
  }
}

TEST(Rebuild, FindsATextFrameInAnEndlessLine) {
  const std::vector<Bytes> frames = two_cpu_capture().frames();
  ByteBuilder line;
  const std::string prose(50'000, 'x');
  for (const Bytes& frame : frames)
    line.raw(prose + " barefxt:" + plain_base64(frame) + " " + prose);
  for (const size_t step : {0, 1000, 4096})
    EXPECT_EQ(rebuild({line.bytes()}, step).archive, rebuild(binary_form(frames)).archive);
}

TEST(Rebuild, UsesAFrameThatIsThereTwiceOnce) {
  const std::vector<Bytes> frames = two_cpu_capture().frames();
  std::vector<Bytes> doubled = frames;
  doubled.insert(doubled.begin() + 3, frames[7]);
  doubled.insert(doubled.end(), frames.begin(), frames.end());
  const Rebuilt rebuilt = rebuild(binary_form(doubled));
  EXPECT_EQ(rebuilt.verdict, RebuildVerdict::kComplete) << rebuilt.messages;
  EXPECT_EQ(rebuilt.archive, rebuild(binary_form(frames)).archive);
  EXPECT_TRUE(rebuilt.reports("16 frames there twice")) << rebuilt.messages;
}

TEST(Rebuild, DoesNotMindTheOrderOfFrames) {
  std::vector<Bytes> frames = two_cpu_capture().frames();
  const Bytes wanted = rebuild(binary_form(frames)).archive;
  std::reverse(frames.begin(), frames.end());
  const Rebuilt rebuilt = rebuild(binary_form(frames));
  EXPECT_EQ(rebuilt.verdict, RebuildVerdict::kComplete) << rebuilt.messages;
  EXPECT_EQ(rebuilt.archive, wanted);
}

TEST(Rebuild, KeepsCapturesApart) {
  TestCapture first = two_cpu_capture();
  TestCapture second = two_cpu_capture(1);
  second.id = 77;
  second.target = "other";
  second.ticks_per_second = 5;
  const Bytes one = binary_form(first.frames());
  Bytes both = one;
  const Bytes other = binary_form(second.frames());
  both.insert(both.end(), other.begin(), other.end());

  for (const Rebuilt& rebuilt : {rebuild(both), rebuild({one, other})}) {
    EXPECT_EQ(rebuilt.verdict, RebuildVerdict::kComplete) << rebuilt.messages;
    expect_sound(rebuilt);
    const PlainArchive archive = decode_plainly(rebuilt.archive);
    EXPECT_EQ(archive.records[1].name, "test");
    EXPECT_EQ(archive.records[1].value, 1u);
    const auto info = std::find_if(
        archive.records.begin(), archive.records.end(),
        [](const PlainRecord& record) { return record.name == "other" && record.type == 0; });
    ASSERT_NE(info, archive.records.end());
    EXPECT_EQ(info->value, 2u);
    EXPECT_EQ((info + 1)->value, 5u);
    EXPECT_EQ(numbers(archive).size(), 36u + 12u);
  }
}

TEST(Rebuild, GivesEachOfTwoBoardsItsOwnClockAndTables) {
  TestCapture board = two_cpu_capture(1);
  TestCapture other = two_cpu_capture(1);
  other.id = 77;
  other.target = "other";
  other.ticks_per_second = 32'768;
  // The same indices and koids, with other meanings.
  other.strings = {"net", "packet", "bytes", "irq", "unused", "frame"};
  for (TestThread& thread : other.threads) thread.name = "other " + thread.name;
  const Rebuilt rebuilt = rebuild({binary_form(board.frames()), binary_form(other.frames())});
  EXPECT_EQ(rebuilt.verdict, RebuildVerdict::kComplete) << rebuilt.messages;
  expect_sound(rebuilt);

  const PlainArchive archive = decode_plainly(rebuilt.archive);
  const std::vector<PlainRecord> clocks = archive.of_type(1);
  ASSERT_EQ(clocks.size(), 2u);
  EXPECT_EQ(clocks[0].provider, 1u);
  EXPECT_EQ(clocks[0].value, 1'000'000u);
  EXPECT_EQ(clocks[1].provider, 2u);
  EXPECT_EQ(clocks[1].value, 32'768u);
  for (const PlainRecord& event : archive.of_type(4)) {
    const bool is_other = event.provider == 2;
    EXPECT_EQ(event.category, is_other ? "net" : "demo");
    EXPECT_TRUE(is_other ? event.name == "packet" || event.name == "frame" : event.name == "tick");
    EXPECT_NE(event.argument(is_other ? "bytes" : "n"), nullptr);
    EXPECT_EQ(event.process, 10u);
  }
  for (const PlainRecord& object : archive.of_type(7))
    EXPECT_EQ(object.name.rfind("other ", 0) == 0, object.provider == 2) << object.name;
}

TEST(Rebuild, KnowsASecondBootByItsStartThoughTheIdIsTheSame) {
  TestCapture second = two_cpu_capture(1);
  second.start_ticks = 99;
  Bytes both = binary_form(two_cpu_capture().frames());
  const Bytes other = binary_form(second.frames());
  both.insert(both.end(), other.begin(), other.end());
  const Rebuilt rebuilt = rebuild(both);
  EXPECT_EQ(rebuilt.verdict, RebuildVerdict::kComplete) << rebuilt.messages;
  expect_sound(rebuilt);
  EXPECT_EQ(numbers(decode_plainly(rebuilt.archive)).size(), 36u + 12u);
}

TEST(Rebuild, FillsInFromASecondRecordingOfTheSameLine) {
  const std::vector<Bytes> frames = two_cpu_capture().frames();
  std::vector<Bytes> odd;
  std::vector<Bytes> even;
  for (size_t i = 0; i < frames.size(); ++i) (i % 2 == 0 ? even : odd).push_back(frames[i]);
  const Rebuilt rebuilt = rebuild({binary_form(odd), text_form(even)});
  EXPECT_EQ(rebuilt.verdict, RebuildVerdict::kComplete) << rebuilt.messages;
  EXPECT_EQ(rebuilt.archive, rebuild(binary_form(frames)).archive);
}

TEST(Rebuild, TurnsTheWordsOfBigEndianTargets) {
  TestCapture capture = two_cpu_capture();
  const Bytes wanted = rebuild(binary_form(capture.frames())).archive;
  capture.big_endian = true;
  EXPECT_EQ(rebuild(binary_form(capture.frames())).archive, wanted);
}

TEST(Rebuild, WritesBigEndianArchivesOnRequest) {
  const Bytes capture = binary_form(two_cpu_capture().frames());
  const Rebuilt big = rebuild({capture}, 0, host::ByteOrder::kBig);
  expect_sound(big);
  EXPECT_EQ((Bytes(big.archive.begin(), big.archive.begin() + 8)),
            from_hex("00 16 54 78 46 04 00 10"));
  EXPECT_EQ(numbers(decode_plainly(big.archive)),
            numbers(decode_plainly(rebuild(capture).archive)));
}

TEST(Rebuild, CountsACompleteEventByItsEnd) {
  TestCapture capture = two_cpu_capture(0);
  capture.pieces = {
      {.cpu = 0, .records = {duration_complete(100, 300, 1, 1, 4)}},
      {.cpu = 1, .records = {instant(200, 2, 1, 2, 3, 0), instant(400, 2, 1, 2, 3, 1)}}};
  const PlainArchive archive = decode_plainly(rebuild(binary_form(capture.frames())).archive);
  const std::vector<PlainRecord> events = archive.of_type(4);
  ASSERT_EQ(events.size(), 3u);
  EXPECT_EQ(events[0].timestamp, 200u);
  EXPECT_EQ(events[1].timestamp, 100u);
  EXPECT_EQ(events[2].timestamp, 400u);
}

TEST(Rebuild, KeepsRecordsWithoutATimeBehindTheirPredecessor) {
  // A kernel object of type 17 and koid 99, named by string 4.
  const Words object{uint64_t{7} | uint64_t{2} << 4 | uint64_t{17} << 16 | uint64_t{4} << 24, 99};
  TestCapture capture = two_cpu_capture(0);
  capture.pieces = {
      {.cpu = 0, .records = {instant(500, 1, 1, 2, 3, 0), object}},
      {.cpu = 1, .records = {instant(200, 2, 1, 2, 3, 1), instant(600, 2, 1, 2, 3, 2)}}};
  const PlainArchive archive = decode_plainly(rebuild(binary_form(capture.frames())).archive);
  const size_t count = archive.records.size();
  EXPECT_EQ(archive.records[count - 3].timestamp, 500u);
  EXPECT_EQ(archive.records[count - 2].name, "irq");
  EXPECT_EQ(archive.records[count - 1].timestamp, 600u);
}

TEST(Rebuild, FindsNothingInNothing) {
  const Bytes prose = ByteBuilder().raw("just a log\nbarefxt: not a frame\n").bytes();
  for (const Bytes& input : {Bytes{}, prose, Bytes(1000, 0), Bytes(100'000, 0x55)}) {
    const Rebuilt rebuilt = rebuild(input);
    EXPECT_EQ(rebuilt.verdict, RebuildVerdict::kNothing);
    EXPECT_TRUE(rebuilt.reports("no usable frame")) << rebuilt.messages;
    EXPECT_TRUE(rebuilt.reports("has the target dumped its trace")) << rebuilt.messages;
  }
  Bytes noise(1000);
  for (size_t i = 0; i < noise.size(); ++i) noise[i] = static_cast<uint8_t>(i * 37 + 1);
  EXPECT_TRUE(rebuild(noise).reports("is the line's speed right")) << rebuild(noise).messages;
}

TEST(Rebuild, RefusesANewerVersionByName) {
  const std::vector<Bytes> frames = two_cpu_capture().frames();
  const Bytes newer = make_frame(1, 0, 0x0badcafe, 0, Bytes(40), wire::kNewestVersion + 1);
  const Rebuilt alone = rebuild(binary_form({newer}));
  EXPECT_EQ(alone.verdict, RebuildVerdict::kNothing);
  EXPECT_TRUE(alone.reports("version " + std::to_string(wire::kNewestVersion + 1) +
                            ", which this barefxt does not read"))
      << alone.messages;

  std::vector<Bytes> mixed = frames;
  mixed.push_back(newer);
  const Rebuilt rebuilt = rebuild(binary_form(mixed));
  EXPECT_EQ(rebuilt.verdict, RebuildVerdict::kIncomplete);
  EXPECT_EQ(rebuilt.archive, rebuild(binary_form(frames)).archive);
}

TEST(Rebuild, RefusesFramesOfAnUnknownType) {
  std::vector<Bytes> frames = two_cpu_capture().frames();
  const Bytes wanted = rebuild(binary_form(frames)).archive;
  frames.push_back(make_frame(9, 0, 0x0badcafe, 1, Bytes(40)));
  frames.push_back(make_frame(4, 0, 0x0badcafe, 1, Bytes(39)));  // shorter than its fixed part
  const Rebuilt rebuilt = rebuild(binary_form(frames));
  EXPECT_EQ(rebuilt.verdict, RebuildVerdict::kIncomplete);
  EXPECT_TRUE(rebuilt.reports("2 frames of a type or coding")) << rebuilt.messages;
  EXPECT_EQ(rebuilt.archive, wanted);
}

}  // namespace
}  // namespace barefxt::test::rebuild_test
