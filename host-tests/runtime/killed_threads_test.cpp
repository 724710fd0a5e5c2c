// Threads that are killed, or sleep, in the writing of a record, on the host (killed/killing.h).
//
// The instruction is counted from the begin, the same in each run, or chosen by a timer.
// BAREFXT_FULL=1 in the environment: the timer kills a million.

#include <csignal>
#include <cstdlib>
#include <ctime>
#include <ucontext.h>

#include "killed/killing.h"
#include "open_records.h"
#include "ring_stepping.h"

namespace barefxt::test::killed_threads_test {
namespace {

using killed::Killing;
using killed::kRecordsOfOne;
using killed::main_thread;

constexpr uint32_t kMaxSleepers = 3;
constexpr uint32_t kMainKoid = 7;

uint32_t kills_by_timer() { return std::getenv("BAREFXT_FULL") != nullptr ? 1'000'000 : 20'000; }
constexpr uint32_t kKillsByStep = 1'000;

class Task;
Task* running = nullptr;
ucontext_t main_context;

class Task : public killed::WritingTask {
 public:
  void start(uint32_t last, uint32_t seed) {
    begin(last, seed);
    getcontext(&context_);
    context_.uc_stack.ss_sp = stack_;
    context_.uc_stack.ss_size = sizeof stack_;
    context_.uc_link = &main_context;
    makecontext(&context_, &Task::body, 0);
    go_on();
  }
  void go_on() {
    running = this;
    swapcontext(&main_context, &context_);
  }

 private:
  static void body() {
    Task& self = *running;
    if (self.last_ == killed::kByTimer) {
      set_timer();
      self.write(UINT32_MAX);
    } else {
      step([] { running->write(kRecordsOfOne); }, &Task::stop_here);
    }
    self.is_over = true;
  }
  static void set_timer() {
    static timer_t timer = [] {
      struct sigaction action = {};
      action.sa_handler = [](int) {
        running->is_stopped_ = true;
        swapcontext(&running->context_, &main_context);
      };
      sigaction(SIGALRM, &action, nullptr);
      timer_t made;
      timer_create(CLOCK_MONOTONIC, nullptr, &made);
      return made;
    }();
    itimerspec when = {};
    when.it_value.tv_nsec = 1 + killed::random_below(20'000);
    timer_settime(timer, 0, &when, nullptr);
  }
  static bool stop_here(uint32_t k) {
    Task& self = *running;
    if (k < self.last_) return true;
    self.is_stopped_ = true;
    swapcontext(&self.context_, &main_context);
    return false;
  }

  ucontext_t context_;
  alignas(16) uint8_t stack_[65536];
};

class KilledThreadsTest : public RingTest {
 protected:
  explicit KilledThreadsTest(barefxt_mode mode = BAREFXT_MODE_CIRCULAR) : mode_(mode) {}

  void SetUp() override {
    RingTest::SetUp();
    if (!kCanStep) GTEST_SKIP() << "not on this machine";
    killed::seed_random_numbers(1);
    main_thread() = {};
    barefxt_thread_register(&main_thread(), 1, kMainKoid, "main", 1);
    start(mode_, killed::kSegments);
  }
  // The next start frees the entries of all.
  void TearDown() override {
    barefxt_thread_unregister(&main_thread());
    RingTest::TearDown();
    start(mode_, killed::kSegments);
    RingTest::TearDown();
  }

  bool is_stream() const { return mode_ == BAREFXT_MODE_STREAMING; }
  static size_t drain_once() {
    static uint8_t buffer[BAREFXT_DRAIN_BYTES];
    return barefxt_drain(buffer, sizeof buffer, BAREFXT_DUMP_BINARY);
  }
  static void drain_some() {
    for (uint32_t left = killed::random_below(30); left != 0; --left) {
      drain_once();
      now += config.partial_after_ticks / 3;
    }
  }
  // The open segment, too, which must have waited.
  static void drain_all() {
    for (unsigned i = 0; i < 4; ++i) {
      while (drain_once() != 0) {
      }
      now += config.partial_after_ticks;
    }
  }
  Killing<Task> killing(bool by_timer) const {
    return Killing<Task>(by_timer, is_stream() ? &drain_some : nullptr);
  }
  void expect_nothing_left(Killing<Task>& killing) const {
    if (is_stream()) drain_all();
    killing.expect_nothing_left();
    ASSERT_STREQ(killing.problem(), nullptr);
    ASSERT_EQ(crossers_of(ring()), 0u);
  }
  void kill_many(uint32_t kills, bool by_timer) const {
    static Task task;
    Killing<Task> killing = this->killing(by_timer);
    for (uint32_t i = 0; i < kills && !HasFailure(); ++i) {
      killing.kill(task);
      expect_nothing_left(killing);
    }
    if (!is_stream()) {
      EXPECT_LE(ring().records_lost.value(), kills) << "at most the one that each was writing";
    }
    EXPECT_GT(ring().records_lost.value(), kills / 100);
    if (!by_timer) {
      EXPECT_GT(killing.killed_behind_opening(), kills / 200) << "the range ends within openings";
    }
    killing.stop();
    EXPECT_STREQ(killing.problem(), nullptr);
  }
  void kill_beside_sleepers(uint32_t rounds, bool by_timer) const {
    static Task task;
    static Task sleepers[kMaxSleepers];
    Killing<Task> killing = this->killing(by_timer);
    for (uint32_t i = 0; i < rounds && !HasFailure(); ++i) {
      killing.kill_beside(sleepers, task);
      expect_nothing_left(killing);
    }
    killing.stop();
    EXPECT_STREQ(killing.problem(), nullptr);
  }

 private:
  const barefxt_mode mode_;
};

// With a drain that takes segments at random times.
class KilledThreadsOfAStreamTest : public KilledThreadsTest {
 protected:
  KilledThreadsOfAStreamTest() : KilledThreadsTest(BAREFXT_MODE_STREAMING) {}
};

TEST_F(KilledThreadsTest, CostNoSegment) { kill_many(kKillsByStep, false); }

TEST_F(KilledThreadsTest, CostNoSegmentWhereverATimerStopsThem) {
  kill_many(kills_by_timer(), true);
}

TEST_F(KilledThreadsTest, LeaveAloneWhatOthersAreInTheMiddleOf) {
  kill_beside_sleepers(kKillsByStep / 10, false);
}

TEST_F(KilledThreadsTest, LeaveAloneWhatOthersAreInTheMiddleOfWhereverATimerStopsThem) {
  kill_beside_sleepers(kills_by_timer() / 10, true);
}

TEST_F(KilledThreadsOfAStreamTest, CostNoSegment) { kill_many(kKillsByStep / 2, false); }

TEST_F(KilledThreadsOfAStreamTest, CostNoSegmentWhereverATimerStopsThem) {
  kill_many(kills_by_timer() / 4, true);
}

TEST_F(KilledThreadsOfAStreamTest, LeaveAloneWhatOthersAreInTheMiddleOf) {
  kill_beside_sleepers(kKillsByStep / 20, false);
}

}  // namespace
}  // namespace barefxt::test::killed_threads_test
