// Threads that are killed, or sleep, before a random instruction of the writing of a record, each
// on a stack of its own. A killed one costs no segment once it is unregistered and switched away
// from; a sleeping one goes on later, and what it was in the middle of is still its own. All
// records are accounted for.
//
// The instruction is counted from the begin, the same in each run, or chosen by a timer.
// BAREFXT_FULL=1 in the environment: the timer kills a million.

#include <csignal>
#include <cstdlib>
#include <ctime>
#include <random>
#include <ucontext.h>

#include "open_records.h"
#include "ring_stepping.h"

namespace barefxt::test::killed_threads_test {
namespace {

BAREFXT_CATEGORY(work, 3);

constexpr unsigned kSegments = 16;
constexpr uint32_t kMostSleepers = 3;
constexpr uint32_t kMainKoid = 7;
constexpr uint32_t kRecordsOfOne = 200;

uint32_t kills_by_timer() { return std::getenv("BAREFXT_FULL") != nullptr ? 1'000'000 : 20'000; }
constexpr uint32_t kKillsByStep = 1'000;
constexpr uint32_t kByTimer = 0;  // in place of an instruction

std::mt19937 random_numbers;
uint32_t random_below(uint32_t limit) { return random_numbers() % limit; }

barefxt_thread main_thread;

// One kind of record or another, each exactly one.
void write_record(uint32_t kind) {
  switch (kind % 7) {
    case 0:
      BAREFXT_INSTANT(work, "plain");
      break;
    case 1:
      BAREFXT_INSTANT(work, "one", BAREFXT_ARG_U32("n", kind));
      break;
    case 2:
      BAREFXT_INSTANT(work, "two", BAREFXT_ARG_U32("n", kind), BAREFXT_ARG_U64("m", 1));
      break;
    case 3:
      BAREFXT_INSTANT(work, "text", BAREFXT_ARG_STRING("s", "0123456789", kind % 11));
      break;
    case 4:
      barefxt_thread_wakeup(&main_thread);
      break;
    case 5:
      barefxt_log("0123456789", kind % 11);
      break;
    default:
      BAREFXT_IRQ_ENTER("interrupt");
  }
}

class Task;
Task* running = nullptr;
ucontext_t main_context;

// A thread that writes records until it is stopped before an instruction.
class Task {
 public:
  barefxt_thread thread = {};
  volatile uint32_t done = 0;

  // Runs it from the start, until it stands before its instruction number `last`, or is over; or
  // until a timer stops it.
  void start(uint32_t last, uint32_t seed) {
    done = 0;
    begun_ = 0;
    is_over = false;
    last_ = last;
    seed_ = seed;
    is_stopped_ = false;
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
  // Returns whether the task has reserved the record that it is writing.
  bool has_reserved() const {
    return begun_ != done && rings[0].position.load_acquire() != before_;
  }

  bool is_over = true;

 private:
  static void body() {
    Task& self = *running;
    if (self.last_ == kByTimer) {
      set_timer();
      self.write_on(UINT32_MAX);
    } else {
      step(&Task::write, &Task::stop_here);
    }
    self.is_over = true;
  }
  void write_on(uint32_t records) {
    for (uint32_t i = 0; i < records && !is_stopped_; ++i) {
      before_ = rings[0].position.load_acquire();
      begun_ = i + 1;
      write_record(seed_ + i);
      done = done + 1;
    }
  }
  static void write() { running->write_on(kRecordsOfOne); }
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
    when.it_value.tv_nsec = 1 + random_below(20'000);
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
  uint32_t last_ = 0;
  uint32_t seed_ = 0;
  volatile bool is_stopped_ = false;
  volatile PositionWord before_ = 0;
  volatile uint32_t begun_ = 0;
  alignas(16) uint8_t stack_[65536];
};

class KilledThreadsTest : public RingTest {
 protected:
  void SetUp() override {
    RingTest::SetUp();
    if (!kCanStep) GTEST_SKIP() << "not on this machine";
    random_numbers.seed(1);
    main_thread = {};
    barefxt_thread_register(&main_thread, 1, kMainKoid, "main", 1);
    start(BAREFXT_MODE_CIRCULAR, kSegments);
    expected_ = 0;
  }
  // The next start frees the entries of all.
  void TearDown() override {
    barefxt_thread_unregister(&main_thread);
    RingTest::TearDown();
    start(BAREFXT_MODE_CIRCULAR, kSegments);
    RingTest::TearDown();
  }

  // Counts the session's records: those in the ring, overwritten ones and lost ones.
  static uint64_t total() {
    uint64_t sum = ring().records_lost.value();
    for (uint32_t slot = 0; slot < ring().segments; ++slot) {
      const SegmentHeader& segment = ring().segment(slot);
      const SegmentState state = state_of(segment);
      if (!is_of(segment, barefxt_descriptor.capture)) continue;
      sum += overwritten_in(segment, state).records;
      if (!holds_records(state)) continue;
      const SegmentContent content = look_through(segment);
      sum += content.finished.records + content.unfinished.records;
    }
    return sum;
  }
  // Segments that cannot be used again.
  static uint32_t stuck() {
    uint32_t count = 0;
    for (uint32_t slot = 0; slot < ring().segments; ++slot) {
      const SegmentHeader& segment = ring().segment(slot);
      const SegmentState state = state_of(segment);
      if (state == SegmentState::kFree || &segment == &open_segment()) continue;
      if (state != SegmentState::kLive || !look_through(segment).is_whole) ++count;
    }
    return count;
  }
  static uint32_t open_unfinished() { return look_through(open_segment()).unfinished.records; }

  void come(Task& task) {
    const uint64_t before = total();
    task.thread = {};
    barefxt_thread_register(&task.thread, 2, next_koid_++, "task", 1);
    expected_ += total() - before;  // of a former owner of the entry
  }
  void switch_threads(const barefxt_thread& from, const barefxt_thread& to) {
    barefxt_context_switch(&from, BAREFXT_STATE_RUNNABLE, &to);
    ++expected_;
  }
  // As an interrupt, or as the thread that runs.
  void write_records(uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) write_record(random_numbers());
    expected_ += count;
  }
  // Mostly in a record, else in one that opens a segment.
  uint32_t random_instruction() {
    if (by_timer_) return kByTimer;
    if (random_below(10) != 0) return 1 + random_below(120);
    // The switch to it still fits.
    while (Position::fits((ring().position.load_acquire() & Position::kSegmentMask) + 32, 16))
      write_records(1);
    return 1 + random_below(1200);
  }

  void kill(Task& task) {
    come(task);
    const uint32_t last = random_instruction();
    switch_threads(main_thread, task.thread);
    task.start(last, random_numbers());
    expected_ += task.done + (!task.is_over && task.has_reserved() ? 1 : 0);
    const uint32_t way = random_below(4);
    if (way == 0) {  // by an interrupt that kills it
      barefxt_thread_unregister(&task.thread);
      switch_threads(task.thread, main_thread);
      return;
    }
    if (way == 1) write_records(random_below(80));  // by one that says more
    switch_threads(task.thread, main_thread);
    // It sleeps in its record, while the ring goes round.
    if (way == 2) write_records(random_below(3 * kSegments * kPerSegment));
    barefxt_thread_unregister(&task.thread);
  }

  void put_to_sleep(Task& task) {
    come(task);
    const uint32_t last = random_instruction();
    switch_threads(main_thread, task.thread);
    task.start(last, random_numbers());
    switch_threads(task.thread, main_thread);
  }
  void wake(Task& task) {
    switch_threads(main_thread, task.thread);
    if (!task.is_over) task.go_on();
    EXPECT_TRUE(task.is_over);
    expected_ += task.done;
    switch_threads(task.thread, main_thread);
    barefxt_thread_unregister(&task.thread);
  }

  void expect_nothing_left() {
    EXPECT_EQ(stuck(), 0u);
    EXPECT_EQ(open_unfinished(), 0u);
    EXPECT_EQ(crossers_of(ring()), 0u);
    EXPECT_EQ(total(), expected_);
  }
  // The stop report accounts for each record that was begun, and has no unfinished one.
  void expect_whole_after_stop() {
    const barefxt_stop_report report = barefxt_stop();
    EXPECT_EQ(report.unfinished_records, 0u);
    EXPECT_EQ(barefxt_unfinished(), 0u);
    EXPECT_EQ(report.recorded_records + report.lost_records + report.overwritten_records,
              expected_);
  }

  void kill_many(uint32_t kills) {
    static Task task;
    for (uint32_t i = 0; i < kills && !HasFailure(); ++i) {
      kill(task);
      expect_nothing_left();
    }
    EXPECT_LE(ring().records_lost.value(), kills) << "at most the one that each was writing";
    EXPECT_GT(ring().records_lost.value(), kills / 100);
    expect_whole_after_stop();
  }
  void kill_beside_sleepers(uint32_t rounds) {
    static Task task;
    static Task sleepers[kMostSleepers];
    for (uint32_t i = 0; i < rounds && !HasFailure(); ++i) {
      for (Task& sleeper : sleepers) put_to_sleep(sleeper);
      for (uint32_t n = random_below(12); n != 0; --n) kill(task);
      for (Task& sleeper : sleepers) wake(sleeper);
      expect_nothing_left();
    }
    expect_whole_after_stop();
  }

  bool by_timer_ = false;
  uint64_t expected_ = 0;
  uint32_t next_koid_ = 1000;
};

TEST_F(KilledThreadsTest, CostNoSegment) { kill_many(kKillsByStep); }

TEST_F(KilledThreadsTest, CostNoSegmentWhereverATimerStopsThem) {
  by_timer_ = true;
  kill_many(kills_by_timer());
}

TEST_F(KilledThreadsTest, LeaveAloneWhatOthersAreInTheMiddleOf) {
  kill_beside_sleepers(kKillsByStep / 10);
}

TEST_F(KilledThreadsTest, LeaveAloneWhatOthersAreInTheMiddleOfWhereverATimerStopsThem) {
  by_timer_ = true;
  kill_beside_sleepers(kills_by_timer() / 10);
}

}  // namespace
}  // namespace barefxt::test::killed_threads_test
