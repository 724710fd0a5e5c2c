// A ring without segments in every order of its threads, which are all of one CPU: interrupts, and
// threads that take turns.

#include <barefxt/barefxt.h>
#include <barefxt/kernel_hooks.h>

#include "linear.h"
#include "records_explored.h"
#include "runtime/configuration.h"
#include "runtime/linear_boot.h"

namespace barefxt::test {
namespace {

using linear::Place;

alignas(8) uint8_t memory[2 * kSegmentBytes];
barefxt_config config;
barefxt_thread one;
barefxt_thread other;

Ring& ring() { return rings[0]; }
linear::Entry& first_entry() { return linear::threads.entries[0]; }

class LinearSchedulesTest : public ::testing::Test {
 protected:
  void SetUp() override {
    barefxt_host_counter = count_ticks;
    boot();
    forget_records();
    one = {};
    other = {};
    barefxt_thread_register(&one, 10, 101, "one", 1);
    barefxt_thread_register(&other, 10, 102, "other", 1);
    config = config_of(memory, sizeof memory);
    ASSERT_EQ(barefxt_start(&config), BAREFXT_OK);
  }
  void TearDown() override { barefxt_stop(); }
};

void account() {
  const barefxt_stop_report report = barefxt_stop();
  const PositionWord position = ring().position.load_relaxed();
  uint64_t ticks = 0;
  const unsigned found = read_all(
      SegmentWalker(memory, Place::kFirst, Place::offset_when_closed(position)), ticks, true);
  require(report.unfinished_records == 0, "a record is unfinished");
  require(report.recorded_records == found, "the report counts other records than there are");
  require(found + report.lost_records == attempted(), "a record is neither there nor counted");
}

TEST_F(LinearSchedulesTest, WritersThatTakeTurns) {
  expect_sound(
      {{[] { write(0, kSmall); }}, {[] { write(1, kSmall); }}, {[] { write(2, kSmall); }, 0, 0}},
      account, {3, 0}, {8, 0});
}

TEST_F(LinearSchedulesTest, WritersForTheLastRoom) {
  while (Place::offset(ring().position.load_relaxed()) + 3 * kSmall <= sizeof memory) {
    Reservation reservation;
    ASSERT_TRUE(reserve_slowly(Owner::kCpu, kSmall, reservation));
    reservation.words[1] = reservation.ticks;
    reservation.words[2] = payload_of(31, 2);
    RecordHeaderWord::commit(reservation.words,
                             fxt::RingRecord::make(fxt::RingRecordType::kUnfinished, 3));
  }
  static uint32_t already;
  already = ring().finished.load_relaxed();
  expect_sound({{[] {
                  write(0, kSmall);
                  write(0, kSmall);
                }},
                {[] { write(1, kSmall); }}},
               [] {
                 const barefxt_stop_report report = barefxt_stop();
                 require(report.recorded_records - already + report.lost_records == attempted(),
                         "a record is neither there nor counted");
                 require(Place::offset_when_closed(ring().position.load_relaxed()) <= sizeof memory,
                         "records run past the memory");
               },
               {3, 0}, {8, 0});
}

TEST_F(LinearSchedulesTest, AStopInARecordCountsIt) {
  static barefxt_stop_report report;
  expect_sound({{[] { write(0, kSmall); }}, {[] { report = barefxt_stop(); }, 0, 0}},
               [] {
                 const uint32_t reserved = Place::reserved(ring().position.load_relaxed());
                 require(report.recorded_records + report.unfinished_records == reserved,
                         "a stop counts other records than were reserved");
               },
               {1, 0}, {1, 0});
}

// ---- Names ----

void judge_name() {
  require(first_entry().kind.load_relaxed() != 0, "a rename loses the entry");
  const char* const name = first_entry().name;
  require(std::strcmp(name, "first") == 0 || std::strcmp(name, "second") == 0 ||
              std::strcmp(name, "third") == 0,
          "a name is of two");
}
TEST_F(LinearSchedulesTest, RenamesThatTakeTurnsLeaveAWholeName) {
  expect_sound({{[] { barefxt_thread_rename(&one, "first"); }}, {[] {
                  barefxt_thread_rename(&one, "second");
                  barefxt_thread_rename(&one, "third");
                }}},
               judge_name, {3, 0}, {5, 0});
}

TEST_F(LinearSchedulesTest, ARegistrationInARenameMakesNoSecondEntry) {
  barefxt_object_register(501, BAREFXT_OBJECT_QUEUE, "an");
  static PositionWord taken;
  taken = linear::threads.taken.load_relaxed();
  expect_sound(
      {{[] { barefxt_object_register(501, BAREFXT_OBJECT_QUEUE, "name"); }},
       {[] { barefxt_object_register(501, BAREFXT_OBJECT_QUEUE, "other"); }, 0, 0}},
      [] { require(linear::threads.taken.load_relaxed() == taken, "two entries of a koid"); },
      {2, 0}, {2, 0});
}

// ---- Switches ----

TEST_F(LinearSchedulesTest, SwitchesTurnedOffInASwitchLeaveNoThread) {
  expect_sound({{[] { barefxt_context_switch(&one, BAREFXT_STATE_RUNNABLE, &other); }},
                {[] { barefxt_set_categories(~BAREFXT_CATEGORY_BIT(sched)); }, 0, 0}},
               [] {
                 require(linear::thread_of(ring()) == linear::kCpuThreadReference,
                         "a switch leaves its thread to events behind it");
               },
               {1, 0}, {1, 0});
}
// One of the two calls has the last word, and is obeyed as a whole.
TEST_F(LinearSchedulesTest, CategoriesSetInACallThatSetsThem) {
  expect_sound({{[] { barefxt_set_categories(~0u); }},
                {[] { barefxt_set_categories(~BAREFXT_CATEGORY_BIT(sched)); }, 0, 0}},
               [] {
                 const bool is_off =
                     (barefxt_enabled_categories & BAREFXT_CATEGORY_BIT(sched)) == 0;
                 require(is_off == (ring().hides_threads.load_relaxed() != 0),
                         "events name a thread while switches are off");
               },
               {1, 0}, {1, 0});
}

}  // namespace
}  // namespace barefxt::test
