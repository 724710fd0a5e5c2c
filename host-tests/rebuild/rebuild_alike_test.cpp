// Records in the byte order of the machine are merged in a few instructions each, and events of a
// kind that was seen before are copied by a pattern; no others are. So a capture and its twin in
// the other byte order must become one archive.
#include <cstring>
#include <gtest/gtest.h>
#include <random>

#include "build_kind.h"
#include "rebuild_harness.h"

namespace barefxt::test::rebuild_alike_test {
namespace {

using Random = std::mt19937_64;

// A kind of event: all that many events have in common, which may be faulty. No texts in it, whose
// bytes have no order.
struct Kind {
  uint64_t header = 0;
  std::vector<uint64_t> arguments;  // header, and a value if it has one
};

uint64_t one_of(Random& random, std::initializer_list<uint64_t> values) {
  return values.begin()[random() % values.size()];
}

Kind random_kind(Random& random) {
  Kind kind;
  const size_t count = random() % 4;
  for (size_t i = 0; i < count; ++i) {
    const uint64_t type = one_of(random, {0, 1, 2, 2, 2, 3, 4, 5, 6, 7, 8, 9, 11});
    const bool has_value = type >= 3 && type <= 8 && type != 6;
    const uint64_t words = 1 + (has_value ? 1 : 0) + (random() % 8 == 0 ? 1 : 0);
    kind.arguments.push_back(type | words << 4 | random() % 9 << 16);
    kind.arguments.resize(kind.arguments.size() + words - 1);
  }
  // Complete durations more often than the others, and a type that does not exist.
  const uint64_t type = one_of(random, {0, 0, 1, 2, 3, 4, 4, 4, 5, 8, 11});
  kind.header = 4 | type << 16 | count << 20 | random() % 9 << 32 | random() % 9 << 48;
  return kind;
}

Words random_event(const Kind& kind, uint64_t time, Random& random) {
  const uint64_t type = kind.header >> 16 & 15;
  Words event = {kind.header | (1 + random() % 7) << 24, time};
  for (const uint64_t word : kind.arguments) {
    // In a header a value of half a word, or bits that are reserved; now and then none.
    const uint64_t value = random() % 3 == 0 ? random() : random() % 2;
    event.push_back(word == 0 ? value : word | value << 32);
    // A text as a value is an index.
    if ((word & 15) == 6) event.back() &= ~(uint64_t{0x8000} << 32);
  }
  if (type == 1 || type >= 4) event.push_back(random() % 4 == 0 ? time - 5 : time + 5);
  if (random() % 16 == 0) event.pop_back();
  event[0] |= event.size() << 4;
  return event;
}

// A call of a function: in full, or one that relies on the full one before.
Words random_call(uint64_t time, Random& random) {
  const uint64_t action_and_function = random() % 2 << 16 | (1 + random() % 3) << 20;
  const uint64_t header = 13 | 1 << 19 | action_and_function;
  if (random() % 2 == 0) return {header | 2 << 4 | (1 + random() % 5) << 44, time};
  return {header | 1 << 4 | time << 44};
}

TestCapture random_capture(Random& random) {
  TestCapture capture = two_cpu_capture(0);
  std::vector<Kind> kinds(1 + random() % 6);
  for (Kind& kind : kinds) kind = random_kind(random);
  const bool has_calls = random() % 4 == 0;
  // Some indices change their owners, at the very tick of a record.
  for (TestThread& thread : capture.threads)
    if (thread.index != 0 && random() % 4 == 0) thread.since = 1000 + random() % 40 * 10;
  for (uint32_t segment = 0; segment < 3; ++segment)
    for (uint16_t cpu = 0; cpu < 2; ++cpu) {
      // Both CPUs at the same ticks, now and then.
      uint64_t time = 1000 + segment * 120 + random() % 4 * 10;
      TestPiece piece{.cpu = cpu, .segment = segment, .records = {}};
      if (segment == 2 && random() % 2 == 0)
        piece.clock = {time + 30, 500'000, 1'000'000, 1'000'000, 7};
      for (int i = 0; i < 12; ++i, time += 10) {
        const bool is_switch = random() % 4 == 0;
        piece.records.push_back(
            has_calls && random() % 4 == 0 ? random_call(time, random)
            : is_switch ? context_switch(time, cpu, random() % 7, random() % 5, random() % 5, 5, 0)
                        : random_event(kinds[random() % kinds.size()], time, random));
        if (is_switch && random() % 2 == 0 && piece.records.back()[0] % 16 == 8)
          piece.records.back()[0] |= random() & uint64_t{3} << 60;
      }
      capture.pieces.push_back(piece);
    }
  return capture;
}

void expect_same_in_both_orders(TestCapture capture, bool has_end = true) {
  const auto rebuilt = [&] {
    std::vector<Bytes> frames = capture.frames();
    if (!has_end) frames.pop_back();
    return rebuild(binary_form(frames));
  };
  const Rebuilt little = rebuilt();
  capture.big_endian = true;
  const Rebuilt big = rebuilt();
  expect_sound(little);
  EXPECT_EQ(little.archive, big.archive);
  EXPECT_EQ(little.messages, big.messages);
  EXPECT_EQ(little.verdict, big.verdict);
}

TEST(RebuildAlike, EventsComeOutAsTheyWouldInTheOtherByteOrder) {
  for (uint32_t seed = 0; seed < sampled(3000); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const bool has_end = random() % 4 != 0;
    expect_same_in_both_orders(random_capture(random), has_end);
    if (testing::Test::HasFailure()) break;
  }
}

// More texts than an archive keeps: those that have not been used for longest give up their
// indices.
TEST(RebuildAlike, EventsNameTheirTextsWhenIndicesAreGivenAnew) {
  constexpr unsigned kTexts = 6000;
  TestCapture capture = two_cpu_capture(0);
  capture.strings.resize(3);
  while (capture.strings.size() < kTexts)
    capture.strings.push_back(std::to_string(capture.strings.size()) + std::string(1000, 'x'));
  uint64_t time = 1000;
  const auto add = [&](uint32_t segment, const std::vector<unsigned>& names, bool by_koid) {
    TestPiece piece{.cpu = 0, .segment = segment, .records = {}, .records_lost = segment};
    for (const unsigned name : names) {
      piece.records.push_back(instant(time++, 1, 1, name, 3, 0));
      Words& event = piece.records.back();
      // With its thread in the record no pattern is learnt: those of others stay.
      if (by_koid)
        event = {(event[0] & ~uint64_t{0xff00fff0}) | 5 << 4, event[1], 10, 11, event[2]};
    }
    capture.pieces.push_back(piece);
  };
  add(0, {9, 9, 9}, false);
  unsigned next = 10;
  for (uint32_t segment = 1; next <= kTexts; ++segment) {
    std::vector<unsigned> names;
    for (; names.size() < 100 && next <= kTexts; ++next) names.push_back(next);
    add(segment, names, true);
  }
  add(400, {9, 9}, false);
  expect_same_in_both_orders(capture);
}

TEST(RebuildAlike, TextsInAnEventAreRepairedInEach) {
  const auto with_text = [](uint64_t time, const char* letters) {
    uint64_t text = 0;
    std::memcpy(&text, letters, 4);
    // An argument of type 6, by name 3, with a text of 4 bytes.
    return Words{4 | 4 << 4 | 1 << 20 | 1 << 24 | uint64_t{1} << 32 | uint64_t{2} << 48, time,
                 6 | 2 << 4 | 3 << 16 | uint64_t{0x8004} << 32, text};
  };
  TestCapture capture = two_cpu_capture(0);
  capture.cpus = 1;
  capture.pieces = {{.cpu = 0,
                     .segment = 0,
                     .records = {with_text(1000, "abcd"),
                                 with_text(1001,
                                           "ab\xff"
                                           "d"),
                                 with_text(1002, "efgh")}}};
  const Rebuilt rebuilt = rebuild(binary_form(capture.frames()));
  expect_sound(rebuilt);
  std::vector<std::string> texts;
  for (const PlainRecord& record : decode_plainly(rebuilt.archive).records)
    if (record.type == 4) texts.push_back(record.arguments.at(0).text);
  EXPECT_EQ(texts, (std::vector<std::string>{"abcd", "ab?d", "efgh"}));
}

}  // namespace
}  // namespace barefxt::test::rebuild_alike_test
