// Coded records: the document's examples, byte by byte; what a word costs; what is no code; and
// captures that are the same whether their records come coded or raw.
#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <sstream>

#include "coded_records.h"
#include "contains.h"
#include "documented_frames.h"
#include "rebuild/former_decoder.h"
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

// The document's code, which is in bits as they come.
Bytes documented_code() {
  const std::string text = documented_frames("text bits").at(0);
  Bytes code;
  unsigned bits = 0;
  for (const char bit : text) {
    if (bit != '0' && bit != '1') continue;
    if (bits % 8 == 0) code.push_back(0);
    code.back() |= static_cast<uint8_t>((bit - '0') << bits % 8);
    ++bits;
  }
  EXPECT_EQ(bits % 8, 0u);
  return code;
}

TEST(CodedRecords, OfTheDocumentAreTheWordsBesideThem) {
  const Bytes code = documented_code();
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

// Frames of the versions 2 and 6.
TEST(FormerCode, TheFrameOfTheDocumentIsTheRawOne) {
  std::vector<Bytes> frames;
  for (const std::string& fence : documented_frames("hex frame")) frames.push_back(from_hex(fence));
  const Rebuilt raw = rebuild(binary_form(frames));
  const Bytes former = from_hex(documented_frames("hex former").at(0));
  const Bytes payload(former.begin() + 12, former.end() - 4);
  for (const unsigned version : {2u, 6u}) {
    frames[3] =
        make_frame(kRecords, former[2], 0x0badcafe, wire::load_u32(&former[8]), payload, version);
    EXPECT_EQ(frames[3] == former, version == 2);
    const Rebuilt rebuilt = rebuild(binary_form(frames));
    EXPECT_EQ(rebuilt.verdict, host::RebuildVerdict::kComplete) << rebuilt.messages;
    EXPECT_EQ(rebuilt.archive, raw.archive);
  }
}

// Switches with and without a priority, times of all forms, headers known and new.
TEST(FormerCode, HasEightRecordsInFiftyEightBytes) {
  const Bytes code = from_hex(
      "42 80 dd 28 01 13 20 41 01 e8 03  01 51 24 01 02 28  0a 01 10 14  11 1e  47 02 36 01"
      "81 05 34 10 18 00 01 15 12 03 05  12 28 10 07  d2 03 d0 01 30 2c 01");
  const Words expected = {0x0141002013010028,
                          0x3e8,
                          0x0002000102000024,
                          0x410,
                          0x0101401020010028,
                          0x424,
                          0x0002000101000024,
                          0x442,
                          0x0141002013010028,
                          0x578,
                          0x0002000102100034,
                          0x10590,
                          0x0000000500030012,
                          0x0002000102100034,
                          0x105b8,
                          0x0000000700030012,
                          0x0002000102100034,
                          0x101d0,
                          0x0000012c00030012};
  for (size_t bytes = 0; bytes <= code.size(); ++bytes) {
    Words words;
    const Bytes part(code.begin(), code.begin() + static_cast<ptrdiff_t>(bytes));
    if (!host::FormerDecoder(part).records(words) && bytes < code.size()) continue;
    ASSERT_LE(words.size(), expected.size());
    EXPECT_TRUE(std::equal(words.begin(), words.end(), expected.begin())) << bytes;
    EXPECT_EQ(words == expected, bytes == code.size());
  }
}

TEST(FormerCode, IsRefusedWhereItIsNone) {
  for (const char* const none : {"38", "ff", "00", "00 80", "04", "0a 01", "50 01"}) {
    Words words;
    EXPECT_FALSE(host::FormerDecoder(from_hex(none)).records(words)) << none;
  }
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
  // Four numbers, and the begin of a new header; a token that is none.
  Bytes ends_in_a_word(payload.begin(), payload.begin() + 8);
  ends_in_a_word.resize(12);
  Bytes free_token = ends_in_a_word;
  ends_in_a_word.push_back(0x0f);
  free_token.insert(free_token.end(), {0xff, 0xff});
  Bytes raw_coding = payload;
  raw_coding[2] = 0;
  Bytes other_clock = payload;
  other_clock[3] = 2;
  const auto with = [&](const Bytes& frame) {
    std::vector<Bytes> other = frames;
    other[at] = frame;
    return rebuild(binary_form(other));
  };
  Bytes former_coding = payload;
  former_coding[2] = 1;
  for (const Bytes& bad :
       {short_payload, ends_in_a_word, free_token, raw_coding, former_coding, other_clock}) {
    const Rebuilt rebuilt =
        with(make_frame(4, good[2], 0x0badcafe, wire::load_u32(&good[8]), bad, 8));
    EXPECT_EQ(rebuilt.verdict, host::RebuildVerdict::kIncomplete);
    EXPECT_TRUE(contains(rebuilt.messages, "1 frame of a type or coding"));
  }
  // Only records come with version 8, and those of this coding with no other.
  for (const auto& [type, version] :
       {std::pair{1u, 8u}, std::pair{4u, 1u}, std::pair{4u, 2u}, std::pair{4u, 6u}}) {
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
    EXPECT_GE(4 * code.size(), each.size());
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
  EXPECT_EQ(code, documented_code());
  for (size_t bytes = 0; bytes <= code.size(); ++bytes) {
    const auto found = words_of({code.begin(), code.begin() + static_cast<ptrdiff_t>(bytes)});
    if (!found) continue;
    ASSERT_LE(found->size(), words.size());
    EXPECT_TRUE(std::equal(found->begin(), found->end(), words.begin())) << bytes;
  }
}

TEST(RecordCode, ForgetsNothingThatFitsItsSlots) {
  // As many headers take turns: each is coded in full once.
  constexpr uint64_t kSlots = wire::RecordModel::kSlots;
  Words words;
  for (int turn = 0; turn < 10; ++turn)
    for (uint64_t name = 1; name <= kSlots; ++name) {
      words.push_back(0x0000000100000024 | name << 48);
      words.push_back(1000 + words.size());
    }
  const Bytes code = code_of(words);
  EXPECT_EQ(words_of(code), words);
  // Ten bits a record, and what is new of the first of each.
  EXPECT_LE(code.size(), 10 * 10 * kSlots / 8 + kSlots * 4);
}

constexpr uint64_t kBlocked = 3;
uint64_t switch_of(uint64_t state, uint64_t out, uint64_t in, uint64_t priority) {
  return 0x28 | state << 24 | out << 28 | in << 36 | priority << 44 | priority << 52;
}

// They may end at any bit of a byte, and what fills it is no record.
TEST(RecordCode, TakesFourBitsForASwitchToTheThreadThatCameLastTime) {
  Words words;
  for (size_t switches = 0; switches < 200; ++switches) {
    const Bytes code = code_of(words);
    EXPECT_EQ(words_of(code), words);
    EXPECT_LE(code.size(), 20 + (switches * 5 + 7) / 8);
    words.push_back(switch_of(kBlocked, 7 + switches % 2, 8 - switches % 2, 9));
    words.push_back(1000);
  }
}

TEST(RecordCode, HasSwitchesOfAnyStateThreadAndPriority) {
  Words words;
  uint64_t time = 0;
  for (const uint64_t priority : {0u, 31u, 32u, 255u})
    for (uint64_t state = 0; state < 16; ++state)
      for (const uint64_t thread : {0u, 1u, 31u, 32u, 33u, 255u})
        for (const uint64_t from : {thread, uint64_t{5}}) {
          words.push_back(switch_of(state, from, 255 - thread, priority));
          words.push_back(time += 100);
        }
  EXPECT_EQ(words_of(code_of(words)), words);
}

TEST(RecordCode, HasTimesOfAnySizeAndOrder) {
  Words words;
  uint64_t time = 0;
  for (int turn = 0; turn < 4; ++turn)
    for (unsigned bits = 0; bits < 64; ++bits)
      for (const uint64_t more : {0u, 1u, 2u}) {
        words.push_back(switch_of(kBlocked, 7, 8, 9));
        time += turn % 2 == 0 ? (uint64_t{1} << bits) - more : more - (uint64_t{1} << bits);
        words.push_back(time);
      }
  EXPECT_EQ(words_of(code_of(words)), words);
}

}  // namespace
}  // namespace barefxt::test::rebuild_coded_test
