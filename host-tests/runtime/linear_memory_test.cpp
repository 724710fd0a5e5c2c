// The memory of a ring without segments: the places of records in the largest possible one, and
// what a reader finds there while writers are at work.
//
// With the runtime alone, as linear_ring_test.cpp.

#include <cstdio>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

#include <barefxt/intern.h>

#include "configuration.h"
#include "linear_boot.h"
#include "linear_dumped.h"
#include "stepping.h"

namespace barefxt::test::linear_memory_test {
namespace {

BAREFXT_CATEGORY(work, 3);

using linear::Place;
using linear::PlaceIn;

uint64_t now = 0;
uint64_t next_tick() { return __atomic_add_fetch(&now, 1, __ATOMIC_RELAXED); }

// ---- The position, as 32-bit targets have it and as 64-bit ones.

template <typename Word>
class LinearPlaceTest : public ::testing::Test {};
using Words = ::testing::Types<uint32_t, uint64_t>;
TYPED_TEST_SUITE(LinearPlaceTest, Words);

// The decision of reserve() in linear_ring.cpp.
template <typename Word>
bool has_room(Word position, uint32_t bytes, uint32_t memory_bytes) {
  using P = PlaceIn<Word>;
  return P::offset(position + (bytes + P::kOneRecord)) <= memory_bytes;
}

TYPED_TEST(LinearPlaceTest, AtTheEndOfTheLargestMemoryNoRecordReachesWhatCloses) {
  using P = PlaceIn<TypeParam>;
  for (const TypeParam count : {TypeParam{0}, TypeParam{1}, TypeParam{P::kMaxRecords - 1}})
    for (uint32_t left = 0; left <= 2 * kMaxRecordBytes; left += 8) {
      const TypeParam position = count * P::kOneRecord + (P::kMaxBytes - left);
      for (uint32_t bytes = 16; bytes <= kMaxRecordBytes; bytes += 8) {
        const TypeParam next = position + (bytes + P::kOneRecord);
        ASSERT_EQ(has_room(position, bytes, P::kMaxBytes), bytes <= left);
        // Even without room: only the sum is compared, and nothing else.
        ASSERT_EQ(P::offset(next), P::kMaxBytes - left + bytes);
        ASSERT_EQ(next & P::kStopped, 0u);
        ASSERT_EQ(P::reserved(next), count + 1);
      }
    }
}

TYPED_TEST(LinearPlaceTest, AClosedRingHasNoRoomWhereverItWasClosed) {
  using P = PlaceIn<TypeParam>;
  for (const TypeParam closing : {P::kFull, P::kStopped, TypeParam{P::kFull | P::kStopped}})
    for (const uint32_t offset :
         {P::kFirst, P::kFirst + 16, P::kMaxBytes / 2, P::kMaxBytes - 8, P::kMaxBytes})
      for (const TypeParam count : {TypeParam{0}, TypeParam{7}, TypeParam{P::kMaxRecords}}) {
        const TypeParam closed = (count * P::kOneRecord + offset) | closing;
        for (const uint32_t bytes : {16u, 24u, kMaxRecordBytes})
          for (const uint32_t memory : {kSegmentBytes, P::kMaxBytes})
            ASSERT_FALSE(has_room(closed, bytes, memory));
        ASSERT_EQ(P::offset_when_closed(closed), offset);
        ASSERT_EQ(P::reserved(closed), count);
        ASSERT_EQ(P::is_stopped(closed), closing != P::kFull);
      }
}

TYPED_TEST(LinearPlaceTest, TheCountOfTheSmallestRecordsInTheLargestMemoryDoesNotRunOver) {
  using P = PlaceIn<TypeParam>;
  TypeParam position = P::kFirst;
  if (sizeof(TypeParam) == 8)  // all but the last of them at once
    position += (P::kMaxBytes / 16 - 1000) * (P::kOneRecord + 16);
  while (has_room(position, 16, P::kMaxBytes)) position += 16 + P::kOneRecord;
  EXPECT_EQ(P::reserved(position), (P::kMaxBytes - P::kFirst) / 16);
  EXPECT_LE(P::reserved(position), P::kMaxRecords);
  EXPECT_EQ(position & P::kStopped, 0u);
}

TYPED_TEST(LinearPlaceTest, NoPositionOfARingThatRecordsLooksLikeOneThatWasNeverStarted) {
  using P = PlaceIn<TypeParam>;
  EXPECT_TRUE(P::is_stopped(TypeParam{0}));
  EXPECT_FALSE(P::is_stopped(TypeParam{P::kFirst}));
  EXPECT_FALSE(has_room(TypeParam{0}, 16, 0));
}

// ---- The runtime in its memory.

class LinearMemoryTest : public ::testing::Test {
 protected:
  void SetUp() override {
    barefxt_host_counter = next_tick;
    boot();
    thread = {};
    barefxt_thread_register(&thread, 10, 101, "alpha", 1);
  }
  void TearDown() override { barefxt_stop(); }

  static void start_in(void* at, size_t bytes) {
    barefxt_config config = config_of(at, bytes);
    ASSERT_EQ(barefxt_start(&config), BAREFXT_OK);
    barefxt_context_switch(&thread, BAREFXT_STATE_BLOCKED, &thread);
  }
  static void start() {
    memory.assign(kSegmentBytes / sizeof(uint64_t), 0);
    start_in(memory.data(), kSegmentBytes);
  }

  // A record that looks like headers of three words all through.
  static constexpr fxt::Word kLooksLikeAHeader = 0x34;
  static constexpr fxt::Word kSixWords = 0x64;
  static void finish(const Reservation& reservation) {
    for (uint32_t i = 1; i < 6; ++i) reservation.words[i] = kLooksLikeAHeader;
    RecordHeaderWord::commit(reservation.words, kSixWords);
  }
  static void reserve(Reservation& reservation, bool is_bare) {
    ASSERT_TRUE(reserve_slowly(Owner::kCpu, 48, reservation));
    if (is_bare) *reservation.words = 0;  // as between the swap and the first store
  }

  static barefxt_thread thread;
  static std::vector<uint64_t> memory;
};
barefxt_thread LinearMemoryTest::thread;
std::vector<uint64_t> LinearMemoryTest::memory;

TEST_F(LinearMemoryTest, OfMoreThanThereCanBeTheRestIsLeftAloneAndTheLastRecordsAreWhole) {
#ifdef BAREFXT_TEST_SANITIZED
  GTEST_SKIP() << "so much memory takes too long";
#endif
  // The same pages all along, but for the last ones: where the first and the last records lie.
  constexpr size_t kPiece = size_t{1} << 21;
  constexpr size_t kBytes = (size_t{1} << 30) + kPiece;
  static_assert(Place::kMaxBytes < kBytes);
  const int file = memfd_create("pages", 0);
  ASSERT_GE(file, 0);
  ASSERT_EQ(ftruncate(file, 3 * kPiece), 0);
  auto* at = static_cast<uint8_t*>(
      mmap(nullptr, kBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
  ASSERT_NE(at, MAP_FAILED);
  for (size_t from = 0; from < kBytes; from += kPiece) {
    const size_t left = (kBytes - from) / kPiece;
    ASSERT_NE(mmap(at + from, kPiece, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file,
                   static_cast<off_t>((left > 2 ? 0 : left) * kPiece)),
              MAP_FAILED);
  }
  std::memset(at + kBytes - 2 * kPiece, 0xee, 2 * kPiece);
  start_in(at, kBytes);
  EXPECT_EQ(rings[0].memory_bytes, Place::kMaxBytes);
  // The state after many records: a few more fit, and the count is high as well.
  constexpr uint32_t kFit = 100;
  constexpr uint32_t kRecords = (Place::kMaxBytes - Place::kFirst) / 16 - kFit;
  rings[0].position.store_relaxed(Place::kFirst + kRecords * (Place::kOneRecord + 16));
  rings[0].finished.fetch_add_release(kRecords - 1);
  for (uint32_t i = 0; i < kFit + 3; ++i) BAREFXT_INSTANT(work, "instant");
  const barefxt_stop_report report = barefxt_stop();
  EXPECT_EQ(report.recorded_records, kRecords + kFit);
  EXPECT_EQ(report.unfinished_records, 0u);
  EXPECT_EQ(report.lost_records, 3u);
  // The memory is not a whole number of smallest records.
  const size_t end = Place::kFirst + size_t{kRecords + kFit} * 16;
  for (size_t record = end - 16 * kFit; record < end; record += 16) {
    fxt::Word words[2];
    std::memcpy(words, at + record, sizeof words);
    ASSERT_EQ(fxt::Event::Name::in(words[0]), BAREFXT_STRING("instant"));
    ASSERT_EQ(fxt::Event::Thread::in(words[0]), 1u);
  }
  for (size_t byte = Place::kMaxBytes; byte < kBytes; ++byte) ASSERT_EQ(at[byte], 0xee);
  boot();
  munmap(at, kBytes);
  close(file);
}

TEST_F(LinearMemoryTest, ItIsClearedWhateverItHeld) {
  memory.assign(kSegmentBytes / sizeof(uint64_t), ~uint64_t{0});
  start_in(memory.data(), kSegmentBytes);
  for (size_t word = 3; word < memory.size(); ++word) ASSERT_EQ(memory[word], 0u) << word;
}

TEST_F(LinearMemoryTest, AReservationIsAPlaceholderOfItsSizeFromItsFirstStoreOn) {
  start();
  Reservation reservation;
  reserve(reservation, false);
  EXPECT_TRUE(fxt::RingRecord::is(*reservation.words, fxt::RingRecordType::kUnfinished));
  EXPECT_EQ(fxt::RecordHeader::SizeWords::in(*reservation.words), 6u);
  EXPECT_EQ(barefxt_unfinished(), 1u);
}

TEST_F(LinearMemoryTest, ADumpPassesOverThoseThatHaveNotEvenAPlaceholder) {
  start();
  Reservation bare[3];
  reserve(bare[0], true);
  reserve(bare[1], true);
  BAREFXT_INSTANT(work, "instant");
  reserve(bare[2], true);
  const barefxt_stop_report report = barefxt_stop();
  EXPECT_EQ(report.unfinished_records, 3u);
  EXPECT_EQ(report.recorded_records, 2u);
  EXPECT_EQ(DumpedRecords::of_dump(report).records.size(), 2u);
}

// ---- A dump while a writer that the stop interrupted goes on.

// Zeros on the line ahead of the first records, and those that came so far: two a frame.
uint32_t zeros_ahead;
uint32_t zeros_come;
DumpedRecords* dumped_now;
torture::FrameReader* reader_now;
void take(void*, const uint8_t* bytes, size_t count) {
  const bool was_ahead = zeros_come < zeros_ahead;
  for (size_t i = 0; i < count; ++i) zeros_come += bytes[i] == 0 ? 1 : 0;
  reader_now->take(bytes, count);
  if (zeros_come > zeros_ahead)
    step_no_further();
  else if (was_ahead && zeros_come == zeros_ahead)
    step_from_here();
}
void dump_now() {
  step_no_further();
  const barefxt_writer writer = {&take, nullptr};
  barefxt_dump(&writer, BAREFXT_DUMP_BINARY);
}

Reservation sleeper;

class LinearDumpRaceTest : public LinearMemoryTest {
 protected:
  // `sleeper` finishes wherever the dump looks at records: its record is whole, or missing.
  static void expect_whole_or_not_there(uint32_t others) {
    static uint32_t there_besides;
    there_besides = others;
    const barefxt_stop_report report = barefxt_stop();
    DumpedRecords dumped;
    torture::FrameReader reader(dumped);
    dumped_now = &dumped;
    reader_now = &reader;
    zeros_ahead = ~0u;
    zeros_come = 0;
    dump_now();
    ASSERT_STREQ(reader.problem(), nullptr);
    EXPECT_EQ(dumped.records.size(), others);
    EXPECT_EQ(reader.totals().unfinished, report.unfinished_records);
    const uint32_t tables = (zeros_come / 2 - 2) / 2;  // twice, with records between, and an end
    zeros_ahead = 2 * tables;
    zeros_come = 0;
    dumped = DumpedRecords();
    reader.clear();
    std::fflush(stdout);
    const Interrupted interrupted = interrupt_copies(
        &dump_now, [] { finish(sleeper); }, [] { return zeros_come == zeros_ahead; });
    if (interrupted.is_copy) {
      EXPECT_STREQ(reader.problem(), nullptr);
      uint32_t sleepers = 0;
      for (const DumpedRecord& record : dumped.records) {
        if (record.header() != kSixWords) continue;
        ++sleepers;
        for (uint32_t i = 1; i < 6; ++i) EXPECT_EQ(record.words[i], kLooksLikeAHeader);
      }
      EXPECT_LE(sleepers, 1u);
      EXPECT_EQ(dumped.records.size(), there_besides + sleepers);
      const torture::EndTotals& end = reader.totals();
      EXPECT_EQ(end.records, dumped.records.size());
      EXPECT_EQ(end.unfinished, report.unfinished_records - sleepers);
      std::fflush(stdout);
      _exit(HasFailure() ? 1 : 0);
    }
    EXPECT_EQ(interrupted.failed_at, 0u);
    EXPECT_GT(interrupted.instructions, 100u);
  }
};

TEST_F(LinearDumpRaceTest, ABareRecordThatIsFinishedMeanwhileIsDumpedWholeOrNotAtAll) {
  if (!kCanStep) GTEST_SKIP() << "not on this machine";
  start();
  reserve(sleeper, true);
  BAREFXT_INSTANT(work, "behind it");
  expect_whole_or_not_there(2);
}

TEST_F(LinearDumpRaceTest, SoIsOneBehindAnotherBareOne) {
  if (!kCanStep) GTEST_SKIP() << "not on this machine";
  start();
  Reservation other;
  reserve(other, true);
  reserve(sleeper, true);
  BAREFXT_INSTANT(work, "behind it");
  expect_whole_or_not_there(2);
}

TEST_F(LinearDumpRaceTest, SoIsOneAheadOfABareOneAndOneAtTheEnd) {
  if (!kCanStep) GTEST_SKIP() << "not on this machine";
  for (const bool is_last : {false, true}) {
    boot_and_register_again();
    start();
    Reservation other;
    BAREFXT_INSTANT(work, "ahead of it");
    reserve(sleeper, true);
    if (!is_last) reserve(other, true);
    expect_whole_or_not_there(2);
  }
}

TEST_F(LinearDumpRaceTest, SoIsOneThatHasItsPlaceholder) {
  if (!kCanStep) GTEST_SKIP() << "not on this machine";
  start();
  reserve(sleeper, false);
  BAREFXT_INSTANT(work, "behind it");
  expect_whole_or_not_there(2);
}

// ---- Waiting.

TEST_F(LinearMemoryTest, AWaitForWritersEndsWhenTheyHaveFinishedOrTheTimeIsOver) {
  start();
  Reservation reservation;
  reserve(reservation, false);
  barefxt_stop();
  const uint64_t before = now;
  EXPECT_EQ(barefxt_wait_unfinished(100), 1u);
  EXPECT_GE(now - before, 100u);
  EXPECT_LE(now - before, 103u);
  sleeper = reservation;
  barefxt_host_counter = [] {
    static int looks = 0;
    if (++looks == 5) finish(sleeper);
    return next_tick();
  };
  EXPECT_EQ(barefxt_wait_unfinished(1000000), 0u);
  EXPECT_LE(now - before, 200u);
}

// ---- Between any two instructions of a writer.

struct Finished {
  uint32_t at;
  std::vector<fxt::Word> words;
};
std::vector<Finished> finished;

// Walks the memory as a dump after a crash would, and remembers finished records. Their writers
// count them as finished no sooner.
bool remember_what_is_finished(uint32_t) {
  const Ring& ring = rings[0];
  const uint32_t end = Place::offset(ring.position.load_relaxed());
  SegmentWalker walker(ring.memory, Place::kFirst, end);
  SegmentWalker::Record record;
  uint32_t records = 0;
  while (walker.next(record)) {
    if (!record.finished) continue;
    if (++records > finished.size() || finished[records - 1].words[0] != *record.words)
      finished.push_back(
          {static_cast<uint32_t>(reinterpret_cast<const uint8_t*>(record.words) - ring.memory),
           {record.words, record.words + record.bytes / sizeof(fxt::Word)}});
  }
  EXPECT_LE(ring.finished.load_relaxed(), records);
  EXPECT_LE(records, Place::reserved(ring.position.load_relaxed()));
  return !::testing::Test::HasFailure();
}

TEST_F(LinearMemoryTest, AtEveryInstructionWhatIsFinishedIsWholeAndNeverChanges) {
  if (!kCanStep) GTEST_SKIP() << "not on this machine";
  start();
  void (*const writers[])() = {
      [] { BAREFXT_INSTANT(work, "none"); },
      [] { BAREFXT_INSTANT(work, "one", BAREFXT_ARG_U32("m", 1)); },
      [] { BAREFXT_INSTANT(work, "long", BAREFXT_ARG_U64("n", 1), BAREFXT_ARG_U64("o", 2)); },
      [] { BAREFXT_INSTANT(work, "text", BAREFXT_ARG_STRING("text", "more than one word", 18)); },
      [] { barefxt_context_switch(&thread, BAREFXT_STATE_BLOCKED, &thread); },
      [] { BAREFXT_LOG(work, "a line of a log", 15); }};
  for (void (*const write)() : writers) {
    finished.clear();
    remember_what_is_finished(0);
    const size_t before = finished.size();
    EXPECT_GT(step(write, &remember_what_is_finished), 20u);
    remember_what_is_finished(0);
    EXPECT_EQ(finished.size(), before + 1);
    for (const Finished& each : finished)
      EXPECT_EQ(std::memcmp(rings[0].memory + each.at, each.words.data(),
                            each.words.size() * sizeof(fxt::Word)),
                0);
  }
}

}  // namespace
}  // namespace barefxt::test::linear_memory_test
