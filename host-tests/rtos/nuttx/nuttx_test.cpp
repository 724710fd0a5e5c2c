// NuttX's hooks, called by a stand-in for the kernel, in the orders of the real one.

#include "../samples.h"
#include "../stack_use.h"
#include "../states_page.h"
#include "stand_in.h"

extern "C" void barefxt_nuttx_scan_stacks(void);
extern "C" void barefxt_nuttx_sample(barefxt_interrupted at);

namespace barefxt::test::nuttx_test {
namespace {

using Texts = std::vector<std::string>;

class NuttxTest : public StatesPageTest {
 protected:
  void SetUp() override {
    StatesPageTest::SetUp();
    stand_in_register(1);
    a = thread("a");
    b = thread("b");
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
  static stand_in_thread* thread(const char* name, uint8_t priority = 100) {
    stand_in_thread* const created = stand_in_create(name, priority, 10);
    stand_in_start(created);
    return created;
  }
  static void preempt(stand_in_thread* to) { stand_in_switch(STAND_IN_READY, 0, to); }
  void leave_and_come_back(stand_in_leaves how, unsigned object, bool failed = false) {
    stand_in_switch(how, object, b);
    stand_in_wake(a, failed);
    preempt(a);
  }
  stand_in_thread* a = nullptr;
  stand_in_thread* b = nullptr;
};

// The first of all tests that registers: the driver stays.
TEST(NuttxDriver, IsRefusedWhereThereIsNoRoomAndIsThereOnce) {
  stand_in_register(0);
  EXPECT_EQ(stand_in_register(1), 0);
  EXPECT_EQ(stand_in_register(0), 0);
}

TEST_F(NuttxTest, AThreadLeavesInTheStateThatTheKernelGaveIt) {
  start();
  for (const stand_in_leaves how :
       {STAND_IN_READY, STAND_IN_SLEEPS, STAND_IN_QUEUE_FULL, STAND_IN_STOPPED})
    leave_and_come_back(how, 0);
  EXPECT_EQ(switches(stop_and_read()),
            (Texts{"a (0) -> b", "b (0) -> a", "a (3) -> b", "b (0) -> a", "a (3) -> b",
                   "b (0) -> a", "a (2) -> b", "b (0) -> a"}));
}

TEST_F(NuttxTest, AThreadThatIsStoredBehindTheEndOfSwitchesIsForgottenWhenItLeaves) {
  start();
  preempt(b);
  expect_no_late_thread([&] { preempt(a); });
}

TEST_F(NuttxTest, CallsLeaveTheStatesOfThePage) {
  const auto leaves = [&](stand_in_leaves how) {
    return [this, how] {
      leave_and_come_back(how, 0);
      preempt(b);
    };
  };
  preempt(b);
  expect_states(
      "NuttX", [&] { a = thread("a"); }, [&] { preempt(a); },
      {{"sched_yield, or preempted", [&] { preempt(b); }},
       {"usleep, nanosleep, sigwaitinfo, pause", leaves(STAND_IN_SLEEPS)},
       {"sem_wait, pthread_join, pthread_cond_wait", leaves(STAND_IN_SEMAPHORE)},
       {"pthread_mutex_lock, nxmutex_lock", leaves(STAND_IN_MUTEX)},
       {"nxevent_wait", leaves(STAND_IN_EVENT)},
       {"mq_receive, msgrcv", leaves(STAND_IN_QUEUE_EMPTY)},
       {"mq_send, msgsnd", leaves(STAND_IN_QUEUE_FULL)},
       {"kill with SIGSTOP", leaves(STAND_IN_STOPPED)},
       {"sched_setparam of a ready thread, inheritance",
        [&] {
          preempt(b);
          stand_in_set_priority(a, 120);
          stand_in_requeue(a);
        }},
       {"exit, pthread_exit", [&] { stand_in_end(b, false); }}});
}

TEST_F(NuttxTest, AThreadThatIsChosenAgainIsNotSwitched) {
  start();
  for (int i = 0; i < 3; ++i) preempt(a);
  EXPECT_EQ(switches(stop_and_read()), Texts{});
}

TEST_F(NuttxTest, EachCpuHasItsOwnThreadAndItsOwnIdleThread) {
  stand_in_thread* const idle[] = {stand_in_create("CPU0 IDLE", 0, 0),
                                   stand_in_create("CPU1 IDLE", 0, 1)};
  run_on_cpu(1);
  stand_in_boot(idle[1]);
  start();
  preempt(b);
  run_on_cpu(0);
  stand_in_switch(STAND_IN_SLEEPS, 0, idle[0]);
  run_on_cpu(1);
  stand_in_wake(a, false);
  preempt(a);
  const PlainArchive archive = stop_and_read();
  EXPECT_EQ(switches(archive), (Texts{"idle/1 (0) -> b", "a (3) -> idle/0", "b (0) -> a"}));
  EXPECT_EQ(archive.of_type(kSwitch).at(0).process, 0u);
}

TEST_F(NuttxTest, ASwitchThatIsNotReportedIsMadeUp) {
  start();
  preempt(b);
  stand_in_thread* const c = thread("c");
  stand_in_boot(c);
  preempt(a);
  EXPECT_EQ(switches(stop_and_read()), (Texts{"a (0) -> b", "b (0) -> c", "c (0) -> a"}));
}

TEST_F(NuttxTest, PrioritiesAreTheKernelsAndThoseOfTheMoment) {
  stand_in_thread* const low = thread("low", 1);
  start();
  preempt(low);
  preempt(a);
  stand_in_set_priority(low, 200);  // inherited, say
  preempt(low);
  const auto records = stop_and_read().of_type(kSwitch);
  ASSERT_EQ(records.size(), 3u);
  EXPECT_EQ(records[0].numbers, (std::vector<uint64_t>{0, 100, 1}));
  EXPECT_EQ(records[2].numbers, (std::vector<uint64_t>{0, 100, 200}));
}

TEST_F(NuttxTest, NamesComeLate) {
  start();
  preempt(b);
  stand_in_set_name(b, "worker-7");
  preempt(a);
  preempt(b);
  const PlainArchive archive = stop_and_read();
  EXPECT_EQ(switches(archive).back(), "a (0) -> worker-7");
  EXPECT_EQ(name_of(archive, archive.of_type(kSwitch).at(0).process), "NuttX");
}

TEST_F(NuttxTest, AControlBlockThatIsUsedAgainIsAnotherThreadHoweverTheFirstEnded) {
  for (const bool is_reported_first : {false, true}) {
    start();
    preempt(b);
    stand_in_end(a, is_reported_first);
    stand_in_thread* const second = thread("second");
    EXPECT_EQ(second, b);
    preempt(second);
    preempt(a);
    stand_in_terminate(second);
    b = thread("b");
    EXPECT_EQ(second, b);
    preempt(b);
    const PlainArchive archive = stop_and_read();
    EXPECT_EQ(switches(archive), (Texts{"a (0) -> b", "b (4) -> a", "a (0) -> second",
                                        "second (0) -> a", "a (0) -> b"}));
    EXPECT_EQ(archive.events("thread stopped").size(), 2u);
    preempt(a);
  }
}

TEST_F(NuttxTest, AThreadThatEndsWhileNothingIsRecordedIsForgotten) {
  for (const bool is_reported_first : {false, true}) {
    start();
    preempt(b);
    stop_and_read();
    stand_in_end(a, is_reported_first);
    stand_in_thread* const second = thread("second");
    EXPECT_EQ(second, b);
    start();
    preempt(second);
    EXPECT_EQ(switches(stop_and_read()), (Texts{"a (0) -> second"}));
    preempt(a);
    stand_in_terminate(second);
    b = thread("b");
  }
}

TEST_F(NuttxTest, ThreadsBeyondTheTableAreOne) {
  start();
  for (int i = 0; i < 70; ++i) preempt(thread("many"));
  preempt(a);
  const Texts found = switches(stop_and_read());
  // 64, `a` included. Those beyond are never switched between.
  ASSERT_EQ(found.size(), 65u);
  EXPECT_EQ(found[62], "many (0) -> many");
  EXPECT_EQ(found[63], "many (0) -> (more threads)");
  EXPECT_EQ(found[64], "(more threads) (0) -> a");
}

TEST_F(NuttxTest, AReadyThreadIsRecordedOnce) {
  start();
  stand_in_thread* const c = thread("c");
  stand_in_requeue(c);
  stand_in_switch(STAND_IN_SLEEPS, 0, b);
  stand_in_wake(a, false);
  stand_in_requeue(a);
  preempt(a);
  stand_in_requeue(a);
  leave_and_come_back(STAND_IN_SLEEPS, 0);
  EXPECT_EQ(wakeups(stop_and_read()), (Texts{"c", "a", "a"}));
}

TEST_F(NuttxTest, AWaitIsADurationOnTheThreadThatWaitedWithWhatItWaitedFor) {
  start();
  const struct {
    stand_in_leaves how;
    const char* name;
    const char* object;
  } kinds[] = {{STAND_IN_SEMAPHORE, "semaphore wait", "sem@"},
               {STAND_IN_MUTEX, "mutex wait", "mutex@"},
               {STAND_IN_EVENT, "event wait", "event@"},
               {STAND_IN_QUEUE_EMPTY, "message queue wait", "queue@"}};
  for (const auto& kind : kinds) leave_and_come_back(kind.how, 1);
  leave_and_come_back(STAND_IN_SLEEPS, 0);
  const PlainArchive archive = stop_and_read();
  EXPECT_EQ(archive.events("blocks").size(), 4u);
  for (const auto& kind : kinds) expect_wait(archive, kind.name, kind.object);
}

TEST_F(NuttxTest, StatsFindsAPlantedInversion) {
  start();
  stand_in_thread* const low = stand_in_create("low", 100, 1001);
  stand_in_thread* const middle = stand_in_create("middle", 110, 1002);
  stand_in_thread* const high = stand_in_create("high", 120, 1003);
  for (stand_in_thread* const thread : {low, middle, high}) stand_in_start(thread);
  stand_in_switch(STAND_IN_SLEEPS, 0, low);
  stand_in_hold(1, low);
  stand_in_switch(STAND_IN_READY, 0, high);
  stand_in_switch(STAND_IN_MUTEX, 1, middle);
  stand_in_switch(STAND_IN_SLEEPS, 0, low);
  stand_in_hold(1, high);
  stand_in_wake(high, false);
  stand_in_switch(STAND_IN_READY, 0, high);
  stand_in_hold(1, nullptr);
  stop_and_read();
  expect_the_inversion("mutex@", "nuttx", "mutex wait");
}

TEST_F(NuttxTest, AWaitThatTimesOutFailsAndOneOfAnotherSessionIsNotRecorded) {
  start();
  leave_and_come_back(STAND_IN_SEMAPHORE, 0, true);
  stand_in_switch(STAND_IN_MUTEX, 0, b);
  const PlainArchive archive = stop_and_read();
  ASSERT_EQ(archive.events("semaphore wait").size(), 1u);
  EXPECT_NE(archive.events("semaphore wait")[0].argument("failed"), nullptr);
  start();
  stand_in_wake(a, false);
  preempt(a);
  EXPECT_EQ(stop_and_read().events("mutex wait").size(), 0u);
}

TEST_F(NuttxTest, TicksAreACounterOfEachCpu) {
  expect_ticks_of_each_cpu(27, [](uint32_t number) {
    stand_in_interrupt_enter(number);
    stand_in_interrupt_exit(number);
  });
}

TEST_F(NuttxTest, InterruptsAreDurationsAndAnExitAloneIsLeftOut) {
  expect_interrupts(27, 33, stand_in_interrupt_enter, stand_in_interrupt_exit);
}

TEST_F(NuttxTest, AThreadThatStartsHasItsAddress) {
  start();
  const void* const started = thread("c");
  expect_address(stop_and_read(), "thread started", "thread", started);
}

TEST_F(NuttxTest, TimersAreInstantsAndTheHeapIsACounter) {
  start();
  static int callback;
  stand_in_timer(&callback);
  stand_in_allocate(100);
  stand_in_allocate(50);
  const PlainArchive archive = stop_and_read();
  ASSERT_EQ(archive.events("timer").size(), 1u);
  EXPECT_EQ(archive.events("timer")[0].argument("callback")->bits,
            reinterpret_cast<uintptr_t>(&callback));
  const auto counted = archive.events("heap");
  ASSERT_EQ(counted.size(), 2u);
  EXPECT_EQ(counted[1].argument("bytes")->bits - counted[0].argument("bytes")->bits, 50u);
  EXPECT_EQ(counted[0].value, counted[1].value);
  EXPECT_EQ(name_of(archive, counted[0].value).rfind("heap@", 0), 0u);
  ASSERT_EQ(archive.events("alloc").size(), 2u);
  EXPECT_EQ(archive.events("alloc")[1].argument("bytes")->bits, 50u);
  EXPECT_NE(archive.events("alloc")[1].argument("address")->bits, 0u);
}

TEST_F(NuttxTest, AnInterruptBetweenTheHalvesOfASwitchLosesNothing) {
  static stand_in_thread* woken;
  woken = thread("woken");
  start();
  for (int i = 0; i < 20; ++i) {
    interrupt_next_reservation([] {
      stand_in_interrupt_enter(27);
      stand_in_requeue(woken);
      stand_in_interrupt_exit(27);
    });
    stand_in_switch(STAND_IN_MUTEX, 0, b);
    stand_in_wake(a, false);
    preempt(a);
  }
  const PlainArchive archive = stop_and_read();
  EXPECT_EQ(switches(archive).size(), 40u);
  EXPECT_EQ(archive.events("tick").size(), 40u);
}

TEST_F(NuttxTest, AScanFindsHowFarStacksWereUsed) {
  start();
  preempt(b);
  preempt(a);
  stand_in_use_stack(a, 64);
  stand_in_use_stack(b, 24);
  for (int i = 0; i < 3; ++i) barefxt_nuttx_scan_stacks();
  const PlainArchive archive = stop_and_read();
  EXPECT_EQ(marks(archive, "a", STAND_IN_STACK_BYTES), std::vector<uint64_t>{64});
  EXPECT_EQ(marks(archive, "b", STAND_IN_STACK_BYTES), std::vector<uint64_t>{24});
}

TEST_F(NuttxTest, AThreadThatIsGoneHasNoStack) {
  start();
  preempt(b);
  stand_in_end(a, true);
  stand_in_use_stack(a, 64);
  stand_in_use_stack(b, 0);
  for (int i = 0; i < 3; ++i) barefxt_nuttx_scan_stacks();
  const PlainArchive archive = stop_and_read();
  EXPECT_TRUE(marks(archive, "b", STAND_IN_STACK_BYTES).empty());
  EXPECT_EQ(marks(archive, "a", STAND_IN_STACK_BYTES).size(), 1u);
}

TEST_F(NuttxTest, ThreadsWithoutAPlaceHaveNoStack) {
  start();
  for (int i = 0; i < 80; ++i) {
    stand_in_thread* const one = thread("one of many");
    preempt(one);
    stand_in_use_stack(one, 0);
  }
  for (int i = 0; i < 100; ++i) barefxt_nuttx_scan_stacks();
  const PlainArchive archive = stop_and_read();
  EXPECT_TRUE(marks(archive, "(more threads)", STAND_IN_STACK_BYTES).empty());
  EXPECT_FALSE(marks(archive, "one of many", STAND_IN_STACK_BYTES).empty());
}

using NuttxSamplesTest = Sampled<NuttxTest>;

void tick() {
  stand_in_interrupt_enter(27);
  stand_in_interrupt_exit(27);
}

TEST_F(NuttxSamplesTest, EveryNthTickOfACpuTakesASample) { expect_samples_of_ticks(tick); }

TEST_F(NuttxSamplesTest, ATickThatCameToNothingKnownTakesNone) {
  expect_no_sample_of_nothing(tick);
}

TEST_F(NuttxSamplesTest, CallersAreReadInTheRunningThreadsStack) {
  expect_callers_within(barefxt_nuttx_sample, stand_in_stack(a), STAND_IN_STACK_BYTES);
}

}  // namespace
}  // namespace barefxt::test::nuttx_test
