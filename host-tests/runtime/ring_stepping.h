// A ring whose writer, stop or drain is interrupted at every instruction, and what is held against
// what was attempted.
#pragma once

#include <gtest/gtest.h>
#include <vector>

#include <barefxt/barefxt.h>
#include <barefxt/ring.h>

#include "at_every_instruction.h"
#include "configuration.h"
#include "torture/checker.h"
#include "torture/frame_reader.h"

namespace barefxt::test {

using torture::Checker;
using torture::EndTotals;
using torture::FrameReader;
using torture::Writer;

inline uint64_t now = 0;
inline uint64_t next_tick() { return __atomic_add_fetch(&now, 1, __ATOMIC_RELAXED); }

inline constexpr uint32_t kPerSegment = (kSegmentBytes - kSegmentHeaderBytes) / torture::kMinBytes;

inline Writer thread_writer;
inline Writer interrupt_writer;

inline void write_one() { torture::write(thread_writer); }
inline void write_as_interrupt(uint32_t records) {
  for (uint32_t i = 0; i < records; ++i) torture::write(interrupt_writer);
}

class RingTest : public ::testing::Test {
 protected:
  void SetUp() override {
    barefxt_host_counter = next_tick;
    barefxt_host_cpu = 0;
    interrupt_writer.number = 1;
  }
  void TearDown() override {
    barefxt_stop();
    // None of a test's writers goes on behind it.
    barefxt_forget_unfinished();
  }

  static void start(barefxt_mode mode, unsigned segments) {
    memory.assign(size_t{segments} * kSegmentBytes / sizeof(uint64_t), 0);
    config = config_of(memory.data(), memory.size() * sizeof(uint64_t), 1, mode);
    config.partial_after_ticks = 1000;
    thread_writer.attempted = 0;
    interrupt_writer.attempted = 0;
    ASSERT_EQ(barefxt_start(&config), BAREFXT_OK);
  }
  static uint64_t attempted() {
    return uint64_t{thread_writer.attempted} + interrupt_writer.attempted;
  }

  static Ring& ring() { return rings[0]; }
  static SegmentHeader& open_segment() {
    return ring().open_segment(ring().position.load_acquire());
  }
  // Fills it until one more record crosses into the next segment.
  static void fill_segment() {
    const uint32_t sequence = open_segment().sequence;
    while (true) {
      const PositionWord offset = ring().position.load_acquire() & Position::kSegmentMask;
      if (!Position::fits(offset + torture::kMinBytes, torture::kMinBytes)) return;
      Reservation reservation;
      ASSERT_TRUE(reserve_slowly(Owner::kCpu, torture::kMinBytes, reservation));
      commit_filler(reservation);
      ++thread_writer.attempted;
      ASSERT_EQ(open_segment().sequence, sequence);
    }
  }
  // A record that is none of the torture's, but whole.
  static void commit_filler(const Reservation& reservation) {
    reservation.words[1] = reservation.ticks;
    for (uint32_t i = 2; i < reservation.bytes / fxt::kWordBytes; ++i) reservation.words[i] = 0;
    RecordHeaderWord::commit(
        reservation.words,
        fxt::Event::make(fxt::EventType::kInstant, reservation.bytes / fxt::kWordBytes, 0,
                         fxt::ThreadRef::index(1), fxt::StringRef::empty(),
                         fxt::StringRef::empty()));
  }

  static EndTotals dump(Checker& checker) {
    FrameReader reader(checker);
    const barefxt_writer writer = {&FrameReader::write, &reader};
    EXPECT_EQ(barefxt_dump(&writer, BAREFXT_DUMP_BINARY), BAREFXT_OK);
    EXPECT_STREQ(reader.problem(), nullptr);
    EXPECT_STREQ(checker.problem(), nullptr);
    EXPECT_EQ(reader.totals().records, checker.records());
    return reader.totals();
  }
  // When the session was stopped, by a dump's word.
  static uint64_t stop_reported() {
    Checker checker;
    return dump(checker).stop_ticks;
  }
  // Stops, and holds everything against what was attempted.
  static barefxt_stop_report stop_and_account() {
    const barefxt_stop_report report = barefxt_stop();
    Checker checker;
    const EndTotals dumped = dump(checker);
    EXPECT_EQ(dumped.records, report.recorded_records);
    EXPECT_EQ(dumped.lost, report.lost_records + report.overwritten_records);
    EXPECT_EQ(report.unfinished_records, 0u);
    EXPECT_EQ(dumped.records + dumped.lost, attempted());
    return report;
  }

  // Takes the drain's frames until there are none.
  static void drain(FrameReader& reader) {
    static uint8_t buffer[BAREFXT_DRAIN_BYTES];
    while (const size_t bytes = barefxt_drain(buffer, sizeof buffer, BAREFXT_DUMP_BINARY))
      reader.take(buffer, bytes);
  }

  inline static std::vector<uint64_t> memory;
  inline static barefxt_config config;
};

}  // namespace barefxt::test
