// The ring's code in every order, and with every late load, within the limits of each test.

#include <cstring>

#include <barefxt/barefxt.h>
#include <barefxt/kernel_hooks.h>

#include "held_segments.h"
#include "records_explored.h"
#include "session.h"
#include "torture/frame_reader.h"

namespace barefxt::test {
namespace {

// Leaves no room for a second one.
constexpr uint32_t kLarge = 320;

alignas(8) uint8_t memory[6 * kSegmentBytes];
barefxt_config config;

// A limit of the tests that take longest: words in halves make twice as many executions.
#ifdef BAREFXT_TEST_HALVES
constexpr unsigned kMany = 1;
#else
constexpr unsigned kMany = 2;
#endif

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
DrainedRecords drained;
torture::FrameReader reader(drained);
void drain_all() {
  static uint8_t buffer[BAREFXT_DRAIN_BYTES];
  while (const size_t bytes = barefxt_drain(buffer, sizeof buffer, BAREFXT_DUMP_BINARY))
    reader.take(buffer, bytes);
}
// A stop refuses the record of writer 0, in silence, unless that came first.
bool is_stopped_beside_a_writer;
unsigned refused(const barefxt_stop_report& report) {
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
    config = {};
    config.memory = memory;
    config.bytes = size_t{segments} * kSegmentBytes;
    config.cpus = 1;
    config.mode = mode;
    config.categories = ~0u;
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

Ring& ring() { return rings[0]; }

// When all are done: each record is there once, in order, or counted.
void account() {
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

// ---- Writers ----

TEST_F(SchedulesTest, TwoWritersInOneSegment) {
  start(BAREFXT_MODE_ONE_SHOT, 2);
  expect_sound({{[] { write(0, kSmall); }, 0}, {[] { write(1, kSmall); }, 1}}, account, {3, 1},
               {8, 8});
}

TEST_F(SchedulesTest, TwoWritersThatCross) {
  start(BAREFXT_MODE_ONE_SHOT, 4);
  write_earlier(1, kLarge);
  expect_sound({{[] { write(0, kLarge); }, 0}, {[] { write(1, kLarge); }, 1}}, account, {2, 1},
               {3, 2});
}

TEST_F(SchedulesTest, TwoWritersForTheLastSegment) {
  start(BAREFXT_MODE_ONE_SHOT, 3);
  write_earlier(2, kLarge);
  expect_sound({{[] { write(0, kLarge); }, 0}, {[] { write(1, kLarge); }, 1}}, account, {2, 1},
               {3, 2});
}

TEST_F(SchedulesTest, AWriterThatInterruptsACrossing) {
  start(BAREFXT_MODE_CIRCULAR, 3);
  write_earlier(4, kLarge);
  expect_sound({{[] { write(0, kLarge); }, 0},
                {[] {
                   write(1, kLarge);
                   write(1, kSmall);
                   write(1, kLarge);
                 },
                 0, 0},
                {[] { write(2, kLarge); }, 0, 1}},
               account, {kMany, 0}, {4, 0});
}

TEST_F(SchedulesTest, TwoWritersThatOverwrite) {
  start(BAREFXT_MODE_CIRCULAR, 3);
  write_earlier(4, kLarge);
  expect_sound({{[] { write(0, kLarge); }, 0}, {[] { write(1, kLarge); }, 1}}, account, {kMany, 1},
               {3, 1});
}

// Numbers of segments wrap in between.
TEST_F(SchedulesTest, TwoWritersWhoseSegmentsNumbersWrap) {
  start(BAREFXT_MODE_CIRCULAR, 3);
  SegmentHeader& open = ring().open_segment(ring().position.load_relaxed());
  open.sequence = 0u - 4;
  open.checksum = header_checksum(open);
  write_earlier(4, kLarge);
  expect_sound({{[] { write(0, kLarge); }, 0}, {[] { write(1, kLarge); }, 1}}, account, {1, 1},
               {3, 1});
}

// ---- Who reads beside writers ----

TEST_F(SchedulesTest, AWalkBesideTwoWriters) {
  start(BAREFXT_MODE_ONE_SHOT, 2);
  expect_sound({{[] { write(0, kSmall); }, 0},
                {[] { write(1, kSmall); }, 1},
                {[] {
                   uint64_t ticks = 0;
                   read_all(SegmentWalker(ring().segment(0)), ticks, false);
                 },
                 2}},
               account, {2, 2}, {3, 3});
}

// Whatever a stop finds under way, what it counts is all that there was.
TEST_F(SchedulesTest, AStopBesideAWriterThatOverwrites) {
  start(BAREFXT_MODE_CIRCULAR, 3);
  is_stopped_beside_a_writer = true;
  write_earlier(4, kLarge);
  expect_sound({{[] { write(0, kLarge); }, 0},
                {[] {
                   const barefxt_stop_report report = barefxt_stop();
                   const uint64_t all = report.recorded_records + report.overwritten_records +
                                        report.lost_records + report.unfinished_records;
                   require(all == 4 || all == 5, "a stop counts records that there are not");
                 },
                 1}},
               account, {2, 1}, {2, 2});
}

TEST_F(SchedulesTest, ASnapshotBesideAWriterThatOverwrites) {
  start(BAREFXT_MODE_CIRCULAR, 4);
  write_earlier(5, kLarge);
  expect_sound({{[] { write(0, kLarge); }, 0},
                {[] {
                   if (barefxt_snapshot() != BAREFXT_OK) return;
                   HeldSegments held(ring(), barefxt_descriptor.capture);
                   uint64_t ticks = 0;
                   unsigned segments = 0;
                   while (const SegmentHeader* segment = held.next()) {
                     read_all(SegmentWalker(*segment), ticks, false);
                     ++segments;
                   }
                   require(segments <= 1, "a snapshot leaves less than three segments to writers");
                   barefxt_snapshot_release();
                 },
                 1}},
               account, {1, 1}, {2, 1});
}

void account_for_drained() {
  const barefxt_stop_report report = barefxt_stop();
  drain_all();
  require(barefxt_drain_is_over(), "a drain has no end");
  require(reader.problem() == nullptr, "frames are not as they must be");
  require(report.unfinished_records == 0, "a record is unfinished");
  require(drained.found + report.lost_records == attempted() - refused(report),
          "a record is neither sent nor counted");
}

// Records are dropped, or go where the drain has made room.
TEST_F(SchedulesTest, ADrainBesideAWriterOfAFullRing) {
  start(BAREFXT_MODE_STREAMING, 3);
  write_earlier(4, kLarge);
  expect_sound({{[] {
                   write(0, kLarge);
                   write(0, kLarge);
                 },
                 0},
                {drain_all, 1}},
               account_for_drained, {1, 1}, {2, 1});
}

TEST_F(SchedulesTest, ADrainBesideAWriterAndAStop) {
  start(BAREFXT_MODE_STREAMING, 3);
  is_stopped_beside_a_writer = true;
  write_earlier(2, kLarge);
  drain_all();
  expect_sound({{[] { write(0, kLarge); }, 0}, {drain_all, 1}, {barefxt_close, 2}},
               account_for_drained, {1, 1}, {2, 1});
}

// ---- Sessions ----

TEST_F(SchedulesTest, ARewindBesideAWriter) {
  start(BAREFXT_MODE_CIRCULAR, 3);
  write_earlier(1, kLarge);
  expect_sound({{[] { write(0, kLarge); }, 0}, {[] { barefxt_rewind(); }, 1}},
               [] {
                 barefxt_stop();
                 for (uint32_t slot = 0; slot < ring().segments; ++slot) {
                   const SegmentState state = state_of(ring().segment(slot));
                   require(state == SegmentState::kFree || state == SegmentState::kLive ||
                               state == SegmentState::kRetired,
                           "a segment is left");
                 }
                 require(barefxt_unfinished() == 0, "a writer that is done is waited for");
               },
               {1, 1}, {2, 1});
}

// Once nothing is unfinished the memory is the application's, and no writer stores into it.
constexpr fxt::Word kApplication = 0x4170706c69636174;
bool is_given_back;
template <typename Each>
void for_each_place(Each each) {
  for (const uint32_t at : {kSegmentHeaderBytes + kLarge, kSegmentBytes + kSegmentHeaderBytes})
    for (uint32_t i = 0; i < kSmall / fxt::kWordBytes; ++i)
      each(reinterpret_cast<fxt::Word*>(memory + at)[i]);
}
void give_back_memory() {
  barefxt_stop();
  barefxt_rewind();
  barefxt_stop();
  is_given_back = barefxt_unfinished() == 0;
  if (is_given_back) for_each_place([](fxt::Word& word) { word = kApplication; });
}
void judge_memory() {
  if (is_given_back)
    for_each_place([](const fxt::Word& word) {
      require(word == kApplication, "a writer stores into memory that is not the ring's");
    });
}
TEST_F(SchedulesTest, MemoryIsGivenBackBesideAWriter) {
  start(BAREFXT_MODE_ONE_SHOT, 2);
  write_earlier(1, kLarge);
  expect_sound({{[] { write(0, kSmall); }, 0}, {give_back_memory, 1}}, judge_memory, {2, 1},
               {3, 1});
}
TEST_F(SchedulesTest, MemoryIsGivenBackBesideAWriterThatCrosses) {
  start(BAREFXT_MODE_ONE_SHOT, 2);
  write_earlier(1, kLarge);
  expect_sound({{[] { write(0, kLarge); }, 0}, {give_back_memory, 1}}, judge_memory, {1, 1},
               {2, 1});
}

// ---- Threads ----

barefxt_thread one;
barefxt_thread other;

TEST_F(SchedulesTest, SwitchesTurnedOffInASwitchLeaveNoThread) {
  one = {};
  other = {};
  start(BAREFXT_MODE_CIRCULAR, 3);
  barefxt_thread_register(&one, 1, 1, "one", 1);
  barefxt_thread_register(&other, 1, 2, "other", 1);
  expect_sound({{[] { barefxt_context_switch(&one, BAREFXT_STATE_RUNNABLE, &other); }, 0},
                {[] { barefxt_set_categories(~BAREFXT_CATEGORY_BIT(sched)); }, 0, 0}},
               [] {
                 // One that had its record by then is forgotten by whoever opens the next segment.
                 close_open_segment(ring());
                 require(ring().current.load_relaxed() == &ring().cpu_thread,
                         "a switch leaves its thread to events behind it");
               },
               {2, 0}, {4, 0});
}

#ifdef BAREFXT_POSITION_SEQUENCE_BITS

// An interrupt that crosses until the position is again what it was. Between the crossing's last
// look at the number of the open segment and its swap nothing shows that, so it comes ahead of the
// counter's read, which lies ahead of those.
bool has_read_counter;

TEST_F(SchedulesTest, ACrossingInterruptedUntilThePositionIsTheSame) {
  static PositionWord begin;
  static bool was_the_same;
  start(BAREFXT_MODE_CIRCULAR, 3);
  write_earlier(4, kLarge);
  barefxt_host_counter = [] {
    has_read_counter = true;
    return count_ticks();
  };
  begin = ring().position.load_relaxed();
  has_read_counter = false;
  expect_sound({{[] { write(0, kLarge); }, 0},
                {[] {
                   if (has_read_counter) return;
                   for (unsigned i = 0; i < 4; ++i) write(1, kLarge);
                   was_the_same = ring().position.load_relaxed() == begin;
                   require(was_the_same || ring().segments > 2, "");
                 },
                 0, 0}},
               account, {1, 0}, {1, 0});
}

#endif

}  // namespace
}  // namespace barefxt::test
