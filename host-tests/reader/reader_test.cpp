// Every record and argument type is read by the specification, in both byte orders and dialects.
#include <gtest/gtest.h>
#include <regex>

#include "contains.h"
#include "goldens/goldens.h"
#include "print/printing.h"

namespace barefxt::test::reader_test {
namespace {

using host::ByteOrder;
using host::Dialect;
using U = uint64_t;

TEST(Reader, ReadsEveryRecordAsTheSpecificationSays) {
  for (const Golden& one : goldens()) EXPECT_EQ(json_of(little_endian(one.pieces)), one.json);
}

// The bytes themselves, shown of unknown records, are of course others.
std::string without_raw(std::string_view json) {
  return std::regex_replace(std::string(json), std::regex(",\"raw\":\"[^\"]*\""), "");
}

TEST(Reader, ReadsTheOtherByteOrderAlike) {
  for (const Golden& one : goldens()) {
    EXPECT_EQ(without_raw(json_of(big_endian(one.pieces))), without_raw(one.json));
  }
}

// The helper that lays words out is held to bytes that are literal indeed.
TEST(Reader, ReadsTheMagicNumberFromTheBytesTheSpecificationSpellsOut) {
  const std::string little("\x10\x00\x04\x46\x78\x54\x16\x00", 8);
  const std::string big("\x00\x16\x54\x78\x46\x04\x00\x10", 8);
  EXPECT_EQ(little_endian({W(kMagic)}), little);
  EXPECT_EQ(big_endian({W(kMagic)}), big);
  EXPECT_EQ(json_of(little), "{\"offset\":0,\"record\":\"magic\"}\n");
  EXPECT_EQ(json_of(big), "{\"offset\":0,\"record\":\"magic\"}\n");
}

TEST(Dialect, Is2017OnlyWithoutTheMagicNumberAndAnythingNewer) {
  const Golden& old = golden("the 2017 dialect");
  const auto dialect = [](std::vector<Piece> pieces) {
    const std::string archive = little_endian(pieces);
    return host::guess_form(as_bytes(archive)).form.dialect;
  };
  const auto with = [&](std::vector<Piece> more) {
    std::vector<Piece> pieces = old.pieces;
    pieces.insert(pieces.end(), more.begin(), more.end());
    return pieces;
  };
  EXPECT_EQ(dialect(old.pieces), Dialect::k2017);
  std::vector<Piece> magic = old.pieces;
  magic.insert(magic.begin(), W(kMagic));
  EXPECT_EQ(dialect(magic), Dialect::kToday);
  // event type 10; metadata 3; type 15; argument 9; priorities; scheduling 1; profiler
  EXPECT_EQ(dialect(with({W(U{4} << 0 | U{3} << 4 | U{10} << 16 | U{1} << 24, 1, 1)})),
            Dialect::kToday);
  EXPECT_EQ(dialect(with({W(U{0} << 0 | U{1} << 4 | U{3} << 16)})), Dialect::kToday);
  EXPECT_EQ(dialect(with({W(U{15} << 0 | U{3} << 4 | U{1} << 40, 0, 0)})), Dialect::kToday);
  EXPECT_EQ(dialect(with(
                {W(U{4} << 0 | U{3} << 4 | U{1} << 20 | U{1} << 24, 1), W(U{9} << 0 | U{1} << 4)})),
            Dialect::kToday);
  EXPECT_EQ(dialect(with({W(U{8} << 0 | U{2} << 4 | U{1} << 28 | U{1} << 36 | U{1} << 52, 1)})),
            Dialect::kToday);
  EXPECT_EQ(dialect(with({W(U{8} << 0 | U{4} << 4 | U{1} << 60, 1, 2, 3)})), Dialect::kToday);
  EXPECT_EQ(dialect(with({W(U{10} << 0 | U{2} << 4 | U{2} << 16 | U{1} << 20, 1)})),
            Dialect::kToday);
}

TEST(Dialect, IsGuessedRightForEveryGoldenInEitherByteOrder) {
  for (const Golden& one : goldens()) {
    for (const std::string& archive : {little_endian(one.pieces), big_endian(one.pieces)}) {
      EXPECT_EQ(host::guess_form(as_bytes(archive)).form.dialect,
                one.old ? Dialect::k2017 : Dialect::kToday)
          << one.name;
    }
  }
}

// The size's sixteenth bit of 2017 claims more than a record can hold; today it is reserved.
TEST(Dialect, DecidesWhatTheTopBitOfABlobsSizeMeans) {
  const std::string archive = little_endian(
      {W(kMagic), W(U{5} << 0 | U{2} << 4 | U{1} << 32 | U{1} << 47), S("x\0\0\0\0\0\0\0")});
  EXPECT_TRUE(contains(json_of(archive), R"("payload":"eA==")"));
  host::FormOverrides old;
  old.dialect = Dialect::k2017;
  EXPECT_TRUE(contains(json_of(archive, old), "a payload reaches beyond its record"));
}

// Priorities and subtype were reserved in 2017, and what is in reserved bits is to be ignored.
TEST(Dialect, DecidesWhatTheTopBitsOfASwitchMean) {
  const std::string archive = little_endian(
      {W(kMagic), W(U{8} << 0 | U{6} << 4 | U{3} << 24 | U{2} << 60, 4, 10, 11, 10, 12)});
  EXPECT_TRUE(contains(json_of(archive), "thread_wakeup"));
  host::FormOverrides old;
  old.dialect = Dialect::k2017;
  EXPECT_TRUE(contains(json_of(archive, old), R"("incoming":{"process":10,"thread":12})"));
}

TEST(Dialect, EventTenIsNothingIn2017) {
  host::FormOverrides old;
  old.dialect = Dialect::k2017;
  const std::string json =
      json_of(little_endian({W(kMagic), W(U{4} << 0 | U{4} << 4 | U{10} << 16, 1, 2, 3)}), old);
  EXPECT_TRUE(contains(json, R"("event":10,"timestamp":1)"));
}

TEST(Dialect, CanBeOverruled) {
  host::FormOverrides overrides;
  overrides.dialect = Dialect::kToday;
  const std::string json = json_of(little_endian(golden("the 2017 dialect").pieces), overrides);
  EXPECT_TRUE(contains(json, R"("event":"duration_complete","timestamp":2)"));
}

TEST(Dialect, TheGuessIsExplained) {
  const std::string old = little_endian(golden("the 2017 dialect").pieces);
  EXPECT_EQ(host::guess_form(as_bytes(old)).notes.size(), 2U);
  const std::string today = little_endian(golden("scheduling").pieces);
  EXPECT_TRUE(host::guess_form(as_bytes(today)).notes.empty());
}

TEST(ByteOrderGuess, FollowsWhatParsesWithoutAMagicNumber) {
  for (const Golden& one : goldens()) {
    std::vector<Piece> pieces = one.pieces;
    if (!one.old) pieces.erase(pieces.begin());
    const std::string little = little_endian(pieces);
    const std::string big = big_endian(pieces);
    EXPECT_EQ(host::guess_form(as_bytes(little)).form.byte_order, ByteOrder::kLittle) << one.name;
    EXPECT_EQ(host::guess_form(as_bytes(big)).form.byte_order, ByteOrder::kBig) << one.name;
  }
}

TEST(ByteOrderGuess, CanBeOverruled) {
  host::FormOverrides overrides;
  overrides.byte_order = ByteOrder::kLittle;
  const std::string big = big_endian(golden("scheduling").pieces);
  EXPECT_EQ(host::guess_form(as_bytes(big), overrides).form.byte_order, ByteOrder::kLittle);
}

}  // namespace
}  // namespace barefxt::test::reader_test
