// Calls of functions in the ring. With any interruption of a record, each call in the archive has
// its own time and the thread that made it, and nothing is stored outside of reservations.

#include <algorithm>

#include "at_every_instruction.h"
#include "session_fixture.h"

extern "C" {
// NOLINTBEGIN(bugprone-reserved-identifier)
void __cyg_profile_func_enter(void* function, void* caller);
void __cyg_profile_func_exit(void* function, void* caller);
// NOLINTEND(bugprone-reserved-identifier)
}

namespace barefxt::test::calls_test {
namespace {

uint64_t now = 0;
uint64_t ticks_per_read = 1;
uint64_t next_tick() { return now += ticks_per_read; }

// The low bits of the counter in a call of one word.
constexpr uint64_t kLowBits = uint64_t{1} << fxt::CallRecord::Counter::kBits;

// The n-th function, which rebuild calls `function#n` where it has no names.
void* function(uint32_t number) {
  return reinterpret_cast<uint8_t*>(&__cyg_profile_func_enter) + (number << fxt::CallRecord::kUnit);
}

// A call as the test made it: of a function of its own, so that it is found again.
struct Made {
  uint32_t koid;
  uint64_t earliest;
  uint64_t latest;
};
std::vector<Made> made;
barefxt_thread threads[2];
const barefxt_thread* running = nullptr;

uint32_t begin_call() {
  made.push_back({running->koid, now, 0});
  return static_cast<uint32_t>(made.size());
}
void end_call(uint32_t number) { made[number - 1].latest = now; }
void call() {
  const uint32_t number = begin_call();
  __cyg_profile_func_enter(function(number), nullptr);
  end_call(number);
}

// The call that is interrupted.
uint32_t interrupted_call = 0;
void make_interrupted_call() { __cyg_profile_func_enter(function(interrupted_call), nullptr); }

// Two threads' calls, with the switches between them, that came while another call was recorded.
void switch_to(const barefxt_thread& thread, bool recorded) {
  const barefxt_thread* before = running;
  running = &thread;
  if (recorded) return barefxt_context_switch(before, BAREFXT_STATE_RUNNABLE, &thread);
  // A switch that finds no room does only this.
  rings[0].set_current(thread);
  forget_thread(rings[0]);
}
void run_other_thread(bool recorded) {
  const barefxt_thread* before = running;
  switch_to(threads[before == &threads[0] ? 1 : 0], recorded);
  for (unsigned i = 0; i < 5; ++i) call();
  switch_to(*before, recorded);
  call();
}

class CallsTest : public SessionTest {
 protected:
  void SetUp() override {
    SessionTest::SetUp();
    now = 1000;
    ticks_per_read = 1;
    barefxt_host_counter = next_tick;
    barefxt_thread_register(&threads[0], 10, 501, "one", 3);
    barefxt_thread_register(&threads[1], 10, 502, "two", 3);
    running = &threads[0];
    made.clear();
  }
  void TearDown() override {
    SessionTest::TearDown();
    for (barefxt_thread& thread : threads) barefxt_thread_unregister(&thread);
  }

  void begin(unsigned segments, barefxt_mode mode = BAREFXT_MODE_ONE_SHOT) {
    start(segments, ~0u, mode);
    barefxt_context_switch(BAREFXT_THIS_CPU, BAREFXT_STATE_RUNNABLE, running);
  }
  static uint64_t offset() { return rings[0].position.load_relaxed() & Position::kSegmentMask; }
  static uint64_t words_of_a_call() {
    const uint64_t before = offset();
    call();
    return (offset() - before) / fxt::kWordBytes;
  }

  // Returns how many of the calls made the archive has; each is right.
  static size_t right_calls_in(const Bytes& dumped) {
    const Rebuilt rebuilt = rebuild(dumped);
    expect_sound(rebuilt);
    size_t found = 0;
    for (const PlainRecord& record : decode_plainly(rebuilt.archive).records) {
      if (record.type != 4 || record.category != "function" || record.subtype != 2) continue;
      const size_t number = std::stoul(record.name.substr(record.name.find('#') + 1));
      EXPECT_TRUE(number > 0 && number <= made.size()) << record.name;
      const Made& call = made[number - 1];
      EXPECT_EQ(record.thread, call.koid) << record.name;
      EXPECT_GE(record.timestamp, call.earliest) << record.name;
      EXPECT_LE(record.timestamp, call.latest) << record.name;
      ++found;
    }
    return found;
  }
  static void expect_all_calls() {
    barefxt_stop();
    EXPECT_EQ(right_calls_in(dump()), made.size());
  }

  // Interrupts a call.
  static void at_every_instruction(void (*interrupt_with)(), void (*judge)()) {
    interrupted_call = begin_call();
    static void (*judge_all)();
    judge_all = judge;
    test::at_every_instruction(&make_interrupted_call, interrupt_with, [] {
      end_call(interrupted_call);
      judge_all();
    });
  }
};

TEST_F(CallsTest, ACallHasOneWordBehindOneWithThreadAndTime) {
  begin(8);
  EXPECT_EQ(words_of_a_call(), 2u);
  for (unsigned i = 0; i < 10; ++i) EXPECT_EQ(words_of_a_call(), 1u);
  expect_all_calls();
}

TEST_F(CallsTest, TheUpperBitsOfTimeAreRecordedWhenTheyChange) {
  begin(8);
  call();
  now += kLowBits;
  EXPECT_EQ(words_of_a_call(), 2u);
  EXPECT_EQ(words_of_a_call(), 1u);
  // All that the two words beside the position hold of a time.
  now += kLowBits << 31;
  EXPECT_EQ(words_of_a_call(), 2u);
  expect_all_calls();
}

TEST_F(CallsTest, EachSegmentReadsAlone) {
  begin(8);
  for (unsigned segment = 0; segment < 4; ++segment) {
    call();
    EXPECT_EQ(words_of_a_call(), 1u);
    ASSERT_TRUE(close_open_segment(rings[0]));
    EXPECT_EQ(words_of_a_call(), 2u);
  }
  expect_all_calls();
}

// The last word of a segment stays free. A call that would need it begins the next, in the long
// form.
TEST_F(CallsTest, ACallThatDoesNotFitBeginsASegment) {
  begin(8);
  call();
  while (offset() < kSegmentBytes - fxt::kWordBytes) EXPECT_EQ(words_of_a_call(), 1u);
  call();
  EXPECT_EQ(offset(), kSegmentHeaderBytes + 2 * fxt::kWordBytes);
  EXPECT_EQ(words_of_a_call(), 1u);
  expect_all_calls();
}

TEST_F(CallsTest, ASwitchThatIsRecordedNamesTheThread) {
  begin(8);
  call();
  switch_to(threads[1], true);
  EXPECT_EQ(words_of_a_call(), 1u);
  switch_to(threads[0], true);
  EXPECT_EQ(words_of_a_call(), 1u);
  expect_all_calls();
}

// A flight recorder that may overwrite nothing, with one word left in its segment: too little for
// a switch, and for a call with its thread.
TEST_F(CallsTest, NoCallIsTakenForThatOfTheThreadBeforeASwitchThatFoundNoRoom) {
  begin(3, BAREFXT_MODE_CIRCULAR);
  for (unsigned segment = 0; segment < 2; ++segment) {
    Reservation unfinished;
    ASSERT_TRUE(reserve_slowly(Owner::kNobody, 64, unfinished));
    ASSERT_TRUE(close_open_segment(rings[0]));
  }
  call();
  while (offset() < kSegmentBytes - 2 * fxt::kWordBytes) call();
  const size_t before = made.size();
  const uint64_t lost = rings[0].records_lost.value();
  switch_to(threads[1], true);
  EXPECT_EQ(rings[0].records_lost.value(), lost + 1);
  call();
  EXPECT_EQ(rings[0].records_lost.value(), lost + 2);
  barefxt_stop();
  EXPECT_EQ(right_calls_in(dump()), before);
}

TEST_F(CallsTest, WithoutSwitchesACallIsOfItsCpu) {
  begin(8);
  call();
  barefxt_set_categories(~BAREFXT_CATEGORY_BIT(sched));
  const uint64_t before = offset();
  __cyg_profile_func_enter(function(99), nullptr);
  EXPECT_EQ(offset() - before, 2 * fxt::kWordBytes);
  const PlainArchive archive = stop_and_read();
  const std::vector<PlainRecord> begins = archive.events("function#99");
  ASSERT_EQ(begins.size(), 1u);
  EXPECT_NE(begins[0].thread, running->koid);
}

TEST_F(CallsTest, ANewSessionRefersToNothingOfTheLast) {
  for (unsigned session = 0; session < 3; ++session) {
    made.clear();
    begin(4);
    EXPECT_EQ(words_of_a_call(), 2u);
    EXPECT_EQ(words_of_a_call(), 1u);
    expect_all_calls();
  }
}

// The first call of a segment, in the long form, and one in a word.
TEST_F(CallsTest, InterruptedAnywhereByCallsOfAnotherThreadEachHasItsThreadAndTime) {
  ticks_per_read = kLowBits / 3;
  for (const unsigned calls_before : {0u, 1u, 7u}) {
    for (void (*interrupt_with)() :
         {+[] { run_other_thread(true); }, +[] { run_other_thread(false); }}) {
      made.clear();
      begin(16);
      for (unsigned i = 0; i < calls_before; ++i) call();
      at_every_instruction(interrupt_with, [] {
        for (unsigned i = 0; i < 5; ++i) call();
        expect_all_calls();
      });
      barefxt_stop();
    }
  }
}

TEST_F(CallsTest, InterruptedAnywhereByAnotherSegmentEachHasItsThreadAndTime) {
  ticks_per_read = kLowBits / 3;
  begin(16);
  call();
  at_every_instruction(
      [] {
        EXPECT_TRUE(close_open_segment(rings[0]));
        run_other_thread(false);
      },
      [] {
        for (unsigned i = 0; i < 5; ++i) call();
        expect_all_calls();
      });
}

// A writer that sleeps over a stop and a start may have a call in either session, or in none. It
// touches nothing of the next session's memory.
TEST_F(CallsTest, ACallThatSleptOverAStopAndAStartHarmsNeitherSession) {
  static size_t before = 0;
  begin(4);
  call();
  at_every_instruction(
      [] {
        barefxt_config next = {};
        barefxt_stop();
        next.memory = rings[0].memory;
        next.bytes = size_t{4} * kCpus * kSegmentBytes;
        next.cpus = kCpus;
        next.categories = ~0u;
        EXPECT_EQ(barefxt_start(&next), BAREFXT_OK);
        barefxt_context_switch(BAREFXT_THIS_CPU, BAREFXT_STATE_RUNNABLE, running);
        before = made.size();
        for (unsigned i = 0; i < 5; ++i) call();
      },
      [] {
        for (unsigned i = 0; i < 5; ++i) call();
        barefxt_stop();
        const size_t found = right_calls_in(dump());
        EXPECT_GE(found, made.size() - before);
        EXPECT_LE(found, made.size() - before + 1);
      });
}

// Once nothing is unfinished, the memory is the caller's.
TEST_F(CallsTest, ACallThatSleptOverAStopStoresNothingOnceNothingIsUnfinished) {
  static std::vector<uint8_t> at_stop;
  begin(4);
  call();
  at_every_instruction(
      [] {
        barefxt_stop();
        at_stop.clear();
        if (barefxt_unfinished() == 0)
          at_stop.assign(rings[0].memory, rings[0].memory + size_t{4} * kSegmentBytes);
      },
      [] {
        if (at_stop.empty()) return;
        EXPECT_TRUE(std::equal(at_stop.begin(), at_stop.end(), rings[0].memory));
      });
}

}  // namespace
}  // namespace barefxt::test::calls_test
