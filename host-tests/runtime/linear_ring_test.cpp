// A ring without segments, interrupted at every instruction by each operation: no record is torn,
// and every one is there and names the thread that ran.
//
// With the runtime alone: faults in host-tests/faults are compiled into it, and must fail a test
// here.

#include <algorithm>
#include <string>

#include <barefxt/kernel_hooks.h>

#include "configuration.h"
#include "linear_stepping.h"

namespace barefxt::test::linear_ring_test {
namespace {

void expect_registered(uint32_t koid, const char* name) {
  uint32_t found = 0;
  for (const linear::Entry& entry : linear::threads.entries) {
    if (entry.kind.load_relaxed() == 0 || entry.koid != koid) continue;
    ++found;
    EXPECT_EQ(entry.process, 10u);
    EXPECT_STREQ(entry.name, name);
  }
  EXPECT_EQ(found, 1u) << koid;
}

TEST_F(LinearRingTest, WritersInterruptedAnywhereByWritersInOtherThreadsLoseNothing) {
  SKIP_UNLESS_IT_STEPS();
  for (const Writing& writing : kWritings) {
    SCOPED_TRACE(writing.name);
    SetUp();
    start();
    at_every_instruction(writing.write, &write_in_another_thread, [] {
      event_of_0();
      judge_after_one_more();
    });
    barefxt_stop();
  }
}

TEST_F(LinearRingTest, WritersInterruptedAnywhereByAThreadThatIsRegisteredThereLoseNothing) {
  SKIP_UNLESS_IT_STEPS();
  for (const Writing& writing : kWritings) {
    SCOPED_TRACE(writing.name);
    SetUp();
    start();
    at_every_instruction(writing.write, &register_and_write, [] {
      event_of_0();
      judge_after_one_more();
      expect_registered(104, "late");
    });
    barefxt_stop();
  }
}

TEST_F(LinearRingTest, RegistrationsInterruptedAnywhereByRegistrationsTakeAnEntryEach) {
  SKIP_UNLESS_IT_STEPS();
  start();
  at_every_instruction([] { barefxt_thread_register(&later, 10, 105, "seventeen letters", 5); },
                       &register_and_write,
                       [] {
                         switch_threads(a, later);
                         event_of_1();
                         expect_all_in_order();
                         expect_registered(104, "late");
                         expect_registered(105, "seventeen letters");
                         EXPECT_EQ(linear::threads.taken.load_relaxed(), 5u);
                         EXPECT_NE(late.reference, later.reference);
                         EXPECT_EQ(texts_cut.load_relaxed(), 1u);
                       });
}

// Between any two instructions of a registration.
bool dumped_records_are_whole(uint32_t) {
  for (const linear::Entry& entry : linear::threads.entries) {
    if (entry.kind.load_acquire() == 0 || entry.koid < 104) continue;
    EXPECT_EQ(entry.koid, 104u);
    EXPECT_EQ(entry.process, 10u);
    EXPECT_TRUE(std::strcmp(entry.name, "late") == 0 || std::strcmp(entry.name, "later") == 0);
  }
  return !::testing::Test::HasFailure();
}

TEST_F(LinearRingTest, AnEntryIsDumpedWhenItIsWhole) {
  SKIP_UNLESS_IT_STEPS();
  EXPECT_GT(
      step([] { barefxt_thread_register(&late, 10, 104, "late", 4); }, &dumped_records_are_whole),
      20u);
  EXPECT_GT(step([] { barefxt_thread_rename(&late, "later"); }, &dumped_records_are_whole), 20u);
  expect_registered(104, "later");
}

// Names and kinds of the entries that a dump sends.
std::vector<std::string> dumped_names() {
  std::vector<std::string> names;
  for (const linear::Entry& entry : linear::threads.entries)
    if (entry.kind.load_acquire() != 0) names.emplace_back(entry.name);
  return names;
}

TEST_F(LinearRingTest, ARenameInterruptedAnywhereByAnotherLeavesOneWholeName) {
  SKIP_UNLESS_IT_STEPS();
  start();
  static bool is_within;
  at_every_instruction([] { barefxt_thread_rename(&a, "longer than before"); },
                       [] {
                         is_within = linear::threads.entries[0].kind.load_acquire() == 0;
                         barefxt_thread_rename(&a, "other");
                       },
                       [] {
                         const std::vector<std::string> names = dumped_names();
                         EXPECT_EQ(std::count(names.begin(), names.end(), "other") +
                                       std::count_if(names.begin(), names.end(),
                                                     [](const std::string& name) {
                                                       return name.rfind("longer than befo", 0) ==
                                                              0;
                                                     }),
                                   1);
                         // Within the other it is refused, and counted.
                         EXPECT_EQ(barefxt_stop().lost_records, is_within ? 1u : 0u);
                         barefxt_thread_rename(&a, "last");
                         EXPECT_EQ(std::string(linear::threads.entries[0].name), "last");
                         EXPECT_NE(linear::threads.entries[0].kind.load_acquire(), 0u);
                       });
}

// Two threads that take turns do this.
TEST_F(LinearRingTest, OfTwoRenamesInTurnsTheEntryKeepsAWholeName) {
  linear::Entry& entry = linear::threads.entries[0];
  const uint32_t kind = entry.kind.load_relaxed();
  ASSERT_NE(kind, 0u);
  static linear::Entry* renamed;
  renamed = &entry;
  // The first has its turn until it is in the middle of the name, then the second as far as it
  // goes, then the first again.
  at_every_instruction([] { barefxt_thread_rename(&a, "first"); },
                       [] {
                         barefxt_thread_rename(&a, "second");
                         barefxt_thread_rename(&a, "third");
                       },
                       [] {
                         EXPECT_NE(renamed->kind.load_acquire(), 0u);
                         const std::string name = renamed->name;
                         EXPECT_TRUE(name == "first" || name == "second" || name == "third")
                             << name;
                       });
}

TEST_F(LinearRingTest, AnObjectRegisteredAnywhereInItsRenameHasOneEntry) {
  barefxt_object_register(501, BAREFXT_OBJECT_QUEUE, "an");
  static PositionWord taken;
  taken = linear::threads.taken.load_relaxed();
  at_every_instruction([] { barefxt_object_register(501, BAREFXT_OBJECT_QUEUE, "name"); },
                       [] { barefxt_object_register(501, BAREFXT_OBJECT_QUEUE, "other"); },
                       [] { EXPECT_EQ(linear::threads.taken.load_relaxed(), taken); });
}

TEST_F(LinearRingTest, OfTwoRegistrationsForOneEntryOneHasIt) {
  SKIP_UNLESS_IT_STEPS();
  std::vector<barefxt_thread> crowd(BAREFXT_MAX_THREADS - 4);
  for (barefxt_thread& thread : crowd) barefxt_thread_register(&thread, 10, 200, "crowd", 1);
  start();
  at_every_instruction([] { barefxt_thread_register(&later, 10, 105, "later", 5); },
                       [] { barefxt_thread_register(&late, 10, 104, "late", 5); },
                       [] {
                         EXPECT_EQ((late.reference != 0) + (later.reference != 0), 1);
                         if (late.reference != 0)
                           expect_registered(104, "late");
                         else
                           expect_registered(105, "later");
                         EXPECT_EQ(linear::threads.taken.load_relaxed(), BAREFXT_MAX_THREADS);
                       });
}

TEST_F(LinearRingTest, WritersInterruptedAnywhereByAStopWriteNothingAfterItOrFinish) {
  SKIP_UNLESS_IT_STEPS();
  static barefxt_stop_report at_stop;
  static uint32_t before;
  for (const Writing& writing : kWritings) {
    SCOPED_TRACE(writing.name);
    SetUp();
    start();
    before = attempted;
    at_every_instruction(
        writing.write, [] { at_stop = barefxt_stop(); },
        [] {
          event_of_0();
          EXPECT_EQ(barefxt_unfinished(), 0u);
          const barefxt_stop_report report = barefxt_stop();
          EXPECT_EQ(report.recorded_records, at_stop.recorded_records + at_stop.unfinished_records);
          EXPECT_EQ(report.unfinished_records, 0u);
          EXPECT_EQ(report.lost_records, 0u);
          EXPECT_GE(report.recorded_records, before);
          EXPECT_LE(report.recorded_records, before + 1);
          const DumpedRecords dumped = DumpedRecords::of_dump(report);
          dumped.expect_in_order();
          for (const DumpedRecord& record : dumped.records) expect_whole(record);
        });
    barefxt_stop();
  }
}

TEST_F(LinearRingTest, ADumpInTheMiddleOfAWriterLeavesItsRecordOutAndCountsIt) {
  SKIP_UNLESS_IT_STEPS();
  for (const Writing& writing : kWritings) {
    SCOPED_TRACE(writing.name);
    SetUp();
    start();
    at_every_instruction(
        writing.write,
        [] {
          const barefxt_stop_report report = barefxt_stop();
          DumpedRecords dumped;
          torture::FrameReader reader(dumped);
          const barefxt_writer writer = {&torture::FrameReader::write, &reader};
          EXPECT_EQ(barefxt_dump(&writer, BAREFXT_DUMP_BINARY), BAREFXT_OK);
          EXPECT_STREQ(reader.problem(), nullptr);
          const torture::EndTotals& end = reader.totals();
          EXPECT_EQ(end.records, dumped.records.size());
          // A dump sends a record once it is stored, counted or not.
          EXPECT_GE(end.records, report.recorded_records);
          EXPECT_EQ(end.records + end.unfinished,
                    report.recorded_records + report.unfinished_records);
          dumped.expect_in_order();
          for (const DumpedRecord& record : dumped.records) expect_whole(record);
        },
        [] { EXPECT_EQ(barefxt_stop().unfinished_records, 0u); });
    barefxt_stop();
  }
}

// A writer that had passed the test of its category.
bool write_past_the_test() {
  Reservation reservation;
  if (!reserve_slowly(Owner::kCurrent, 16, reservation)) return false;
  reservation.words[1] = reservation.ticks;
  RecordHeaderWord::commit(
      reservation.words,
      fxt::Event::make(fxt::EventType::kInstant, 2, 0, {}, fxt::StringRef::empty(),
                       fxt::StringRef{static_cast<uint16_t>(BAREFXT_STRING("none"))}) |
          reservation.owner_reference);
  return true;
}

TEST_F(LinearRingTest, AStopInterruptedAnywhereByAWriterForgetsNothing) {
  SKIP_UNLESS_IT_STEPS();
  start();
  at_every_instruction([] { barefxt_stop(); },
                       [] {
                         if (write_past_the_test()) attempt(16);
                       },
                       [] {
                         EXPECT_FALSE(write_past_the_test());
                         expect_all_in_order();
                       });
}

TEST_F(LinearRingTest, AStopInterruptedAnywhereByAStopIsOneStop) {
  SKIP_UNLESS_IT_STEPS();
  now = 0x1'ffff'0000;
  start();
  // Neither half of the stop's time is one of a record's.
  now = 0x2'0000'0000;
  static uint64_t first;
  at_every_instruction([] { barefxt_stop(); },
                       [] {
                         const barefxt_stop_report report = barefxt_stop();
                         EXPECT_EQ(report.recorded_records, 1u);
                         first = DumpedRecords::of_dump(report).end.stop_ticks;
                         EXPECT_GT(first, 0x2'0000'0000);
                         EXPECT_LE(first, now);
                       },
                       [] {
                         const uint64_t last = account().end.stop_ticks;
                         // Unless the first dump came before it was known.
                         EXPECT_GT(last, 0x2'0000'0000);
                         EXPECT_LE(last, now);
                         now += 1000;
                         EXPECT_EQ(account().end.stop_ticks, last);
                       });
}

TEST_F(LinearRingTest, CategoriesSetWhileAStopInterruptsStayOff) {
  SKIP_UNLESS_IT_STEPS();
  start();
  at_every_instruction([] { barefxt_set_categories(~0u); }, [] { barefxt_stop(); },
                       [] { EXPECT_EQ(barefxt_enabled_categories, 0u); });
}

TEST_F(LinearRingTest, AStartInterruptedAnywhereByAWriterRecordsItOrNothing) {
  SKIP_UNLESS_IT_STEPS();
  memory.assign(kSegmentBytes / sizeof(uint64_t), ~uint64_t{0});
  static barefxt_config config;
  config = config_of(memory.data(), kSegmentBytes);
  at_every_instruction([] { barefxt_start(&config); },
                       [] {
                         if (barefxt_enabled_categories != 0)
                           write_in_another_thread();
                         else if (write_past_the_test())
                           attempt(16);
                       },
                       [] {
                         switch_threads(b, a);
                         event_of_0();
                         expect_all_in_order();
                       },
                       // A sample of the many instructions that clear the memory will do.
                       [] {
                         static uint32_t turn;
                         return memory.front() != 0 || memory.back() == 0 || ++turn % 100 == 0;
                       });
}

TEST_F(LinearRingTest, AStopInterruptedAnywhereByWhoEnablesCategoriesLeavesThemOff) {
  SKIP_UNLESS_IT_STEPS();
  start();
  at_every_instruction([] { barefxt_stop(); }, [] { barefxt_set_categories(~0u); },
                       [] { EXPECT_EQ(barefxt_enabled_categories, 0u); });
}

// Ahead of its record it names the thread that leaves, behind it the one that comes in, which is
// known a few instructions later.
TEST_F(LinearRingTest, AnEventThatInterruptsASwitchBelongsToOneOfItsThreads) {
  SKIP_UNLESS_IT_STEPS();
  start();
  at_every_instruction([] { switch_threads(a, b); }, &event_of_1,
                       [] {
                         const DumpedRecords dumped = account();
                         EXPECT_EQ(dumped.end.lost, 0u);
                         ASSERT_EQ(dumped.records.size(), 3u);
                         const bool is_ahead = dumped.records[2].is_switch();
                         const DumpedRecord& event = dumped.records[is_ahead ? 1 : 2];
                         EXPECT_FALSE(event.is_switch());
                         EXPECT_TRUE(event.thread() == 1 || (!is_ahead && event.thread() == 2));
                       });
}

constexpr uint32_t kWithoutSwitches = ~BAREFXT_CATEGORY_BIT(sched);
// The threads that events name, in their order.
std::vector<uint32_t> threads_of_events(const DumpedRecords& dumped) {
  std::vector<uint32_t> threads;
  for (const DumpedRecord& record : dumped.records)
    if (!record.is_switch()) threads.push_back(record.thread());
  return threads;
}

TEST_F(LinearRingTest, ASwitchInterruptedAnywhereByWhoTurnsSwitchesOffLeavesNoThreadToEvents) {
  SKIP_UNLESS_IT_STEPS();
  start();
  at_every_instruction([] { switch_threads(a, b); },
                       [] { barefxt_set_categories(kWithoutSwitches); },
                       [] {
                         event_of_0();
                         event_with_text();
                         // Nor is somebody remembered when they are turned on again.
                         barefxt_set_categories(~0u);
                         event_of_1();
                         switch_threads(a, c);
                         event_of_3();
                         constexpr uint32_t kCpu = linear::kCpuThreadIndex;
                         const barefxt_stop_report report = barefxt_stop();
                         EXPECT_EQ(report.lost_records, 0u);
                         EXPECT_EQ(threads_of_events(DumpedRecords::of_dump(report)),
                                   (std::vector<uint32_t>{kCpu, kCpu, kCpu, 3}));
                       });
}

TEST_F(LinearRingTest, CategoriesThatAreSetAnywhereInACallThatSetsThemDecideWhoseEventsAre) {
  SKIP_UNLESS_IT_STEPS();
  // The call that is interrupted ahead of its store has the last word.
  const auto judge = [] {
    switch_threads(a, b);
    event_of_0();
    const bool are_on = BAREFXT_ENABLED(sched);
    EXPECT_EQ(threads_of_events(DumpedRecords::of_dump(barefxt_stop())).back(),
              are_on ? 2u : linear::kCpuThreadIndex);
  };
  start();
  at_every_instruction([] { barefxt_set_categories(kWithoutSwitches); },
                       [] { barefxt_set_categories(~0u); }, judge);
  barefxt_stop();
  SetUp();
  start();
  at_every_instruction([] { barefxt_set_categories(~0u); },
                       [] { barefxt_set_categories(kWithoutSwitches); }, judge);
}

}  // namespace
}  // namespace barefxt::test::linear_ring_test
