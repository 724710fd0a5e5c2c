// Records that a faulty target may send. Their CRC is right, so only their content shows the fault.
#include <algorithm>
#include <gtest/gtest.h>
#include <random>

#include "build_kind.h"
#include "rebuild_harness.h"

namespace barefxt::test::rebuild_records_test {
namespace {

using host::RebuildVerdict;

uint64_t header(unsigned type, unsigned words) { return type | uint64_t{words} << 4; }

// One CPU, one piece: a sane instant (n = 1), the records given, a sane instant (n = 2).
TestCapture around(const std::vector<Words>& records) {
  TestCapture capture = two_cpu_capture(0);
  capture.cpus = 1;
  TestPiece piece;
  piece.records.push_back(instant(1000, 1, 1, 2, 3, 1));
  piece.records.insert(piece.records.end(), records.begin(), records.end());
  piece.records.push_back(instant(2000, 1, 1, 2, 3, 2));
  capture.pieces = {piece};
  return capture;
}

Rebuilt rebuild_around(const std::vector<Words>& records) {
  const Rebuilt rebuilt = rebuild(binary_form(around(records).frames()));
  expect_sound(rebuilt);
  return rebuilt;
}

void expect_left_out(const Words& record, const std::string& why) {
  const Rebuilt rebuilt = rebuild_around({record});
  EXPECT_EQ(rebuilt.verdict, RebuildVerdict::kIncomplete) << why;
  EXPECT_TRUE(rebuilt.reports("1 record left out: " + why)) << rebuilt.messages;
  EXPECT_EQ(numbers(decode_plainly(rebuilt.archive)), (std::vector<uint64_t>{1, 2}));
}

// The record as it comes out, which has to be there.
PlainRecord expect_kept(const Words& record) {
  const Rebuilt rebuilt = rebuild_around({record});
  EXPECT_EQ(rebuilt.verdict, RebuildVerdict::kComplete) << rebuilt.messages;
  const std::vector<PlainRecord> records = decode_plainly(rebuilt.archive).records;
  return records[records.size() - 2];
}

TEST(RebuildRecords, OfTypesThatAProviderMayNotWriteStayOut) {
  const std::string why = "of a type that only an archive's writer may use";
  expect_left_out({0x0016547846040010}, why);
  expect_left_out({header(0, 1) | 2 << 16 | 9 << 20}, why);
  expect_left_out({header(1, 2), 0}, why);
  expect_left_out({header(2, 2) | 1 << 16 | uint64_t{3} << 32, 0x636261}, why);
  expect_left_out({header(3, 3) | 1 << 16, 1, 2}, why);
}

TEST(RebuildRecords, OfTheRuntimesOwnTypeStayOut) {
  expect_left_out({header(13, 4), 0, 0, 0}, "of the runtime's own type, never finished");
}

TEST(RebuildRecords, OfUnknownKindsStayOut) {
  for (const unsigned type : {11, 12, 14})
    expect_left_out({header(type, 2), 1}, "of an unknown type");
  for (uint64_t type = 11; type < 16; ++type)
    expect_left_out({header(4, 3) | type << 16, 1500, 0}, "of an unknown type");
  expect_left_out({header(8, 3) | uint64_t{3} << 60, 1500, 0}, "of an unknown type");
  expect_left_out({header(10, 2) | uint64_t{3} << 16 | 1 << 20, 1500}, "of an unknown type");
  // An argument of type 11.
  expect_left_out({header(4, 3) | 1 << 20 | 1 << 24, 1500, header(11, 1)}, "of an unknown type");
}

TEST(RebuildRecords, WhosePartsDoNotFitStayOut) {
  const std::string why = "malformed";
  expect_left_out({header(4, 1)}, why);                                           // no timestamp
  expect_left_out({header(4, 3), 1500, 0}, why);                                  // half a thread
  expect_left_out({header(4, 2) | 1 << 24 | uint64_t{0x80ff} << 32, 1500}, why);  // long category
  expect_left_out({header(4, 2) | 1 << 20 | 1 << 24, 1500}, why);                 // no argument
  expect_left_out({header(4, 3) | 1 << 20 | 1 << 24, 1500, header(3, 2)}, why);   // half of one
  expect_left_out({header(4, 3) | 1 << 20 | 1 << 24, 1500, 0}, why);              // one of size 0
  expect_left_out({header(4, 2) | 4 << 16 | 1 << 24, 1500}, why);  // no end timestamp
  expect_left_out({header(5, 1) | uint64_t{9} << 32}, why);        // no payload
  expect_left_out({header(8, 2) | uint64_t{6} << 24 | uint64_t{1} << 28 | uint64_t{1} << 36, 1500},
                  why);  // state 6
  expect_left_out({header(8, 4) | uint64_t{4096} << 20 | uint64_t{1} << 60, 1500, 1, 2}, why);
  expect_left_out({header(9, 2) | 20 << 16 | uint64_t{1} << 32, 1500}, why);
  expect_left_out({15 | 3 << 4, 0, ~uint64_t{0}}, why);  // a payload of 2^64-1
}

TEST(RebuildRecords, ThatEndBeforeTheyBeginStayOut) {
  expect_left_out(duration_complete(1600, 1500, 1, 1, 2), "ending before they begin");
  EXPECT_EQ(expect_kept(duration_complete(1500, 1500, 1, 1, 2)).value, 1500u);
}

TEST(RebuildRecords, WithReferencesToNowhereGetThemNamed) {
  const Rebuilt rebuilt = rebuild_around({instant(1500, 77, 500, 501, 502, 9)});
  EXPECT_EQ(rebuilt.verdict, RebuildVerdict::kIncomplete);
  const PlainRecord event = decode_plainly(rebuilt.archive).events("string#501").at(0);
  EXPECT_EQ(event.category, "string#500");
  EXPECT_EQ(event.arguments[0].name, "string#502");
  EXPECT_EQ(event.thread, 0x7d00004du);
}

TEST(RebuildRecords, LoseReservedBitsAndDirtyPadding) {
  // A blob of 3 bytes with every reserved bit set and rubbish behind its payload.
  const PlainRecord blob =
      expect_kept({header(5, 2) | 2 << 16 | uint64_t{3} << 32 | uint64_t{1} << 47 |
                       uint64_t{1} << 48 | uint64_t{0xff} << 56,
                   0xffffffffff636261});
  EXPECT_EQ(blob.name, "tick");
  EXPECT_EQ(blob.subtype, 1u);
}

TEST(RebuildRecords, OfEveryKindPassThrough) {
  const auto ref = [](uint64_t bytes) { return 0x8000 | bytes; };
  // Event with inline thread, category, name and one argument of every type.
  Words event{header(4, 26) | uint64_t{10} << 20 | ref(2) << 32 | ref(9) << 48,
              1500,
              5,
              6,
              0x6261,
              0x6867666564636261,
              0x69};
  const auto add = [&](const Words& words) {
    event.insert(event.end(), words.begin(), words.end());
  };
  add({header(0, 1) | 3 << 16});
  add({header(1, 1) | 3 << 16 | uint64_t{0xffffffff} << 32});
  add({header(2, 1) | 3 << 16 | uint64_t{7} << 32});
  add({header(3, 2) | 3 << 16, ~uint64_t{0}});
  add({header(4, 2) | 3 << 16, 8});
  add({header(5, 2) | 3 << 16, 0x3ff0000000000000});
  add({header(6, 3) | ref(1) << 16 | ref(2) << 32, 0x78, 0x7a79});
  add({header(7, 2) | 3 << 16, 0xdead});
  add({header(8, 2) | 3 << 16, 11});
  add({header(10, 3) | 3 << 16 | uint64_t{9} << 32, 1, 2});
  event[0] = (event[0] & ~uint64_t{0xfff0}) | event.size() << 4;
  const PlainRecord seen = expect_kept(event);
  EXPECT_EQ(seen.process, 5u);
  EXPECT_EQ(seen.category, "ab");
  EXPECT_EQ(seen.name, "abcdefghi");
  ASSERT_EQ(seen.arguments.size(), 10u);
  EXPECT_EQ(seen.arguments[1].bits, ~uint64_t{0});
  EXPECT_EQ(seen.arguments[6].name, "x");
  EXPECT_EQ(seen.arguments[6].text, "yz");
  EXPECT_EQ(seen.arguments[9].text.size(), 9u);

  for (unsigned type = 0; type <= 10; ++type) {
    const bool trailing = type == 1 || type >= 4;
    Words plain{header(4, trailing ? 3 : 2) | type << 16 | 1 << 24 | uint64_t{2} << 48, 1500};
    if (trailing) plain.push_back(1501);
    EXPECT_EQ(expect_kept(plain).subtype, type);
  }
  EXPECT_EQ(expect_kept({header(6, 3) | 2 << 24, 0xabc, 10}).process, 10u);
  EXPECT_EQ(expect_kept({header(6, 2) | 1 << 16 | 2 << 24, 0xabc}).process, 10u);
  EXPECT_EQ(expect_kept({header(7, 2) | 3 << 16 | 2 << 24, 99}).value, 99u);
  EXPECT_EQ(expect_kept({header(8, 6) | 1 << 16, 1500, 1, 2, 3, 4}).other_thread, 4u);
  EXPECT_EQ(expect_kept({header(8, 5) | 1 << 16 | 2 << 20 | uint64_t{1} << 60, 1500, 1, 2,
                         header(1, 1) | 3 << 16})
                .cpu,
            2u);
  EXPECT_EQ(expect_kept({header(8, 3) | 2 << 20 | uint64_t{2} << 60, 1500, 1}).subtype, 2u);
  EXPECT_EQ(expect_kept({header(9, 3) | 2 << 16 | uint64_t{1} << 32, 1500, 0x6968}).name, "hi");
  EXPECT_EQ(expect_kept(
                {header(10, 4) | 1 << 20 | uint64_t{1} << 44 | uint64_t{1} << 52, 1500, 0x61, 0x62})
                .name,
            "a");
  EXPECT_EQ(expect_kept({header(10, 5) | 1 << 16 | 1 << 20, 1500, 1, 2, 3}).subtype, 1u);
  EXPECT_EQ(expect_kept({header(10, 3) | 2 << 16 | 1 << 20 | 1 << 28, 1500, 1}).subtype, 2u);
  EXPECT_EQ(expect_kept({15 | 5 << 4, 1 | 2 << 16 | uint64_t{1} << 36, 1500, 3, 0x636261}).name,
            "tick");
  EXPECT_EQ(expect_kept({15 | 4 << 4 | uint64_t{1} << 40, 1 | 2 << 16, 3, 0x636261}).category,
            "demo");
}

TEST(RebuildRecords, MayBeTheLongestThatFits) {
  Words longest{header(9, 4095) | uint64_t{32744} << 16 | uint64_t{1} << 32, 1500};
  longest.resize(4095, 0x6161616161616161);
  TestCapture capture = two_cpu_capture(0);
  capture.pieces = {{.cpu = 0, .records = {longest}}};
  const Rebuilt rebuilt = rebuild(binary_form(capture.frames()));
  EXPECT_EQ(rebuilt.verdict, RebuildVerdict::kComplete) << rebuilt.messages;
  expect_sound(rebuilt);
  EXPECT_EQ(decode_plainly(rebuilt.archive).of_type(9).at(0).name.size(), 32744u);
}

TEST(RebuildRecords, ThatCannotBeWalkedCountAsLost) {
  TestCapture capture = around({{header(4, 0)}});  // size 0: nothing behind it can be found
  const Rebuilt rebuilt = rebuild(binary_form(capture.frames()));
  EXPECT_EQ(rebuilt.verdict, RebuildVerdict::kIncomplete);
  expect_sound(rebuilt);
  EXPECT_EQ(numbers(decode_plainly(rebuilt.archive)), (std::vector<uint64_t>{1}));
  EXPECT_TRUE(rebuilt.reports("1 frame with content that cannot be read to its end"))
      << rebuilt.messages;
  EXPECT_TRUE(rebuilt.reports("cpu 0: 2 records (32 bytes) lost")) << rebuilt.messages;
}

TEST(RebuildRecords, AndStringsBecomeUtf8) {
  TestCapture capture = around({{header(9, 3) | 3 << 16 | uint64_t{1} << 32, 1500, 0x62ff61}});
  capture.strings[1] = "ti\xe9k";
  capture.threads[1].name = "w\xc0";
  capture.target = "b\xffoard";
  const Rebuilt rebuilt = rebuild(binary_form(capture.frames()));
  EXPECT_EQ(rebuilt.verdict, RebuildVerdict::kIncomplete);
  expect_sound(rebuilt);
  const PlainArchive archive = decode_plainly(rebuilt.archive);
  EXPECT_EQ(archive.records[1].name, "b?oard");
  EXPECT_EQ(archive.of_type(9).at(0).name, "a?b");
  EXPECT_EQ(archive.events("ti?k").size(), 2u);
}

TEST(RebuildRecords, SurviveTablesThatLie) {
  const std::vector<Bytes> good = around({}).frames();
  const auto with = [&](unsigned type, const Bytes& payload) {
    std::vector<Bytes> frames = good;
    frames.push_back(make_frame(type, 2, 0x0badcafe, 1000 + type, payload));
    const Rebuilt rebuilt = rebuild(binary_form(frames));
    EXPECT_EQ(rebuilt.verdict, RebuildVerdict::kIncomplete) << rebuilt.messages;
    expect_sound(rebuilt);
    EXPECT_EQ(numbers(decode_plainly(rebuilt.archive)), (std::vector<uint64_t>{1, 2}));
    return rebuilt;
  };
  with(1, Bytes(40));                                                         // 0 ticks a second
  with(2, ByteBuilder().u16(0).u16(1).raw("x").bytes());                      // string 0
  with(2, ByteBuilder().u16(32767).u16(1).raw("x").u16(1).raw("y").bytes());  // string 32768
  with(2, ByteBuilder().u16(1).u16(60000).raw("x").bytes());   // longer than its frame
  with(3, ByteBuilder().u16(0).u8(9).raw(Bytes(10)).bytes());  // kind 9
  with(3, ByteBuilder().u16(0).u8(1).u8(1).u8(255).bytes());   // half an entry
  with(5, ByteBuilder().u64(1).u16(65535).bytes());            // 65535 CPUs, none there
  // A piece of CPU 60000, and one that overlaps with what is there.
  const auto piece = [](unsigned cpu, uint64_t before) {
    return ByteBuilder()
        .u16(cpu)
        .u16(0)
        .u32(0)
        .u64(before)
        .u64(0)
        .u64(0)
        .u64(0)
        .raw(words_to_bytes(instant(1500, 1, 1, 2, 3, 99)))
        .bytes();
  };
  EXPECT_TRUE(with(4, piece(60000, 0)).reports("1 frame with 1 record left out"));
  EXPECT_TRUE(with(4, piece(0, 1)).reports("1 frame with 1 record left out"));
}

TEST(RebuildRecords, OfRandomWordsNeverSpoilAnArchive) {
  for (uint32_t seed = 0; seed < sampled(3000); ++seed) {
    std::mt19937_64 random(seed);
    std::vector<Words> records;
    for (size_t i = random() % 20; i > 0; --i) {
      Words record(1 + random() % 9);
      for (uint64_t& word : record) {
        word = random();
        if (random() % 2 == 0) word &= 0x0003000300120000 | random() % 4096;
        if (random() % 3 == 0) word = header(random() % 11, 1 + random() % 3) | (word & 0x800f0000);
      }
      record[0] = (record[0] & ~uint64_t{0xffff}) | header(random() % 16, 1) | record.size() << 4;
      if ((record[0] & 15) == 15) record[0] &= 0xfffff000000fffffu;
      record[0] = (record[0] & ~uint64_t{0xfff0}) | record.size() << 4;
      records.push_back(record);
    }
    TestCapture capture = around(records);
    capture.big_endian = seed % 2 == 0;
    const Rebuilt rebuilt = rebuild(binary_form(capture.frames()));
    expect_sound(rebuilt);
    if (testing::Test::HasFailure()) {
      ADD_FAILURE() << "seed " << seed;
      break;
    }
  }
}

}  // namespace
}  // namespace barefxt::test::rebuild_records_test
