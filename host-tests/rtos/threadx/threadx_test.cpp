// ThreadX's hooks, called by a stand-in for the kernel, in the orders of the real one.

#include <set>

#include "../samples.h"
#include "../stack_use.h"
#include "../states_page.h"
#include "stand_in.h"
#include "tx_api.h"

namespace barefxt::test::threadx_test {
namespace {

class ThreadXTest : public StatesPageTest {
 protected:
  void TearDown() override {
    SessionTest::TearDown();
    stand_in_reset();
    run_on_cpu(0);
  }
  // "a" runs, alone or with "b" ready, when recording starts.
  stand_in_thread* start_with_one() {
    stand_in_thread* const a = stand_in_create("a", 10);
    stand_in_switch(a);
    start();
    return a;
  }
  std::pair<stand_in_thread*, stand_in_thread*> start_with_two() {
    stand_in_thread* const a = stand_in_create("a", 10);
    stand_in_thread* const b = stand_in_create("b", 10);
    stand_in_switch(a);
    start();
    return {a, b};
  }
};

using Texts = std::vector<std::string>;

TEST_F(ThreadXTest, AThreadLeavesInTheStateThatTheKernelGaveIt) {
  const auto [a, b] = start_with_two();
  for (const uint32_t state : {TX_READY, TX_SUSPENDED, TX_SLEEP, TX_MUTEX_SUSP, TX_TERMINATED}) {
    if (state != TX_READY) stand_in_suspend(a, state, nullptr);
    stand_in_switch(b);
    if (state == TX_TERMINATED) break;
    stand_in_resume(a);
    stand_in_switch(a);
  }
  EXPECT_EQ(switches(stop_and_read()),
            (Texts{"a (0) -> b", "b (0) -> a", "a (2) -> b", "b (0) -> a", "a (3) -> b",
                   "b (0) -> a", "a (3) -> b", "b (0) -> a", "a (4) -> b"}));
}

TEST_F(ThreadXTest, AThreadThatIsStoredBehindTheEndOfSwitchesIsForgottenWhenItLeaves) {
  stand_in_thread* const a = stand_in_create("a", 10);
  stand_in_thread* const b = stand_in_create("b", 10);
  stand_in_switch(a);
  start();
  stand_in_switch(b);
  expect_no_late_thread([&] { stand_in_switch(a); });
}

TEST_F(ThreadXTest, CallsLeaveTheStatesOfThePage) {
  stand_in_thread* a = nullptr;
  stand_in_thread* const b = stand_in_create("b", 10);
  stand_in_switch(b);
  const auto preempt = [&] { stand_in_switch(b); };
  const auto leaves = [&](std::vector<uint32_t> states) {
    return [&, states] {
      for (const uint32_t state : states) {
        stand_in_suspend(a, state, nullptr);
        stand_in_switch(b);
        if (state == TX_COMPLETED || state == TX_TERMINATED) return;
        stand_in_resume(a);
        stand_in_switch(a);
      }
      preempt();
    };
  };
  expect_states(
      "ThreadX", [&] { a = stand_in_create("a", 10); }, [&] { stand_in_switch(a); },
      {{"tx_thread_relinquish, or preempted", preempt},
       {"tx_thread_sleep", leaves({TX_SLEEP})},
       {"tx_queue_receive, tx_queue_send", leaves({TX_QUEUE_SUSP})},
       {"tx_semaphore_get", leaves({TX_SEMAPHORE_SUSP})},
       {"tx_mutex_get", leaves({TX_MUTEX_SUSP})},
       {"tx_event_flags_get", leaves({TX_EVENT_FLAG})},
       {"tx_block_allocate", leaves({TX_BLOCK_MEMORY})},
       {"tx_byte_allocate", leaves({TX_BYTE_MEMORY})},
       {"tx_thread_suspend of itself", leaves({TX_SUSPENDED})},
       {"tx_thread_priority_change of a ready thread, inheritance",
        [&] {
          preempt();
          stand_in_set_priority(a, 3);
        }},
       {"tx_thread_priority_change of itself",
        [&] {
          stand_in_set_priority(a, 3);
          preempt();
        }},
       {"return of the entry function", leaves({TX_COMPLETED})},
       {"tx_thread_terminate of itself", leaves({TX_TERMINATED})}});
}

// A priority that changes takes the thread out of its list for a moment, by the kernel's function
// that suspends.
TEST_F(ThreadXTest, APriorityThatChangesWakesNobodyThoughTheSessionHasNotSeenTheThread) {
  stand_in_thread* const a = stand_in_create("a", 10);
  stand_in_thread* const b = stand_in_create("b", 10);
  stand_in_switch(b);
  start();
  stand_in_set_priority(a, 3);
  stand_in_set_priority(b, 4);
  EXPECT_EQ(wakeups(stop_and_read()), Texts{});
}

TEST_F(ThreadXTest, BetweenAnExitWithNothingToExecuteAndTheNextEnterTheCpuIsIdle) {
  stand_in_thread* const a = start_with_one();
  stand_in_suspend(a, TX_SLEEP, nullptr);
  stand_in_switch(nullptr);
  stand_in_resume(a);
  stand_in_switch(a);
  const PlainArchive archive = stop_and_read();
  EXPECT_EQ(switches(archive), (Texts{"a (3) -> idle/0", "idle/0 (0) -> a"}));
  EXPECT_EQ(archive.of_type(kSwitch).at(0).other_process, 0u);
}

TEST_F(ThreadXTest, AThreadThatIsEnteredAgainIsNotSwitched) {
  stand_in_thread* const a = start_with_one();
  for (int i = 0; i < 3; ++i) stand_in_switch(a);
  EXPECT_EQ(switches(stop_and_read()), Texts{});
}

TEST_F(ThreadXTest, AMissingExitIsAPreemption) {
  stand_in_thread* const a = stand_in_create("a", 10);
  stand_in_thread* const b = stand_in_create("b", 10);
  start();
  stand_in_preempt_without_exit(a);
  stand_in_preempt_without_exit(b);
  EXPECT_EQ(switches(stop_and_read()), (Texts{"cpu-0 (3) -> a", "a (0) -> b"}));
}

TEST_F(ThreadXTest, AThreadThatWasPreemptedWithoutAnExitMayEndOnAnotherCoreBeforeTheNextEnters) {
  stand_in_thread* const a = stand_in_create("a", 10);
  start();
  stand_in_preempt_without_exit(a);
  stand_in_leave_without_exit();
  run_on_cpu(1);
  stand_in_terminate(a);
  stand_in_delete(a);
  stand_in_thread* const b = stand_in_create("b", 10);
  EXPECT_EQ(a, b);
  run_on_cpu(0);
  stand_in_preempt_without_exit(b);
  EXPECT_EQ(switches(stop_and_read()), (Texts{"cpu-0 (3) -> a", "a (0) -> b"}));
}

TEST_F(ThreadXTest, AThreadThatChangesItsCoreHasOnlyOneId) {
  stand_in_thread* const a = stand_in_create("a", 10);
  stand_in_thread* const b = stand_in_create("b", 10);
  start();
  for (int i = 0; i < 2; ++i) {
    for (const unsigned core : {0u, 1u}) {
      run_on_cpu(core);
      stand_in_switch(a);
      stand_in_switch(b);
      stand_in_leave_without_exit();
    }
  }
  const PlainArchive archive = stop_and_read();
  EXPECT_EQ(switches(archive),
            (Texts{"cpu-0 (3) -> a", "a (0) -> b", "cpu-1 (3) -> a", "a (0) -> b", "b (0) -> a",
                   "a (0) -> b", "b (0) -> a", "a (0) -> b"}));
  std::set<uint64_t> koids;
  for (const PlainRecord& record : archive.of_type(kSwitch))
    if (record.subtype != kWakeup) koids.insert(record.other_thread);
  EXPECT_EQ(koids.size(), 2u);
}

TEST_F(ThreadXTest, EachCoreHasItsOwnHalvesAndItsOwnIdleThread) {
  stand_in_thread* const a = stand_in_create("a", 10);
  stand_in_thread* const b = stand_in_create("b", 10);
  stand_in_switch(a);
  run_on_cpu(1);
  stand_in_switch(b);
  run_on_cpu(0);
  start();
  stand_in_suspend(a, TX_SLEEP, nullptr);
  stand_in_switch(nullptr);
  run_on_cpu(1);
  stand_in_suspend(b, TX_SUSPENDED, nullptr);
  stand_in_switch(nullptr);
  stand_in_resume(a);
  stand_in_switch(a);
  run_on_cpu(0);
  EXPECT_EQ(switches(stop_and_read()),
            (Texts{"a (3) -> idle/0", "b (2) -> idle/1", "idle/1 (0) -> a"}));
}

TEST_F(ThreadXTest, TheKernelsHighestPriorityIsTheHighestShown) {
  stand_in_thread* const high = stand_in_create("high", 0);
  stand_in_thread* const low = stand_in_create("low", 31);
  stand_in_switch(high);
  start();
  stand_in_switch(low);
  stand_in_switch(high);
  stand_in_set_priority(low, 5);  // inherited, say
  stand_in_switch(low);
  const auto records = stop_and_read().of_type(kSwitch);
  ASSERT_EQ(records.size(), 3u);
  EXPECT_EQ(records[0].numbers, (std::vector<uint64_t>{0, 32, 1}));
  EXPECT_EQ(records[2].numbers, (std::vector<uint64_t>{0, 32, 27}));
}

TEST_F(ThreadXTest, ThreadsAreKnownWhenTheyAreFirstSeenAndNamedWhateverWasBefore) {
  start_with_one();
  stand_in_switch(stand_in_create("b", 10));
  const PlainArchive archive = stop_and_read();
  EXPECT_EQ(switches(archive), (Texts{"a (0) -> b"}));
  EXPECT_EQ(name_of(archive, archive.of_type(kSwitch).at(1).process), "ThreadX");
}

TEST_F(ThreadXTest, AControlBlockThatIsUsedAgainIsAnotherThread) {
  stand_in_thread* const a = start_with_one();
  stand_in_thread* const first = stand_in_create("first", 10);
  stand_in_switch(first);
  stand_in_suspend(first, TX_COMPLETED, nullptr);
  stand_in_switch(a);
  stand_in_delete(first);
  stand_in_thread* const second = stand_in_create("second", 10);
  EXPECT_EQ(first, second);
  stand_in_switch(second);
  stand_in_switch(a);
  stand_in_terminate(second);
  stand_in_restart(second);
  stand_in_switch(second);
  const PlainArchive archive = stop_and_read();
  EXPECT_EQ(switches(archive), (Texts{"a (0) -> first", "first (4) -> a", "a (0) -> second",
                                      "second (0) -> a", "a (0) -> second"}));
  std::set<uint64_t> koids;
  for (const PlainRecord& record : archive.of_type(kSwitch))
    if (record.subtype != kWakeup) koids.insert(record.other_thread);
  EXPECT_EQ(koids.size(), 4u);  // a, first and twice second
  EXPECT_EQ(archive.events("thread terminated").size(), 1u);
}

TEST_F(ThreadXTest, AThreadThatEndedAndStartsAgainIsAnotherThread) {
  const auto [a, b] = start_with_two();
  stand_in_switch(b);
  stand_in_suspend(b, TX_COMPLETED, nullptr);
  stand_in_switch(a);
  stand_in_restart(b);
  stand_in_switch(b);
  const PlainArchive archive = stop_and_read();
  EXPECT_EQ(switches(archive), (Texts{"a (0) -> b", "b (4) -> a", "a (0) -> b"}));
  std::set<uint64_t> koids;
  for (const PlainRecord& record : archive.of_type(kSwitch))
    if (record.subtype != kWakeup) koids.insert(record.other_thread);
  EXPECT_EQ(koids.size(), 3u);  // a and twice b
}

TEST_F(ThreadXTest, AWakeupSaysWhichHandlerMadeItThatIsNotAnnounced) {
  const auto [a, b] = start_with_two();
  for (const bool is_announced : {false, true}) {
    stand_in_suspend(a, TX_SLEEP, nullptr);
    stand_in_switch(b);
    if (is_announced) stand_in_interrupt_enter(24);
    stand_in_interrupted_by(24);
    stand_in_resume(a);
    if (is_announced) stand_in_interrupt_exit(24);
    stand_in_interrupted_by(0);
    stand_in_switch(a);
  }
  EXPECT_EQ(wakeups(stop_and_read()), (Texts{"a by 24", "a"}));
}

TEST_F(ThreadXTest, OnlyAThreadThatWasNotReadyWakesUp) {
  const auto [a, b] = start_with_two();
  stand_in_switch(b);
  stand_in_resume(b);
  stand_in_suspend(a, TX_SLEEP, nullptr);
  stand_in_resume(a);  // one
  stand_in_suspend(b, TX_SLEEP, nullptr);
  stand_in_resume(b);  // before it was switched out
  stand_in_switch(a);
  EXPECT_EQ(wakeups(stop_and_read()), (Texts{"a"}));
}

TEST_F(ThreadXTest, AWaitIsADurationOnTheThreadThatWaited) {
  const auto [a, b] = start_with_two();
  stand_in_suspend(a, TX_QUEUE_SUSP, stand_in_queue(0, "jobs"));
  stand_in_switch(b);
  stand_in_resume(a);
  stand_in_switch(a);
  stand_in_suspend(a, TX_MUTEX_SUSP, stand_in_mutex(1, "lock"));
  stand_in_switch(b);
  stand_in_resume(a);
  stand_in_wait_failed(a);
  stand_in_switch(a);
  const PlainArchive archive = stop_and_read();
  const auto waits = archive.events("queue wait");
  ASSERT_EQ(waits.size(), 1u);
  EXPECT_EQ(waits[0].subtype, kComplete);
  EXPECT_EQ(name_of(archive, waits[0].thread), "a");
  EXPECT_EQ(name_of(archive, waits[0].argument("object")->bits), "jobs");
  EXPECT_EQ(waits[0].argument("failed"), nullptr);
  ASSERT_EQ(archive.events("mutex wait").size(), 1u);
  EXPECT_NE(archive.events("mutex wait")[0].argument("failed"), nullptr);
  const auto blocks = archive.events("blocks");
  ASSERT_EQ(blocks.size(), 2u);
  EXPECT_EQ(name_of(archive, blocks[0].thread), "a");
  EXPECT_EQ(name_of(archive, blocks[1].argument("object")->bits), "lock");
}

TEST_F(ThreadXTest, StatsFindsAPlantedInversion) {
  stand_in_thread* const low = stand_in_create("low", 20);
  stand_in_thread* const middle = stand_in_create("middle", 15);
  stand_in_thread* const high = stand_in_create("high", 10);
  for (stand_in_thread* const thread : {middle, high}) stand_in_suspend(thread, TX_SLEEP, nullptr);
  stand_in_switch(low);
  void* const mutex = stand_in_mutex(1, "bus");
  start();
  stand_in_hold(mutex, low);
  stand_in_resume(high);
  stand_in_switch(high);
  stand_in_suspend(high, TX_MUTEX_SUSP, mutex);
  stand_in_resume(middle);
  stand_in_switch(middle);
  stand_in_suspend(middle, TX_SLEEP, nullptr);
  stand_in_switch(low);
  stand_in_hold(mutex, high);
  stand_in_resume(high);
  stand_in_switch(high);
  stop_and_read();
  expect_the_inversion("bus", "threadx", "mutex wait");
  stand_in_hold(mutex, nullptr);
}

TEST_F(ThreadXTest, AnObjectKeepsItsIdUntilAnotherIsAtItsAddress) {
  const auto [a, b] = start_with_two();
  void* const objects[] = {stand_in_queue(0, "jobs"), stand_in_queue(0, "jobs")};
  for (void* object : objects) {
    stand_in_suspend(a, TX_QUEUE_SUSP, object);
    stand_in_switch(b);
    stand_in_resume(a);
    stand_in_switch(a);
  }
  stand_in_suspend(a, TX_MUTEX_SUSP, stand_in_mutex(0, "lock"));
  stand_in_switch(b);
  stand_in_resume(a);
  stand_in_switch(a);
  stand_in_suspend(a, TX_MUTEX_SUSP, stand_in_mutex(0, "other lock"));
  stand_in_switch(b);
  const PlainArchive archive = stop_and_read();
  const auto blocks = archive.events("blocks");
  ASSERT_EQ(blocks.size(), 4u);
  EXPECT_EQ(name_of(archive, blocks[3].argument("object")->bits), "other lock");
  EXPECT_EQ(blocks[0].argument("object")->bits, blocks[1].argument("object")->bits);
  EXPECT_NE(blocks[0].argument("object")->bits, blocks[2].argument("object")->bits);
  EXPECT_EQ(name_of(archive, blocks[0].argument("object")->bits), "jobs");
  EXPECT_EQ(name_of(archive, blocks[2].argument("object")->bits), "lock");
}

TEST_F(ThreadXTest, CallsAreInstantsWithTheirObject) {
  stand_in_thread* const a = start_with_one();
  stand_in_queue_send(stand_in_queue(0, "jobs"));
  stand_in_queue_receive(stand_in_queue(0, "jobs"));
  stand_in_mutex_get(stand_in_mutex(1, "lock"));
  stand_in_set_priority(a, 3);
  const PlainArchive archive = stop_and_read();
  for (const char* call : {"queue send", "queue receive"}) {
    ASSERT_EQ(archive.events(call).size(), 1u) << call;
    EXPECT_EQ(name_of(archive, archive.events(call)[0].argument("object")->bits), "jobs");
  }
  EXPECT_EQ(name_of(archive, archive.events("mutex get").at(0).argument("object")->bits), "lock");
  EXPECT_EQ(archive.events("priority changed").at(0).argument("priority")->bits, 3u);
}

TEST_F(ThreadXTest, WhatIsDoneToATimerAndThatAThreadIsCreatedAreInstants) {
  start();
  stand_in_use_timer("blink");
  stand_in_create("a", 10);
  const PlainArchive archive = stop_and_read();
  for (const char* call :
       {"object created", "timer activate", "timer deactivate", "object deleted"}) {
    ASSERT_EQ(archive.events(call).size(), 1u) << call;
    EXPECT_EQ(name_of(archive, archive.events(call)[0].argument("object")->bits), "blink") << call;
  }
  ASSERT_EQ(archive.events("thread created").size(), 1u);
  EXPECT_EQ(name_of(archive, archive.events("thread created")[0].argument("thread")->bits), "a");
}

TEST_F(ThreadXTest, WhatIsCreatedHasItsAddress) {
  start();
  const void* const thread = stand_in_create("a", 10);
  void* const queue = stand_in_queue(0, "queue");
  stand_in_queue_create(queue);
  const PlainArchive archive = stop_and_read();
  expect_address(archive, "thread created", "thread", thread);
  expect_address(archive, "object created", "object", queue);
}

TEST_F(ThreadXTest, AnObjectThatIsCreatedIsAnotherThoughAllElseIsTheSame) {
  start_with_one();
  void* const queue = stand_in_queue(0, "jobs");
  stand_in_queue_create(queue);
  stand_in_queue_send(queue);
  stand_in_queue_delete(queue);
  stand_in_queue_create(queue);
  stand_in_queue_send(queue);
  const PlainArchive archive = stop_and_read();
  const auto sent = archive.events("queue send");
  ASSERT_EQ(sent.size(), 2u);
  EXPECT_NE(sent[0].argument("object")->bits, sent[1].argument("object")->bits);
  EXPECT_EQ(archive.events("object deleted").at(0).argument("object")->bits,
            sent[0].argument("object")->bits);
  for (const auto& event : sent)
    EXPECT_EQ(name_of(archive, event.argument("object")->bits), "jobs");
}

TEST_F(ThreadXTest, APoolIsACounterOfWhatEachCallFinds) {
  start();
  stand_in_allocate(100);
  stand_in_allocate(50);
  const PlainArchive archive = stop_and_read();
  const auto counted = archive.events("byte pool");
  ASSERT_EQ(counted.size(), 2u);
  EXPECT_EQ(counted[0].argument("available")->bits, 1000u);
  EXPECT_EQ(counted[1].argument("available")->bits, 900u);
  EXPECT_EQ(name_of(archive, counted[0].value), "bytes");
}

TEST_F(ThreadXTest, EachBlockOfAPoolHasItsAddressItsSizeAndItsCaller) {
  static char memory[2][256];
  TX_BYTE_POOL bytes = {};
  TX_BLOCK_POOL blocks = {};
  char names[2][7] = {"bytes", "blocks"};
  start();
  EXPECT_EQ(_txe_byte_pool_create(&bytes, names[0], memory[0], sizeof memory[0], sizeof bytes),
            TX_SUCCESS);
  EXPECT_EQ(_txe_block_pool_create(&blocks, names[1], 32, memory[1], 64, sizeof blocks),
            TX_SUCCESS);
  void* block = nullptr;
  EXPECT_EQ(_txe_byte_allocate(&bytes, &block, 100, 0), TX_SUCCESS);
  EXPECT_EQ(_txe_byte_release(block), TX_SUCCESS);
  EXPECT_EQ(_txe_byte_allocate(&bytes, &block, 1000, 0), TX_NO_MEMORY);
  EXPECT_EQ(_txe_block_allocate(&blocks, &block, 0), TX_SUCCESS);
  EXPECT_EQ(_txe_block_release(block), TX_SUCCESS);
  EXPECT_EQ(_txe_block_allocate(&blocks, &block, 0), TX_NO_MEMORY);
  EXPECT_EQ(_txe_block_allocate(nullptr, &block, 0), TX_PTR_ERROR) << "records nothing";
  const PlainArchive archive = stop_and_read();
  Texts pools;
  for (const PlainRecord& pool : archive.events("pool"))
    pools.push_back(pool.argument("name")->text + " " +
                    std::to_string(pool.argument("bytes")->bits));
  EXPECT_EQ(pools, (Texts{"bytes 256", "blocks 64"}));
  const auto at = [](const void* address) { return reinterpret_cast<uintptr_t>(address); };
  const auto allocated = archive.events("alloc");
  const std::pair<uint64_t, uint64_t> expected[] = {
      {at(memory[0]), 100}, {0, 1000}, {at(memory[1]), 32}, {0, 32}};
  ASSERT_EQ(allocated.size(), std::size(expected));
  for (size_t i = 0; i < std::size(expected); ++i) {
    EXPECT_EQ(allocated[i].argument("address")->bits, expected[i].first);
    EXPECT_EQ(allocated[i].argument("bytes")->bits, expected[i].second);
    EXPECT_NE(allocated[i].argument("caller")->bits, 0u);
  }
  const auto freed = archive.events("free");
  ASSERT_EQ(freed.size(), 2u);
  EXPECT_EQ(freed[0].argument("address")->bits, at(memory[0]));
  EXPECT_EQ(freed[1].argument("address")->bits, at(memory[1]));
}

TEST_F(ThreadXTest, AWaitThatBeganInAnotherSessionIsNotRecorded) {
  stand_in_thread* const a = start_with_one();
  stand_in_suspend(a, TX_QUEUE_SUSP, stand_in_queue(0, "jobs"));
  stand_in_switch(nullptr);
  stop_and_read();
  start();
  stand_in_resume(a);
  stand_in_switch(a);
  EXPECT_EQ(stop_and_read().events("queue wait").size(), 0u);
}

TEST_F(ThreadXTest, TicksAreACounterOfEachCpu) {
  expect_ticks_of_each_cpu(15, [](uint32_t number) {
    stand_in_interrupt_enter(number);
    stand_in_interrupt_exit(number);
  });
}

TEST_F(ThreadXTest, InterruptsAreDurationsAndAnExitAloneIsLeftOut) {
  expect_interrupts(15, 24, stand_in_interrupt_enter, stand_in_interrupt_exit);
}

TEST_F(ThreadXTest, AnInterruptWithinAnEnterLosesNothing) {
  static stand_in_thread* b;
  stand_in_thread* const a = stand_in_create("a", 10);
  b = stand_in_create("b", 10);
  stand_in_switch(a);
  start();
  for (int i = 0; i < 20; ++i) {
    stand_in_suspend(b, TX_SLEEP, nullptr);
    interrupt_next_reservation([] {
      stand_in_interrupt_enter(15);
      stand_in_resume(b);
      stand_in_interrupt_exit(15);
    });
    stand_in_suspend(a, TX_SLEEP, nullptr);
    stand_in_switch(nullptr);
    stand_in_resume(a);
    stand_in_switch(a);
  }
  const PlainArchive archive = stop_and_read();
  EXPECT_EQ(switches(archive).size(), 40u);
  EXPECT_EQ(archive.events("tick").size(), 40u);
}

TEST_F(ThreadXTest, TheKernelsNumbersAndAScanMoveTheMark) {
  stand_in_thread* const a = stand_in_create("a", 10);
  stand_in_thread* const b = stand_in_create("b", 10);
  start();
  stand_in_switch(a);
  stand_in_switch(b);
  stand_in_leave_stack(a, 96, 80);
  stand_in_switch(a);
  stand_in_use_stack(a, 64);
  stand_in_use_stack(b, 24);
  for (int i = 0; i < 3; ++i) barefxt_threadx_scan_stacks();
  stand_in_switch(b);
  stand_in_terminate(a);
  stand_in_use_stack(a, 0);
  for (int i = 0; i < 3; ++i) barefxt_threadx_scan_stacks();
  const PlainArchive archive = stop_and_read();
  EXPECT_EQ(marks(archive, "a", STAND_IN_STACK_BYTES), (std::vector<uint64_t>{96, 80, 64}));
  EXPECT_EQ(marks(archive, "b", STAND_IN_STACK_BYTES), std::vector<uint64_t>{24});
}

TEST_F(ThreadXTest, AThreadWithoutAStackHasNoMark) {
  stand_in_thread* const a = stand_in_create("a", 10);
  a->tx_thread_stack_start = nullptr;
  start();
  stand_in_switch(a);
  for (int i = 0; i < 3; ++i) barefxt_threadx_scan_stacks();
  EXPECT_TRUE(stop_and_read().events("stack").empty());
}

using ThreadXSamplesTest = Sampled<ThreadXTest>;

void tick() {
  stand_in_interrupt_enter(15);
  stand_in_interrupt_exit(15);
}

TEST_F(ThreadXSamplesTest, EveryNthTickOfACpuTakesASample) {
  stand_in_thread* const a = stand_in_create("a", 10);
  stand_in_switch(a);
  run_on_cpu(1);
  stand_in_switch(stand_in_create("b", 10));
  run_on_cpu(0);
  expect_samples_of_ticks(tick);
}

TEST_F(ThreadXSamplesTest, ATickThatCameToNothingKnownTakesNone) {
  stand_in_thread* const a = stand_in_create("a", 10);
  stand_in_switch(a);
  expect_no_sample_of_nothing(tick);
}

TEST_F(ThreadXSamplesTest, ATickWithoutAThreadTakesNone) {
  stand_in_interrupted = {0x1234, 0, 0};
  start();
  for (int i = 0; i < 3; ++i) tick();
  EXPECT_TRUE(stop_and_read().of_type(kSample).empty());
}

TEST_F(ThreadXSamplesTest, CallersAreReadInTheRunningThreadsStack) {
  stand_in_thread* const a = stand_in_create("a", 10);
  stand_in_switch(a);
  expect_callers_within(barefxt_threadx_sample, stand_in_stack(a), STAND_IN_STACK_BYTES);
}

}  // namespace
}  // namespace barefxt::test::threadx_test
