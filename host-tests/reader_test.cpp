// Every record and argument type reads as the specification says, in both byte orders and dialects.
#include <gtest/gtest.h>

#include "goldens.h"
#include "printing.h"

namespace barefxt::test {
namespace {

using host::ByteOrder;
using host::Dialect;
using U = std::uint64_t;

TEST(Reader, ReadsEveryRecordAsTheSpecificationSays) {
  for (const Golden& one : goldens()) EXPECT_EQ(json_of(little_endian(one.pieces)), one.json);
}

TEST(Reader, ReadsTheOtherByteOrderAlike) {
  for (const Golden& one : goldens()) EXPECT_EQ(json_of(big_endian(one.pieces)), one.json);
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

TEST(Reader, UnknownRecordsAreDeliveredWhole) {
  const std::string archive = little_endian({
      W(kMagic), W(U{12} << 0 | U{3} << 4), W(1), W(2),     // a type that is not assigned
      W(U{0} << 0 | U{1} << 4 | U{9} << 16),                // metadata 9
      W(U{0} << 0 | U{1} << 4 | U{4} << 16 | U{1} << 20),   // trace info 1
      W(U{8} << 0 | U{1} << 4 | U{5} << 60),                // scheduling 5
      W(U{10} << 0 | U{1} << 4 | U{7} << 16),               // profiler 7
      W(U{15} << 0 | U{1} << 4 | U{3} << 36),               // large type 3
      W(U{15} << 0 | U{1} << 4 | U{0} << 36 | U{2} << 40),  // large blob, format 2
  });
  EXPECT_EQ(json_of(archive), R"({"offset":0,"record":"magic"}
{"offset":8,"record":"unknown","type":12,"words":3,"raw":"PAAAAAAAAAABAAAAAAAAAAIAAAAAAAAA"}
{"offset":32,"record":"unknown","type":0,"subtype":9,"words":1,"raw":"EAAJAAAAAAA="}
{"offset":40,"record":"unknown","type":0,"subtype":4,"words":1,"raw":"EAAUAAAAAAA="}
{"offset":48,"record":"unknown","type":8,"subtype":5,"words":1,"raw":"GAAAAAAAAFA="}
{"offset":56,"record":"unknown","type":10,"subtype":7,"words":1,"raw":"GgAHAAAAAAA="}
{"offset":64,"record":"unknown","type":15,"subtype":3,"words":1,"raw":"HwAAADAAAAA="}
{"offset":72,"record":"unknown","type":15,"subtype":0,"words":1,"raw":"HwAAAAACAAA="}
)");
}

TEST(Reader, ProvidersKeepTheirTablesApart) {
  const Piece string_a = W(U{2} << 0 | U{2} << 4 | U{1} << 16 | U{1} << 32);
  const Piece instant = W(U{4} << 0 | U{4} << 4 | U{1} << 32 | U{1} << 48);
  const std::string archive = little_endian({
      W(kMagic),
      W(U{0} << 0 | U{1} << 4 | U{1} << 16 | U{1} << 20),
      string_a,
      S("a\0\0\0\0\0\0\0"),
      W(U{0} << 0 | U{1} << 4 | U{1} << 16 | U{2} << 20),
      instant,
      W(1),
      W(8),
      W(9),
      W(U{0} << 0 | U{1} << 4 | U{2} << 16 | U{1} << 20),
      instant,
      W(2),
      W(8),
      W(9),
      // declared again, it starts anew
      W(U{0} << 0 | U{1} << 4 | U{1} << 16 | U{1} << 20),
      instant,
      W(3),
      W(8),
      W(9),
  });
  const std::string json = json_of(archive);
  EXPECT_NE(
      json.find(
          R"("provider":2,"event":"instant","timestamp":1,"process":8,"thread":9,"category":null,"category_ref":1)"),
      std::string::npos)
      << json;
  EXPECT_NE(
      json.find(
          R"("provider":1,"event":"instant","timestamp":2,"process":8,"thread":9,"category":"a")"),
      std::string::npos)
      << json;
  EXPECT_NE(
      json.find(
          R"("provider":1,"event":"instant","timestamp":3,"process":8,"thread":9,"category":null)"),
      std::string::npos)
      << json;
}

TEST(Reader, AProviderEventSwitchesNothing) {
  const std::string json = json_of(little_endian(
      {W(kMagic), W(U{0} << 0 | U{1} << 4 | U{1} << 16 | U{1} << 20),
       W(U{0} << 0 | U{1} << 4 | U{3} << 16 | U{5} << 20), W(U{1} << 0 | U{2} << 4), W(9)}));
  EXPECT_NE(json.find(R"("record":"provider_event","provider":5)"), std::string::npos) << json;
  EXPECT_NE(json.find(R"("record":"initialization","provider":1)"), std::string::npos) << json;
}

TEST(Reader, RegistrationsAffectOnlyWhatFollows) {
  const Piece instant = W(U{4} << 0 | U{2} << 4 | U{1} << 24);
  const std::string json = json_of(little_endian(
      {W(kMagic), instant, W(1), W(U{3} << 0 | U{3} << 4 | U{1} << 16), W(8), W(9), instant, W(2),
       W(U{3} << 0 | U{3} << 4 | U{1} << 16), W(6), W(7), instant, W(3)}));
  EXPECT_NE(json.find(R"("timestamp":1,"thread":null,"process":null,"thread_ref":1)"),
            std::string::npos);
  EXPECT_NE(json.find(R"("timestamp":2,"process":8,"thread":9)"), std::string::npos);
  EXPECT_NE(json.find(R"("timestamp":3,"process":6,"thread":7)"), std::string::npos);
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
  EXPECT_EQ(dialect(with({W(U{4} << 0 | U{3} << 4 | U{10} << 16 | U{1} << 24), W(1), W(1)})),
            Dialect::kToday);
  EXPECT_EQ(dialect(with({W(U{0} << 0 | U{1} << 4 | U{3} << 16)})), Dialect::kToday);
  EXPECT_EQ(dialect(with({W(U{15} << 0 | U{3} << 4 | U{1} << 40), W(0), W(0)})), Dialect::kToday);
  EXPECT_EQ(dialect(with({W(U{4} << 0 | U{3} << 4 | U{1} << 20 | U{1} << 24), W(1),
                          W(U{9} << 0 | U{1} << 4)})),
            Dialect::kToday);
  EXPECT_EQ(dialect(with({W(U{8} << 0 | U{2} << 4 | U{1} << 28 | U{1} << 36 | U{1} << 52), W(1)})),
            Dialect::kToday);
  EXPECT_EQ(dialect(with({W(U{8} << 0 | U{4} << 4 | U{1} << 60), W(1), W(2), W(3)})),
            Dialect::kToday);
  EXPECT_EQ(dialect(with({W(U{10} << 0 | U{2} << 4 | U{2} << 16 | U{1} << 20), W(1)})),
            Dialect::kToday);
}

TEST(Dialect, CanBeOverruled) {
  host::FormWish wish;
  wish.dialect = Dialect::kToday;
  const std::string json = json_of(little_endian(golden("the 2017 dialect").pieces), wish);
  EXPECT_NE(json.find(R"("event":"duration_complete","timestamp":2)"), std::string::npos) << json;
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
  host::FormWish wish;
  wish.byte_order = ByteOrder::kLittle;
  const std::string big = big_endian(golden("scheduling").pieces);
  EXPECT_EQ(host::guess_form(as_bytes(big), wish).form.byte_order, ByteOrder::kLittle);
}

}  // namespace
}  // namespace barefxt::test
