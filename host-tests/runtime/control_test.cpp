// Control of a session from outside: the trigger, rewinding, waiting for the unfinished.

#include <memory>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>

#include <barefxt/descriptor.h>

#include "session_fixture.h"

namespace barefxt::test::control_test {
namespace {

class ControlTest : public SessionTest {
 protected:
  static constexpr uint32_t kPerSegment = (kSegmentBytes - kSegmentHeaderBytes) / kNumberBytes;
};

TEST_F(ControlTest, ATriggerKeepsWhatCameBeforeAndAfterIt) {
  start(8, ~0u, BAREFXT_MODE_CIRCULAR);
  write_numbers(0, 20000);
  barefxt_trigger(3);
  EXPECT_TRUE(barefxt_running());
  write_numbers(20000, 40000);
  EXPECT_FALSE(barefxt_running());
  const PlainArchive archive = stop_and_read();
  const std::vector<uint64_t> found = numbers(archive);
  ASSERT_FALSE(found.empty());
  // Three full segments after it, and the rest of the one that was open then.
  EXPECT_GE(found.back(), 20000 + 3 * (kPerSegment - 1));
  EXPECT_LT(found.back(), 20000 + 4 * kPerSegment);
  // Earlier records fill the others.
  EXPECT_LE(found.front(), 20000 - 3 * (kPerSegment - 1));
  EXPECT_EQ(found.back() - found.front() + 1, found.size());
}

TEST_F(ControlTest, TheFirstTriggerCounts) {
  start(8, ~0u, BAREFXT_MODE_CIRCULAR);
  write_numbers(0, 1000);
  barefxt_trigger(1);
  write_numbers(1000, 1100);
  barefxt_trigger(5);
  write_numbers(1100, 3000);
  EXPECT_FALSE(barefxt_running());
  EXPECT_LT(numbers(stop_and_read()).back(), 1000 + 2 * kPerSegment);
}

TEST_F(ControlTest, ATriggerOfNoSegmentsStopsAtOnceAndOnAllCpus) {
  start(8, ~0u, BAREFXT_MODE_CIRCULAR);
  write_numbers(0, 10);
  barefxt_trigger(0);
  EXPECT_FALSE(barefxt_running());
  run_on_cpu(1);
  write_numbers(10, 20);
  Reservation reservation;
  EXPECT_FALSE(reserve_slowly(Owner::kCpu, 16, reservation));
  const barefxt_stop_report report = barefxt_stop();
  EXPECT_EQ(report.recorded_records, 10u);
  EXPECT_EQ(report.lost_records, 0u) << "after the end nothing is lost";
  EXPECT_EQ(numbers(stop_and_read()).size(), 10u);
}

TEST_F(ControlTest, TheCpuThatFillsItsSegmentsFirstEndsItForAll) {
  start(8, ~0u, BAREFXT_MODE_CIRCULAR);
  run_on_cpu(1);
  write_numbers(0, 10);
  barefxt_trigger(2);
  run_on_cpu(2);
  write_numbers(10, 2000);
  EXPECT_FALSE(barefxt_running());
  run_on_cpu(1);
  write_numbers(5000, 5010);
  const std::vector<uint64_t> found = numbers(stop_and_read());
  EXPECT_EQ(std::count_if(found.begin(), found.end(), [](uint64_t n) { return n >= 5000; }), 0);
}

TEST_F(ControlTest, ATriggerFromAnInterruptInTheMiddleOfARecordIsSafe) {
  start(8, ~0u, BAREFXT_MODE_CIRCULAR);
  write_numbers(0, 10);
  interrupt_next_reservation([] { barefxt_trigger(0); });
  write_numbers(10, 20);
  EXPECT_FALSE(barefxt_running());
  EXPECT_EQ(numbers(stop_and_read()).size(), 10u);
}

TEST_F(ControlTest, AnotherStartForgetsTheTrigger) {
  start(4, ~0u, BAREFXT_MODE_CIRCULAR);
  barefxt_trigger(1);
  barefxt_stop();
  start(4, ~0u, BAREFXT_MODE_CIRCULAR);
  write_numbers(0, 5000);
  EXPECT_TRUE(barefxt_running());
}

TEST_F(ControlTest, RewindingForgetsWhatWasRecordedAndGoesOn) {
  start(4);
  write_numbers(0, 2000);  // more than it holds
  const uint32_t capture = barefxt_descriptor.capture;
  ASSERT_EQ(barefxt_rewind(), BAREFXT_OK);
  EXPECT_TRUE(barefxt_running());
  EXPECT_NE(barefxt_descriptor.capture, capture);
  write_numbers(2000, 2010);
  const PlainArchive archive = stop_and_read();
  EXPECT_EQ(numbers(archive).front(), 2000u);
  EXPECT_EQ(numbers(archive).size(), 10u);
  EXPECT_EQ(reported_lost(archive), 0u);
}

TEST_F(ControlTest, RewindingKeepsTheCategoriesAsTheyAreNow) {
  start(4);
  barefxt_set_categories(0);
  ASSERT_EQ(barefxt_rewind(), BAREFXT_OK);
  write_numbers(0, 10);
  EXPECT_TRUE(numbers(stop_and_read()).empty());
}

// The caller's configuration is gone, and an hour has passed.
TEST_F(ControlTest, RewindingGoesOnByTheNamesAndTheWallClockOfTheStart) {
  constexpr uint64_t kWallClock = 1'700'000'000'000'000'000;
  constexpr uint64_t kHour = 3'600'000'000'000;
  for (const char* const name :
       {"board-7", "a name of 64 bytes that takes all the room that there is for names"}) {
    {
      auto text = std::make_unique<std::string>(name);
      auto id = std::make_unique<std::vector<uint8_t>>(Descriptor::kBuildIdBytes, uint8_t{0xab});
      auto chosen = std::make_unique<barefxt_config>(config(4));
      chosen->target = text->c_str();
      chosen->build_id = id->data();
      chosen->build_id_bytes = Descriptor::kBuildIdBytes;
      chosen->wall_clock_ns = kWallClock;
      ASSERT_EQ(barefxt_start(chosen.get()), BAREFXT_OK);
    }
    for (const uint64_t hours : {1u, 2u}) {
      set_time(barefxt_descriptor.start_ticks + kHour);
      ASSERT_EQ(barefxt_rewind(), BAREFXT_OK);
      const Descriptor& descriptor = barefxt_descriptor;
      EXPECT_EQ(
          std::string(reinterpret_cast<const char*>(descriptor.target), descriptor.target_bytes),
          std::string(name).substr(0, Descriptor::kTargetBytes));
      ASSERT_EQ(descriptor.build_id_bytes, Descriptor::kBuildIdBytes);
      for (const uint8_t byte : descriptor.build_id) EXPECT_EQ(byte, 0xab);
      // A tick is a nanosecond; some are read on the way.
      EXPECT_GE(descriptor.wall_clock_ns, kWallClock + hours * kHour);
      EXPECT_LE(descriptor.wall_clock_ns, kWallClock + hours * kHour + 20);
    }
    barefxt_stop();
  }
}

TEST_F(ControlTest, RewindingWithoutAWallClockHasNone) {
  start(4);
  ASSERT_EQ(barefxt_rewind(), BAREFXT_OK);
  EXPECT_EQ(barefxt_descriptor.wall_clock_ns, 0u);
}

TEST_F(ControlTest, RewindingWhatIsStoppedEmptiesItOnly) {
  start(4);
  write_numbers(0, 10);
  barefxt_stop();
  ASSERT_EQ(barefxt_rewind(), BAREFXT_OK);
  EXPECT_FALSE(barefxt_running());
  write_numbers(10, 20);
  EXPECT_TRUE(numbers(stop_and_read()).empty());
}

TEST_F(ControlTest, WaitingForTheUnfinishedEndsWhenTheyAreOrWhenItsTimeIsUp) {
  start(4);
  Reservation sleeper;
  ASSERT_TRUE(reserve_slowly(Owner::kCpu, 16, sleeper));
  EXPECT_EQ(barefxt_stop().unfinished_records, 1u);
  const uint64_t before = barefxt_ticks();
  EXPECT_EQ(barefxt_wait_unfinished(100), 1u);
  EXPECT_LE(barefxt_ticks() - before, 110u);
  std::thread writer([&] {
    RecordHeaderWord::commit(
        sleeper.words, fxt::Event::make(fxt::EventType::kInstant, 2, 0, fxt::ThreadRef::index(1),
                                        fxt::StringRef::empty(), fxt::StringRef::empty()));
  });
  EXPECT_EQ(barefxt_wait_unfinished(~uint64_t{0}), 0u);
  writer.join();
}

TEST_F(ControlTest, AStopReportsAgainWhenAskedAgain) {
  start(4);
  write_numbers(0, 10);
  EXPECT_EQ(barefxt_stop().recorded_records, 10u);
  EXPECT_EQ(barefxt_stop().recorded_records, 10u);
}

// A thread in a page of its own, which faults if anything reads it once it is gone.
class GuardedThread {
 public:
  explicit GuardedThread(uint32_t koid)
      : page_(mmap(nullptr, bytes(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {
    barefxt_thread_register(&thread(), 1, koid, "gone", 1);
  }
  ~GuardedThread() { munmap(page_, bytes()); }
  GuardedThread(const GuardedThread&) = delete;
  GuardedThread& operator=(const GuardedThread&) = delete;

  barefxt_thread& thread() { return *static_cast<barefxt_thread*>(page_); }
  void free() { EXPECT_EQ(mprotect(page_, bytes(), PROT_NONE), 0); }

 private:
  static size_t bytes() { return static_cast<size_t>(sysconf(_SC_PAGESIZE)); }
  void* page_;
};

// Everything that records on the running thread without a look at a category.
void record_on_the_running_thread() {
  barefxt_log("x", 1);
  barefxt_event(BAREFXT_EVENT_INSTANT, nullptr, BAREFXT_TEXT("a"), BAREFXT_TEXT("b"), 0, nullptr,
                0);
}

class GoneThreadTest : public ControlTest {
 protected:
  void SetUp() override {
    ControlTest::SetUp();
    barefxt_thread_register(&other_, 1, 72, "other", 1);
    start(4);
  }
  void TearDown() override {
    barefxt_thread_unregister(&other_);
    ControlTest::TearDown();
  }
  static void switch_to(GuardedThread& gone) {
    barefxt_context_switch(&other_, BAREFXT_STATE_BLOCKED, &gone.thread());
  }
  // The kernel switches away from it and frees it.
  static void expect_not_read(GuardedThread& gone) {
    barefxt_context_switch(&gone.thread(), BAREFXT_STATE_BLOCKED, &other_);
    gone.free();
    write_numbers(0, 3);
    record_on_the_running_thread();
  }
  inline static barefxt_thread other_;
};

TEST_F(GoneThreadTest, IsNotReadBehindAStopAheadOfItsLastSwitch) {
  GuardedThread gone(71);
  switch_to(gone);
  barefxt_thread_unregister(&gone.thread());
  barefxt_close();
  expect_not_read(gone);
}

// A switch that the call interrupted right behind its swap stores its thread afterwards.
TEST_F(GoneThreadTest, IsNotReadIfALateSwitchLetItIn) {
  for (const bool is_closed : {false, true}) {
    GuardedThread gone(71);
    switch_to(gone);
    if (is_closed)
      barefxt_close();
    else
      barefxt_set_categories(~BAREFXT_CATEGORY_BIT(sched));
    this_ring().set_current(gone.thread());
    barefxt_thread_unregister(&gone.thread());
    expect_not_read(gone);
  }
}

}  // namespace
}  // namespace barefxt::test::control_test
