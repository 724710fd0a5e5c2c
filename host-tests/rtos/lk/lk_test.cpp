// LK's hooks, called by a stand-in for the kernel, in the orders of the real one.

#include <array>

#include "../samples.h"
#include "../stack_use.h"
#include "../states_page.h"
#include "stand_in.h"

// A request that no memory has room for is refused, as without AddressSanitizer, rather than the
// end.
extern "C" const char* __asan_default_options() { return "allocator_may_return_null=1"; }

extern "C" void barefxt_lk_scan_stacks(void);
extern "C" void barefxt_lk_sample(barefxt_interrupted at);

namespace barefxt::test::lk_test {
namespace {

stand_in_thread* a;
stand_in_thread* b;

class LkTest : public StatesPageTest {
 protected:
  void SetUp() override {
    StatesPageTest::SetUp();
    a = thread("a");
    b = thread("b");
    stand_in_boot(a);
  }
  void TearDown() override {
    EXPECT_EQ(stand_in_faults(), 0u);
    SessionTest::TearDown();
    stand_in_reset();
    run_on_cpu(0);
  }
  static stand_in_thread* thread(const char* name, int priority = 16) {
    stand_in_thread* const created = stand_in_create(name, priority);
    stand_in_resume(created);
    return created;
  }
  static void begin_another_session() {
    self->stop_and_read();
    self->start();
  }
  static inline LkTest* self;
  // The record of a wait that is over.
  static const PlainRecord* only(const PlainArchive& archive, const char* name) {
    static PlainRecord found;
    const auto records = archive.events(name);
    EXPECT_EQ(records.size(), 1u) << name;
    if (records.empty()) return nullptr;
    found = records[0];
    return &found;
  }
};

using Texts = std::vector<std::string>;

void back_to_a() { stand_in_switch(a); }

TEST_F(LkTest, AThreadLeavesInTheStateThatTheKernelGaveIt) {
  start();
  stand_in_switch(b);
  stand_in_switch(a);
  stand_in_sleep(b);
  stand_in_sleep_is_over(a);
  stand_in_switch(a);
  stand_in_wait(STAND_IN_MUTEX, 0, b, [] {
    stand_in_wake_one(STAND_IN_MUTEX, 0, nullptr);
    stand_in_switch(a);
  });
  stand_in_end(b);
  EXPECT_EQ(switches(stop_and_read()),
            (Texts{"a (0) -> b", "b (0) -> a", "a (3) -> b", "b (0) -> a", "a (3) -> b",
                   "b (0) -> a", "a (4) -> b"}));
}

TEST_F(LkTest, AThreadThatIsStoredBehindTheEndOfSwitchesIsForgottenWhenItLeaves) {
  start();
  stand_in_switch(b);
  expect_no_late_thread(back_to_a);
}

TEST_F(LkTest, CallsLeaveTheStatesOfThePage) {
  const auto preempt = [] { stand_in_switch(b); };
  const auto waits = [&](stand_in_kind kind) {
    static stand_in_kind waited;
    return [kind, preempt] {
      waited = kind;
      stand_in_wait(kind, 0, b, [] {
        stand_in_wake_one(waited, 0, nullptr);
        stand_in_switch(a);
      });
      preempt();
    };
  };
  stand_in_switch(b);
  expect_states(
      "LK", [] { a = thread("a"); }, [] { stand_in_switch(a); },
      {{"thread_yield, or preempted", preempt},
       {"thread_sleep",
        [&] {
          stand_in_sleep(b);
          stand_in_sleep_is_over(a);
          stand_in_switch(a);
          preempt();
        }},
       {"mutex_acquire", waits(STAND_IN_MUTEX)},
       {"sem_wait", waits(STAND_IN_SEMAPHORE)},
       {"sem_timedwait", waits(STAND_IN_SEMAPHORE_TIMED)},
       {"event_wait", waits(STAND_IN_EVENT)},
       {"port_read", waits(STAND_IN_PORT)},
       {"wait_queue_block", waits(STAND_IN_QUEUE)},
       {"thread_join",
        [&] {
          static stand_in_thread* ends;
          ends = thread("ends");
          stand_in_join(ends, ends, [] {
            stand_in_end(b);
            stand_in_switch(a);
          });
          preempt();
        }},
       {"thread_create",
        [&] {
          preempt();
          thread("a");
        }},
       {"thread_exit", [] { stand_in_end(b); }}});
}

TEST_F(LkTest, AThreadThatIsChosenAgainIsNotSwitched) {
  start();
  for (int i = 0; i < 3; ++i) stand_in_switch(a);
  EXPECT_EQ(switches(stop_and_read()), Texts{});
}

TEST_F(LkTest, EachCpuHasItsOwnThreadAndItsOwnIdleThread) {
  start();
  stand_in_thread* idle[2];
  for (const uint32_t cpu : {0u, 1u}) {
    run_on_cpu(cpu);
    idle[cpu] = stand_in_create("idle anything", 31);
    if (cpu == 1) {
      stand_in_boot(idle[1]);
      stand_in_become_idle();
    }
  }
  stand_in_switch(b);
  run_on_cpu(0);
  stand_in_boot(idle[0]);
  stand_in_become_idle();
  stand_in_switch(a);
  stand_in_sleep(idle[0]);
  run_on_cpu(1);
  stand_in_sleep_is_over(a);
  stand_in_switch(a);
  const PlainArchive archive = stop_and_read();
  EXPECT_EQ(switches(archive),
            (Texts{"idle/1 (0) -> b", "idle/0 (0) -> a", "a (3) -> idle/0", "b (0) -> a"}));
  EXPECT_EQ(archive.of_type(kSwitch).at(0).process, 0u);
}

TEST_F(LkTest, TheThreadThatBootedLeavesOnceMoreAsItselfWhenItHasBecomeIdle) {
  stand_in_thread* const boot = thread("bootstrap", 31);
  start();
  stand_in_switch(boot);
  stand_in_become_idle();
  stand_in_switch(a);
  stand_in_switch(boot);
  EXPECT_EQ(switches(stop_and_read()),
            (Texts{"a (0) -> bootstrap", "bootstrap (0) -> a", "a (0) -> idle/0"}));
}

TEST_F(LkTest, PrioritiesAreOneMoreThanTheKernelsAndThoseOfTheMoment) {
  stand_in_thread* const low = thread("low", 0);
  start();
  stand_in_switch(low);
  stand_in_switch(a);
  stand_in_set_priority(low, 31);
  stand_in_switch(low);
  const auto records = stop_and_read().of_type(kSwitch);
  ASSERT_EQ(records.size(), 3u);
  EXPECT_EQ(records[0].numbers, (std::vector<uint64_t>{0, 17, 1}));
  EXPECT_EQ(records[2].numbers, (std::vector<uint64_t>{0, 17, 32}));
}

TEST_F(LkTest, AThreadMayNameItselfAnew) {
  start();
  stand_in_switch(b);
  stand_in_set_name("worker-7");
  stand_in_switch(a);
  const PlainArchive archive = stop_and_read();
  EXPECT_EQ(switches(archive), (Texts{"a (0) -> worker-7", "worker-7 (0) -> a"}));
  EXPECT_EQ(name_of(archive, archive.of_type(kSwitch).at(0).process), "LK");
}

TEST_F(LkTest, AControlBlockThatIsUsedAgainIsAnotherThread) {
  start();
  stand_in_switch(b);
  stand_in_end(a);
  stand_in_thread* const second = thread("second");
  EXPECT_EQ(second, b);
  stand_in_switch(second);
  EXPECT_EQ(switches(stop_and_read()), (Texts{"a (0) -> b", "b (4) -> a", "a (0) -> second"}));
}

TEST_F(LkTest, AThreadThatEndsWhileNothingIsRecordedIsForgotten) {
  start();
  stand_in_switch(b);
  stop_and_read();
  stand_in_end(a);
  stand_in_thread* const second = thread("second");
  EXPECT_EQ(second, b);
  start();
  stand_in_switch(second);
  EXPECT_EQ(switches(stop_and_read()), (Texts{"a (0) -> second"}));
}

TEST_F(LkTest, ThreadsBeyondTheTableAreOneAndAPlaceThatIsGivenBackIsUsed) {
  start();
  std::vector<stand_in_thread*> many;
  for (int i = 0; i < 70; ++i) {
    many.push_back(thread("many"));
    stand_in_switch(many.back());
  }
  stand_in_switch(a);
  stand_in_switch(many[0]);
  stand_in_end(a);
  stand_in_switch(thread("last"));
  const Texts found = switches(stop_and_read());
  // 64, `a` included.
  ASSERT_EQ(found.size(), 74u);
  EXPECT_EQ(found[62], "many (0) -> many");
  EXPECT_EQ(found[63], "many (0) -> (more threads)");
  EXPECT_EQ(found[70], "(more threads) (0) -> a");
  EXPECT_EQ(found[73], "a (0) -> last");
}

TEST_F(LkTest, AReadyThreadIsRecordedBeforeItRunsAndOnce) {
  start();
  stand_in_thread* const c = stand_in_create("c", 16);
  stand_in_resume(c);
  stand_in_resume(c);  // runs already, for all the kernel knows
  stand_in_thread* const d = stand_in_create("d", 16);
  stand_in_resume_detached(d);
  stand_in_sleep(b);
  stand_in_sleep_is_over(a);
  stand_in_switch(a);
  stand_in_wait(STAND_IN_SEMAPHORE, 0, b, [] { stand_in_wake_one(STAND_IN_SEMAPHORE, 0, a); });
  stand_in_wait(STAND_IN_QUEUE, 0, b, [] {
    stand_in_wake_all(STAND_IN_QUEUE, 0);
    stand_in_switch(a);
  });
  const PlainArchive archive = stop_and_read();
  EXPECT_EQ(wakeups(archive), (Texts{"c", "d", "a", "a", "a"}));
  // Woken and run at once: the wakeup comes first.
  const auto records = archive.of_type(kSwitch);
  ASSERT_EQ(records.size(), 11u);
  EXPECT_EQ(records[6].subtype, kWakeup);
  EXPECT_NE(records[7].subtype, kWakeup);
}

TEST_F(LkTest, TheEndOfATimedWaitWakesAndIsAFailure) {
  start();
  stand_in_wait(STAND_IN_EVENT, 1, b, [] {
    stand_in_time_out(a);
    stand_in_switch(a);
  });
  const PlainArchive archive = stop_and_read();
  EXPECT_EQ(wakeups(archive), (Texts{"a"}));
  ASSERT_NE(only(archive, "event wait"), nullptr);
  EXPECT_NE(only(archive, "event wait")->argument("failed"), nullptr);
}

TEST_F(LkTest, ATimerOfOthersWakesNobodyWhateverItsArgumentIs) {
  start();
  static int something;
  stand_in_timer(&something);
  stand_in_timer(nullptr);
  stand_in_timer(b);
  stand_in_wait(STAND_IN_SEMAPHORE_TIMED, 0, b, [] {
    stand_in_timer(a);  // waits, and this is not the timer that it waits with
    stand_in_wake_one(STAND_IN_SEMAPHORE_TIMED, 0, a);
  });
  const PlainArchive archive = stop_and_read();
  EXPECT_EQ(wakeups(archive), (Texts{"a"}));
  ASSERT_EQ(archive.events("timer").size(), 4u);
  for (const PlainRecord& record : archive.of_type(kSwitch)) {
    if (record.subtype == kWakeup) {
      EXPECT_GT(record.timestamp, archive.events("timer")[3].timestamp);
    }
  }
}

TEST_F(LkTest, WhoIsWokenWhileItsTimeEndsIsWokenOnce) {
  start();
  stand_in_wait(STAND_IN_SEMAPHORE_TIMED, 0, b, [] {
    interrupt_next_reservation([] { stand_in_wake_one(STAND_IN_SEMAPHORE_TIMED, 0, nullptr); });
    stand_in_time_out(a);
    stand_in_switch(a);
  });
  EXPECT_EQ(wakeups(stop_and_read()), (Texts{"a"}));
}

TEST_F(LkTest, AWaitIsADurationOnTheThreadThatWaitedWithWhatItWaitedFor) {
  start();
  const struct {
    stand_in_kind kind;
    const char* name;
    const char* object;
  } kinds[] = {{STAND_IN_MUTEX, "mutex wait", "mutex@"},
               {STAND_IN_SEMAPHORE, "semaphore wait", "sem@"},
               {STAND_IN_EVENT, "event wait", "event@"},
               {STAND_IN_PORT, "port wait", "port@"},
               {STAND_IN_QUEUE, "wait", "wait@"}};
  static stand_in_kind kind;
  for (const auto& each : kinds) {
    kind = each.kind;
    stand_in_wait(kind, 1, b, [] { stand_in_wake_one(kind, 1, a); });
  }
  const PlainArchive archive = stop_and_read();
  EXPECT_EQ(archive.events("blocks").size(), 5u);
  for (const auto& each : kinds) {
    const PlainRecord* const wait = only(archive, each.name);
    ASSERT_NE(wait, nullptr);
    EXPECT_EQ(wait->subtype, kComplete);
    EXPECT_EQ(name_of(archive, wait->thread), "a");
    EXPECT_EQ(name_of(archive, wait->argument("object")->bits).rfind(each.object, 0), 0u);
    EXPECT_EQ(wait->argument("failed"), nullptr);
  }
}

TEST_F(LkTest, StatsFindsAPlantedInversion) {
  start();
  static stand_in_thread* low;
  static stand_in_thread* high;
  low = stand_in_create("low", 10);
  high = stand_in_create("high", 20);
  stand_in_thread* const middle = stand_in_create("middle", 15);
  for (stand_in_thread* const thread : {low, middle, high}) stand_in_resume(thread);
  stand_in_switch(low);
  stand_in_hold(1, low);
  stand_in_switch(high);
  stand_in_wait(STAND_IN_MUTEX, 1, middle, [] {
    stand_in_sleep(low);
    stand_in_hold(1, high);
    stand_in_wake_one(STAND_IN_MUTEX, 1, high);
  });
  stand_in_hold(1, nullptr);
  stop_and_read();
  expect_the_inversion("mutex@", "lk", "mutex wait");
}

TEST_F(LkTest, WhoJoinsWaitsForAThread) {
  start();
  stand_in_switch(b);
  stand_in_switch(a);
  stand_in_join(b, b, [] { stand_in_end(a); });
  const PlainArchive archive = stop_and_read();
  EXPECT_EQ(wakeups(archive), (Texts{"a"}));
  EXPECT_EQ(name_of(archive, only(archive, "thread join")->argument("object")->bits), "b");
}

TEST_F(LkTest, AnObjectKeepsItsIdUntilOneOfAnotherKindIsAtItsAddress) {
  start();
  for (const stand_in_kind kind : {STAND_IN_MUTEX, STAND_IN_MUTEX, STAND_IN_EVENT}) {
    static stand_in_kind now;
    now = kind;
    stand_in_wait(kind, 0, b, [] { stand_in_wake_one(now, 0, a); });
  }
  const PlainArchive archive = stop_and_read();
  const auto blocks = archive.events("blocks");
  ASSERT_EQ(blocks.size(), 3u);
  EXPECT_EQ(blocks[0].argument("object")->bits, blocks[1].argument("object")->bits);
  EXPECT_NE(blocks[0].argument("object")->bits, blocks[2].argument("object")->bits);
}

TEST_F(LkTest, AWaitThatBeganInAnotherSessionIsNotRecorded) {
  start();
  self = this;
  stand_in_wait(STAND_IN_MUTEX, 0, b, [] {
    begin_another_session();
    stand_in_wake_one(STAND_IN_MUTEX, 0, a);
  });
  EXPECT_EQ(stop_and_read().events("mutex wait").size(), 0u);
}

TEST_F(LkTest, BlocksOfTheHeapAreCountedHoweverTheyAreAllocatedAndFreed) {
  void* const before = stand_in_allocate(STAND_IN_MALLOC, 10);
  start();
  void* blocks[4] = {};
  for (const auto how : {STAND_IN_MALLOC, STAND_IN_CALLOC, STAND_IN_MEMALIGN, STAND_IN_REALLOC})
    blocks[how] = stand_in_allocate(how, 24);
  blocks[0] = stand_in_reallocate(blocks[0], 100);  // no change
  stand_in_free(nullptr);                           // nor this
  for (void* block : blocks) stand_in_free(block);
  stand_in_free_later(before);
  EXPECT_EQ(stand_in_allocate(STAND_IN_MALLOC, ~size_t{0} / 4), nullptr);
  const PlainArchive archive = stop_and_read();
  std::vector<int64_t> changes;
  const auto counted = archive.events("heap");
  ASSERT_EQ(counted.size(), 9u);
  for (size_t i = 1; i < counted.size(); ++i)
    changes.push_back(static_cast<int64_t>(counted[i].argument("blocks")->bits) -
                      static_cast<int64_t>(counted[i - 1].argument("blocks")->bits));
  EXPECT_EQ(changes, (std::vector<int64_t>{1, 1, 1, -1, -1, -1, -1, -1}));
  ASSERT_EQ(archive.events("no memory").size(), 1u);
  EXPECT_EQ(archive.events("no memory")[0].argument("bytes")->bits, ~size_t{0} / 4);
}

TEST_F(LkTest, EachBlockOfTheHeapHasItsAddressAndItsCaller) {
  start();
  void* const first = stand_in_allocate(STAND_IN_MALLOC, 24);
  void* const second = stand_in_reallocate(first, 100);
  stand_in_free(second);
  const std::array blocks = {reinterpret_cast<uintptr_t>(first),
                             reinterpret_cast<uintptr_t>(second)};
  const PlainArchive archive = stop_and_read();
  const auto allocated = archive.events("alloc");
  const auto freed = archive.events("free");
  ASSERT_EQ(allocated.size(), 2u);
  ASSERT_EQ(freed.size(), 2u);
  EXPECT_EQ(allocated[0].argument("bytes")->bits, 24u);
  EXPECT_EQ(allocated[1].argument("bytes")->bits, 100u);
  for (size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(allocated[i].argument("address")->bits, blocks[i]);
    EXPECT_EQ(freed[i].argument("address")->bits, blocks[i]);
    EXPECT_NE(allocated[i].argument("caller")->bits, 0u);
  }
}

TEST_F(LkTest, TicksAreACounterOfEachCpu) {
  expect_ticks_of_each_cpu(27, [](uint32_t number) {
    stand_in_interrupt_enter(number);
    stand_in_interrupt_exit(number);
  });
}

TEST_F(LkTest, InterruptsAreDurationsAndAnExitAloneIsLeftOut) {
  expect_interrupts(27, 33, stand_in_interrupt_enter, stand_in_interrupt_exit);
}

TEST_F(LkTest, AnInterruptWithinASwitchLosesNothing) {
  start();
  for (int i = 0; i < 20; ++i) {
    interrupt_next_reservation([] {
      stand_in_interrupt_enter(27);
      stand_in_interrupt_exit(27);
    });
    stand_in_switch(b);
    back_to_a();
  }
  const PlainArchive archive = stop_and_read();
  EXPECT_EQ(switches(archive).size(), 40u);
  EXPECT_EQ(archive.events("tick").size(), 40u);
}

TEST_F(LkTest, AScanFindsHowFarStacksWereUsed) {
  start();
  stand_in_switch(b);
  stand_in_switch(a);
  stand_in_use_stack(a, 64);
  stand_in_use_stack(b, 24);
  for (int i = 0; i < 3; ++i) barefxt_lk_scan_stacks();
  const PlainArchive archive = stop_and_read();
  EXPECT_EQ(marks(archive, "a", STAND_IN_STACK_BYTES), std::vector<uint64_t>{64});
  EXPECT_EQ(marks(archive, "b", STAND_IN_STACK_BYTES), std::vector<uint64_t>{24});
}

using LkSamplesTest = Sampled<LkTest>;

void tick() {
  stand_in_interrupt_enter(27);
  stand_in_interrupt_exit(27);
}

TEST_F(LkSamplesTest, EveryNthTickOfACpuTakesASample) {
  run_on_cpu(1);
  stand_in_boot(b);
  run_on_cpu(0);
  expect_samples_of_ticks(tick);
}

TEST_F(LkSamplesTest, ATickThatCameToNothingKnownTakesNone) { expect_no_sample_of_nothing(tick); }

TEST_F(LkSamplesTest, CallersAreReadInTheRunningThreadsStack) {
  expect_callers_within(barefxt_lk_sample, stand_in_stack(a), STAND_IN_STACK_BYTES);
}

}  // namespace
}  // namespace barefxt::test::lk_test
