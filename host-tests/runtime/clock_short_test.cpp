// Counters that wrap: the time has 64 bits all the same, with any interruption.

#include <functional>
#include <random>

#include <barefxt/clock.h>

#include "session_fixture.h"

namespace barefxt::test::clock_short_test {
namespace {

BAREFXT_CATEGORY(work, 3);

constexpr uint64_t kHalfPeriod = uint64_t{1} << (kCounterBits - 1);

// The actual time. The runtime sees its low bits.
uint64_t now = 0;
// Called once, before the counter is read, and between that and the use of its value.
std::function<void()> before_read;
std::function<void()> after_read;

void happen(std::function<void()>& interrupt) {
  if (const auto handler = std::exchange(interrupt, nullptr)) handler();
}

uint64_t counter() {
  happen(before_read);
  const uint64_t value = ++now;
  happen(after_read);
  return value;
}

class ShortCounterTest : public SessionTest {
 protected:
  void SetUp() override {
    SessionTest::SetUp();
    now = 0;
    before_read = nullptr;
    after_read = nullptr;
    barefxt_host_counter = counter;
    for (Atomic<uint32_t>& epoch : clock_epochs) epoch.store_relaxed(0);
  }
  void TearDown() override {
    before_read = nullptr;
    after_read = nullptr;
    SessionTest::TearDown();
    for (Atomic<uint32_t>& epoch : clock_epochs) epoch.store_relaxed(0);
  }
};

// The longest delay that a tick may have.
void let_half_a_period_pass() { now += kHalfPeriod - 100; }

void let_pass(unsigned half_periods) {
  for (unsigned i = 0; i < half_periods; ++i) {
    let_half_a_period_pass();
    barefxt_clock_tick();
  }
}

TEST_F(ShortCounterTest, TheTimeIsTheTrueOneInEveryHalfPeriod) {
  for (unsigned i = 0; i < 100; ++i) {
    let_half_a_period_pass();
    // An interrupt that comes after the counter wrapped and ahead of the hook reads right, too.
    const uint64_t time = barefxt_ticks();
    EXPECT_EQ(time, now);
    barefxt_clock_tick();
    EXPECT_EQ(barefxt_ticks(), now);
  }
  EXPECT_GT(now, 49 * 2 * kHalfPeriod);
}

TEST_F(ShortCounterTest, WhereTheCounterWrapsTheTimeDoesNot) {
  let_pass(2);
  now = 2 * kHalfPeriod - 3;
  for (unsigned i = 0; i < 6; ++i) {
    const uint64_t time = barefxt_ticks();
    EXPECT_EQ(time, now);
  }
  EXPECT_GT(now, 2 * kHalfPeriod);
}

TEST_F(ShortCounterTest, RecordsBearTheTrueTimeThoughNoneIsWrittenForPeriods) {
  start();
  std::vector<uint64_t> times;
  for (const unsigned pause : {0u, 1u, 2u, 3u, 7u, 40u}) {
    let_pass(pause);
    BAREFXT_INSTANT(work, "tick");
    times.push_back(now);
  }
  const PlainArchive archive = stop_and_read();
  const auto events = archive.events("tick");
  ASSERT_EQ(events.size(), times.size());
  for (size_t i = 0; i < times.size(); ++i) EXPECT_EQ(events[i].timestamp, times[i]);
}

TEST_F(ShortCounterTest, AReaderInterruptedForPeriodsDoesNotPairOldAndNew) {
  for (const unsigned pause : {1u, 2u, 3u, 4u, 5u}) {
    before_read = [=] { let_pass(pause); };
    uint64_t from = now;
    uint64_t time = barefxt_ticks();
    EXPECT_GT(time, from);
    EXPECT_LE(time, now);

    after_read = [=] { let_pass(pause); };
    from = now;
    time = barefxt_ticks();
    EXPECT_GT(time, from);
    EXPECT_LE(time, now);
  }
}

TEST_F(ShortCounterTest, AHookInterruptedByHooksDoesNotSetTheClockBack) {
  for (const unsigned pause : {1u, 2u, 3u, 4u, 5u}) {
    const auto hooks = [=] {
      barefxt_clock_tick();  // in time; the one that it interrupts is not done
      let_pass(pause);
    };
    let_half_a_period_pass();
    after_read = hooks;
    barefxt_clock_tick();
    EXPECT_EQ(barefxt_ticks(), now);
    let_half_a_period_pass();
    before_read = hooks;
    barefxt_clock_tick();
    EXPECT_EQ(barefxt_ticks(), now);
  }
}

// Reads and hooks that interrupt one another as chance will have it, three deep. All that holds is
// that the hook ran less than half a period ago.
class Chance {
 public:
  explicit Chance(unsigned seed) : random_(seed) {}

  void run(unsigned steps, unsigned depth) {
    for (unsigned i = 0; i < steps; ++i) {
      pass();
      const auto nested = [this, depth] {
        if (depth != 0) run(random_() % 4, depth - 1);
      };
      if (random_() % 2 == 0) before_read = nested;
      if (random_() % 2 == 0) after_read = nested;
      if (random_() % 3 == 0) {
        hook();
        continue;
      }
      const uint64_t from = now;
      const uint64_t time = barefxt_ticks();
      ASSERT_GT(time, from);
      ASSERT_LE(time, now);
      ++reads_;
    }
  }
  unsigned reads() const { return reads_; }

 private:
  void pass() {
    const uint64_t room = last_hook_ + kHalfPeriod - 50 - now;
    const uint64_t step = random_() % (kHalfPeriod / 2);
    if (step < room) {
      now += step;
      return;
    }
    now += room;
    before_read = nullptr;
    after_read = nullptr;
    hook();
  }
  void hook() {
    const uint64_t at = now;
    barefxt_clock_tick();
    last_hook_ = std::max(last_hook_, at);
  }

  std::mt19937 random_;
  uint64_t last_hook_ = 0;
  unsigned reads_ = 0;
};

TEST_F(ShortCounterTest, ReadsAndHooksMayInterruptOneAnotherAnyhow) {
  Chance chance(20261121);
  for (unsigned i = 0; i < 2000 && !HasFatalFailure(); ++i) chance.run(10, 3);
  EXPECT_GT(chance.reads(), 10000u);
  EXPECT_GT(now, 1000 * kHalfPeriod);
}

}  // namespace
}  // namespace barefxt::test::clock_short_test
