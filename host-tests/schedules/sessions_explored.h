// Sessions whose threads are explored, and what has to hold of their records afterwards.
#pragma once

#include <cstring>

#include <barefxt/barefxt.h>

#include "records_explored.h"
#include "runtime/configuration.h"
#include "session.h"
#include "torture/frame_reader.h"

namespace barefxt::test {

// Leaves no room for a second one.
inline constexpr uint32_t kLarge = 320;

alignas(8) inline uint8_t memory[6 * kSegmentBytes];
inline barefxt_config config;

// Segments come in any order.
class DrainedRecords final : public torture::RecordSink {
 public:
  void segment(uint32_t, uint32_t number) override {
    if (number != sequence) ticks = 0;
    sequence = number;
  }
  void record(const fxt::Word* words, uint32_t count) override {
    SegmentWalker::Record record;
    record.words = words;
    record.bytes = count * fxt::kWordBytes;
    const unsigned number = read_record(record, ticks);
    mark(number);
    ++found;
  }
  uint32_t sequence = 0;
  uint64_t ticks = 0;
  unsigned found = 0;
};
inline DrainedRecords drained;
inline torture::FrameReader reader(drained);
inline void drain_all() {
  static uint8_t buffer[BAREFXT_DRAIN_BYTES];
  while (const size_t bytes = barefxt_drain(buffer, sizeof buffer, BAREFXT_DUMP_BINARY))
    reader.take(buffer, bytes);
}
// A stop refuses the record of writer 0, in silence, unless that came first.
inline bool is_stopped_beside_a_writer;
inline unsigned refused(const barefxt_stop_report& report) {
  return is_stopped_beside_a_writer && !is_found[0] && report.lost_records == 0 ? 1 : 0;
}

class SchedulesTest : public ::testing::Test {
 protected:
  void SetUp() override {
    barefxt_host_counter = count_ticks;
    barefxt_forget_unfinished();
  }
  void TearDown() override {
    barefxt_stop();
    barefxt_forget_unfinished();
    split_words(nullptr, 0);
    is_stopped_beside_a_writer = false;
  }
  static void start(barefxt_mode mode, unsigned segments) {
    std::memset(memory, 0, sizeof memory);
    forget_records();
    drained.ticks = 0;
    drained.found = 0;
    reader.clear();
    config = config_of(memory, size_t{segments} * kSegmentBytes, 1, mode);
    ASSERT_EQ(barefxt_start(&config), BAREFXT_OK);
#ifdef BAREFXT_TEST_HALVES
    split_words(memory, sizeof memory);
#endif
  }
  // Records of writer 3.
  static void write_earlier(unsigned count, uint32_t bytes) {
    for (unsigned i = 0; i < count; ++i) write(3, bytes);
  }
};

inline Ring& ring() { return rings[0]; }

// When all are done: each record is there once, in order, or counted.
inline void account() {
  const barefxt_stop_report report = barefxt_stop();
  uint64_t ticks = 0;
  unsigned found = 0;
  bool has_last = false;
  uint32_t last = 0;
  while (true) {
    const SegmentHeader* next = nullptr;
    for (uint32_t slot = 0; slot < ring().segments; ++slot) {
      const SegmentHeader& segment = ring().segment(slot);
      const SegmentState state = state_of(segment);
      require(state == SegmentState::kLive || state == SegmentState::kFree, "a segment is left");
      if (state != SegmentState::kLive) continue;
      require(segment.end.load_relaxed() != 0, "a segment has no end");
      if (has_last && !is_before(last, segment.sequence)) continue;
      if (next == nullptr || is_before(segment.sequence, next->sequence)) next = &segment;
    }
    if (next == nullptr) break;
    has_last = true;
    last = next->sequence;
    found += read_all(SegmentWalker(*next), ticks, true);
  }
  require(report.unfinished_records == 0, "a record is unfinished");
  require(report.recorded_records == found, "the report counts other records than there are");
  require(found + report.lost_records + report.overwritten_records == attempted() - refused(report),
          "a record is neither there nor counted");
}

inline void account_for_drained() {
  const barefxt_stop_report report = barefxt_stop();
  drain_all();
  require(barefxt_drain_is_over(), "a drain has no end");
  require(reader.problem() == nullptr, "frames are not as they must be");
  require(report.unfinished_records == 0, "a record is unfinished");
  require(drained.found + report.lost_records == attempted() - refused(report),
          "a record is neither sent nor counted");
}

}  // namespace barefxt::test
