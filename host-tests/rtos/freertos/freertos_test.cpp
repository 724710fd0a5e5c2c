// FreeRTOS's trace macros, expanded in a stand-in for the kernel, in the orders of the real one.

#include <map>
#include <set>

#include "../states_page.h"
#include "stand_in.h"

extern "C" uint32_t barefxt_freertos_leaving;

namespace barefxt::test::freertos_test {
namespace {

class FreeRtosTest : public StatesPageTest {
 protected:
  void TearDown() override {
    // Tasks left on a CPU leave it.
    SessionTest::TearDown();
    stand_in_reset();
    run_on_cpu(0);
  }
  // Recording starts while "a" runs.
  stand_in_task* start_with_one() {
    stand_in_task* const a = stand_in_create("a", 1);
    stand_in_start_scheduler(a);
    start();
    return a;
  }

  // Koids of what is called so.
  static std::set<uint64_t> koids_of(const PlainArchive& archive, const std::string& name) {
    std::set<uint64_t> koids;
    for (const PlainRecord& record : archive.of_type(kKernelObject))
      if (record.name == name) koids.insert(record.value);
    return koids;
  }
  static constexpr unsigned kInstant = 0;
};

using Texts = std::vector<std::string>;

TEST_F(FreeRtosTest, TheListThatATaskIsOnShowsTheStateItLeavesIn) {
  stand_in_task* const a = stand_in_create("a", 1);
  stand_in_task* const b = stand_in_create("b", 1);
  stand_in_start_scheduler(a);
  start();
  for (const stand_in_place place :
       {STAND_IN_READY, STAND_IN_DELAYED, STAND_IN_DELAYED_BEYOND_OVERFLOW, STAND_IN_SUSPENDED,
        STAND_IN_WAITING_FOR_EVER, STAND_IN_NOTIFIED_FOR_EVER}) {
    stand_in_move(a, place);
    stand_in_switch(b);
    stand_in_make_ready(a);
    stand_in_switch(a);
  }
  stand_in_delete(a);
  stand_in_switch(b);
  EXPECT_EQ(switches(stop_and_read()),
            (Texts{"a (0) -> b", "b (0) -> a", "a (3) -> b", "b (0) -> a", "a (3) -> b",
                   "b (0) -> a", "a (2) -> b", "b (0) -> a", "a (3) -> b", "b (0) -> a",
                   "a (3) -> b", "b (0) -> a", "a (4) -> b"}));
}

// portMAX_DELAY puts a task on the list of suspended ones, where INCLUDE_vTaskSuspend is set.
TEST_F(FreeRtosTest, AThreadThatIsStoredBehindTheEndOfSwitchesIsForgottenWhenItLeaves) {
  stand_in_task* const a = stand_in_create("a", 1);
  stand_in_task* const b = stand_in_create("b", 1);
  stand_in_start_scheduler(a);
  start();
  stand_in_switch(b);
  expect_no_late_thread([&] { stand_in_switch(a); });
}

TEST_F(FreeRtosTest, CallsLeaveTheStatesOfThePage) {
  stand_in_task* a = nullptr;
  stand_in_task* const b = stand_in_create("b", 1);
  stand_in_start_scheduler(b);
  const auto preempt = [&] { stand_in_switch(b); };
  const auto come_back = [&] {
    stand_in_make_ready(a);
    stand_in_switch(a);
    stand_in_switch(b);
  };
  const auto leaves = [&](stand_in_place place) {
    return [&, place] {
      stand_in_move(a, place);
      stand_in_switch(b);
      come_back();
    };
  };
  expect_states(
      "FreeRTOS", [&] { a = stand_in_create("a", 1); }, [&] { stand_in_switch(a); },
      {{"taskYIELD, or preempted", preempt},
       {"vTaskDelay, xTaskDelayUntil", leaves(STAND_IN_DELAYED)},
       {"vTaskDelay beyond an overflow of the tick count",
        leaves(STAND_IN_DELAYED_BEYOND_OVERFLOW)},
       {"xTaskDelayUntil, too late to delay",
        [&] {
          stand_in_delay_until(10, false);
          preempt();
        }},
       {"xQueueReceive, xQueueSend, xSemaphoreTake with a timeout", leaves(STAND_IN_DELAYED)},
       {"xQueueReceive, xSemaphoreTake, xEventGroupWaitBits with portMAX_DELAY",
        leaves(STAND_IN_WAITING_FOR_EVER)},
       {"ulTaskNotifyTake, xTaskNotifyWait, xStreamBufferReceive with portMAX_DELAY",
        leaves(STAND_IN_NOTIFIED_FOR_EVER)},
       {"vTaskSuspend of itself", leaves(STAND_IN_SUSPENDED)},
       {"vTaskSuspend of a ready task",
        [&] {
          preempt();
          stand_in_move(a, STAND_IN_SUSPENDED);
          stand_in_make_ready(a);
        }},
       {"vTaskPrioritySet of a ready task, inheritance",
        [&] {
          preempt();
          stand_in_set_priority(a, 3);
          stand_in_inherit(a, 4);
          stand_in_disinherit(a, 3);
        }},
       {"vTaskDelete of itself", [&] {
          stand_in_delete(a);
          stand_in_switch(b);
        }}});
}

TEST_F(FreeRtosTest, ATaskThatIsSelectedAgainIsNotSwitched) {
  stand_in_task* const a = start_with_one();
  for (int i = 0; i < 3; ++i) stand_in_switch(a);
  EXPECT_EQ(switches(stop_and_read()), Texts{});
}

TEST_F(FreeRtosTest, TheFirstTaskComesFromNowhereAndAMissingOutIsAPreemption) {
  stand_in_task* const a = stand_in_create("a", 1);
  stand_in_task* const b = stand_in_create("b", 1);
  start();
  stand_in_start_scheduler(a);
  stand_in_switch_without_out(b);
  EXPECT_EQ(switches(stop_and_read()), (Texts{"cpu-0 (3) -> a", "a (0) -> b"}));
}

TEST_F(FreeRtosTest, EachCpuPairsItsOwnHalves) {
  stand_in_task* const a = stand_in_create("a", 1);
  stand_in_task* const b = stand_in_create("b", 1);
  stand_in_task* const c = stand_in_create("c", 1);
  stand_in_start_scheduler(a);
  run_on_cpu(1);
  stand_in_start_scheduler(b);
  start();
  run_on_cpu(1);
  stand_in_move(b, STAND_IN_DELAYED);
  stand_in_switch(c);
  run_on_cpu(0);
  stand_in_switch(b);
  run_on_cpu(1);
  stand_in_switch(a);
  run_on_cpu(0);
  const PlainArchive archive = stop_and_read();
  EXPECT_EQ(switches(archive), (Texts{"b (3) -> c", "a (0) -> b", "c (0) -> a"}));
  EXPECT_EQ(archive.of_type(kSwitch).at(1).cpu, 0u);
}

TEST_F(FreeRtosTest, APriorityIsOneHigherThanTheKernelsForZeroIsIdle) {
  stand_in_task* const idle = stand_in_create("IDLE", 0);
  stand_in_task* const low = stand_in_create("low", 0);
  stand_in_task* const high = stand_in_create("high", 7);
  stand_in_start_scheduler(idle);
  start();
  stand_in_switch(low);
  stand_in_switch(high);
  stand_in_inherit(low, 7);
  stand_in_switch(low);
  const PlainArchive archive = stop_and_read();
  EXPECT_EQ(switches(archive), (Texts{"idle/0 (0) -> low", "low (0) -> high", "high (0) -> low"}));
  const auto records = archive.of_type(kSwitch);
  EXPECT_EQ(records.at(0).process, 0u);
  EXPECT_EQ(records.at(0).numbers, (std::vector<uint64_t>{0, 0, 1}));
  EXPECT_EQ(records.at(1).numbers, (std::vector<uint64_t>{0, 1, 8}));
  EXPECT_EQ(records.at(2).numbers, (std::vector<uint64_t>{0, 8, 8}));
  EXPECT_EQ(archive.events("priority inherited").at(0).argument("priority")->bits, 7u);
}

TEST_F(FreeRtosTest, AnAddressThatComesAgainIsAnotherThread) {
  stand_in_task* const a = start_with_one();
  stand_in_task* const first = stand_in_create("first", 1);
  stand_in_switch(first);
  stand_in_move(first, STAND_IN_DELAYED);
  stand_in_switch(a);
  stand_in_delete(first);
  stand_in_task* const second = stand_in_create("second", 1);
  EXPECT_EQ(first, second);
  stand_in_switch(second);
  stand_in_switch(a);
  EXPECT_EQ(switches(stop_and_read()),
            (Texts{"a (0) -> first", "first (3) -> a", "a (0) -> second", "second (0) -> a"}));
}

TEST_F(FreeRtosTest, ATaskThatDeletesItselfIsItselfUntilItIsSwitchedOut) {
  stand_in_task* const a = start_with_one();
  stand_in_task* const first = stand_in_create("first", 1);
  stand_in_switch(first);
  stand_in_delete(first);
  stand_in_create("next", 1);
  stand_in_switch(a);
  const PlainArchive archive = stop_and_read();
  EXPECT_EQ(switches(archive), (Texts{"a (0) -> first", "first (4) -> a"}));
  EXPECT_EQ(koids_of(archive, "next").size(), 1u);
}

TEST_F(FreeRtosTest, ATasksPlaceIsGivenBackWhateverIsRecorded) {
  stand_in_task* const a = stand_in_create("a", 1);
  stand_in_start_scheduler(a);
  for (int i = 0; i < 100; ++i) {
    stand_in_task* const task = stand_in_create("brief", 1);
    stand_in_switch(task);
    stand_in_delete(task);
    stand_in_switch(a);
  }
  start();
  stand_in_switch(stand_in_create("last", 1));
  EXPECT_EQ(switches(stop_and_read()), (Texts{"a (0) -> last"}));
}

TEST_F(FreeRtosTest, SwitchesAreLookedAtWhileTasksLeaveForGoodAndNoLonger) {
  stand_in_task* staying[2];
  stand_in_task* leaving[2];
  for (const uint32_t cpu : {0u, 1u}) {
    run_on_cpu(cpu);
    staying[cpu] = stand_in_create("staying", 1);
    leaving[cpu] = stand_in_create("leaving", 1);
    stand_in_start_scheduler(staying[cpu]);
    stand_in_switch(leaving[cpu]);
    EXPECT_EQ(barefxt_freertos_leaving, cpu);
    stand_in_delete(leaving[cpu]);
    EXPECT_EQ(barefxt_freertos_leaving, cpu + 1);
  }
  // A task deleted by another is gone at once.
  stand_in_delete(stand_in_create("deleted", 1));
  EXPECT_EQ(barefxt_freertos_leaving, 2u);
  for (const uint32_t cpu : {0u, 1u}) {
    run_on_cpu(cpu);
    stand_in_switch(staying[cpu]);
    EXPECT_EQ(barefxt_freertos_leaving, 1 - cpu);
    stand_in_switch(staying[cpu]);
    EXPECT_EQ(barefxt_freertos_leaving, 1 - cpu);
  }
  start();
}

TEST_F(FreeRtosTest, TasksBeyondTheTableAreOneThread) {
  stand_in_task* const a = stand_in_create("a", 1);
  stand_in_task* last = nullptr;
  for (int i = 0; i < 32; ++i) last = stand_in_create("many", 1);
  stand_in_start_scheduler(a);
  start();
  stand_in_switch(last);
  stand_in_delete(last);
  EXPECT_EQ(barefxt_freertos_leaving, 0u);
  stand_in_switch(a);
  EXPECT_EQ(switches(stop_and_read()), (Texts{"a (0) -> (more tasks)", "(more tasks) (4) -> a"}));
}

TEST_F(FreeRtosTest, OnlyATaskThatWasNotReadyWakesUp) {
  stand_in_task* const a = start_with_one();
  stand_in_task* const b = stand_in_create("b", 1);  // one
  stand_in_set_priority(b, 2);
  stand_in_inherit(b, 3);
  stand_in_switch(b);
  stand_in_disinherit(b, 2);
  stand_in_move(b, STAND_IN_DELAYED);
  stand_in_make_ready(b);  // while it leaves: it never slept
  stand_in_switch(a);
  stand_in_switch(b);
  stand_in_move(b, STAND_IN_DELAYED);
  stand_in_switch(a);
  stand_in_make_ready(b);  // two
  stand_in_move(b, STAND_IN_SUSPENDED);
  stand_in_make_ready(b);  // three
  EXPECT_EQ(wakeups(stop_and_read()), (Texts{"b", "b", "b"}));
}

TEST_F(FreeRtosTest, ATaskWakesUpWhileTheSchedulerIsSuspended) {
  stand_in_task* const a = start_with_one();
  const std::vector<std::tuple<std::string, stand_in_place, void (*)(stand_in_task*)>> ways = {
      {"queued", STAND_IN_WAITING_FOR_EVER, stand_in_remove_from_event_list},
      {"resumed", STAND_IN_SUSPENDED, stand_in_resume_from_interrupt},
      {"notified", STAND_IN_NOTIFIED_FOR_EVER, stand_in_notify_from_interrupt},
  };
  std::vector<stand_in_task*> tasks;
  for (const auto& [name, place, wake] : ways) {
    stand_in_task* const task = stand_in_create(name.c_str(), 2);
    stand_in_switch(task);
    stand_in_move(task, place);
    stand_in_switch(a);
    tasks.push_back(task);
  }
  stand_in_suspend_scheduler();
  for (size_t i = 0; i < tasks.size(); ++i) std::get<2>(ways[i])(tasks[i]);
  // It waits for no notification.
  stand_in_task* const other = stand_in_create("other", 2);
  stand_in_switch(other);
  stand_in_move(other, STAND_IN_DELAYED);
  stand_in_switch(a);
  stand_in_notify_from_interrupt(other);
  stand_in_resume_scheduler();
  for (stand_in_task* const task : tasks) stand_in_make_ready(task);
  EXPECT_EQ(wakeups(stop_and_read()),
            (Texts{"queued", "resumed", "notified", "queued", "resumed", "notified", "other"}));
}

TEST_F(FreeRtosTest, AnInterruptThatEndsWithoutHavingBegunIsLeftOut) {
  start();
  stand_in_handler_without_enter(24);
  stand_in_tick();
  const PlainArchive archive = stop_and_read();
  ASSERT_EQ(archive.events("tick").size(), 2u);
  EXPECT_EQ(archive.events("tick").at(0).argument("irq")->bits, 15u);
  EXPECT_EQ(archive.events("interrupt").size(), 0u);
  EXPECT_EQ(archive.events("ticks").size(), 0u);
}

TEST_F(FreeRtosTest, AWakeupSaysWhichHandlerMadeItThatIsNotAnnounced) {
  stand_in_task* const a = start_with_one();
  stand_in_task* const b = stand_in_create("b", 2);
  stand_in_switch(b);
  stand_in_move(b, STAND_IN_DELAYED);
  stand_in_switch(a);
  stand_in_interrupted_by(24);
  stand_in_make_ready(b);
  stand_in_interrupted_by(0);
  EXPECT_EQ(wakeups(stop_and_read()), (Texts{"b", "b by 24"}));
}

TEST_F(FreeRtosTest, AWaitIsOneDurationHoweverOftenTheTaskWokeUp) {
  stand_in_task* const a = stand_in_create("a", 1);
  stand_in_start_scheduler(a);
  stand_in_object* const queue = stand_in_queue_create(0);
  stand_in_object* const mutex = stand_in_queue_create(1);
  stand_in_queue_name(queue, "jobs");
  start();
  stand_in_queue_name(mutex, "lock");
  stand_in_queue_blocks(queue);
  stand_in_queue_blocks(queue);
  stand_in_queue_sent_from_interrupt(queue);
  stand_in_queue_received(queue);
  stand_in_queue_received(queue);
  stand_in_queue_blocks(mutex);
  stand_in_queue_timed_out(mutex);
  stand_in_queue_sent(mutex);
  const PlainArchive archive = stop_and_read();
  ASSERT_EQ(archive.events("blocks").size(), 2u);
  const auto received = archive.events("queue receive");
  ASSERT_EQ(received.size(), 2u);
  EXPECT_EQ(received[0].subtype, kComplete);
  EXPECT_EQ(received[0].timestamp + 1, archive.events("blocks").at(0).timestamp);
  EXPECT_EQ(received[1].subtype, kInstant);
  EXPECT_EQ(name_of(archive, received[0].argument("object")->bits), "jobs");
  EXPECT_EQ(archive.events("queue send").size(), 1u);
  const auto taken = archive.events("mutex take");
  ASSERT_EQ(taken.size(), 1u);
  EXPECT_EQ(taken[0].subtype, kComplete);
  EXPECT_NE(taken[0].argument("failed"), nullptr);
  EXPECT_EQ(name_of(archive, taken[0].argument("object")->bits), "lock");
  EXPECT_EQ(archive.events("mutex give").size(), 0u) << "no task held it";
}

TEST_F(FreeRtosTest, AMutexIsHeldFromTakeToGive) {
  stand_in_task* const a = stand_in_create("a", 1);
  stand_in_start_scheduler(a);
  stand_in_object* const mutex = stand_in_queue_create(1);
  stand_in_object* const semaphore = stand_in_queue_create(3);
  start();
  stand_in_queue_sent(mutex);  // as it is created
  stand_in_queue_received(mutex);
  stand_in_queue_received(semaphore);
  stand_in_queue_sent(semaphore);
  stand_in_queue_sent(mutex);
  barefxt_set_categories(~BAREFXT_CATEGORY_BIT(locks));
  stand_in_queue_received(mutex);
  stand_in_queue_sent(mutex);
  const PlainArchive archive = stop_and_read();
  const auto held = archive.events("mutex");
  ASSERT_EQ(held.size(), 2u);
  EXPECT_EQ(held[0].subtype, 5u);
  EXPECT_EQ(held[1].subtype, 7u);
  for (const PlainRecord& one : held) EXPECT_EQ(one.value, stand_in_object_number(mutex));
  EXPECT_EQ(archive.events("mutex take").size(), 1u) << "without the category, as an instant";
  EXPECT_EQ(archive.events("mutex give").size(), 1u);
  EXPECT_EQ(archive.events("semaphore take").size(), 1u);
}

TEST_F(FreeRtosTest, StatsFindsAPlantedInversion) {
  stand_in_task* const low = stand_in_create("low", 1);
  stand_in_task* const middle = stand_in_create("middle", 2);
  stand_in_task* const high = stand_in_create("high", 3);
  for (stand_in_task* const task : {middle, high}) stand_in_move(task, STAND_IN_DELAYED);
  stand_in_start_scheduler(low);
  stand_in_object* const mutex = stand_in_queue_create(1);
  stand_in_queue_name(mutex, "bus");
  start();
  stand_in_queue_received(mutex);
  for (stand_in_task* const task : {middle, high}) {
    stand_in_switch(task);
    stand_in_move(task, STAND_IN_DELAYED);
    stand_in_switch(low);
  }
  stand_in_make_ready(high);
  stand_in_switch(high);
  stand_in_queue_blocks(mutex);
  stand_in_move(high, STAND_IN_DELAYED);
  stand_in_make_ready(middle);
  stand_in_switch(middle);
  stand_in_move(middle, STAND_IN_DELAYED);
  stand_in_switch(low);
  stand_in_queue_sent(mutex);
  stand_in_make_ready(high);
  stand_in_switch(high);
  stand_in_queue_received(mutex);
  stop_and_read();
  expect_the_inversion("bus", "freertos", "mutex take");
}

TEST_F(FreeRtosTest, AWaitThatBeganBeforeTheSessionIsNotInIt) {
  stand_in_task* const a = stand_in_create("a", 1);
  stand_in_start_scheduler(a);
  stand_in_object* const queue = stand_in_queue_create(0);
  start();
  stand_in_queue_blocks(queue);
  stop_and_read();
  start();
  stand_in_queue_received(queue);
  const PlainArchive archive = stop_and_read();
  EXPECT_EQ(archive.events("queue receive").at(0).subtype, kInstant);
}

TEST_F(FreeRtosTest, TheOuterOfTwoWaitsIsTheOneToTell) {
  stand_in_task* const a = stand_in_create("a", 1);
  stand_in_start_scheduler(a);
  stand_in_object* const stream = stand_in_stream_create();
  start();
  stand_in_stream_receive(stream);
  stand_in_notification_wait();
  const PlainArchive archive = stop_and_read();
  EXPECT_EQ(archive.events("stream buffer receive").at(0).subtype, kComplete);
  ASSERT_EQ(archive.events("notification wait").size(), 1u);
  EXPECT_EQ(archive.events("notification wait").at(0).subtype, kComplete);
}

TEST_F(FreeRtosTest, TimersEventGroupsAndNotificationsAreRecorded) {
  stand_in_task* const a = start_with_one();
  stand_in_object* const timer = stand_in_timer_create("blink");
  stand_in_timer_expired(timer);
  stand_in_timer_deleted(timer);
  stand_in_event_group_wait(stand_in_event_group_create(), true);
  stand_in_notify(a);
  const PlainArchive archive = stop_and_read();
  EXPECT_EQ(name_of(archive, archive.events("timer expired").at(0).argument("object")->bits),
            "blink");
  EXPECT_EQ(archive.events("object deleted").size(), 1u);
  EXPECT_NE(archive.events("event group wait").at(0).argument("failed"), nullptr);
  EXPECT_EQ(name_of(archive, archive.events("notify").at(0).argument("task")->bits), "a");
}

TEST_F(FreeRtosTest, TheHeapIsACounterAndItsEndAnEvent) {
  start();
  stand_in_malloc(100);
  stand_in_malloc(50);
  stand_in_free(100);
  stand_in_malloc_failed(9999);
  const PlainArchive archive = stop_and_read();
  const auto counted = archive.events("heap");
  ASSERT_EQ(counted.size(), 3u);
  EXPECT_EQ(counted[1].argument("bytes")->bits - counted[0].argument("bytes")->bits, 50u);
  EXPECT_EQ(counted[1].argument("bytes")->bits - counted[2].argument("bytes")->bits, 100u);
  EXPECT_EQ(archive.events("no memory").at(0).argument("bytes")->bits, 9999u);
}

TEST_F(FreeRtosTest, EachBlockOfTheHeapHasItsAddressAndItsCaller) {
  start();
  stand_in_malloc(100);
  stand_in_free(100);
  stand_in_malloc_failed(9999);
  const PlainArchive archive = stop_and_read();
  const auto allocated = archive.events("alloc");
  const auto freed = archive.events("free");
  ASSERT_EQ(allocated.size(), 2u);
  ASSERT_EQ(freed.size(), 1u);
  EXPECT_EQ(allocated[0].argument("bytes")->bits, 100u);
  EXPECT_EQ(allocated[0].argument("address")->bits, freed[0].argument("address")->bits);
  EXPECT_NE(allocated[0].argument("caller")->bits, 0u);
  EXPECT_NE(allocated[0].argument("caller")->bits, freed[0].argument("caller")->bits);
  EXPECT_EQ(allocated[1].argument("address")->bits, 0u);
}

TEST_F(FreeRtosTest, WhatIsCreatedHasItsAddress) {
  start();
  const void* const task = stand_in_create("a", 1);
  const void* const queue = stand_in_queue_create(0);
  const void* const timer = stand_in_timer_create("timer");
  const void* const group = stand_in_event_group_create();
  const void* const stream = stand_in_stream_create();
  const PlainArchive archive = stop_and_read();
  expect_address(archive, "task created", "task", task);
  expect_address(archive, "queue created", "object", queue);
  expect_address(archive, "timer created", "object", timer);
  expect_address(archive, "event group created", "object", group);
  expect_address(archive, "stream buffer created", "object", stream);
}

TEST_F(FreeRtosTest, NoTwoObjectsHaveOneIdOfWhateverKind) {
  std::set<uint32_t> ids;
  for (uint8_t kind = 0; kind < 5; ++kind)
    ids.insert(stand_in_object_number(stand_in_queue_create(kind)));
  ids.insert(stand_in_object_number(stand_in_timer_create("t")));
  ids.insert(stand_in_object_number(stand_in_event_group_create()));
  ids.insert(stand_in_object_number(stand_in_stream_create()));
  EXPECT_EQ(ids.size(), 8u);
  EXPECT_EQ(ids.count(0), 0u);
  stand_in_create("a", 1);
  start();
  for (const uint64_t koid : koids_of(stop_and_read(), "a"))
    EXPECT_EQ(ids.count(static_cast<uint32_t>(koid)), 0u);
}

// "begin a 2000000" or "end a", in the order of the archive; `+` behind what overran or was
// abandoned.
Texts jobs(const PlainArchive& archive) {
  Texts found;
  for (const PlainRecord& record : archive.records) {
    if (record.type != 4 || record.category != "job") continue;
    constexpr unsigned kAsyncBegin = 5;
    constexpr unsigned kAsyncEnd = 7;
    std::string text = record.subtype == kAsyncBegin ? "begin "
                       : record.subtype == kAsyncEnd ? "end "
                                                     : "instant ";
    text += record.name;
    if (const auto* period = record.argument("period_ns"))
      text += " " + std::to_string(period->bits);
    for (const char* flag : {"overrun", "abandoned"})
      if (const auto* set = record.argument(flag)) text += set->bits != 0 ? "+" : "?";
    found.push_back(text);
  }
  return found;
}

TEST_F(FreeRtosTest, AJobBeginsWhenItsTaskIsReadyAndEndsWhereItDelaysAgain) {
  stand_in_task* const idle = stand_in_create("IDLE", 0);
  stand_in_task* const a = start_with_one();
  for (int i = 0; i < 2; ++i) {
    stand_in_delay_until(2, true);
    stand_in_switch(idle);
    stand_in_make_ready(a);
    stand_in_switch(a);
    // It blocks within its job.
    stand_in_move(a, STAND_IN_WAITING_FOR_EVER);
    stand_in_switch(idle);
    stand_in_make_ready(a);
    stand_in_switch(a);
  }
  stand_in_delay_until(2, false);
  stand_in_delay_until(5'000'000, true);
  // The tick comes before the switch.
  stand_in_make_ready(a);
  stand_in_delete(a);
  stand_in_switch(idle);
  const PlainArchive archive = stop_and_read();
  EXPECT_EQ(jobs(archive), (Texts{"begin a 2000000", "end a", "begin a 2000000", "end a",
                                  "begin a 2000000+", "end a", "begin a 5000000000000", "end a+"}));
  const uint64_t koid = *koids_of(archive, "a").begin();
  for (const PlainRecord& record : archive.records) {
    if (record.category != "job") continue;
    EXPECT_EQ(record.thread, koid);
    EXPECT_EQ(record.value, koid);
  }
}

TEST_F(FreeRtosTest, AJobThatBeganHasItsEndThoughTheCategoryIsOff) {
  stand_in_task* const idle = stand_in_create("IDLE", 0);
  stand_in_task* const a = stand_in_create("a", 1);
  stand_in_start_scheduler(a);
  const auto once = [&] {
    stand_in_delay_until(2, true);
    stand_in_switch(idle);
    stand_in_make_ready(a);
    stand_in_switch(a);
  };
  start();
  once();
  barefxt_set_categories(0);
  once();
  barefxt_set_categories(~0u);
  stand_in_make_ready(a);
  const PlainArchive first = stop_and_read();
  EXPECT_EQ(jobs(first), (Texts{"begin a 2000000", "end a"}));
  // Nothing is left from a session that is over.
  start();
  once();
  stop_and_read();
  start();
  stand_in_delay_until(2, true);
  EXPECT_EQ(jobs(stop_and_read()), Texts{});
}

TEST_F(FreeRtosTest, ATimerThatReloadsItselfIsAJobThatLastsUntilItsTaskBlocks) {
  stand_in_task* const daemon = stand_in_create("Tmr Svc", 3);
  stand_in_start_scheduler(daemon);
  stand_in_object* const once = stand_in_timer_create("once");
  stand_in_object* const blink = stand_in_timer_create("blink");
  stand_in_object* const nameless = stand_in_timer_create(nullptr);
  stand_in_timer_reloads(blink, 500);
  stand_in_timer_reloads(nameless, 1);
  start();
  for (stand_in_object* const timer : {once, blink, nameless}) stand_in_timer_expired(timer);
  // Its wait is that of no job, though the kernel reports it as one.
  stand_in_wait_for_timers(3);
  stand_in_make_ready(daemon);
  stand_in_wait_for_timers(3);
  EXPECT_EQ(jobs(stop_and_read()), (Texts{"instant blink 500000000", "instant timer 1000000"}));
}

TEST_F(FreeRtosTest, AnInterruptWithinAHookLosesNothing) {
  static stand_in_object* queue;
  stand_in_task* const a = stand_in_create("a", 1);
  stand_in_start_scheduler(a);
  queue = stand_in_queue_create(0);
  start();
  for (int i = 0; i < 20; ++i) {
    interrupt_next_reservation([] {
      stand_in_tick();
      stand_in_queue_sent_from_interrupt(queue);
    });
    stand_in_queue_blocks(queue);
    interrupt_next_reservation([] { stand_in_tick(); });
    stand_in_queue_received(queue);
  }
  const PlainArchive archive = stop_and_read();
  EXPECT_EQ(archive.events("queue send").size(), 20u);
  EXPECT_EQ(archive.events("queue receive").size(), 20u);
  EXPECT_EQ(archive.events("tick").size(), 80u);
}

}  // namespace
}  // namespace barefxt::test::freertos_test
