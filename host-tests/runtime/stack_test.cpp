// Marks of stacks: each way that moves one, what is recorded of it, and that scans are bounded.

#include <algorithm>
#include <thread>

#include "session_fixture.h"

namespace barefxt::test::stack_test {
namespace {

constexpr uint32_t kPaint = 0xa5a5a5a5;
constexpr uint32_t kKoid = 101;
constexpr uint32_t kWords = 256;
constexpr uint32_t kBytes = 4 * kWords;

// A stack of a thread that exists for the tracer only.
struct Painted {
  alignas(8) uint32_t memory[kWords];
  barefxt_stack stack = {};

  explicit Painted(uint32_t koid = kKoid, uint32_t paint = kPaint) {
    std::fill(std::begin(memory), std::end(memory), kPaint);
    barefxt_stack_register(&stack, koid, begin(), sizeof memory, paint);
  }
  ~Painted() { barefxt_stack_unregister(&stack); }
  Painted(const Painted&) = delete;
  Painted& operator=(const Painted&) = delete;

  uintptr_t begin() const { return reinterpret_cast<uintptr_t>(memory); }
  // As a call would that goes down to `left` bytes above the begin.
  void use(uint32_t left) {
    for (uint32_t i = left / 4; i < kWords; ++i) memory[i] = i;
  }
  uintptr_t left() const { return stack.mark - stack.begin; }
};

struct Mark {
  uint64_t koid;
  uint64_t left;
  uint64_t used;
  bool operator==(const Mark&) const = default;
};
std::ostream& operator<<(std::ostream& out, const Mark& mark) {
  return out << mark.koid << ": " << mark.left << " left, " << mark.used << " used";
}
using Marks = std::vector<Mark>;

class StackTest : public TwoThreadsTest {
 protected:
  Marks marks() {
    Marks found;
    archive_ = stop_and_read();
    for (const PlainRecord& record : archive_.of_type(4)) {
      if (record.category != "stack") continue;
      EXPECT_EQ(record.name, "stack");
      EXPECT_EQ(record.subtype, 1u);
      EXPECT_EQ(record.raw.size(), 40u);
      found.push_back({record.value, record.argument("left")->bits, record.argument("used")->bits});
    }
    return found;
  }
  static void scan_all() { EXPECT_TRUE(barefxt_stack_scan(~0u)); }

  PlainArchive archive_;
};

TEST_F(StackTest, ASwitchRecordsALowerStackPointerOnce) {
  Painted one;
  start();
  barefxt_context_switch(&b_, BAREFXT_STATE_RUNNABLE, &a_);
  for (const uint32_t left : {600u, 700u, 600u, 512u, 599u, 512u})
    barefxt_stack_reached(&one.stack, one.begin() + left);
  EXPECT_EQ(marks(), (Marks{{kKoid, 600, kBytes - 600}, {kKoid, 512, kBytes - 512}}));
}

TEST_F(StackTest, BelowItsBeginNothingIsLeft) {
  Painted one;
  start();
  barefxt_stack_reached(&one.stack, one.begin() - 8);
  barefxt_stack_reached(&one.stack, one.begin() - 16);
  EXPECT_EQ(marks(), (Marks{{kKoid, 0, kBytes}}));
}

TEST_F(StackTest, TheKernelsOwnNumberMovesTheMark) {
  Painted one(kKoid, 0);
  start();
  for (const uint32_t left : {300u, 300u, 400u, 296u}) barefxt_stack_left(&one.stack, left);
  EXPECT_EQ(marks(), (Marks{{kKoid, 300, kBytes - 300}, {kKoid, 296, kBytes - 296}}));
}

TEST_F(StackTest, AScanFindsHowFarAPaintedStackWasUsed) {
  Painted one;
  Painted two(BAREFXT_INTERRUPT_STACK(0));
  Painted unpainted(103, 0);
  Painted unused(104);
  start();
  one.use(128);
  // A hole, as an array that was not written leaves it.
  std::fill_n(one.memory + 40, 20, kPaint);
  two.use(1000);
  unpainted.use(8);
  scan_all();
  scan_all();
  Marks found = marks();
  std::ranges::sort(found, {}, &Mark::koid);
  EXPECT_EQ(found, (Marks{{kKoid, 128, kBytes - 128}, {0x7f000000, 1000, kBytes - 1000}}));
}

TEST_F(StackTest, AnyDepthIsFoundByStepsOfAnySize) {
  for (const uint32_t step : {1u, 2u, 7u, 64u, 1000u}) {
    for (uint32_t left = 0; left < kBytes; left += 52) {
      Painted one;
      Painted two(102);
      start(16, BAREFXT_CATEGORY_BIT(stacks));
      one.use(left);
      two.use(kBytes - 4);
      uint32_t calls = 1;
      while (!barefxt_stack_scan(step)) ++calls;
      EXPECT_EQ(one.left(), left) << step;
      EXPECT_EQ(two.left(), kBytes - 4u);
      // The words up to the first that is used, that one, and at most one for each stack.
      const uint32_t words = left / 4 + 1 + kWords;
      EXPECT_GE(calls, words / step) << step;
      EXPECT_LE(calls, (words + 2) / step + 1) << step;
      barefxt_stop();
    }
  }
}

TEST_F(StackTest, AStackMayComeAndGoAmidARound) {
  Painted one;
  one.use(512);
  start();
  {
    Painted gone(102);
    gone.use(64);
    EXPECT_FALSE(barefxt_stack_scan(9));
    Painted last(103);
    last.use(256);
  }
  EXPECT_TRUE(barefxt_stack_scan(kWords));
  barefxt_stack unknown = {};
  barefxt_stack_unregister(&unknown);
  barefxt_stack_reached(&unknown, 1);
  EXPECT_EQ(marks(), (Marks{{kKoid, 512, kBytes - 512}}));
}

TEST_F(StackTest, AStackThatIsRegisteredTwiceIsKnownOnceAndUnused) {
  Painted other(102);
  Painted one;
  start();
  one.use(128);
  scan_all();
  std::fill(std::begin(one.memory), std::end(one.memory), kPaint);
  barefxt_stack_register(&one.stack, 103, one.begin(), sizeof one.memory, kPaint);
  one.use(256);
  EXPECT_TRUE(barefxt_stack_scan(2 * kWords + 2));
  EXPECT_EQ(marks(), (Marks{{kKoid, 128, kBytes - 128}, {103, 256, kBytes - 256}}));
}

TEST_F(StackTest, ASessionHasTheMarksFromBeforeOnce) {
  Painted painted;
  Painted plain(102, 0);
  painted.use(128);
  barefxt_stack_reached(&plain.stack, plain.begin() + 80);
  for (int session = 0; session < (kLinear ? 1 : 2); ++session) {
    start();
    scan_all();
    scan_all();
    Marks found = marks();
    std::ranges::sort(found, {}, &Mark::koid);
    EXPECT_EQ(found, (Marks{{kKoid, 128, kBytes - 128}, {102, 80, kBytes - 80}}));
  }
}

TEST_F(StackTest, NothingIsScannedWhileTheCategoryIsOff) {
  Painted one;
  start(16, ~BAREFXT_CATEGORY_BIT(stacks));
  one.use(128);
  scan_all();
  EXPECT_EQ(one.left(), kBytes);
  EXPECT_TRUE(marks().empty());
}

TEST_F(StackTest, ACategoryThatWasOffMissesNoMark) {
  Painted one(kKoid, 0);
  const auto reach = [&](uint32_t left) { barefxt_stack_reached(&one.stack, one.begin() + left); };
  start(16, ~BAREFXT_CATEGORY_BIT(stacks));
  reach(200);
  barefxt_set_categories(~0u);
  reach(300);
  reach(180);
  barefxt_set_categories(~BAREFXT_CATEGORY_BIT(stacks));
  reach(160);
  barefxt_set_categories(~0u);
  scan_all();
  EXPECT_EQ(marks(), (Marks{{kKoid, 180, kBytes - 180}, {kKoid, 160, kBytes - 160}}));
}

TEST_F(StackTest, ThreadsThatMoveOneMarkLeaveTheLowest) {
  Painted one(kKoid, 0);
  start(16, 0);
  std::vector<std::thread> movers;
  constexpr uint32_t kMovers = 4;
  for (uint32_t number = 0; number < kMovers; ++number)
    movers.emplace_back([&one, number] {
      for (uint32_t left = kBytes; left > number; left -= kMovers)
        barefxt_stack_reached(&one.stack, one.begin() + left - number);
    });
  for (std::thread& mover : movers) mover.join();
  EXPECT_EQ(one.left(), 1u);
  barefxt_stop();
}

}  // namespace
}  // namespace barefxt::test::stack_test
