// Threads, their names, and the threads of records.

#include "session_fixture.h"

namespace barefxt::test::threads_test {
namespace {

BAREFXT_CATEGORY(work, 3);

constexpr int kSwitch = 8;

using ThreadsTest = TwoThreadsTest;

TEST_F(ThreadsTest, ASwitchNamesBothThreadsStateAndPriorities) {
  start();
  run_on_cpu(2);
  barefxt_context_switch(&a_, BAREFXT_STATE_BLOCKED, &b_);
  barefxt_thread_set_priority(&b_, 200);
  barefxt_context_switch(&b_, BAREFXT_STATE_RUNNABLE, &a_);
  run_on_cpu(0);
  const PlainArchive archive = stop_and_read();
  const auto switches = archive.of_type(kSwitch);
  ASSERT_EQ(switches.size(), 2u);
  EXPECT_EQ(switches[0].cpu, 2u);
  EXPECT_EQ(switches[0].thread, 101u);
  EXPECT_EQ(switches[0].process, 10u);
  EXPECT_EQ(switches[0].other_thread, 102u);
  EXPECT_EQ(switches[1].thread, 102u);
  EXPECT_EQ(switches[1].other_thread, 101u);
  EXPECT_LT(switches[0].timestamp, switches[1].timestamp);
  EXPECT_EQ(name_of(archive, 101), "alpha");
  EXPECT_EQ(name_of(archive, 102), "beta");
  EXPECT_EQ(name_of(archive, 10), "proc");
}

TEST_F(ThreadsTest, EventsBelongToTheThreadThatTheLastSwitchBroughtIn) {
  start();
  BAREFXT_INSTANT(work, "before any switch");
  barefxt_context_switch(&a_, BAREFXT_STATE_BLOCKED, &b_);
  BAREFXT_INSTANT(work, "in beta");
  run_on_cpu(1);
  BAREFXT_INSTANT(work, "on another CPU");
  run_on_cpu(0);
  const PlainArchive archive = stop_and_read();
  EXPECT_EQ(archive.events("before any switch").at(0).thread, 0x7f000000u);
  EXPECT_EQ(archive.events("in beta").at(0).thread, 102u);
  EXPECT_EQ(archive.events("on another CPU").at(0).thread, 0x7f000001u);
  EXPECT_EQ(name_of(archive, 0x7f000001u), "cpu-1");
}

TEST_F(ThreadsTest, WithoutSwitchesEventsBelongToTheCpuRatherThanToAStaleThread) {
  start();
  barefxt_context_switch(&a_, BAREFXT_STATE_BLOCKED, &b_);
  barefxt_set_categories(BAREFXT_CATEGORY_BIT(work));
  barefxt_context_switch(&b_, BAREFXT_STATE_BLOCKED, &a_);
  BAREFXT_INSTANT(work, "whose");
  EXPECT_EQ(stop_and_read().events("whose").at(0).thread, 0x7f000000u);
}

TEST_F(ThreadsTest, InterruptsAreDrawnOnThePseudoThreadOfTheirCpu) {
  start();
  run_on_cpu(3);
  barefxt_context_switch(&a_, BAREFXT_STATE_BLOCKED, &b_);
  BAREFXT_IRQ_ENTER("timer", BAREFXT_ARG_U32("irq", 27));
  BAREFXT_IRQ_EXIT("timer");
  run_on_cpu(0);
  const PlainArchive archive = stop_and_read();
  const auto events = archive.events("timer");
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].subtype, 2u);
  EXPECT_EQ(events[1].subtype, 3u);
  for (const PlainRecord& event : events) {
    EXPECT_EQ(event.thread, 0x7f000003u);
    EXPECT_EQ(event.category, "irq");
  }
}

TEST_F(ThreadsTest, AWakeupNamesItsThread) {
  start();
  barefxt_thread_wakeup(&b_);
  const auto records = stop_and_read().of_type(kSwitch);
  ASSERT_EQ(records.size(), 1u);
  EXPECT_EQ(records[0].subtype, 2u);
  EXPECT_EQ(records[0].thread, 102u);
}

TEST_F(ThreadsTest, MoreThreadsThanTheTableHoldsAreWrittenInlineWithTheirNames) {
  start(64);
  std::vector<barefxt_thread> threads(400);
  for (size_t i = 0; i < threads.size(); ++i) {
    const std::string name = "worker-" + std::to_string(i);
    barefxt_thread_register(&threads[i], 10, 1000 + static_cast<uint32_t>(i), name.c_str(), 1);
    barefxt_context_switch(&a_, BAREFXT_STATE_BLOCKED, &threads[i]);
    BAREFXT_INSTANT(work, "ran", BAREFXT_ARG_U32("n", static_cast<uint32_t>(i)));
    barefxt_context_switch(&threads[i], BAREFXT_STATE_DEAD, &a_);
    barefxt_thread_unregister(&threads[i]);
  }
  const PlainArchive archive = stop_and_read();
  const auto switches = archive.of_type(kSwitch);
  const auto events = archive.events("ran");
  ASSERT_EQ(switches.size(), 2 * threads.size());
  ASSERT_EQ(events.size(), threads.size());
  for (size_t i = 0; i < threads.size(); ++i) {
    EXPECT_EQ(switches[2 * i].other_thread, 1000 + i);
    EXPECT_EQ(switches[2 * i + 1].thread, 1000 + i);
    EXPECT_EQ(events[i].thread, 1000 + i);
    EXPECT_EQ(events[i].process, 10u);
    EXPECT_EQ(name_of(archive, 1000 + i), "worker-" + std::to_string(i));
  }
}

TEST_F(ThreadsTest, AnEntryIsUsedAgainOnlyWhenNoRecordCanNameIt) {
  start();
  barefxt_thread first = {};
  barefxt_thread_register(&first, 10, 201, "first", 1);
  barefxt_context_switch(&a_, BAREFXT_STATE_BLOCKED, &first);
  const uint32_t reference = first.reference;
  barefxt_thread_unregister(&first);
  barefxt_thread second = {};
  barefxt_thread_register(&second, 10, 202, "second", 1);
  EXPECT_NE(reference, second.reference);
  const PlainArchive archive = stop_and_read();
  EXPECT_EQ(archive.of_type(kSwitch).at(0).other_thread, 201u);
  EXPECT_EQ(name_of(archive, 201), "first");

  start();  // clears the rings
  barefxt_thread third = {};
  barefxt_thread_register(&third, 10, 203, "third", 1);
  EXPECT_EQ(third.reference, reference);
  barefxt_context_switch(&a_, BAREFXT_STATE_BLOCKED, &third);
  const PlainArchive again = stop_and_read();
  EXPECT_EQ(again.of_type(kSwitch).at(0).other_thread, 203u);
  EXPECT_EQ(name_of(again, 203), "third");
  barefxt_thread_unregister(&second);
  barefxt_thread_unregister(&third);
}

TEST_F(ThreadsTest, AThreadThatIsGoneIsNeverTakenForTheOneThatHasItsEntryNow) {
  barefxt_thread gone = {};
  barefxt_thread_register(&gone, 10, 211, "gone", 1);
  barefxt_thread_unregister(&gone);
  start();
  barefxt_thread next = {};
  barefxt_thread_register(&next, 10, 212, "next", 1);
  barefxt_context_switch(&gone, BAREFXT_STATE_DEAD, &next);
  barefxt_thread_unregister(&gone);  // once too often: no harm to the other
  const PlainArchive archive = stop_and_read();
  EXPECT_EQ(archive.of_type(kSwitch).at(0).thread, 211u);
  EXPECT_EQ(archive.of_type(kSwitch).at(0).other_thread, 212u);
  EXPECT_EQ(name_of(archive, 212), "next");
  barefxt_thread_unregister(&next);
}

TEST_F(ThreadsTest, AThreadThatIsRegisteredWhileARecordNamesItDoesNotTearTheRecord) {
  static barefxt_thread late;
  const auto before_it_is_registered = [] {
    late = {0, 0, 231, 10};
    interrupt_next_reservation([] { barefxt_thread_register(&late, 10, 231, "late", 1); });
  };
  start();
  before_it_is_registered();
  BAREFXT_EVENT(work, BAREFXT_EVENT_INSTANT, &late, BAREFXT_TEXT("event"), 0,
                BAREFXT_ARG_U32("n", 7));
  barefxt_thread_unregister(&late);
  before_it_is_registered();
  barefxt_context_switch(&late, BAREFXT_STATE_BLOCKED, &a_);
  const PlainArchive archive = stop_and_read();
  EXPECT_EQ(archive.events("event").at(0).thread, 231u);
  EXPECT_EQ(archive.events("event").at(0).argument("n")->bits, 7u);
  EXPECT_EQ(archive.of_type(kSwitch).at(0).thread, 231u);
  EXPECT_EQ(archive.of_type(kSwitch).at(0).other_thread, 101u);
  barefxt_thread_unregister(&late);
}

TEST_F(ThreadsTest, AThreadThatIsRegisteredOrEndsWhileItRunsIsTheOneThatRuns) {
  barefxt_thread running = {0, 0, 241, 10};
  start();
  barefxt_context_switch(&a_, BAREFXT_STATE_BLOCKED, &running);
  BAREFXT_INSTANT(work, "event");
  barefxt_thread_register(&running, 10, 241, "running", 1);
  BAREFXT_INSTANT(work, "event");
  barefxt_context_switch(&running, BAREFXT_STATE_BLOCKED, &a_);
  barefxt_context_switch(&a_, BAREFXT_STATE_BLOCKED, &running);
  barefxt_thread_unregister(&running);
  BAREFXT_INSTANT(work, "event");
  barefxt_thread next = {};
  barefxt_thread_register(&next, 10, 242, "next", 1);
  BAREFXT_INSTANT(work, "event");
  const PlainArchive archive = stop_and_read();
  ASSERT_EQ(archive.events("event").size(), 4u);
  for (const auto& event : archive.events("event")) EXPECT_EQ(event.thread, 241u);
  barefxt_thread_unregister(&next);
}

// While the dump's line keeps it waiting, anyone may rename: at every call of its writer, one after
// the other, at which a frame of threads is half sent.
TEST_F(ThreadsTest, AThreadThatIsRenamedWhileADumpIsSentHasOneNameOrTheOther) {
  struct Line {
    barefxt_thread* thread;
    std::vector<uint8_t> bytes;
    size_t calls = 0;
    size_t rename_at = 0;
    const char* name = nullptr;
  };
  const auto write = [](void* context, const uint8_t* bytes, size_t count) {
    auto& line = *static_cast<Line*>(context);
    line.bytes.insert(line.bytes.end(), bytes, bytes + count);
    if (line.calls++ == line.rename_at) barefxt_thread_rename(line.thread, line.name);
  };
  start();
  barefxt_context_switch(&a_, BAREFXT_STATE_BLOCKED, &b_);
  barefxt_stop();
  for (const barefxt_dump_form form : {BAREFXT_DUMP_BINARY, BAREFXT_DUMP_TEXT}) {
    size_t calls = 1;
    for (size_t at = 0; at < calls; ++at) {
      const bool grows = at % 2 == 0;
      const std::string before = grows ? "an" : "a name of 16 byt";
      const std::string after = grows ? "a name of 16 byt" : "an";
      barefxt_thread_rename(&a_, before.c_str());
      Line line = {&a_, {}, 0, at, after.c_str()};
      const barefxt_writer writer = {write, &line};
      ASSERT_EQ(barefxt_dump(&writer, form), BAREFXT_OK);
      calls = line.calls;
      const PlainArchive archive = read(line.bytes);
      const std::string name = name_of(archive, 101);
      ASSERT_TRUE(name == before || name == after) << name << ", renamed in call " << at;
      ASSERT_EQ(name_of(archive, 102), "beta") << "renamed in call " << at;
    }
    EXPECT_GT(calls, 10u);
  }
}

TEST_F(ThreadsTest, ALongNameIsCutAtACharactersBoundary) {
  barefxt_thread thread = {};
  barefxt_thread_register(&thread, 10, 301, "fifteen letters\xc3\xa9", 1);
  start();
  const PlainArchive archive = stop_and_read();
  EXPECT_EQ(name_of(archive, 301), "fifteen letters");
  barefxt_thread_unregister(&thread);
}

}  // namespace
}  // namespace barefxt::test::threads_test
