// Coded records: the document's examples, byte by byte; what a word costs; what is no code; and
// captures that are the same whether their records come coded or raw.
#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <sstream>

#include "coded_records.h"
#include "documented_frames.h"
#include "rebuild_harness.h"

namespace barefxt::test::rebuild_coded_test {
namespace {

Words documented_words() {
  std::istringstream text(documented_frames("hex words").at(0));
  Words words;
  for (std::string word; text >> word;) words.push_back(std::stoull(word, nullptr, 16));
  return words;
}

constexpr uint8_t kRecords = 4;

TEST(CodedRecords, OfTheDocumentAreTheWordsBesideThem) {
  const Bytes code = from_hex(documented_frames("hex code").at(0));
  const Words words = documented_words();
  ASSERT_EQ(words.size(), 19u);
  EXPECT_EQ(words_of(code), words);
  EXPECT_EQ(code_of(words), code);
}

TEST(CodedRecords, TheFrameOfTheDocumentIsTheRawOne) {
  std::vector<Bytes> frames;
  for (const std::string& fence : documented_frames("hex frame")) frames.push_back(from_hex(fence));
  const Rebuilt raw = rebuild(binary_form(frames));
  const Bytes frame = from_hex(documented_frames("hex coded").at(0));
  ASSERT_EQ(frames.at(3)[1], kRecords);
  EXPECT_EQ(coded({frames[3]}).at(0), frame);
  frames[3] = frame;
  const Rebuilt rebuilt = rebuild(binary_form(frames));
  EXPECT_EQ(rebuilt.verdict, host::RebuildVerdict::kComplete) << rebuilt.messages;
  EXPECT_EQ(rebuilt.archive, raw.archive);
}

TEST(CodedRecords, MakeTheSameArchiveInEitherByteOrderAndWithAnyClock) {
  for (const bool big : {false, true}) {
    for (const bool clock : {false, true}) {
      TestCapture capture = two_cpu_capture(4, 30);
      capture.big_endian = big;
      if (clock)
        for (TestPiece& piece : capture.pieces) piece.clock = {100, 500'000, 100, 1'000'000, 0};
      const std::vector<Bytes> frames = capture.frames();
      const Rebuilt raw = rebuild(binary_form(frames));
      EXPECT_EQ(raw.verdict, host::RebuildVerdict::kComplete) << raw.messages;
      for (const Bytes& line : {binary_form(coded(frames)), text_form(coded(frames))}) {
        const Rebuilt rebuilt = rebuild(line);
        EXPECT_EQ(rebuilt.verdict, host::RebuildVerdict::kComplete) << rebuilt.messages;
        EXPECT_EQ(rebuilt.archive, raw.archive);
      }
    }
  }
}

TEST(CodedRecords, AFrameThatIsMissingIsCountedAsARawOneIs) {
  std::vector<Bytes> raw = two_cpu_capture(4, 30).frames();
  for (size_t i = 0; i < raw.size(); ++i) {
    if (raw[i][1] != kRecords) continue;
    std::vector<Bytes> without = raw;
    without.erase(without.begin() + static_cast<ptrdiff_t>(i));
    const Rebuilt expected = rebuild(binary_form(without));
    const Rebuilt rebuilt = rebuild(binary_form(coded(without)));
    EXPECT_EQ(rebuilt.verdict, expected.verdict);
    EXPECT_EQ(rebuilt.archive, expected.archive);
  }
}

TEST(CodedRecords, AFrameWhoseCodeIsNoneIsReportedAndTheOthersAreRead) {
  const std::vector<Bytes> frames = coded(two_cpu_capture(4, 30).frames());
  size_t at = 0;
  while (frames[at][1] != kRecords) ++at;
  const Bytes& good = frames[at];
  const Bytes payload(good.begin() + 12, good.end() - 4);
  Bytes short_payload = payload;
  short_payload.resize(10);
  Bytes ends_in_a_word = payload;
  ends_in_a_word.push_back(2);
  ends_in_a_word.push_back(0x80);
  Bytes free_token = payload;
  free_token.push_back(56);
  Bytes raw_coding = payload;
  raw_coding[2] = 0;
  Bytes other_clock = payload;
  other_clock[3] = 2;
  const auto with = [&](const Bytes& frame) {
    std::vector<Bytes> other = frames;
    other[at] = frame;
    return rebuild(binary_form(other));
  };
  for (const Bytes& bad : {short_payload, ends_in_a_word, free_token, raw_coding, other_clock}) {
    const Rebuilt rebuilt =
        with(make_frame(4, good[2], 0x0badcafe, wire::load_u32(&good[8]), bad, 2));
    EXPECT_EQ(rebuilt.verdict, host::RebuildVerdict::kIncomplete);
    EXPECT_NE(rebuilt.messages.find("1 frame of a type or coding"), std::string::npos)
        << rebuilt.messages;
  }
  // Only records come with version 2, and coded ones with no other.
  for (const auto& [type, version] : {std::pair{1u, 2u}, std::pair{4u, 1u}}) {
    const Rebuilt rebuilt =
        with(make_frame(type, good[2], 0x0badcafe, wire::load_u32(&good[8]), payload, version));
    EXPECT_EQ(rebuilt.verdict, host::RebuildVerdict::kIncomplete);
  }
}

TEST(RecordCode, CodesAnyWordsInTheBytesThatItPromises) {
  constexpr uint64_t kAll = ~uint64_t{0};
  const std::vector<Words> words = {
      {},
      {0},
      {kAll},
      {kAll, kAll, 0, kAll, 1},
      {0xf4},  // claims fifteen words
      {0xfff4, 5},
      Words(5000, 0x24),
      Words(5000, kAll),
  };
  for (const Words& each : words) {
    const Bytes code = code_of(each);
    EXPECT_EQ(words_of(code), each);
    EXPECT_GE(code.size(), each.size());
    EXPECT_LE(code.size(), Coder::most_for(8 * each.size()));
  }
}

// The worst case: a new header in each record of one word, with hardly a byte as before.
TEST(RecordCode, TakesUpToElevenBytesForAWord) {
  std::mt19937_64 random(1);
  Words words;
  // Types 0 and 1 in turns, with size 1.
  for (unsigned i = 0; i < 1000; ++i) words.push_back((random() << 16) | 0x10 | i % 2);
  const Bytes code = code_of(words);
  EXPECT_EQ(words_of(code), words);
  EXPECT_LE(code.size(), 11 * words.size());
  EXPECT_GE(code.size(), 9 * words.size());
}

TEST(RecordCode, CutAnywhereIsRefusedOrIsTheWordsUpToThere) {
  const Words words = documented_words();
  const Bytes code = code_of(words);
  for (size_t bytes = 0; bytes <= code.size(); ++bytes) {
    const auto found = words_of({code.begin(), code.begin() + static_cast<ptrdiff_t>(bytes)});
    if (!found) continue;
    ASSERT_LE(found->size(), words.size());
    EXPECT_TRUE(std::equal(found->begin(), found->end(), words.begin())) << bytes;
  }
}

TEST(RecordCode, ForgetsNothingThatFitsItsSlots) {
  // Forty headers take turns: each is coded in full once.
  Words words;
  for (int turn = 0; turn < 10; ++turn)
    for (uint64_t name = 1; name <= 40; ++name) {
      words.push_back(0x0000000100000024 | name << 48);
      words.push_back(1000 + words.size());
    }
  const Bytes code = code_of(words);
  EXPECT_EQ(words_of(code), words);
  // Two bytes a record, and what is new of the first forty.
  EXPECT_LE(code.size(), 2 * 400 + 40 * 4u);
}

}  // namespace
}  // namespace barefxt::test::rebuild_coded_test
