// Zephyr's hooks, called by a stand-in for the kernel, in the orders of the real one.

#include "../samples.h"
#include "../stack_use.h"
#include "../states_page.h"
#include "stand_in.h"

extern "C" void barefxt_zephyr_sample(barefxt_interrupted at);

namespace barefxt::test::zephyr_test {
namespace {

using Texts = std::vector<std::string>;

class ZephyrTest : public StatesPageTest {
 protected:
  void SetUp() override {
    StatesPageTest::SetUp();
    a = stand_in_create("a", 5);
    b = stand_in_create("b", 5);
    stand_in_boot(a);
  }
  void TearDown() override {
    SessionTest::TearDown();
    for (const uint32_t cpu : {1u, 0u}) {
      run_on_cpu(cpu);
      stand_in_idle();
    }
    stand_in_reset();
  }
  static void preempt(stand_in_thread* to) { stand_in_switch(STAND_IN_READY, 0, to); }
  void leave_and_come_back(stand_in_leaves how, unsigned object, bool failed = false) {
    stand_in_switch(how, object, b);
    stand_in_ready(a);
    preempt(a);
    stand_in_return(how, object, failed);
  }
  stand_in_thread* a = nullptr;
  stand_in_thread* b = nullptr;
};

TEST_F(ZephyrTest, AThreadLeavesInTheStateThatTheKernelGaveIt) {
  start();
  for (const stand_in_leaves how :
       {STAND_IN_READY, STAND_IN_SLEEPS, STAND_IN_MUTEX, STAND_IN_SUSPENDED})
    leave_and_come_back(how, 0);
  stand_in_end(b);
  EXPECT_EQ(switches(stop_and_read()),
            (Texts{"a (0) -> b", "b (0) -> a", "a (3) -> b", "b (0) -> a", "a (3) -> b",
                   "b (0) -> a", "a (2) -> b", "b (0) -> a", "a (4) -> b"}));
}

TEST_F(ZephyrTest, AThreadThatIsStoredBehindTheEndOfSwitchesIsForgottenWhenItLeaves) {
  start();
  preempt(b);
  expect_no_late_thread([&] { preempt(a); });
}

TEST_F(ZephyrTest, CallsLeaveTheStatesOfThePage) {
  const auto leaves = [&](stand_in_leaves how) {
    return [this, how] {
      leave_and_come_back(how, 0);
      preempt(b);
    };
  };
  preempt(b);
  expect_states(
      "Zephyr", [&] { a = stand_in_create("a", 5); }, [&] { preempt(a); },
      {{"k_yield, or preempted", [&] { preempt(b); }},
       {"k_sleep, k_msleep", leaves(STAND_IN_SLEEPS)},
       {"k_sem_take", leaves(STAND_IN_SEMAPHORE)},
       {"k_mutex_lock", leaves(STAND_IN_MUTEX)},
       {"k_msgq_get", leaves(STAND_IN_QUEUE_EMPTY)},
       {"k_msgq_put", leaves(STAND_IN_QUEUE_FULL)},
       {"k_event_wait", leaves(STAND_IN_EVENT)},
       {"k_condvar_wait", leaves(STAND_IN_CONDITION)},
       {"k_mem_slab_alloc, k_mbox_get, k_mbox_put, k_thread_join", leaves(STAND_IN_JOIN)},
       {"k_thread_suspend of itself, k_sleep with K_FOREVER", leaves(STAND_IN_SUSPENDED)},
       {"k_thread_priority_set of a ready thread, inheritance",
        [&] {
          preempt(b);
          stand_in_set_priority(a, 3);
        }},
       {"return of the entry function, k_thread_abort of itself", [&] { stand_in_end(b); }}});
}

TEST_F(ZephyrTest, SameThreadPairsAreNoSwitchesAndMissingHalvesAreMadeUp) {
  start();
  preempt(a);
  stand_in_switch_out();
  stand_in_switch_out();
  stand_in_switch_in(a);
  stand_in_switch_in(b);  // `a` was not switched out
  stand_in_switch_in(a);
  EXPECT_EQ(switches(stop_and_read()), (Texts{"a (0) -> b", "b (0) -> a"}));
}

TEST_F(ZephyrTest, EachCpuHasItsOwnHalvesAndItsOwnIdleThreadAndADummyIsNoThread) {
  stand_in_thread* const idle[] = {stand_in_create("idle 00", 15), stand_in_create("idle 01", 15)};
  run_on_cpu(1);
  stand_in_boot(nullptr);
  start();
  preempt(b);
  preempt(idle[1]);
  run_on_cpu(0);
  stand_in_switch(STAND_IN_SLEEPS, 0, idle[0]);
  run_on_cpu(1);
  stand_in_ready(a);
  preempt(a);
  const PlainArchive archive = stop_and_read();
  EXPECT_EQ(switches(archive),
            (Texts{"cpu-1 (3) -> b", "b (0) -> idle/1", "a (3) -> idle/0", "idle/1 (0) -> a"}));
  EXPECT_EQ(archive.of_type(kSwitch).at(1).other_process, 0u);
}

TEST_F(ZephyrTest, TheKernelsHighestPriorityIsTheHighestShown) {
  stand_in_thread* const cooperative = stand_in_create("cooperative", -16);
  stand_in_thread* const low = stand_in_create("low", 14);
  start();
  preempt(cooperative);
  preempt(low);
  stand_in_set_priority(low, 2);
  preempt(cooperative);
  preempt(low);
  const PlainArchive archive = stop_and_read();
  const auto records = archive.of_type(kSwitch);
  ASSERT_EQ(records.size(), 4u);
  EXPECT_EQ(records[0].numbers, (std::vector<uint64_t>{0, 10, 31}));
  EXPECT_EQ(records[1].numbers, (std::vector<uint64_t>{0, 31, 1}));
  EXPECT_EQ(records[3].numbers, (std::vector<uint64_t>{0, 31, 13}));
  EXPECT_EQ(archive.events("priority changed").size(), 1u);
}

TEST_F(ZephyrTest, NamesComeLate) {
  start();
  stand_in_thread* const c = stand_in_create("", 5);
  preempt(c);
  preempt(a);
  stand_in_set_name(b, "worker-7");
  preempt(b);
  const PlainArchive archive = stop_and_read();
  EXPECT_EQ(switches(archive),
            (Texts{"a (0) -> (no name)", "(no name) (0) -> a", "a (0) -> worker-7"}));
  EXPECT_EQ(name_of(archive, archive.of_type(kSwitch).at(1).process), "Zephyr");
}

TEST_F(ZephyrTest, AControlBlockThatIsUsedAgainIsAnotherThreadHoweverTheFirstEnded) {
  start();
  preempt(b);
  stand_in_end(a);
  stand_in_create_at(b, "second", 5);
  preempt(b);
  preempt(a);
  stand_in_abort(b);
  stand_in_create_at(b, "third", 5);
  preempt(b);
  preempt(a);
  stand_in_create_at(b, "fourth", 5);
  preempt(b);
  const PlainArchive archive = stop_and_read();
  EXPECT_EQ(switches(archive),
            (Texts{"a (0) -> b", "b (4) -> a", "a (0) -> second", "second (0) -> a",
                   "a (0) -> third", "third (0) -> a", "a (0) -> fourth"}));
  EXPECT_EQ(archive.events("thread aborted").size(), 2u);
  EXPECT_EQ(archive.events("thread created").size(), 3u);
}

TEST_F(ZephyrTest, ThreadsThatEndGiveTheirPlaceBackAlsoWhileNothingIsRecorded) {
  for (int i = 0; i < 40; ++i) {
    start();
    stand_in_thread* const ends = stand_in_create("ends", 5);
    stand_in_thread* const aborted = stand_in_create("aborted", 5);
    preempt(ends);
    stop_and_read();
    stand_in_end(a);
    stand_in_abort(aborted);
  }
  start();
  preempt(stand_in_create("last", 5));
  EXPECT_EQ(switches(stop_and_read()), (Texts{"a (0) -> last"}));
}

TEST_F(ZephyrTest, AThreadThatIsCreatedHasItsAddress) {
  start();
  const void* const created = stand_in_create("c", 5);
  expect_address(stop_and_read(), "thread created", "thread", created);
}

TEST_F(ZephyrTest, ThreadsBeyondTheTableAreOne) {
  start();
  for (int i = 0; i < 36; ++i) preempt(stand_in_create("many", 5));
  preempt(a);
  const Texts found = switches(stop_and_read());
  // 32, `a` included. Those beyond are never switched between.
  ASSERT_EQ(found.size(), 33u);
  EXPECT_EQ(found[30], "many (0) -> many");
  EXPECT_EQ(found[31], "many (0) -> (more threads)");
  EXPECT_EQ(found[32], "(more threads) (0) -> a");
}

TEST_F(ZephyrTest, AWakeupSaysWhichHandlerMadeItThatIsNotAnnounced) {
  start();
  for (const bool is_announced : {false, true}) {
    stand_in_switch(STAND_IN_SLEEPS, 0, b);
    if (is_announced) stand_in_interrupt_enter(24);
    stand_in_interrupted_by(24);
    stand_in_ready(a);
    if (is_announced) stand_in_interrupt_exit(24);
    stand_in_interrupted_by(0);
    preempt(a);
  }
  EXPECT_EQ(wakeups(stop_and_read()), (Texts{"a by 24", "a"}));
}

TEST_F(ZephyrTest, AReadyThreadIsRecordedOnce) {
  start();
  stand_in_thread* const c = stand_in_create("c", 5);
  stand_in_ready(c);
  for (int i = 0; i < 2; ++i) {
    stand_in_switch(STAND_IN_SLEEPS, 0, b);
    stand_in_ready(a);
    stand_in_ready(a);
    preempt(a);
    stand_in_ready(a);
  }
  EXPECT_EQ(wakeups(stop_and_read()), (Texts{"c", "a", "a"}));
}

TEST_F(ZephyrTest, AWaitIsADurationOnTheThreadThatWaitedWithWhatItWaitedFor) {
  start();
  const struct {
    stand_in_leaves how;
    const char* name;
    const char* object;
  } kinds[] = {{STAND_IN_SEMAPHORE, "semaphore wait", "sem@"},
               {STAND_IN_MUTEX, "mutex wait", "mutex@"},
               {STAND_IN_QUEUE_FULL, "message queue wait", "msgq@"},
               {STAND_IN_EVENT, "event wait", "event@"},
               {STAND_IN_CONDITION, "condition variable wait", "condv@"},
               {STAND_IN_SLAB, "memory slab wait", "slab@"},
               {STAND_IN_MAILBOX_EMPTY, "mailbox wait", "mbox@"}};
  for (const auto& kind : kinds) leave_and_come_back(kind.how, 1);
  stand_in_take(1);  // at once
  const PlainArchive archive = stop_and_read();
  EXPECT_EQ(archive.events("blocks").size(), 7u);
  for (const auto& kind : kinds) expect_wait(archive, kind.name, kind.object);
}

TEST_F(ZephyrTest, WhoJoinsAThreadWaitsForIt) {
  start();
  leave_and_come_back(STAND_IN_JOIN, 0);
  const PlainArchive archive = stop_and_read();
  expect_wait(archive, "thread join wait", "b");
  EXPECT_EQ(archive.events("thread join wait")[0].argument("object")->bits,
            archive.of_type(kSwitch).at(0).other_thread);
}

TEST_F(ZephyrTest, CallsThatWaitInOneWayHaveOneName) {
  start();
  for (const stand_in_leaves how :
       {STAND_IN_QUEUE_EMPTY, STAND_IN_QUEUE_FULL, STAND_IN_QUEUE_FULL_IN_FRONT})
    leave_and_come_back(how, 0);
  for (const stand_in_leaves how : {STAND_IN_MAILBOX_EMPTY, STAND_IN_MAILBOX_FULL})
    leave_and_come_back(how, 0);
  const PlainArchive archive = stop_and_read();
  EXPECT_EQ(archive.events("message queue wait").size(), 3u);
  EXPECT_EQ(archive.events("mailbox wait").size(), 2u);
}

TEST_F(ZephyrTest, StatsFindsAPlantedInversion) {
  start();
  stand_in_thread* const low = stand_in_create("low", 9);
  stand_in_thread* const middle = stand_in_create("middle", 7);
  stand_in_thread* const high = stand_in_create("high", 5);
  stand_in_switch(STAND_IN_SLEEPS, 0, low);
  stand_in_hold(1, low);
  stand_in_switch(STAND_IN_READY, 0, high);
  stand_in_switch(STAND_IN_MUTEX, 1, middle);
  stand_in_switch(STAND_IN_SLEEPS, 0, low);
  stand_in_hold(1, high);
  stand_in_ready(high);
  stand_in_switch(STAND_IN_READY, 0, high);
  stand_in_return(STAND_IN_MUTEX, 1, false);
  stand_in_hold(1, nullptr);
  stop_and_read();
  expect_the_inversion("mutex@", "zephyr", "mutex wait");
}

TEST_F(ZephyrTest, AWaitThatTimesOutFailsAndOneOfAnotherSessionIsNotRecorded) {
  start();
  leave_and_come_back(STAND_IN_SEMAPHORE, 0, true);
  leave_and_come_back(STAND_IN_EVENT, 0, true);
  stand_in_switch(STAND_IN_MUTEX, 0, b);
  const PlainArchive archive = stop_and_read();
  for (const char* name : {"semaphore wait", "event wait"}) {
    ASSERT_EQ(archive.events(name).size(), 1u);
    EXPECT_NE(archive.events(name)[0].argument("failed"), nullptr);
  }
  start();
  stand_in_ready(a);
  preempt(a);
  stand_in_return(STAND_IN_MUTEX, 0, false);
  EXPECT_EQ(stop_and_read().events("mutex wait").size(), 0u);
}

TEST_F(ZephyrTest, AConditionsWaitEndsWhenItsMutexIsTakenAgain) {
  start();
  stand_in_switch(STAND_IN_CONDITION, 0, b);
  stand_in_ready(a);
  preempt(a);
  stand_in_return(STAND_IN_MUTEX, 1, false);  // within
  stand_in_return(STAND_IN_CONDITION, 0, false);
  const PlainArchive archive = stop_and_read();
  EXPECT_EQ(archive.events("mutex wait").size(), 0u);
  EXPECT_EQ(archive.events("condition variable wait").size(), 1u);
}

TEST_F(ZephyrTest, TicksAreACounterOfEachCpu) {
  expect_ticks_of_each_cpu(15, [](uint32_t number) {
    stand_in_interrupt_enter(number);
    stand_in_interrupt_exit(number);
  });
}

TEST_F(ZephyrTest, InterruptsAreDurationsAndAnExitAloneIsLeftOut) {
  expect_interrupts(15, 33, stand_in_interrupt_enter, stand_in_interrupt_exit);
}

TEST_F(ZephyrTest, AnInterruptWithinASwitchLosesNothing) {
  static stand_in_thread* woken;
  woken = stand_in_create("woken", 5);
  start();
  for (int i = 0; i < 20; ++i) {
    interrupt_next_reservation([] {
      stand_in_interrupt_enter(15);
      stand_in_ready(woken);
      stand_in_interrupt_exit(15);
    });
    leave_and_come_back(STAND_IN_SLEEPS, 0);
  }
  const PlainArchive archive = stop_and_read();
  EXPECT_EQ(switches(archive).size(), 40u);
  EXPECT_EQ(archive.events("tick").size(), 40u);
}

// Above the sentinel, which takes a word.
TEST_F(ZephyrTest, AnIdleThreadFindsHowFarStacksWereUsed) {
  start();
  preempt(b);
  preempt(a);
  stand_in_use_stack(a, 64);
  stand_in_use_stack(b, 24);
  for (int i = 0; i < 3; ++i) stand_in_wait();
  preempt(b);
  stand_in_end(a);
  stand_in_use_stack(b, 4);
  for (int i = 0; i < 3; ++i) stand_in_wait();
  const PlainArchive archive = stop_and_read();
  constexpr uint64_t kBytes = STAND_IN_STACK_BYTES - 4;
  EXPECT_EQ(marks(archive, "a", kBytes), std::vector<uint64_t>{60});
  EXPECT_EQ(marks(archive, "b", kBytes), std::vector<uint64_t>{20});
}

TEST_F(ZephyrTest, AThreadWithoutAStackHasNoMark) {
  stand_in_thread* const c = stand_in_create("c", 5);
  stand_in_take_stack(c);
  start();
  preempt(c);
  preempt(b);
  for (int i = 0; i < 3; ++i) stand_in_wait();
  const PlainArchive archive = stop_and_read();
  EXPECT_TRUE(marks(archive, "c", STAND_IN_STACK_BYTES).empty());
}

using ZephyrSamplesTest = Sampled<ZephyrTest>;

void tick() {
  stand_in_interrupt_enter(15);
  stand_in_interrupt_exit(15);
}

TEST_F(ZephyrSamplesTest, EveryNthTickOfACpuTakesASample) {
  run_on_cpu(1);
  stand_in_boot(b);
  run_on_cpu(0);
  expect_samples_of_ticks(tick);
}

TEST_F(ZephyrSamplesTest, ATickThatCameToNothingKnownTakesNone) {
  expect_no_sample_of_nothing(tick);
}

TEST_F(ZephyrSamplesTest, CallersAreReadInTheRunningThreadsStack) {
  expect_callers_within(barefxt_zephyr_sample, stand_in_stack(a), STAND_IN_STACK_BYTES);
}

}  // namespace
}  // namespace barefxt::test::zephyr_test
