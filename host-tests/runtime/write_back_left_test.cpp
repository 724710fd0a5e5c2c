// Segments that a writer leaves while it interrupts a record of another, with `clean_caches`: a
// reset that loses the caches costs that record at most.
//
// The record is interrupted ahead of each access of a word that others change, and of each
// write-back; or right behind its reservation.

#include <algorithm>
#include <gtest/gtest.h>
#include <set>
#include <unistd.h>

#include <barefxt/ring.h>

#include "cache_model.h"
#include "machine.h"
#include "rebuild/rebuild_harness.h"

extern "C" uint8_t barefxt_retained_start[];

namespace barefxt::test::write_back_left_test {
namespace {

BAREFXT_CATEGORY(work, 3);

constexpr uint32_t kSegments = 5;
constexpr uint32_t kLate = 100'000;  // the number of the record that is interrupted
constexpr size_t kLineBytes = 32;
constexpr uint32_t kEventsOfSegment = 9;

constexpr unsigned kWasInterrupted = 0;  // a word that a boot shares with the test
Machine* machine;

// These belong to the boot that runs.
CacheModel* cache;
uint32_t accesses_left;  // until others come in; 0: they do not
void (*come_in)();
bool does_reset_within;
barefxt_thread main_thread;
uint32_t written;

void write_event(uint32_t i) {
  BAREFXT_EVENT(work, BAREFXT_EVENT_INSTANT, &main_thread, BAREFXT_TEXT("n"), 0,
                BAREFXT_ARG_U32("i", i), BAREFXT_ARG_U32("check", ~i), BAREFXT_ARG_U64("more", i));
}

const SegmentHeader& open_segment() {
  return rings[0].open_segment(rings[0].position.load_relaxed());
}

// Fewer if the ring is full.
void write_segments(unsigned count) {
  for (uint32_t left = count * kEventsOfSegment; count != 0 && left != 0; --left) {
    const uint32_t open = open_segment().sequence;
    write_event(written++);
    if (open_segment().sequence != open) --count;
  }
}

void write_less_than_all_segments() { write_segments(1); }
void write_all_segments_twice() { write_segments(2 * kSegments); }
void send_what_can_be_sent() {
  static uint8_t buffer[BAREFXT_DRAIN_BYTES];
  write_segments(2);
  for (int i = 0; i < 40; ++i) barefxt_drain(buffer, sizeof buffer, BAREFXT_DUMP_BINARY);
  write_segments(2);
}

// All that is finished in a segment, but for the late one.
void report_what_is_finished(const SegmentHeader& segment) {
  SegmentWalker walker(segment);
  SegmentWalker::Record record;
  while (walker.next(record)) {
    constexpr unsigned kEvent = 4;
    if (!record.finished || (*record.words & 0xf) != kEvent) continue;
    const uint64_t i = record.words[2] >> 32;
    if (i != kLate) machine->report(i);
  }
}

// That of segments that were left.
void report_what_must_be_found() {
  for (uint32_t slot = 0; slot < rings[0].segments; ++slot) {
    const SegmentHeader& segment = rings[0].segment(slot);
    const SegmentState state = state_of(segment);
    // The drain has sent those that are held.
    if (!holds_records(state) || is_held(state) || &segment == &open_segment()) continue;
    report_what_is_finished(segment);
  }
}

// The others.
void interrupt() {
  machine->shared(kWasInterrupted) = 1;
  come_in();
  if (!does_reset_within) return;
  report_what_must_be_found();
  ::_exit(0);
}

void pass() {
  if (accesses_left != 0 && --accesses_left == 0) interrupt();
}

constexpr uint32_t kEventWords = 6;
constexpr uint32_t kEventBytes = kEventWords * fxt::kWordBytes;

// Finishes a reserved event, whose words are those of the latest one but for its content.
void finish(Reservation& reservation, const fxt::Word* like, uint32_t i) {
  RecordHeaderWord::place(reservation.words, kEventBytes);
  reservation.words[1] = reservation.ticks;
  reservation.words[2] = (like[2] & 0xffffffff) | fxt::Word{i} << 32;
  reservation.words[3] = (like[3] & 0xffffffff) | fxt::Word{~i} << 32;
  reservation.words[4] = like[4];
  reservation.words[5] = i;
  reservation.commit(like[0]);
}
// Returns the latest event, if nothing else was recorded since.
const fxt::Word* latest_event() {
  return reinterpret_cast<const fxt::Word*>(rings[0].memory +
                                            Position::offset(rings[0].position.load_relaxed())) -
         kEventWords;
}

// As write_event, interrupted before its first word is stored, or its second. In the end its cache
// writes back one line of it alone, the first or the last.
bool is_bare;
bool keeps_first_line;
void write_in_steps(uint32_t i) {
  fxt::Word like[kEventWords];
  std::copy_n(latest_event(), kEventWords, like);
  Reservation reservation;
  ASSERT_TRUE(reserve_slowly(Owner::kNobody, kEventBytes, reservation));
  if (is_bare) *reservation.words = 0;
  interrupt();
  finish(reservation, like, i);
  cache->clean(keeps_first_line ? reservation.words : reservation.words + kEventWords - 1, 1);
}

// More events side by side than a segment may have gaps. The first of them is finished late, and
// written back.
void write_side_by_side(uint32_t i) {
  constexpr unsigned kEvents = 5;
  fxt::Word like[kEventWords];
  std::copy_n(latest_event(), kEventWords, like);
  Reservation reservations[kEvents];
  for (Reservation& each : reservations)
    ASSERT_TRUE(reserve_slowly(Owner::kNobody, kEventBytes, each));
  write_segments(1);
  finish(reservations[0], like, i);
  write_segments(1);
  machine->report(i);
  cache->clean(reservations[0].words, kEvents * kEventBytes);
}

// Two records that are never finished hold their segments, so the next segment of the second is the
// slot after the next. It is overwritten.
void write_with_a_held_segment_between(uint32_t) {
  Reservation unfinished;
  ASSERT_TRUE(reserve_slowly(Owner::kNobody, kEventBytes, unfinished));
  write_segments(kSegments - 1);
  write_event(written++);
  ASSERT_TRUE(reserve_slowly(Owner::kNobody, kEventBytes, unfinished));
  const SegmentHeader& left = open_segment();
  const uint32_t sequence = left.sequence;
  write_segments(2 * kSegments);
  ASSERT_EQ(left.sequence, sequence);
  report_what_is_finished(left);
}

class WriteBackLeftTest : public ::testing::Test {
 protected:
  // Behind `ahead` events one is interrupted, at an access. Returns false if it was over by then.
  bool lose_the_caches(barefxt_mode mode, uint32_t ahead, uint32_t at, void (*others)(),
                       bool within, void (*write_late)(uint32_t) = &write_event) {
    std::mt19937_64 random(1);
    CacheModel model(kLineBytes);
    model.add(machine_.retained_pages(), barefxt_retained_start, Machine::retained_bytes());
    model.add(machine_.ring_memory(0), machine_.ring_memory(0), Machine::kRingBytes / 2);
    model.fill(random);
    machine_.reported();
    machine_.shared(kWasInterrupted) = 0;
    machine_.boot([&] {
      enter(model);
      barefxt_config config = machine_.config(0, mode);
      config.cpus = 1;
      config.bytes = kSegments * size_t{BAREFXT_SEGMENT_BYTES};
      config.clean_caches = true;
      barefxt_process_register(1, "process");
      barefxt_thread_register(&main_thread, 1, 2, "main", 1);
      if (barefxt_start(&config) != BAREFXT_OK) ::_exit(1);
      while (written < ahead) write_event(written++);
      come_in = others;
      does_reset_within = within;
      accesses_left = at;
      write_late(kLate);
      accesses_left = 0;
      report_what_must_be_found();
    });
    const std::vector<uint64_t> expected = machine_.reported();
    const std::set<uint64_t> found = recover(model);
    for (const uint64_t i : expected)
      EXPECT_EQ(found.count(i), 1u) << i << " is lost, " << ahead << " ahead, access " << at;
    return machine_.shared(kWasInterrupted) != 0;
  }

  void interrupt_at_each_access(barefxt_mode mode, void (*others)(), uint32_t full_segments = 0) {
    machine = &machine_;
    const uint32_t first = full_segments * kEventsOfSegment;
    for (const bool within : {false, true})
      for (uint32_t ahead = first; ahead <= first + kEventsOfSegment; ++ahead) {
        uint32_t at = 1;
        while (lose_the_caches(mode, ahead, at, others, within) && !HasFailure()) ++at;
        EXPECT_GT(at, 3u);
      }
  }

  // Each boot is a process of its own: it begins with the variables as the test has them.
  static void enter(CacheModel& model) {
    model.reset();
    cache = &model;
    barefxt_host_counter = [] {
      static uint64_t ticks = 0;
      return ++ticks;
    };
    barefxt_host_clean_cache = [](const void* start, size_t bytes) {
      pass();
      cache->clean(start, bytes);
    };
  }

  std::set<uint64_t> recover(CacheModel& model) {
    machine_.sent();
    EXPECT_TRUE(machine_.boot([&] {
      enter(model);
      barefxt_recover();
      const barefxt_writer line = machine_.line();
      barefxt_recovered_dump(&line, BAREFXT_DUMP_BINARY);
    }));
    std::set<uint64_t> events;
    const std::vector<uint8_t> sent = machine_.sent();
    if (sent.empty()) return events;
    const PlainArchive archive = decode_plainly(rebuild(sent).archive);
    EXPECT_TRUE(archive.problems.empty()) << archive.problem_text();
    for (const PlainRecord& event : archive.events("n")) {
      const auto i = static_cast<uint32_t>(event.argument("i")->bits);
      EXPECT_EQ(event.argument("check")->bits, ~i) << "torn";
      EXPECT_EQ(event.argument("more")->bits, i) << "torn";
      EXPECT_TRUE(events.insert(i).second) << i << " is there twice";
    }
    return events;
  }

  Machine machine_;
};

TEST_F(WriteBackLeftTest, KeepsAllButTheRecordThatWasInterrupted) {
  interrupt_at_each_access(BAREFXT_MODE_CIRCULAR, &write_less_than_all_segments);
}

TEST_F(WriteBackLeftTest, KeepsThemWhenTheNextSegmentWasOverwritten) {
  interrupt_at_each_access(BAREFXT_MODE_CIRCULAR, &write_all_segments_twice);
}

TEST_F(WriteBackLeftTest, KeepsThemWhenTheNextSegmentWasSent) {
  interrupt_at_each_access(BAREFXT_MODE_STREAMING, &send_what_can_be_sent);
}

TEST_F(WriteBackLeftTest, KeepsThemWhenAFullRingIsOpenedAgain) {
  interrupt_at_each_access(BAREFXT_MODE_STREAMING, &send_what_can_be_sent, kSegments - 1);
}

TEST_F(WriteBackLeftTest, LeavesOutTheRecordThatMayBeTorn) {
  machine = &machine_;
  for (const bool bare : {false, true})
    for (const bool first_line : {false, true})
      for (uint32_t ahead = 1; ahead < kEventsOfSegment; ++ahead) {
        is_bare = bare;
        keeps_first_line = first_line;
        lose_the_caches(BAREFXT_MODE_CIRCULAR, ahead, 0, &write_less_than_all_segments, false,
                        &write_in_steps);
      }
}

TEST_F(WriteBackLeftTest, KeepsOneOfSeveralSideBySideThatIsFinishedLate) {
  machine = &machine_;
  for (uint32_t ahead = 1; ahead <= 3; ++ahead)
    lose_the_caches(BAREFXT_MODE_CIRCULAR, ahead, 0, nullptr, false, &write_side_by_side);
}

TEST_F(WriteBackLeftTest, KeepsThemWhereAHeldSegmentLiesBetween) {
  machine = &machine_;
  for (uint32_t ahead = 1; ahead <= 3; ++ahead)
    lose_the_caches(BAREFXT_MODE_CIRCULAR, ahead, 0, nullptr, false,
                    &write_with_a_held_segment_between);
}

}  // namespace
}  // namespace barefxt::test::write_back_left_test

extern "C" void barefxt_at_access(void) { barefxt::test::write_back_left_test::pass(); }
