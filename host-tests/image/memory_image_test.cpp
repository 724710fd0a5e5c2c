// A trace read out of an image of the target's memory has what the target's own dump would have.
#include <algorithm>
#include <gtest/gtest.h>

#include "build_kind.h"
#include "image/memory_builder.h"
#include "rebuild/rebuild_harness.h"

namespace barefxt::test::memory_image_test {
namespace {

using host::RebuildVerdict;

TestCapture capture_of(bool big_endian = false) {
  TestCapture capture = two_cpu_capture();
  capture.big_endian = big_endian;
  capture.kind = 3;
  // The last record's time, since memory does not hold the time of the stop.
  capture.stop_ticks -= 100;
  // The table's order: first those that have an index.
  const auto key = [](const TestThread& thread) {
    return std::tuple(thread.index == 0, thread.index, thread.koid);
  };
  std::sort(
      capture.threads.begin(), capture.threads.end(),
      [&](const TestThread& left, const TestThread& right) { return key(left) < key(right); });
  return capture;
}

Rebuilt dumped(const TestCapture& capture) { return rebuild(binary_form(capture.frames())); }

Rebuilt in_memory(const TestMemory& memory, const Bytes& program = {}) {
  return rebuild_memory({{memory.image(), memory.base}}, program);
}

// A program with its symbol, and its strings if they are not in the image.
Bytes program_of(const TestMemory& memory, unsigned bits = 64) {
  std::vector<TestLoad> loads;
  if (memory.strings_elsewhere != 0)
    loads.push_back({memory.strings_elsewhere, memory.strings_elsewhere, memory.strings()});
  return make_elf(loads, memory.big_endian, bits,
                  {{"main", 4}, {"barefxt_descriptor", memory.base + TestMemory::kDescriptor}},
                  false);
}

Bytes part(const Bytes& bytes, size_t from, size_t to) {
  return {bytes.begin() + static_cast<ptrdiff_t>(from),
          bytes.begin() + static_cast<ptrdiff_t>(std::min(to, bytes.size()))};
}

TEST(MemoryImage, SaysWhatADumpWouldHaveInEveryLayout) {
  for (const bool big_endian : {false, true}) {
    for (const auto& [bits, version] : {std::pair(32u, 1u), {32u, 2u}, {64u, 1u}, {64u, 2u}}) {
      const TestCapture capture = capture_of(big_endian);
      TestMemory memory = TestMemory::of(capture);
      memory.address_bits = bits;
      memory.version = version;
      memory.base = bits == 32 ? 0xfffe0000 : 0xffffffff80000000;
      const Rebuilt rebuilt = in_memory(memory);
      EXPECT_EQ(rebuilt.verdict, RebuildVerdict::kComplete) << rebuilt.messages;
      EXPECT_TRUE(rebuilt.archive == dumped(capture).archive) << bits << big_endian << version;
      EXPECT_TRUE(rebuilt.reports("(from memory)")) << rebuilt.messages;
    }
  }
}

TEST(MemoryImage, WhoseDescriptorIsOfAnotherVersionIsNotGuessedAt) {
  TestMemory memory = TestMemory::of(capture_of());
  memory.version = 4;
  EXPECT_EQ(in_memory(memory).verdict, RebuildVerdict::kNothing);
}

TEST(MemoryImage, HasTheClocksThatADumpHas) {
  TestCapture capture = capture_of();
  for (TestPiece& piece : capture.pieces)
    if (piece.segment != 0) piece.clock = {1010, 2'000'000, 5000, 1'000'000, 70};
  const Rebuilt changed = in_memory(TestMemory::of(capture));
  EXPECT_EQ(changed.verdict, RebuildVerdict::kComplete) << changed.messages;
  EXPECT_TRUE(changed.archive == dumped(capture).archive);
  EXPECT_FALSE(changed.archive == dumped(capture_of()).archive);

  // Counters of their own: compared, or not.
  capture.counter_flags = 3;
  capture.clocks = {{0, 0}, {-40, 5}};
  const Rebuilt compared = in_memory(TestMemory::of(capture));
  EXPECT_EQ(compared.verdict, RebuildVerdict::kComplete) << compared.messages;
  EXPECT_TRUE(compared.archive == dumped(capture).archive);
  TestCapture never = capture;
  never.clocks[1] = {0, ~uint64_t{0}};
  const Rebuilt apart = in_memory(TestMemory::of(never));
  EXPECT_TRUE(apart.archive == dumped(never).archive);
  EXPECT_FALSE(apart.archive == compared.archive);
  EXPECT_TRUE(apart.reports("never compared")) << apart.messages;
  // Version 1 did not lead to what was measured.
  TestMemory old = TestMemory::of(capture);
  old.version = 1;
  old.base = 0;
  EXPECT_TRUE(in_memory(old).archive == apart.archive);
}

TEST(MemoryImage, IsReadFromCoresByTheAddressThatIsRight) {
  for (const bool big_endian : {false, true}) {
    const TestCapture capture = capture_of(big_endian);
    const TestMemory memory = TestMemory::of(capture);
    const Bytes image = memory.image();
    const Bytes archive = dumped(capture).archive;
    // Cut in two in the middle of a segment, with other memory around; only one address is right.
    const size_t cut = TestMemory::kSegments + 1000;
    for (const unsigned bits : {32u, 64u}) {
      for (const bool is_virtual : {false, true}) {
        std::vector<TestLoad> loads = {{0x1000, 0x1000, Bytes(5000, 0xee)}};
        for (const auto& [from, to] : {std::pair(size_t{0}, cut), std::pair(cut, image.size())}) {
          const uint64_t address = memory.base + from;
          loads.push_back(
              {is_virtual ? address : 0, is_virtual ? 0 : address, part(image, from, to)});
        }
        const Rebuilt rebuilt = rebuild_memory({{make_elf(loads, big_endian, bits), {}}});
        EXPECT_EQ(rebuilt.verdict, RebuildVerdict::kComplete) << rebuilt.messages;
        EXPECT_TRUE(rebuilt.archive == archive) << bits << is_virtual;
      }
    }
  }
}

TEST(MemoryImage, MayComeInSeveralFiles) {
  const TestCapture capture = capture_of();
  const TestMemory memory = TestMemory::of(capture);
  const Bytes image = memory.image();
  const size_t cut = TestMemory::kSegments;
  const MemoryFile control = {part(image, 0, cut), memory.base};
  const MemoryFile segments = {part(image, cut, image.size()), memory.base + cut};
  EXPECT_EQ(rebuild_memory({segments, control}).archive, dumped(capture).archive);

  const Rebuilt without = rebuild_memory({control});
  EXPECT_EQ(without.verdict, RebuildVerdict::kNothing);
  EXPECT_TRUE(without.reports("no segment of its trace is there")) << without.messages;
}

TEST(MemoryImage, TakesTextsFromTheProgramWhereItLacksThem) {
  for (const unsigned bits : {32u, 64u}) {
    const TestCapture capture = capture_of(bits == 32);
    TestMemory memory = TestMemory::of(capture);
    memory.address_bits = bits;
    memory.strings_elsewhere = 0x8000;
    EXPECT_EQ(in_memory(memory, program_of(memory, bits)).archive, dumped(capture).archive);

    const Rebuilt without = in_memory(memory);
    EXPECT_EQ(without.verdict, RebuildVerdict::kIncomplete);
    EXPECT_TRUE(without.reports("name the program with --elf")) << without.messages;
    EXPECT_EQ(decode_plainly(without.archive).events("string#2").size(), 24u);

    TestMemory other = memory;
    other.capture.strings[0] = "some other text";
    const Rebuilt wrong = in_memory(memory, program_of(other, bits));
    EXPECT_EQ(wrong.verdict, RebuildVerdict::kIncomplete);
    EXPECT_TRUE(wrong.reports("is the program of --elf the one that ran?")) << wrong.messages;
    EXPECT_EQ(wrong.archive, without.archive) << "wrong names are worse than none";
  }
}

TEST(MemoryImage, IsPlacedByTheProgramsSymbolWhereItsAddressesAreOthers) {
  const TestCapture capture = capture_of();
  TestMemory memory = TestMemory::of(capture);
  memory.base = 0xffffffff80200000;
  const Bytes archive = dumped(capture).archive;
  const Bytes program = program_of(memory);
  // No base at all; and a core that knows physical addresses only.
  EXPECT_EQ(rebuild_memory({{memory.image(), 0}}, program).archive, archive);
  const Bytes core = make_elf({{0, 0x40200000, memory.image()}});
  EXPECT_EQ(rebuild_memory({{core, {}}}, program).archive, archive);
  EXPECT_EQ(rebuild_memory({{core, {}}}).verdict, RebuildVerdict::kNothing);
}

TEST(MemoryImage, OfAProgramThatWasMovedIsReadByTheDistance) {
  for (const unsigned bits : {32u, 64u}) {
    for (const uint64_t distance : {uint64_t{0x2345000}, ~uint64_t{0x11fff}}) {
      const TestCapture capture = capture_of();
      TestMemory memory = TestMemory::of(capture);
      memory.address_bits = bits;
      memory.strings_elsewhere = 0x60000000;
      const Bytes archive = dumped(capture).archive;
      const uint64_t strings = memory.strings_elsewhere - distance;
      const auto program = [&](uint64_t strings_symbol) {
        return make_elf({{strings, strings, memory.strings()}}, false, bits,
                        {{"barefxt_descriptor", memory.base - distance + TestMemory::kDescriptor},
                         {"barefxt_strings_begin", strings_symbol}},
                        false);
      };
      // By its own addresses, by none, and by others.
      for (const uint64_t base : {memory.base, uint64_t{0}, uint64_t{0x10000}}) {
        const Rebuilt moved = rebuild_memory({{memory.image(), base}}, program(strings));
        EXPECT_EQ(moved.verdict, RebuildVerdict::kComplete) << moved.messages;
        EXPECT_TRUE(moved.archive == archive) << bits << ' ' << distance << ' ' << base;
      }
      // The distance is that of the table alone.
      const Rebuilt wrong = rebuild_memory({{memory.image(), 0}}, program(strings + 4));
      EXPECT_FALSE(wrong.archive == archive);
    }
  }
}

// The effect of a segment's state, and of its unfinished records.
struct StateCase {
  const char* what;
  void (*change)(TestMemory& memory);
  RebuildVerdict verdict;
  size_t events;        // left of 36
  const char* reports;  // or null
};

void PrintTo(const StateCase& one, std::ostream* out) { *out << one.what; }

class SegmentStates : public testing::TestWithParam<StateCase> {};

TEST_P(SegmentStates, AreUnderstoodAsOnTheTarget) {
  for (const bool big_endian : {false, true}) {
    TestMemory memory = TestMemory::of(capture_of(big_endian));
    memory.mode = 2;
    GetParam().change(memory);
    const Rebuilt rebuilt = in_memory(memory);
    EXPECT_EQ(rebuilt.verdict, GetParam().verdict) << rebuilt.messages;
    expect_sound(rebuilt);
    EXPECT_EQ(numbers(decode_plainly(rebuilt.archive)).size(), GetParam().events);
    EXPECT_TRUE(GetParam().reports == nullptr || rebuilt.reports(GetParam().reports))
        << rebuilt.messages;
  }
}

// The first word of the second record of the first segment: an instant.
constexpr size_t kSecond = 3;
TestSegment& first_of(TestMemory& memory) { return memory.rings[0][0]; }

INSTANTIATE_TEST_SUITE_P(
    MemoryImage, SegmentStates,
    testing::Values(
        StateCase{"live, leaving and held ones alike",
                  [](TestMemory& memory) {
                    memory.rings[0][0].state = 4;
                    memory.rings[1][1].state = 5;
                    memory.rings[1][2].state = 6;
                  },
                  RebuildVerdict::kComplete, 36, nullptr},
        StateCase{"an open one", [](TestMemory& memory) { memory.rings[0][2].is_open = true; },
                  RebuildVerdict::kComplete, 36, nullptr},
        StateCase{"one that is reserved for the next, and not published",
                  [](TestMemory& memory) {
                    TestSegment next = memory.rings[0][2];
                    next.words.clear();
                    next.is_open = true;
                    memory.rings[0].push_back(next);
                  },
                  RebuildVerdict::kComplete, 36, nullptr},
        StateCase{"a record that was not committed",
                  [](TestMemory& memory) { first_of(memory).words[kSecond] = 13 | 3 << 4; },
                  RebuildVerdict::kComplete, 35,
                  "cpu 0: 1 record (24 bytes) reserved on the target and never finished"},
        StateCase{
            "a record that has not even its placeholder",
            [](TestMemory& memory) { std::fill_n(first_of(memory).words.begin() + kSecond, 3, 0); },
            RebuildVerdict::kComplete, 35,
            "cpu 0: 1 record (0 bytes) reserved on the target and never finished"},
        StateCase{"what is being overwritten counts with its content",
                  [](TestMemory& memory) {
                    first_of(memory).state = 1;
                    first_of(memory).overwritten[0] = 5;
                    first_of(memory).overwritten_with_content[0] = 13;
                    first_of(memory).overwritten_with_content[1] = 300;
                  },
                  RebuildVerdict::kComplete, 30,
                  "cpu 0: 13 records (300 bytes) dropped or overwritten on the target"},
        StateCase{"what is about to be overwritten counts without",
                  [](TestMemory& memory) {
                    first_of(memory).state = 4;
                    first_of(memory).overwritten[0] = 5;
                    first_of(memory).overwritten[1] = 120;
                    first_of(memory).overwritten_with_content[0] = 13;
                  },
                  RebuildVerdict::kComplete, 36,
                  "cpu 0: 5 records (120 bytes) dropped or overwritten on the target"},
        StateCase{"dropped at the end, on a CPU that has a ring and on one that has none",
                  [](TestMemory& memory) {
                    memory.lost[1] = {uint64_t{1} << 32, 24};
                    memory.lost[3] = {2, 48};
                  },
                  RebuildVerdict::kComplete, 36,
                  "cpu 1: 4294967296 records (24 bytes) dropped or overwritten on the target"},
        StateCase{"one left behind by an earlier session",
                  [](TestMemory& memory) {
                    TestSegment old = first_of(memory);
                    old.capture = 77;
                    old.state = 3;
                    memory.rings[0].push_back(old);
                  },
                  RebuildVerdict::kComplete, 36, nullptr},
        StateCase{"a wrong checksum",
                  [](TestMemory& memory) { first_of(memory).checksum_is_wrong = true; },
                  RebuildVerdict::kIncomplete, 30, "cpu 0: 1 segment damaged"},
        StateCase{"a state that there is not",
                  [](TestMemory& memory) { first_of(memory).state = 7; },
                  RebuildVerdict::kIncomplete, 30, "cpu 0: 1 segment damaged"},
        StateCase{"a free one that holds something",
                  [](TestMemory& memory) { first_of(memory).state = 0; },
                  RebuildVerdict::kIncomplete, 30, "cpu 0: 1 segment damaged"},
        StateCase{"a session's that is not there",
                  [](TestMemory& memory) { first_of(memory).capture ^= 1; },
                  RebuildVerdict::kIncomplete, 30, "cpu 0: 1 segment damaged"},
        StateCase{"another CPU's", [](TestMemory& memory) { first_of(memory).cpu = 1; },
                  RebuildVerdict::kIncomplete, 30, "cpu 0: 1 segment damaged"},
        StateCase{"a record that runs past the end",
                  [](TestMemory& memory) { first_of(memory).words[kSecond] |= 0xff0; },
                  RebuildVerdict::kIncomplete, 31, "cpu 0: 1 segment damaged"},
        StateCase{"time that runs backward",
                  [](TestMemory& memory) { first_of(memory).words[kSecond + 1] = 1; },
                  RebuildVerdict::kIncomplete, 36, "cpu 0: 1 record earlier than the one before"},
        StateCase{"totals that are older than the segments",
                  [](TestMemory& memory) { memory.rings[0][1].records_lost = 3; },
                  RebuildVerdict::kIncomplete, 36, "cpu 0: the total of losses is less"},
        StateCase{"a ring that keeps all and lacks one",
                  [](TestMemory& memory) {
                    memory.mode = 1;
                    first_of(memory) = {};
                    first_of(memory).state = 0;
                    first_of(memory).is_open = true;
                  },
                  RebuildVerdict::kIncomplete, 30, "cpu 0: 1 segment damaged"}));

TEST(MemoryImage, OfTwoSessionsGivesBoth) {
  const TestCapture capture = capture_of();
  TestMemory first = TestMemory::of(capture);
  TestMemory second = first;
  second.base += 0x10000;
  second.capture.id ^= 1;
  for (auto& ring : second.rings)
    for (TestSegment& segment : ring) segment.capture = second.capture.id;
  const Rebuilt both = rebuild_memory({{first.image(), first.base}, {second.image(), second.base}});
  EXPECT_EQ(both.verdict, RebuildVerdict::kComplete) << both.messages;
  EXPECT_EQ(numbers(decode_plainly(both.archive)).size(), 72u);
}

// At the boot after a reset the runtime keeps a copy of the old descriptor; the threads and totals
// that it points to are the new session's.
// As QEMU writes memory that a board has at two addresses.
TEST(MemoryImage, OfMemoryThatIsThereTwiceGivesOneCapture) {
  const TestMemory memory = TestMemory::of(two_cpu_capture());
  const Bytes image = memory.image();
  const Rebuilt once = rebuild_memory({{image, memory.base}});
  ASSERT_EQ(once.verdict, RebuildVerdict::kComplete) << once.messages;
  const uint64_t descriptor = memory.base + TestMemory::kDescriptor;
  const Bytes program = make_elf({}, false, 64, {{"barefxt_descriptor", descriptor}}, false);
  for (const uint64_t mirror : {memory.base - 0x400000, memory.base + 0x400000}) {
    const Bytes core = make_elf({{mirror, mirror, image}, {memory.base, memory.base, image}});
    for (const Bytes& symbols : {Bytes(), program}) {
      const Rebuilt twice = rebuild_memory({{core, {}}}, symbols);
      EXPECT_EQ(twice.archive, once.archive) << twice.messages;
      EXPECT_EQ(twice.verdict, RebuildVerdict::kComplete) << twice.messages;
      EXPECT_TRUE(twice.reports("are one: this memory")) << twice.messages;
    }
  }
}

TEST(MemoryImage, OfASessionThatAnotherFollowedHasRecordsAndNoNames) {
  const TestMemory memory = TestMemory::of(capture_of());
  Bytes image = memory.image();
  TestMemory old = memory;
  old.capture.id ^= 1;
  const Bytes old_image = old.image();
  const size_t copy = 0x800;
  std::copy_n(old_image.begin() + TestMemory::kDescriptor, TestMemory::kDescriptorBytes,
              image.begin() + copy);
  // One of its segments is still there, in the second CPU's fourth place.
  TestMemory segment = memory;
  segment.rings[1].push_back(memory.rings[1][0]);
  segment.rings[1].back().capture = old.capture.id;
  const Bytes segments = segment.image();
  std::copy(segments.begin() + TestMemory::kSegments, segments.end(),
            image.begin() + TestMemory::kSegments);
  const Rebuilt rebuilt = rebuild_memory({{image, memory.base}}, program_of(memory));
  EXPECT_EQ(rebuilt.verdict, RebuildVerdict::kIncomplete);
  EXPECT_TRUE(rebuilt.reports("a later session has overwritten")) << rebuilt.messages;
  expect_sound(rebuilt);
  EXPECT_EQ(numbers(decode_plainly(rebuilt.archive)).size(), 36u + 6u);
  EXPECT_TRUE(rebuilt.reports("called `thread#N`")) << rebuilt.messages;
}

// The target was stopped in the middle of a rename: a name that is whole holds, and one that is
// torn leaves the thread without.
TEST(MemoryImage, OfAThreadThatIsBeingRenamedHasTheThread) {
  const TestCapture capture = capture_of();
  const TestMemory memory = TestMemory::of(capture);
  Bytes image = memory.image();
  const size_t entry = TestMemory::kThreads + 32 * size_t{capture.threads[1].index - 1};
  const size_t state = entry + (memory.big_endian ? 3 : 0);
  ASSERT_EQ(image[state], 2u);
  image[state] = 4;
  const Rebuilt whole = rebuild_memory({{image, memory.base}});
  EXPECT_EQ(whole.verdict, RebuildVerdict::kComplete) << whole.messages;
  EXPECT_EQ(whole.archive, in_memory(memory).archive);

  image[entry + 16] ^= 1;
  const Rebuilt torn = rebuild_memory({{image, memory.base}});
  EXPECT_EQ(torn.verdict, RebuildVerdict::kComplete) << torn.messages;
  expect_sound(torn);
  const PlainArchive archive = decode_plainly(torn.archive);
  bool is_there = false;
  for (const PlainRecord& object : archive.of_type(7)) {
    if (object.value != capture.threads[1].koid) continue;
    is_there = true;
    EXPECT_EQ(object.name, "");
  }
  EXPECT_TRUE(is_there);
}

TEST(MemoryImage, WithoutATraceSaysWhatWasLookedFor) {
  const TestMemory memory = TestMemory::of(capture_of());
  Bytes image = memory.image();
  std::fill_n(image.begin() + TestMemory::kDescriptor, 8, uint8_t{0});
  const Rebuilt empty = rebuild_memory({{image, memory.base}}, program_of(memory));
  EXPECT_EQ(empty.verdict, RebuildVerdict::kNothing);
  EXPECT_TRUE(empty.reports("the program has it at 0x40000048")) << empty.messages;
  const Rebuilt elsewhere = rebuild_memory({{memory.image(), memory.base + 0x1000}});
  EXPECT_EQ(elsewhere.verdict, RebuildVerdict::kNothing);
  EXPECT_TRUE(elsewhere.reports("is the image's base address right")) << elsewhere.messages;
}

// Returns true if a checksum covers a byte of the image, or only one value of the byte makes sense.
// Records and totals have no checksum, nor has memory that changes while the target records.
bool is_checked(const TestMemory& memory, size_t byte) {
  const auto is_within = [&](size_t from, size_t bytes) {
    return byte >= from && byte < from + bytes;
  };
  if (byte >= TestMemory::kSegments) {
    const size_t at = (byte - TestMemory::kSegments) % TestMemory::kSegmentBytes;
    return (at >= 4 && at < 12) || (at >= 16 && at < 40);
  }
  return is_within(TestMemory::kDescriptor, TestMemory::kDescriptorBytes) ||
         (is_within(TestMemory::kThreads, memory.capture.threads.size() * 32) && byte % 32 >= 4) ||
         is_within(TestMemory::kStrings, memory.capture.strings.size() * 4);
}

TEST(MemoryImageDamage, OfEveryBitOfWhatIsCheckedIsNoticed) {
  const TestMemory memory = TestMemory::of(capture_of());
  const Bytes image = memory.image();
  const Bytes whole = in_memory(memory).archive;
  for (size_t byte = 0; byte < image.size(); ++byte) {
    // Nothing lies there; and one segment's records stand for all.
    const bool is_empty = image[byte] == 0 && !is_checked(memory, byte);
    const bool is_another = byte >= TestMemory::kSegments + TestMemory::kSegmentBytes &&
                            (byte - TestMemory::kSegments) % TestMemory::kSegmentBytes >= 72;
    if (is_empty || is_another) continue;
    for (unsigned bit = 0; bit < 8; ++bit) {
      if ((byte * 8 + bit) % bits_apart() != 0) continue;
      Bytes damaged = image;
      damaged[byte] ^= static_cast<uint8_t>(1 << bit);
      const Rebuilt rebuilt = rebuild_memory({{damaged, memory.base}});
      expect_sound(rebuilt);
      // It may have been in a segment that was never opened.
      const bool is_taken_for_whole = rebuilt.verdict == RebuildVerdict::kComplete;
      EXPECT_TRUE(!is_checked(memory, byte) || !is_taken_for_whole || rebuilt.archive == whole)
          << "byte " << byte << " bit " << bit;
    }
    if (testing::Test::HasFailure()) break;
  }
}

TEST(MemoryImageDamage, OfACutIsNoticedAndLeavesWhatIsThere) {
  const TestMemory memory = TestMemory::of(capture_of());
  const Bytes image = memory.image();
  const Bytes core = make_elf({{memory.base, memory.base, image}});
  // Behind it there is a segment that was never opened.
  const size_t end = image.size() - TestMemory::kSegmentBytes + 72;
  for (size_t length = 0; length < end; length += 8) {
    const Rebuilt raw = rebuild_memory({{part(image, 0, length), memory.base}});
    EXPECT_NE(raw.verdict, RebuildVerdict::kComplete) << length;
    expect_sound(raw);
    const Rebuilt cut = rebuild_memory({{part(core, 0, length), {}}});
    EXPECT_NE(cut.verdict, RebuildVerdict::kComplete) << length;
    expect_sound(cut);
    if (testing::Test::HasFailure()) break;
  }
  // Up to where the last segments begin, the others are whole.
  const size_t last = TestMemory::kSegments + 6 * TestMemory::kSegmentBytes;
  const Rebuilt most = rebuild_memory({{part(image, 0, last), memory.base}});
  EXPECT_EQ(most.verdict, RebuildVerdict::kIncomplete);
  EXPECT_TRUE(most.reports("cpu 1: 2 segments not in the image")) << most.messages;
  EXPECT_EQ(numbers(decode_plainly(most.archive)).size(), 30u);
}

TEST(MemoryImageDamage, OfClaimedSizesTakesNoTimeAndNoMemory) {
  TestMemory memory = TestMemory::of(capture_of());
  Bytes image = memory.image();
  memory.capture.cpus = 4;
  memory.segments_per_cpu = 0x7fffff;
  const Bytes descriptor = memory.descriptor();
  std::copy(descriptor.begin(), descriptor.end(), image.begin() + TestMemory::kDescriptor);
  image.resize(TestMemory::kSegments + 4 * TestMemory::kSegmentBytes);
  const Rebuilt rebuilt = rebuild_memory({{image, memory.base}});
  EXPECT_EQ(rebuilt.verdict, RebuildVerdict::kIncomplete);
  EXPECT_TRUE(rebuilt.reports("cpu 0: 8388603 segments not in the image")) << rebuilt.messages;
  EXPECT_EQ(numbers(decode_plainly(rebuilt.archive)).size(), 18u);
}

}  // namespace
}  // namespace barefxt::test::memory_image_test
