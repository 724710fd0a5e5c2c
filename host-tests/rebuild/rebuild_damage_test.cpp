// Captures damaged on their way: no crash, no invention, and damage is named.
#include <algorithm>
#include <gtest/gtest.h>
#include <iterator>
#include <random>
#include <set>

#include "build_kind.h"
#include "rebuild_harness.h"

namespace barefxt::test::rebuild_damage_test {
namespace {

using host::RebuildVerdict;

// The rule for damage of every kind: either everything is there and the damage is named, or the
// verdict reports that something is missing.
void expect_honest(const Rebuilt& rebuilt, const Bytes& undamaged_archive,
                   const std::string& what) {
  expect_sound(rebuilt);
  if (rebuilt.verdict != RebuildVerdict::kComplete) return;
  EXPECT_EQ(rebuilt.archive, undamaged_archive) << what;
  EXPECT_TRUE(rebuilt.reports("missing") || rebuilt.reports("damaged"))
      << what << ": " << rebuilt.messages;
}

TEST(RebuildDamage, OfEverySingleBitIsNoticed) {
  const Bytes capture = binary_form(two_cpu_capture().frames());
  const Bytes wanted = rebuild(capture).archive;
  ASSERT_LE(capture.size(), 32768u);
  for (size_t bit = 0; bit < capture.size() * 8; bit += bits_apart()) {
    Bytes damaged = capture;
    damaged[bit / 8] ^= static_cast<uint8_t>(1 << (bit % 8));
    expect_honest(rebuild(damaged), wanted, "bit " + std::to_string(bit));
    if (testing::Test::HasFailure()) break;
  }
}

TEST(RebuildDamage, OfEverySingleBitOfTheTextFormIsNoticed) {
  const std::vector<Bytes> frames = two_cpu_capture(1).frames();
  const Bytes capture = text_form(frames);
  const Bytes wanted = rebuild(capture).archive;
  for (size_t bit = 0; bit < capture.size() * 8; bit += bits_apart()) {
    // A line feed may become anything that is not base64: the line ends there all the same.
    if (capture[bit / 8] == '\n') continue;
    Bytes damaged = capture;
    damaged[bit / 8] ^= static_cast<uint8_t>(1 << (bit % 8));
    expect_honest(rebuild(damaged), wanted, "bit " + std::to_string(bit));
    if (testing::Test::HasFailure()) break;
  }
}

TEST(RebuildDamage, OfACutAtEveryLengthLeavesASoundArchiveOrNone) {
  const Bytes capture = binary_form(two_cpu_capture().frames());
  // The last zero byte is a delimiter only: without it everything is still there.
  for (size_t length = 0; length + 1 < capture.size(); length += places_apart()) {
    const Rebuilt rebuilt =
        rebuild(Bytes(capture.begin(), capture.begin() + static_cast<ptrdiff_t>(length)));
    EXPECT_NE(rebuilt.verdict, RebuildVerdict::kComplete) << length;
    expect_sound(rebuilt);
    if (testing::Test::HasFailure()) break;
  }
}

TEST(RebuildDamage, OfABeginningThatIsMissing) {
  const Bytes capture = binary_form(two_cpu_capture().frames());
  const Bytes wanted = rebuild(capture).archive;
  for (size_t start = 2; start < capture.size(); start += 3) {
    expect_honest(rebuild(Bytes(capture.begin() + static_cast<ptrdiff_t>(start), capture.end())),
                  wanted, "from " + std::to_string(start));
    if (testing::Test::HasFailure()) break;
  }
}

// Delimiters more or less do a frame no harm.
Bytes without_zeros(const Bytes& coded) {
  const auto is_content = [](uint8_t byte) { return byte != 0; };
  const auto begin = std::find_if(coded.begin(), coded.end(), is_content);
  const auto end = std::find_if(coded.rbegin(), std::make_reverse_iterator(begin), is_content);
  return {begin, end.base()};
}

// A test's damage to the coded bytes of one capture.
Bytes damage(const std::vector<Bytes>& coded, std::mt19937& random, std::set<size_t>& intact) {
  const auto below = [&](size_t limit) { return random() % limit; };
  std::vector<size_t> order(coded.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  if (below(4) == 0) std::shuffle(order.begin(), order.end(), random);
  Bytes input;
  for (const size_t i : order) {
    Bytes frame = coded[i];
    const size_t kind = below(12);
    if (kind == 0) continue;  // dropped
    if (kind == 1) frame[1 + below(frame.size() - 2)] ^= static_cast<uint8_t>(1 + below(255));
    if (kind == 2) frame.erase(frame.begin() + 1 + static_cast<ptrdiff_t>(below(frame.size() - 2)));
    if (kind == 3)
      frame.insert(frame.begin() + 1 + static_cast<ptrdiff_t>(below(frame.size() - 2)),
                   static_cast<uint8_t>(below(256)));
    if (kind == 4) frame.resize(1 + below(frame.size() - 1));
    if (without_zeros(frame) == without_zeros(coded[i])) intact.insert(i);
    if (kind == 5) input.insert(input.end(), frame.begin(), frame.end());  // doubled
    if (kind == 6)
      for (size_t k = below(40); k > 0; --k) input.push_back(static_cast<uint8_t>(' ' + below(90)));
    input.insert(input.end(), frame.begin(), frame.end());
    // A frame that lost its end must not take the next one along.
    if (kind >= 1 && kind <= 4) input.push_back(0);
  }
  return input;
}

TEST(RebuildDamage, AtRandomLosesNoIntactFrameAndInventsNothing) {
  const TestCapture capture = two_cpu_capture(4, 4);
  const std::vector<Bytes> frames = capture.frames();
  std::vector<Bytes> coded;
  for (const Bytes& frame : frames) coded.push_back(plain_cobs(frame));
  const size_t first_records = 4;

  for (uint32_t seed = 0; seed < sampled(10'000); ++seed) {
    std::mt19937 random(seed);
    std::set<size_t> intact;
    const Rebuilt rebuilt = rebuild(damage(coded, random, intact));
    expect_sound(rebuilt);
    if (rebuilt.verdict == RebuildVerdict::kNothing) {
      EXPECT_TRUE(intact.empty()) << seed;
      continue;
    }
    std::multiset<uint64_t> wanted;
    for (size_t i = 0; i < capture.pieces.size(); ++i)
      if (intact.count(first_records + i) != 0)
        for (const Words& record : capture.pieces[i].records)
          if ((record[0] & 15) == 4) wanted.insert(record[2] >> 32);
    const std::vector<uint64_t> found = numbers(decode_plainly(rebuilt.archive));
    EXPECT_EQ(std::multiset<uint64_t>(found.begin(), found.end()), wanted) << "seed " << seed;
    if (testing::Test::HasFailure()) break;
  }
}

TEST(RebuildDamage, OfPureNoise) {
  for (uint32_t seed = 0; seed < 200; ++seed) {
    std::mt19937 random(seed);
    Bytes noise(random() % 100'000);
    const bool with_text = seed % 2 == 0;
    for (uint8_t& byte : noise) byte = static_cast<uint8_t>(random());
    if (with_text)
      for (size_t i = 0; i + 8 < noise.size(); i += 1000)
        std::copy_n("barefxt:", 8, noise.begin() + static_cast<ptrdiff_t>(i));
    EXPECT_EQ(rebuild(noise).verdict, RebuildVerdict::kNothing);
  }
}

}  // namespace
}  // namespace barefxt::test::rebuild_damage_test
