// A writer that is killed before each access of an opening that passes over another's unfinished
// record. The opening makes a note of that record's owner (open_records.h). Killed in the middle of
// that, it costs no later note its place.

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <ucontext.h>

#include "killed/killing.h"
#include "open_records.h"
#include "ring_stepping.h"
#include "session.h"

namespace barefxt::test::killed_opening_test {

BAREFXT_CATEGORY(work, 3);

constexpr unsigned kSegments = 6;
constexpr uint32_t kMaxNotes = OpenRecords::kNotes;

// BAREFXT_FULL=1 in the environment: a million.
unsigned schedules() { return std::getenv("BAREFXT_FULL") != nullptr ? 1'000'000 : 50'000; }

ucontext_t test_context;

// Code on a stack of its own, that goes on as far as the test lets it.
class Context {
 public:
  void begin(void (*code)()) {
    code_ = code;
    is_over_ = false;
    getcontext(&context_);
    context_.uc_stack.ss_sp = stack_;
    context_.uc_stack.ss_size = sizeof stack_;
    context_.uc_link = &test_context;
    makecontext(&context_, &Context::body, 0);
  }
  // Stops behind so many further accesses. Returns whether it was stopped there.
  bool go_on(uint32_t accesses) {
    left_ = accesses;
    running = this;
    swapcontext(&test_context, &context_);
    running = nullptr;
    return !is_over_;
  }
  bool is_over() const { return is_over_; }

  static void access() {
    Context* const self = running;
    if (self != nullptr && --self->left_ == 0) swapcontext(&self->context_, &test_context);
  }

 private:
  static void body() {
    running->code_();
    running->is_over_ = true;
  }

  inline static Context* running = nullptr;
  void (*code_)() = nullptr;
  uint32_t left_ = 0;
  bool is_over_ = true;
  ucontext_t context_;
  alignas(16) uint8_t stack_[65536];
};

// A thread whose record opens a segment, and that does not go on behind the access numbered
// `last`, from 1 on.
class Opener : Context {
 public:
  // Returns whether it was stopped there.
  bool run(uint32_t last) {
    begin([] {
      // Too large for the room that fill_segment leaves.
      BAREFXT_INSTANT(work, "opens", BAREFXT_ARG_U64("a", 1), BAREFXT_ARG_U64("b", 2),
                      BAREFXT_ARG_U32("c", 3));
    });
    return go_on(last);
  }
};

class KilledOpeningTest : public RingTest {
 protected:
  void SetUp() override {
    RingTest::SetUp();
    for (barefxt_thread* thread : {&main_, &owner_, &opening_}) *thread = {};
    barefxt_thread_register(&main_, 1, 7, "main", 1);
    start(BAREFXT_MODE_CIRCULAR, kSegments);
  }
  void TearDown() override {
    barefxt_thread_unregister(&main_);
    RingTest::TearDown();
  }

  static void come(barefxt_thread& thread) {
    static uint32_t koid = 1000;
    thread = {};
    barefxt_thread_register(&thread, 2, koid++, "task", 1);
  }
  static void switch_threads(const barefxt_thread& from, const barefxt_thread& to) {
    barefxt_context_switch(&from, BAREFXT_STATE_RUNNABLE, &to);
  }
  static void open_next_segment() {
    const SegmentHeader* const open = &open_segment();
    while (&open_segment() == open) write_as_interrupt(1);
  }
  static void go_round(unsigned laps) {
    for (unsigned i = 0; i < laps * kSegments; ++i) open_next_segment();
  }

  static void start_stream() {
    barefxt_stop();
    start(BAREFXT_MODE_STREAMING, kSegments);
    come(owner_);
  }
  // The open segment, too: the drain takes that once it has waited.
  static void drain_all() {
    Checker checker;
    FrameReader reader(checker);
    for (unsigned i = 0; i < 3; ++i) {
      drain(reader);
      now += 2 * config.partial_after_ticks;
    }
  }

  // The owner reserves a record, and sleeps. Its segment has no switch.
  static const SegmentHeader& leave_unfinished() {
    come(owner_);
    switch_threads(main_, owner_);
    open_next_segment();
    Reservation reservation;
    EXPECT_TRUE(reserve_slowly(Owner::kCurrent, 24, reservation));
    const SegmentHeader& segment = open_segment();
    open_next_segment();
    switch_threads(owner_, main_);
    return segment;
  }
  // Fills the ring until the next opening passes over the segment.
  static void come_up_to(const SegmentHeader& segment) {
    while (&ring().segment((slot_of(open_segment()) + 1) % kSegments) != &segment)
      open_next_segment();
  }
  static uint32_t slot_of(const SegmentHeader& segment) {
    return static_cast<uint32_t>(reinterpret_cast<const uint8_t*>(&segment) - ring().memory) /
           kSegmentBytes;
  }

  static uint32_t count_claimed() {
    uint32_t count = 0;
    for (uint32_t slot = 0; slot < ring().segments; ++slot)
      if (state_of(ring().segment(slot)) == SegmentState::kClaimed) ++count;
    return count;
  }

  inline static barefxt_thread main_;
  inline static barefxt_thread owner_;
  inline static barefxt_thread opening_;
};

TEST_F(KilledOpeningTest, CostsNoNoteItsPlace) {
  static Opener opener;
  uint32_t at = 0;
  for (bool is_stopped = true; is_stopped && !HasFailure();) {
    ++at;
    // More often than there are places for notes.
    for (uint32_t i = 0; i <= kMaxNotes && is_stopped; ++i) {
      const SegmentHeader& segment = leave_unfinished();
      come_up_to(segment);
      come(opening_);
      switch_threads(main_, opening_);
      fill_segment();
      is_stopped = opener.run(at);
      switch_threads(opening_, main_);
      barefxt_thread_unregister(&opening_);
      // No switch that shows its owner remains.
      go_round(2);
      barefxt_thread_unregister(&owner_);
      ASSERT_EQ(killed::count_stuck(), 0u) << "killed before access " << at << ", time " << i;
    }
  }
  EXPECT_GT(at, 50u);
}

// The switch to the thread and its record fill a segment. So the switch away opens the next one,
// and the drain takes that before the thread ends.
TEST_F(KilledOpeningTest, GivesItsSegmentBackThoughTheDrainTookTheSwitchAway) {
  start_stream();
  switch_threads(main_, owner_);
  const SegmentHeader& segment = open_segment();
  while (true) {
    Reservation reservation;
    ASSERT_TRUE(reserve_slowly(Owner::kCurrent, 24, reservation));
    const PositionWord offset = ring().position.load_acquire() & Position::kSegmentMask;
    if (!Position::fits(offset + 24, 24)) break;
    commit_filler(reservation);
  }
  ASSERT_EQ(&open_segment(), &segment);
  switch_threads(owner_, main_);
  ASSERT_NE(&open_segment(), &segment);
  drain_all();
  ASSERT_EQ(killed::count_stuck(), 1u);
  barefxt_thread_unregister(&owner_);
  EXPECT_EQ(killed::count_stuck(), 0u);
}

// The drain takes all around the record while the thread is in it: then no switch is left that
// shows the owner.
TEST_F(KilledOpeningTest, GivesItsSegmentBackThoughInterruptsFillOthersMeanwhile) {
  for (const bool is_segment_full : {false, true}) {
    start_stream();
    switch_threads(main_, owner_);
    open_next_segment();
    Reservation reservation;
    ASSERT_TRUE(reserve_slowly(Owner::kCurrent, 24, reservation));
    if (is_segment_full) open_next_segment();
    for (unsigned i = 0; i < 4; ++i) {
      drain_all();
      write_as_interrupt(1);
      ASSERT_TRUE(close_open_segment(ring()));
    }
    switch_threads(owner_, main_);
    drain_all();
    ASSERT_EQ(killed::count_stuck(), 1u);
    barefxt_thread_unregister(&owner_);
    EXPECT_EQ(killed::count_stuck(), 0u) << is_segment_full;
  }
}

// The drain runs in an interrupt that came in the middle of the switch away.
TEST_F(KilledOpeningTest, IsNotTakenForTheThreadThatASwitchIsJustLettingIn) {
  start_stream();
  switch_threads(main_, owner_);
  open_next_segment();
  Reservation reservation;
  ASSERT_TRUE(reserve_slowly(Owner::kCurrent, 24, reservation));
  open_next_segment();
  come(opening_);
  static Context switching;
  switching.begin([] { switch_threads(owner_, opening_); });
  while (ring().current.load_acquire() != &opening_) ASSERT_TRUE(switching.go_on(1));
  for (unsigned i = 0; i < 4; ++i) drain_all();
  ASSERT_FALSE(switching.go_on(100));
  switch_threads(opening_, main_);
  drain_all();
  barefxt_thread_unregister(&opening_);
  EXPECT_EQ(killed::count_stuck(), 1u) << "the sleeping thread's";
  barefxt_thread_unregister(&owner_);
  EXPECT_EQ(killed::count_stuck(), 0u);
}

// A claimed segment may be another's: the drain's, or that of a writer beyond the table of those
// that open one. It is given back as soon as nobody else may have it.
TEST_F(KilledOpeningTest, GivesAClaimBackOnceItIsNobodyElses) {
  static Opener opener;
  for (const bool is_drain : {true, false}) {
    unsigned claimed = 0;
    bool is_stopped = true;
    for (uint32_t at = 1; is_stopped && !HasFailure(); ++at) {
      come(opening_);
      switch_threads(main_, opening_);
      fill_segment();
      is_stopped = opener.run(at);
      switch_threads(opening_, main_);
      const bool is_claimed = count_claimed() != 0;
      {
        std::optional<DrainClaim> drain;
        if (is_drain)
          drain.emplace();
        else
          change_visibly(ring().crossers, 1);
        barefxt_thread_unregister(&opening_);
        EXPECT_EQ(count_claimed(), is_claimed ? 1u : 0u) << "killed before access " << at;
        if (!is_drain) change_visibly(ring().crossers, ~uint32_t{0});
      }
      if (is_claimed) ++claimed;
      come(owner_);
      barefxt_thread_unregister(&owner_);
      EXPECT_EQ(count_claimed(), 0u) << "killed before access " << at;
      go_round(1);
    }
    EXPECT_GT(claimed, 4u);
  }
}

TEST_F(KilledOpeningTest, PassesOverAHeldSegmentAndNotesItsOwner) {
  come(owner_);
  switch_threads(main_, owner_);
  // No switch in what the snapshot holds.
  for (unsigned i = 0; i < kSegments - 2; ++i) open_next_segment();
  Reservation reservation;
  ASSERT_TRUE(reserve_slowly(Owner::kCurrent, 24, reservation));
  const SegmentHeader& segment = open_segment();
  ASSERT_EQ(barefxt_snapshot(), BAREFXT_OK);
  ASSERT_EQ(state_of(segment), SegmentState::kHeld);
  switch_threads(owner_, main_);
  go_round(3);
  barefxt_snapshot_release();
  barefxt_thread_unregister(&owner_);
  EXPECT_EQ(killed::count_stuck(), 0u);
}

// The killed thread's opening is ended while a thread writes and another one ends, each a few
// accesses at a time. The writer may leave the same segment meanwhile, and come round to it again.
TEST_F(KilledOpeningTest, IsEndedBesideOthersThatLoseNothing) {
  static Opener opener;
  static Context ending;
  static Context ending_another;
  static Context writing;
  static uint32_t records = 0;
  killed::seed_random_numbers(1);
  const auto steps = [] { return 1 + killed::random_below(1 << killed::random_below(10)); };
  for (unsigned schedule = 0; schedule < schedules() && !HasFailure(); ++schedule) {
    const unsigned at = 1 + killed::random_below(100);
    come(owner_);
    come(opening_);
    switch_threads(main_, opening_);
    fill_segment();
    const PositionWord position = ring().position.load_acquire();
    uint64_t expected = killed::count_all();
    opener.run(at);
    if (ring().position.load_acquire() != position) ++expected;
    switch_threads(opening_, main_);
    records = killed::random_below(1 << killed::random_below(8));
    expected += 1 + records;
    ending.begin([] { barefxt_thread_unregister(&opening_); });
    ending_another.begin([] { barefxt_thread_unregister(&owner_); });
    writing.begin([] { write_as_interrupt(records); });
    Context* const contexts[] = {&writing, &ending, &ending_another};
    const auto is_over = [](const Context* context) { return context->is_over(); };
    writing.go_on(steps());
    while (!std::all_of(std::begin(contexts), std::end(contexts), is_over))
      if (Context& next = *contexts[killed::random_below(3)]; !next.is_over()) next.go_on(steps());
    ASSERT_EQ(killed::count_all(), expected) << schedule << ", killed before access " << at;
    come(owner_);
    barefxt_thread_unregister(&owner_);
    ASSERT_EQ(killed::count_stuck(), 0u) << schedule << ", killed before access " << at;
  }
}

}  // namespace barefxt::test::killed_opening_test

extern "C" void barefxt_at_access(void) { barefxt::test::killed_opening_test::Context::access(); }
