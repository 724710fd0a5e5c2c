// The host reads the memory that the runtime leaves: this process's own memory, as an image of a
// target's.

#include <cstring>
#include <fstream>
#include <iterator>

#include <barefxt/ring.h>
#include <barefxt/thread_entry.h>

#include "../build_kind.h"
#include "own_memory.h"
#include "session_fixture.h"

namespace barefxt::test::memory_test {
namespace {

BAREFXT_CATEGORY(work, 3);

class MemoryTest : public SessionTest {
 protected:
  static Rebuilt read_memory() {
    Rebuilt rebuilt = rebuild_memory(own_memory(), own_program());
    EXPECT_EQ(rebuilt.verdict, host::RebuildVerdict::kComplete) << rebuilt.messages;
    expect_sound(rebuilt);
    return rebuilt;
  }
  static PlainArchive in_memory() { return decode_plainly(read_memory().archive); }

  // All but the first two records, magic number and provider: memory's has another name.
  static Bytes behind_provider(const Bytes& archive) {
    uint64_t header = 0;
    std::memcpy(&header, archive.data() + 8, sizeof header);
    const auto bytes = static_cast<ptrdiff_t>(8 + (header >> 4 & 0xfff) * 8);
    return {archive.begin() + bytes, archive.end()};
  }
  // Except the time of the stop, which memory does not hold. A gap of records that were dropped at
  // the end ends there.
  void expect_as_dumped(bool lost_at_end) {
    const Bytes memory = read_memory().archive;
    const PlainArchive from_memory = decode_plainly(memory);
    const PlainArchive dumped = stop_and_read();
    EXPECT_EQ(from_memory.records.size(), dumped.records.size());
    EXPECT_EQ(numbers(from_memory), numbers(dumped));
    EXPECT_EQ(reported_lost(from_memory), reported_lost(dumped));
    if (lost_at_end) return;
    EXPECT_TRUE(behind_provider(memory) == behind_provider(rebuilt_.archive));
  }
};

void write_from_four_cpus() {
  for (uint32_t i = 0; i < 4000; ++i) {
    run_on_cpu(i % 4);
    BAREFXT_INSTANT(work, "n", BAREFXT_ARG_U32("i", i));
    if (i % 10 == 0) BAREFXT_LOG(work, "what goes on", 12);
    if (i % 16 == 0) BAREFXT_IRQ_ENTER("timer");
    if (i % 16 == 0) BAREFXT_IRQ_EXIT("timer");
  }
  run_on_cpu(0);
}

TEST_F(MemoryTest, NamesOfObjectsAreThereAsInADump) {
  barefxt_object_register(501, BAREFXT_OBJECT_QUEUE, "jobs");
  start();
  BAREFXT_INSTANT(work, "n", BAREFXT_ARG_U32("i", 0), BAREFXT_ARG_KOID("queue", 501));
  expect_as_dumped(false);
  barefxt_object_unregister(501);
}

// After 2^32 of them.
TEST_F(MemoryTest, SegmentsWhoseNumbersWrapAreInTheirOrderInMemoryAndInADump) {
  for (const uint32_t before_wrap : {1u, 3u, 5u}) {
    start(5, ~0u, BAREFXT_MODE_CIRCULAR);
    SegmentHeader& first = rings[0].segment(0);
    first.sequence = 0u - before_wrap;
    first.checksum = header_checksum(first);
    write_numbers(0, 6 * kSegmentBytes / kNumberBytes);
    const std::vector<uint64_t> found = numbers(in_memory());
    ASSERT_GT(found.size(), 100u);
    for (size_t i = 1; i < found.size(); ++i) ASSERT_EQ(found[i], found[i - 1] + 1);
    expect_as_dumped(false);
  }
}

TEST_F(MemoryTest, ASessionThatIsOverReadsAsItsDump) {
  barefxt_thread thread = {};
  barefxt_thread_register(&thread, 10, 501, "worker", 3);
  for (const barefxt_mode mode : {BAREFXT_MODE_ONE_SHOT, BAREFXT_MODE_CIRCULAR}) {
    for (const unsigned segments : {4u, 64u}) {
      start(segments, ~0u, mode);
      barefxt_context_switch(BAREFXT_THIS_CPU, BAREFXT_STATE_RUNNABLE, &thread);
      // One that is never finished.
      Reservation reservation;
      ASSERT_TRUE(reserve_slowly(Owner::kNobody, 64, reservation));
      write_from_four_cpus();
      barefxt_stop();
      expect_as_dumped(segments == 4 && mode == BAREFXT_MODE_ONE_SHOT);
      EXPECT_EQ(reported_lost(decode_plainly(rebuilt_.archive)) != 0, segments == 4);
      ASSERT_EQ(barefxt_forget_unfinished(), BAREFXT_OK);
    }
  }
  barefxt_thread_unregister(&thread);
}

TEST_F(MemoryTest, ASessionThatGoesOnReadsUpToNow) {
  for (const barefxt_mode mode :
       {BAREFXT_MODE_ONE_SHOT, BAREFXT_MODE_CIRCULAR, BAREFXT_MODE_STREAMING}) {
    start(16, ~0u, mode);
    std::vector<uint64_t> expected;
    EXPECT_TRUE(numbers(in_memory()).empty());
    for (uint32_t i = 0; i < 500; ++i) {
      write_numbers(i, i + 1);
      expected.push_back(i);
      if (i % 61 != 0) continue;
      EXPECT_EQ(numbers(in_memory()), expected);
    }
    barefxt_stop();
  }
}

TEST_F(MemoryTest, EveryRecordIsReadOrCountedAtEveryMomentOfAFlightRecorder) {
  start(3, ~0u, BAREFXT_MODE_CIRCULAR);
  uint64_t overwritten = 0;
  for (uint32_t i = 0; i < 2000; ++i) {
    write_numbers(i, i + 1);
    if (i % 7 != 0) continue;
    const PlainArchive archive = in_memory();
    const std::vector<uint64_t> found = numbers(archive);
    overwritten = reported_lost(archive);
    ASSERT_EQ(found.size() + overwritten, i + 1);
    ASSERT_EQ(found.back(), i);
  }
  EXPECT_GT(overwritten, 1000u);
}

// The image that an interrupt finds in the middle of a reservation, at the read of the counter: in
// the same segment, and where a writer crosses to the next.
TEST_F(MemoryTest, IsSoundInTheMiddleOfEveryReservation) {
  static uint32_t written;
  static uint32_t images;
  static uint64_t largest_loss;
  images = 0;
  largest_loss = 0;
  for (const barefxt_mode mode : {BAREFXT_MODE_ONE_SHOT, BAREFXT_MODE_CIRCULAR}) {
    start(3, ~0u, mode);
    for (written = 0; written < 700; ++written) {
      if (written % places_apart() != 0) {
        write_numbers(written, written + 1);
        continue;
      }
      interrupt_next_reservation([] {
        const PlainArchive archive = in_memory();
        const std::vector<uint64_t> found = numbers(archive);
        ++images;
        largest_loss = std::max(largest_loss, reported_lost(archive));
        ASSERT_EQ(found.size() + reported_lost(archive), written);
      });
      write_numbers(written, written + 1);
      if (HasFatalFailure()) return;
    }
    interrupt_next_reservation(nullptr);
    barefxt_stop();
  }
  // A one-shot ring that is full reads no counter any more.
  EXPECT_GT(images, 700u / places_apart());
  EXPECT_GT(largest_loss, 100u);
}

TEST_F(MemoryTest, WhatADrainHasTakenIsNotThere) {
  start(8, ~0u, BAREFXT_MODE_STREAMING);
  write_numbers(0, 400);
  std::vector<uint8_t> buffer(1 << 16);
  Bytes stream;
  while (const size_t bytes = barefxt_drain(buffer.data(), buffer.size(), BAREFXT_DUMP_BINARY))
    stream.insert(stream.end(), buffer.begin(), buffer.begin() + static_cast<long>(bytes));
  const Rebuilt memory = read_memory();
  EXPECT_TRUE(memory.reports("cpu 0: 2 segments streamed before")) << memory.messages;
  const std::vector<uint64_t> left = numbers(decode_plainly(memory.archive));
  ASSERT_FALSE(left.empty());
  EXPECT_LT(left.size(), 200u);
  EXPECT_EQ(left.back(), 399u);
  // Both together are all of it.
  const Rebuilt streamed = rebuild(stream);
  EXPECT_EQ(numbers(decode_plainly(streamed.archive)).size() + left.size(), 400u);
}

}  // namespace
}  // namespace barefxt::test::memory_test
