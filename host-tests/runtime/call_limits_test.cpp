// Calls that are left out on the target: what is recorded, and that each call is accounted for.
#include <algorithm>
#include <cstdio>
#include <random>
#include <unistd.h>

#include "at_every_instruction.h"
#include "session_fixture.h"

extern "C" {
// NOLINTBEGIN(bugprone-reserved-identifier)
void __cyg_profile_func_enter(void* function, void* caller);
void __cyg_profile_func_exit(void* function, void* caller);
// NOLINTEND(bugprone-reserved-identifier)
}

namespace barefxt::test::call_limits_test {
namespace {

uint64_t now = 0;
bool is_starting = false;  // which waits for the clock to go on
uint64_t clock_of_test() { return is_starting ? now++ : now; }

barefxt_thread threads[2];
const barefxt_thread* running = nullptr;

void* function(uint32_t number) {
  return reinterpret_cast<uint8_t*>(&__cyg_profile_func_enter) + (number << fxt::CallRecord::kUnit);
}
uint64_t entered = 0;
void enter(uint32_t number) {
  ++entered;
  __cyg_profile_func_enter(function(number), nullptr);
}
void leave(uint32_t number) { __cyg_profile_func_exit(function(number), nullptr); }
void call(uint32_t number, uint64_t ticks) {
  enter(number);
  now += ticks;
  leave(number);
}
void switch_to(const barefxt_thread& thread) {
  const barefxt_thread* before = running;
  running = &thread;
  barefxt_context_switch(before, BAREFXT_STATE_RUNNABLE, &thread);
}

struct Call {
  std::string name;
  uint64_t begin;
  uint64_t end;
  uint64_t thread;
  bool operator==(const Call&) const = default;
};
std::ostream& operator<<(std::ostream& out, const Call& one) {
  return out << one.name << " from " << one.begin << " to " << one.end << " on " << one.thread;
}

class CallLimitsTest : public SessionTest {
 protected:
  static constexpr uint32_t kThreads = 255;  // an index is not used again soon
  static constexpr uint32_t kDeepest = 5;

  void SetUp() override {
    SessionTest::SetUp();
    now = 100;
    entered = 0;
    barefxt_host_counter = clock_of_test;
    barefxt_thread_register(&threads[0], 10, 501, "one", 3);
    barefxt_thread_register(&threads[1], 10, 502, "two", 3);
    running = &threads[0];
  }
  void TearDown() override {
    barefxt_stop();
    EXPECT_EQ(barefxt_limit_calls(nullptr), BAREFXT_OK);
    SessionTest::TearDown();
    for (barefxt_thread& thread : threads) barefxt_thread_unregister(&thread);
  }

  void begin(uint64_t least_ticks, uint32_t deepest = kDeepest, unsigned segments = 16) {
    limits_ = {};
    limits_.least_ticks = least_ticks;
    limits_.deepest = deepest;
    limits_.memory = memory_;
    limits_.bytes = BAREFXT_CALL_LIMITS_BYTES(kThreads, deepest);
    ASSERT_LE(limits_.bytes, sizeof memory_);
    ASSERT_EQ(barefxt_limit_calls(&limits_), BAREFXT_OK);
    start_now(segments);
  }
  void start_now(unsigned segments) {
    is_starting = true;
    start(segments, ~0u, BAREFXT_MODE_ONE_SHOT);
    is_starting = false;
    now = 1000;
    barefxt_context_switch(BAREFXT_THIS_CPU, BAREFXT_STATE_RUNNABLE, running);
  }

  static std::vector<Call> calls_of(const Rebuilt& rebuilt) {
    expect_sound(rebuilt);
    std::vector<Call> calls;
    for (const PlainRecord& record : decode_plainly(rebuilt.archive).records) {
      if (record.type != 4 || record.category != "function") continue;
      EXPECT_EQ(record.subtype, 4u) << "no duration complete";
      calls.push_back({record.name, record.timestamp, record.value, record.thread});
    }
    return calls;
  }
  static std::vector<Call> stop_and_read_calls() {
    barefxt_stop();
    return calls_of(rebuild(dump()));
  }

  // Every call is one of these.
  static void expect_all_accounted_for(size_t recorded, uint64_t lost = 0) {
    const barefxt_left_out_calls left_out = barefxt_calls_left_out();
    EXPECT_EQ(recorded + lost + left_out.too_short + left_out.too_deep + left_out.without_end +
                  left_out.open,
              entered);
  }

  barefxt_call_limits limits_;
  alignas(8) uint8_t memory_[BAREFXT_CALL_LIMITS_BYTES(kThreads, 64)];
};

TEST_F(CallLimitsTest, CallsThatAreShorterAreLeftOutAndCounted) {
  begin(10);
  enter(7);
  call(8, 9);
  call(8, 10);
  now += 3;
  call(9, 25);
  leave(7);
  EXPECT_EQ(stop_and_read_calls(), (std::vector<Call>{{"function#8", 1009, 1019, 501},
                                                      {"function#9", 1022, 1047, 501},
                                                      {"function#7", 1000, 1047, 501}}));
  EXPECT_EQ(barefxt_calls_left_out().too_short, 1u);
  expect_all_accounted_for(3);
}

TEST_F(CallLimitsTest, CallsThatAreDeeperAreLeftOutAndCounted) {
  begin(0, 2);
  enter(1);
  enter(2);
  for (unsigned i = 0; i < 3; ++i) {
    enter(3);
    call(4, 1);
    leave(3);
  }
  leave(2);
  call(5, 1);
  leave(1);
  const std::vector<Call> calls = stop_and_read_calls();
  ASSERT_EQ(calls.size(), 3u);
  EXPECT_EQ(calls[0].name, "function#2");
  EXPECT_EQ(calls[1].name, "function#5");
  EXPECT_EQ(calls[2].name, "function#1");
  EXPECT_EQ(barefxt_calls_left_out().too_deep, 6u);
  expect_all_accounted_for(3);
}

TEST_F(CallLimitsTest, EachThreadHasItsOwnCalls) {
  begin(0);
  enter(1);
  now += 5;
  switch_to(threads[1]);
  enter(1);
  now += 5;
  switch_to(threads[0]);
  leave(1);
  now += 5;
  switch_to(threads[1]);
  leave(1);
  EXPECT_EQ(stop_and_read_calls(),
            (std::vector<Call>{{"function#1", 1000, 1010, 501}, {"function#1", 1005, 1015, 502}}));
}

TEST_F(CallLimitsTest, ExitsWithoutACallAndCallsWithoutAnExitHarmNoOther) {
  begin(0);
  leave(9);
  enter(1);
  enter(2);
  enter(3);
  now += 4;
  leave(1);  // 2 and 3 were left by a jump
  enter(4);
  EXPECT_EQ(stop_and_read_calls(), (std::vector<Call>{{"function#1", 1000, 1004, 501}}));
  EXPECT_EQ(barefxt_calls_left_out().without_end, 2u);
  EXPECT_EQ(barefxt_calls_left_out().open, 1u);
  expect_all_accounted_for(1);
}

// Numbers of functions and lengths out of a generator, and a plain stack beside.
TEST_F(CallLimitsTest, AreWhatAPlainStackSays) {
  constexpr uint64_t kMin = 6;
  begin(kMin, kDeepest, 128);
  std::minstd_rand random(4711);
  std::vector<std::pair<uint32_t, uint64_t>> open;
  std::vector<Call> expected;
  uint64_t too_short = 0;
  uint64_t too_deep = 0;
  for (unsigned i = 0; i < 6000; ++i) {
    now += random() % 4;
    if (open.size() < 9 && random() % 2 == 0) {
      open.emplace_back(1 + random() % 50, now);
      if (open.size() > kDeepest) ++too_deep;
      enter(open.back().first);
    } else if (!open.empty()) {
      const auto [number, begin] = open.back();
      if (open.size() <= kDeepest) {
        if (now - begin < kMin)
          ++too_short;
        else
          expected.push_back({"function#" + std::to_string(number), begin, now, 501});
      }
      open.pop_back();
      leave(number);
    }
  }
  EXPECT_EQ(stop_and_read_calls(), expected);
  EXPECT_GT(expected.size(), 200u);
  EXPECT_EQ(barefxt_calls_left_out().too_short, too_short);
  EXPECT_EQ(barefxt_calls_left_out().too_deep, too_deep);
  expect_all_accounted_for(expected.size());
}

TEST_F(CallLimitsTest, WhatFindsNoRoomIsLostAndNotLeftOut) {
  begin(0, kDeepest, 2);
  for (unsigned i = 0; i < 1000; ++i) call(1, 1);
  const barefxt_stop_report report = barefxt_stop();
  EXPECT_GT(report.lost_records, 0u);
  const Rebuilt rebuilt = rebuild(dump());
  expect_all_accounted_for(calls_of(rebuilt).size(), report.lost_records);
}

// All calls of a thread without a stack are recorded, begin and end as records of their own.
TEST_F(CallLimitsTest, AThreadWithoutRoomIsRecordedAsWithoutLimits) {
  const auto index = [](const barefxt_thread& thread) { return thread.reference >> 24; };
  running = index(threads[0]) > index(threads[1]) ? &threads[0] : &threads[1];
  limits_ = {};
  limits_.least_ticks = 1000;
  limits_.deepest = 1;
  limits_.memory = memory_;
  limits_.bytes = BAREFXT_CALL_LIMITS_BYTES(index(*running) - 1, 1);
  ASSERT_EQ(barefxt_limit_calls(&limits_), BAREFXT_OK);
  start_now(8);
  for (unsigned i = 0; i < 3; ++i) call(1, 1);
  EXPECT_EQ(stop_and_read().events("function#1").size(), 6u);
  EXPECT_EQ(barefxt_calls_left_out().too_short, 0u);
}

TEST_F(CallLimitsTest, ADumpReportsCallsLeftOut) {
  begin(10, 2);
  call(1, 1);
  enter(2);
  call(3, 20);
  enter(4);
  call(5, 20);
  leave(4);
  leave(2);
  enter(6);
  barefxt_stop();
  const barefxt_left_out_calls left = barefxt_calls_left_out();
  ASSERT_EQ(left.too_short + left.too_deep + left.without_end + left.open, 3u);
  const std::string messages = rebuild(dump()).messages;
  EXPECT_TRUE(contains(messages,
                       "3 calls left out by the limits on the target: 1 too short, 1 too deep, 0 "
                       "without an end of their own, 1 that had not ended"));
  ASSERT_EQ(barefxt_limit_calls(nullptr), BAREFXT_OK);
  EXPECT_TRUE(lacks(rebuild(dump()).messages, "left out by the limits"));
}

TEST_F(CallLimitsTest, WithoutLimitsAllIsAsBefore) {
  begin(1000);
  call(1, 1);
  EXPECT_EQ(barefxt_limit_calls(nullptr), BAREFXT_ERROR_RUNNING);
  EXPECT_EQ(barefxt_limit_calls(&limits_), BAREFXT_ERROR_RUNNING);
  barefxt_stop();
  ASSERT_EQ(barefxt_limit_calls(nullptr), BAREFXT_OK);
  start_now(8);
  for (unsigned i = 0; i < 3; ++i) call(1, 1);
  EXPECT_EQ(stop_and_read().events("function#1").size(), 6u);
}

// Its memory is the caller's again once limits are others.
TEST_F(CallLimitsTest, ACallThatSleptOverAStopStoresNothingOnceThereAreOtherLimits) {
  if (!kCanStep) GTEST_SKIP() << "not on this machine";
  static uint8_t* memory;
  static bool changed;
  memory = memory_;
  for (void (*interrupted)() : {+[] { enter(2); }, +[] { leave(1); }}) {
    begin(3);
    enter(1);
    at_every_instruction(
        interrupted,
        [] {
          barefxt_stop();
          const barefxt_error error = barefxt_limit_calls(nullptr);
          changed = error == BAREFXT_OK;
          EXPECT_TRUE(changed || error == BAREFXT_ERROR_RUNNING);
          if (changed) std::fill(memory, memory + sizeof memory_, uint8_t{0x55});
        },
        [] {
          if (changed) {
            EXPECT_EQ(std::count(memory, memory + sizeof memory_, 0x55), sizeof memory_);
          }
          EXPECT_EQ(barefxt_limit_calls(nullptr), BAREFXT_OK);
        });
    barefxt_stop();
  }
}

TEST_F(CallLimitsTest, WhatCannotBeIsRefused) {
  limits_ = {};
  limits_.memory = memory_ + 4;
  limits_.bytes = sizeof memory_ - 8;
  limits_.deepest = 3;
  EXPECT_EQ(barefxt_limit_calls(&limits_), BAREFXT_ERROR_MISALIGNED);
  limits_.memory = memory_;
  limits_.deepest = 0;
  EXPECT_EQ(barefxt_limit_calls(&limits_), BAREFXT_ERROR_MEMORY_TOO_SMALL);
  limits_.deepest = 0x10000;
  EXPECT_EQ(barefxt_limit_calls(&limits_), BAREFXT_ERROR_MEMORY_TOO_SMALL);
  limits_.deepest = 3;
  limits_.bytes = BAREFXT_CALL_LIMITS_BYTES(1, 3) - 1;
  EXPECT_EQ(barefxt_limit_calls(&limits_), BAREFXT_ERROR_MEMORY_TOO_SMALL);
}

// Interrupted at every instruction by a handler with calls of its own, that switches to another
// thread and back: no call is lost from the account, and none is wrong.
TEST_F(CallLimitsTest, InterruptedAnywhereEveryCallIsAccountedFor) {
  if (!kCanStep) GTEST_SKIP() << "not on this machine";
  for (void (*interrupted)() : {+[] { enter(2); }, +[] { leave(1); }}) {
    static bool interrupted_enter = false;
    interrupted_enter = !interrupted_enter;
    entered = 0;
    now = 100;
    running = &threads[0];
    begin(3);
    enter(1);
    now += 10;
    std::fflush(stdout);
    const Interrupted outcome = interrupt_copies(interrupted, [] {
      call(5, 1);
      call(6, 20);
      switch_to(threads[1]);
      call(7, 30);
      enter(8);
      switch_to(threads[0]);
      call(6, 20);
    });
    if (outcome.is_copy) {
      now += 10;
      leave(2);
      leave(1);
      call(9, 5);
      const std::vector<Call> calls = stop_and_read_calls();
      const auto count = [&](const std::string& name) {
        return std::count_if(calls.begin(), calls.end(),
                             [&](const Call& one) { return one.name == name; });
      };
      EXPECT_EQ(count("function#1"), 1);
      EXPECT_EQ(count("function#2"), interrupted_enter ? 1 : 0);
      EXPECT_EQ(count("function#6"), 2);
      EXPECT_EQ(count("function#7"), 1);
      EXPECT_EQ(count("function#9"), 1);
      for (const Call& one : calls) {
        EXPECT_EQ(one.thread, one.name == "function#7" ? 502u : 501u) << one;
        EXPECT_LE(one.begin, one.end) << one;
      }
      EXPECT_EQ(barefxt_calls_left_out().too_short, 1u);
      EXPECT_EQ(barefxt_calls_left_out().open, 1u);
      expect_all_accounted_for(calls.size());
      std::fflush(stdout);
      _exit(HasFailure() ? 1 : 0);
    }
    EXPECT_EQ(outcome.failed_at, 0u) << "interrupted before this instruction";
    EXPECT_GT(outcome.instructions, 20u);
    barefxt_stop();
  }
}

}  // namespace
}  // namespace barefxt::test::call_limits_test
