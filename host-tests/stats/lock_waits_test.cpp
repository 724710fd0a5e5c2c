// Waits for locks and other objects whose holders are recorded: archives small enough to be added
// up by hand.
#include <gtest/gtest.h>

#include <barefxt/host/archive_writer.h>

#include "archive/memory_archive.h"
#include "summing.h"

namespace barefxt::test::lock_waits_test {
namespace {

using fxt::EventType;
using host::ArchiveArgument;

constexpr uint64_t kHigh = 1;
constexpr uint64_t kMiddle = 2;
constexpr uint64_t kLow = 3;
constexpr uint64_t kCpu0 = 100;
constexpr uint64_t kBus = 0x40000001;  // a koid
constexpr uint64_t kSemaphore = 0x40000002;

uint8_t priority_of(uint64_t thread) { return static_cast<uint8_t>(40 - 10 * thread); }

class Archive {
 public:
  Archive() {
    name_thread(writer_, kHigh, 5, "high");
    name_thread(writer_, kMiddle, 5, "middle");
    name_thread(writer_, kLow, 5, "low");
    name_thread(writer_, kCpu0, 5, "cpu-0");
    (void)writer_.kernel_object(kBus, static_cast<fxt::KernelObjectType>(5), text("bus"), {});
  }
  Archive& change(uint64_t time, uint64_t from, fxt::ThreadState state, uint64_t to) {
    add_switch(writer_, time, 0, {5, from, priority_of(from)}, state, {5, to, priority_of(to)});
    return *this;
  }
  Archive& wake(uint64_t time, uint64_t thread) {
    (void)writer_.thread_wakeup({.timestamp = time, .cpu = 0, .thread = thread}, {});
    return *this;
  }
  Archive& hold(uint64_t time, uint64_t thread) {
    return event(EventType::kAsyncBegin, time, thread, "lock", "mutex", kBus, {});
  }
  Archive& release(uint64_t time, uint64_t thread) {
    return event(EventType::kAsyncEnd, time, thread, "lock", "mutex", kBus, {});
  }
  Archive& blocks(uint64_t time, uint64_t thread, uint64_t holder = 0,
                  const char* in = "mutex take", uint64_t object = kBus) {
    std::vector<ArchiveArgument> arguments = {ArchiveArgument::string(text("in"), text(in)),
                                              ArchiveArgument::koid(text("object"), object)};
    if (holder != 0) arguments.push_back(ArchiveArgument::koid(text("holder"), holder));
    return event(EventType::kInstant, time, thread, "rtos", "blocks", 0, arguments);
  }
  Archive& waited(uint64_t from, uint64_t to, uint64_t thread, const char* in = "mutex take",
                  bool failed = false, uint64_t object = kBus) {
    std::vector<ArchiveArgument> arguments = {ArchiveArgument::koid(text("object"), object)};
    if (failed) arguments.push_back(ArchiveArgument::boolean(text("failed"), true));
    return event(EventType::kDurationComplete, from, thread, "rtos", in, to, arguments);
  }
  Archive& loss(uint64_t from, uint64_t to) {
    return event(EventType::kDurationComplete, from, kCpu0, "barefxt", "drop_stats", to, {});
  }
  host::Statistics statistics() { return statistics_in(writer_.text()); }

 private:
  Archive& event(EventType type, uint64_t time, uint64_t thread, const char* category,
                 const char* name, uint64_t trailing,
                 const std::vector<ArchiveArgument>& arguments) {
    add_event(writer_, type, time, {0, 5, thread}, category, name, trailing, arguments);
    return *this;
  }
  MemoryArchive writer_{1000};
};

constexpr auto kReady = fxt::ThreadState::kNew;
constexpr auto kBlocked = fxt::ThreadState::kBlocked;

host::ObjectKey key(const char* in = "mutex take") { return {{"rtos", in}, kBus}; }

// Low holds the bus, high waits for it, and middle, which waits for nothing, runs meanwhile.
Archive inversion() {
  Archive archive;
  archive.wake(1, kLow).change(1, kCpu0, kBlocked, kLow).hold(2, kLow);
  archive.wake(3, kHigh).change(3, kLow, kReady, kHigh);
  archive.wake(5, kMiddle).blocks(6, kHigh);
  return archive;
}

TEST(LockWaits, AnInversionIsFoundWhoeverPreemptedTheHolderAtFirst) {
  Archive archive = inversion();
  archive.change(7, kHigh, kBlocked, kMiddle).change(107, kMiddle, kBlocked, kLow);
  archive.release(110, kLow).wake(110, kHigh).change(111, kLow, kReady, kHigh);
  archive.waited(6, 112, kHigh).hold(112, kHigh);
  const host::Statistics reported = archive.statistics();
  const host::ContentionStatistics& bus = reported.contention.at(key());
  EXPECT_EQ(bus.wait.count(), 1U);
  EXPECT_EQ(bus.wait.total(), 106U);
  ASSERT_EQ(bus.by_holder.size(), 1U);
  EXPECT_EQ(bus.by_holder.at(kLow).total(), 106U);
  ASSERT_EQ(reported.inversions.size(), 1U);
  const host::PriorityInversion& one = reported.inversions.at({key(), kHigh, kLow, kMiddle});
  EXPECT_EQ(one.waits, 1U);
  EXPECT_EQ(one.ticks, 100U);
  EXPECT_EQ(reported.name_of(key()), "bus");
  EXPECT_EQ(host::kind_of_wait(key().label), "mutex");
}

// From the time that it asks for the lock until it leaves its CPU, the waiter itself is why the
// holder does not run.
TEST(LockWaits, WhoPreemptedTheHolderBeforeTheWaitIsNoInversion) {
  Archive archive;
  archive.wake(1, kLow).change(1, kCpu0, kBlocked, kLow).hold(2, kLow);
  archive.wake(3, kMiddle).change(3, kLow, kReady, kMiddle);
  archive.wake(5, kHigh).change(5, kMiddle, kReady, kHigh).blocks(6, kHigh);
  archive.change(9, kHigh, kBlocked, kLow).release(10, kLow).wake(10, kHigh);
  archive.change(11, kLow, kReady, kHigh).waited(6, 12, kHigh);
  EXPECT_TRUE(archive.statistics().inversions.empty());
}

// It has been woken, and so has the lock, though the release is not recorded.
TEST(LockWaits, WhoRunsAfterTheWaiterWasWokenIsNoInversion) {
  Archive archive = inversion();
  archive.change(7, kHigh, kBlocked, kMiddle).change(17, kMiddle, kReady, kLow).wake(20, kHigh);
  archive.change(21, kLow, kReady, kMiddle).change(121, kMiddle, kReady, kHigh);
  archive.waited(6, 122, kHigh);
  EXPECT_EQ(archive.statistics().inversions.at({key(), kHigh, kLow, kMiddle}).ticks, 10U);
}

TEST(LockWaits, WhoAsksForTheLockItselfIsNoInversion) {
  Archive archive = inversion();
  archive.change(7, kHigh, kBlocked, kMiddle).blocks(17, kMiddle);
  archive.change(30, kMiddle, kBlocked, kLow).wake(40, kHigh).change(41, kLow, kReady, kHigh);
  archive.waited(6, 42, kHigh);
  EXPECT_EQ(archive.statistics().inversions.at({key(), kHigh, kLow, kMiddle}).ticks, 10U);
}

TEST(LockWaits, AFreeLockHasNoHolder) {
  Archive archive;
  archive.hold(2, kLow).blocks(5, kMiddle).release(20, kLow).blocks(30, kHigh);
  archive.waited(30, 40, kHigh);
  const host::Statistics reported = archive.statistics();
  EXPECT_EQ(reported.contention.at(key()).by_holder.size(), 1U);
  EXPECT_TRUE(reported.contention.at(key()).by_holder.contains(std::nullopt));
}

TEST(LockWaits, AWaitIsSharedOutAmongThoseWhoHeldTheLock) {
  Archive archive;
  archive.hold(2, kLow).blocks(10, kHigh).release(20, kLow).hold(25, kMiddle);
  archive.release(40, kMiddle).waited(9, 45, kHigh);
  const host::Statistics reported = archive.statistics();
  const auto& holders = reported.contention.at(key()).by_holder;
  ASSERT_EQ(holders.size(), 2U);
  EXPECT_EQ(holders.at(kLow).total(), 16U);
  EXPECT_EQ(holders.at(kMiddle).total(), 20U);
}

TEST(LockWaits, TheHolderThatAWaitNamesNeedsNoOtherEvent) {
  Archive archive;
  archive.blocks(10, kHigh, kLow).waited(9, 45, kHigh);
  archive.blocks(50, kMiddle).waited(50, 60, kMiddle);
  const host::Statistics reported = archive.statistics();
  const auto& holders = reported.contention.at(key()).by_holder;
  EXPECT_EQ(holders.at(kLow).total(), 36U);
  EXPECT_EQ(holders.at(std::nullopt).total(), 10U);
  EXPECT_EQ(holders.size(), 2U);
}

TEST(LockWaits, WhoeverGetsTheLockFirstIsWhoTheOthersWaitFor) {
  Archive archive;
  archive.change(5, kMiddle, kBlocked, kHigh);
  archive.blocks(10, kHigh, kLow).blocks(10, kMiddle, kLow);
  archive.change(11, kHigh, kBlocked, kLow).wake(20, kHigh).change(21, kLow, kReady, kHigh);
  archive.waited(10, 22, kHigh).waited(10, 50, kMiddle);
  const host::Statistics reported = archive.statistics();
  const auto& holders = reported.contention.at(key()).by_holder;
  EXPECT_EQ(holders.at(kLow).count(), 2U);
  EXPECT_EQ(holders.at(kLow).total(), 12U + 10U);
  EXPECT_EQ(holders.at(kHigh).total(), 30U);
}

TEST(LockWaits, ALossBetweenMakesTheHolderUnknownAndNotTheWait) {
  Archive archive = inversion();
  archive.change(7, kHigh, kBlocked, kMiddle).loss(20, 30);
  archive.change(107, kMiddle, kBlocked, kLow).waited(6, 112, kHigh);
  // It is unknown if the hold before the loss went on.
  archive.blocks(120, kHigh).waited(120, 130, kHigh);
  const host::Statistics reported = archive.statistics();
  const host::ContentionStatistics& bus = reported.contention.at(key());
  EXPECT_EQ(bus.wait.total(), 106U + 10U);
  ASSERT_EQ(bus.by_holder.size(), 1U);
  EXPECT_EQ(bus.by_holder.at(std::nullopt).count(), 2U);
  EXPECT_TRUE(reported.inversions.empty());
}

TEST(LockWaits, NobodyWaitsForItself) {
  Archive archive;
  archive.hold(2, kHigh).blocks(10, kHigh).waited(10, 20, kHigh);
  const host::Statistics reported = archive.statistics();
  EXPECT_TRUE(reported.contention.at(key()).by_holder.contains(std::nullopt));
}

TEST(LockWaits, RunningOnlyToWaitAgainIsCounted) {
  Archive archive;
  archive.change(1, kCpu0, kBlocked, kHigh).blocks(2, kHigh, kLow);
  for (const uint64_t time : {10U, 20U, 30U}) {
    archive.change(time, kHigh, kBlocked, kLow).wake(time + 4, kHigh);
    archive.change(time + 5, kLow, kReady, kHigh);
  }
  // Preempted, it has not waited again.
  archive.change(36, kHigh, kReady, kLow).change(37, kLow, kReady, kHigh);
  archive.waited(2, 40, kHigh);
  EXPECT_EQ(archive.statistics().contention.at(key()).woken_in_vain, 2U);
}

TEST(LockWaits, WhatHasNotEndedIsCountedApart) {
  Archive archive;
  archive.blocks(10, kHigh, kLow).waited(9, 45, kHigh).blocks(50, kHigh, kLow).hold(60, kMiddle);
  const host::Statistics reported = archive.statistics();
  const host::ContentionStatistics& bus = reported.contention.at(key());
  EXPECT_EQ(bus.wait.count(), 1U);
  EXPECT_EQ(bus.unfinished, 1U);
}

TEST(LockWaits, ASemaphoreDiffersFromAMutexAndHasNoHolder) {
  Archive archive;
  archive.change(1, kCpu0, kBlocked, kHigh).blocks(10, kHigh, 0, "semaphore take");
  archive.change(11, kHigh, kBlocked, kLow).wake(20, kHigh).change(21, kLow, kReady, kHigh);
  archive.waited(9, 45, kHigh, "semaphore take");
  const host::Statistics reported = archive.statistics();
  ASSERT_EQ(reported.contention.size(), 1U);
  const host::ContentionStatistics& one = reported.contention.at(key("semaphore take"));
  EXPECT_TRUE(one.by_holder.contains(std::nullopt));
  EXPECT_EQ(one.by_holder.size(), 1U);
  EXPECT_EQ(host::kind_of_wait(key("semaphore take").label), "semaphore");
}

TEST(LockWaits, ADurationWithAnObjectIsNoWaitUnlessItBeganAsOne) {
  Archive archive;
  archive.waited(9, 45, kHigh, "transfer");
  EXPECT_TRUE(archive.statistics().contention.empty());
}

// A lock of the application's that is made of a semaphore of the kernel's: a wait for the one lies
// within a wait for the other.
TEST(LockWaits, AWaitWithinAnotherLeavesTheOuterOneItsHolderAndItsInversion) {
  Archive archive = inversion();
  archive.blocks(7, kHigh, 0, "semaphore take", kSemaphore);
  archive.change(8, kHigh, kBlocked, kMiddle).change(108, kMiddle, kBlocked, kLow);
  archive.release(110, kLow).wake(110, kHigh).change(111, kLow, kReady, kHigh);
  archive.waited(7, 112, kHigh, "semaphore take", false, kSemaphore);
  archive.waited(6, 113, kHigh).hold(113, kHigh);
  const host::Statistics reported = archive.statistics();
  EXPECT_EQ(reported.contention.size(), 2U);
  const auto& outer = reported.contention.at(key()).by_holder;
  ASSERT_EQ(outer.size(), 1U);
  EXPECT_EQ(outer.at(kLow).total(), 107U);
  const host::ObjectKey semaphore{{"rtos", "semaphore take"}, kSemaphore};
  EXPECT_TRUE(reported.contention.at(semaphore).by_holder.contains(std::nullopt));
  ASSERT_EQ(reported.inversions.size(), 1U);
  EXPECT_EQ(reported.inversions.at({key(), kHigh, kLow, kMiddle}).ticks, 100U);
}

// A thread that waits for a third object has left the outer wait: its end was not recorded, and an
// end that comes later has no holder.
TEST(LockWaits, AWaitForAThirdObjectEndsTheOuterOne) {
  Archive archive = inversion();
  archive.blocks(7, kHigh, 0, "semaphore take", kSemaphore);
  archive.waited(7, 8, kHigh, "semaphore take", false, kSemaphore);
  archive.blocks(9, kHigh, 0, "queue receive", kSemaphore + 1);
  archive.change(10, kHigh, kBlocked, kMiddle).change(110, kMiddle, kBlocked, kLow);
  archive.release(111, kLow).wake(111, kHigh).change(112, kLow, kReady, kHigh);
  archive.waited(6, 113, kHigh);
  EXPECT_TRUE(archive.statistics().inversions.empty());
}

}  // namespace
}  // namespace barefxt::test::lock_waits_test
