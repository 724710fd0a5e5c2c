// Locks: what each call writes, whose it is, and that nothing is written while the category is off.

#include "session_fixture.h"

namespace barefxt::test::lock_test {
namespace {

constexpr uintptr_t kBus = 0x20001234;
constexpr unsigned kInstant = 0;
constexpr unsigned kComplete = 4;
constexpr unsigned kAsyncBegin = 5;
constexpr unsigned kAsyncEnd = 7;

class LockTest : public TwoThreadsTest {
 protected:
  static std::vector<PlainRecord> of_locks(const PlainArchive& archive) {
    std::vector<PlainRecord> found;
    for (const PlainRecord& record : archive.of_type(4))
      if (record.category == "lock") found.push_back(record);
    return found;
  }
};

TEST_F(LockTest, AHoldIsAnAsyncOperationWithTheLocksIdOfTwoRecordsOfThreeWords) {
  start();
  barefxt_context_switch(&b_, BAREFXT_STATE_RUNNABLE, &a_);
  barefxt_lock_acquired(kBus, BAREFXT_TEXT("bus"), 0);
  barefxt_context_switch(&a_, BAREFXT_STATE_RUNNABLE, &b_);
  barefxt_lock_released(kBus, BAREFXT_TEXT("bus"));
  const std::vector<PlainRecord> locks = of_locks(stop_and_read());
  ASSERT_EQ(locks.size(), 2u);
  EXPECT_EQ(locks[0].subtype, kAsyncBegin);
  EXPECT_EQ(locks[0].thread, 101u);
  EXPECT_EQ(locks[1].subtype, kAsyncEnd);
  EXPECT_EQ(locks[1].thread, 102u);
  for (const PlainRecord& one : locks) {
    EXPECT_EQ(one.name, "bus");
    EXPECT_EQ(one.value, kBus);
    EXPECT_TRUE(one.arguments.empty());
    EXPECT_EQ(one.raw.size(), 24u);
  }
}

TEST_F(LockTest, AWaitIsAnInstantWithTheHolderAndThenADurationFromThatTime) {
  start();
  barefxt_context_switch(&a_, BAREFXT_STATE_RUNNABLE, &b_);
  const uint64_t contended = barefxt_lock_contended(kBus, BAREFXT_TEXT("bus"), &a_);
  EXPECT_NE(contended, 0u);
  barefxt_lock_acquired(kBus, BAREFXT_TEXT("bus"), contended);
  const std::vector<PlainRecord> locks = of_locks(stop_and_read());
  ASSERT_EQ(locks.size(), 3u);
  EXPECT_EQ(locks[0].subtype, kInstant);
  EXPECT_EQ(locks[0].name, "blocks");
  EXPECT_EQ(locks[0].argument("in")->text, "bus");
  EXPECT_EQ(locks[0].argument("object")->bits, kBus);
  EXPECT_EQ(locks[0].argument("holder")->bits, 101u);
  EXPECT_EQ(locks[1].subtype, kComplete);
  EXPECT_EQ(locks[1].name, "bus");
  EXPECT_EQ(locks[1].thread, 102u);
  EXPECT_EQ(locks[1].timestamp, contended);
  EXPECT_EQ(locks[1].argument("object")->bits, kBus);
  EXPECT_EQ(locks[1].argument("failed"), nullptr);
  EXPECT_EQ(locks[2].subtype, kAsyncBegin);
}

TEST_F(LockTest, AWaitThatIsGivenUpHoldsNothing) {
  start();
  barefxt_context_switch(&a_, BAREFXT_STATE_RUNNABLE, &b_);
  barefxt_lock_given_up(kBus, BAREFXT_LOCK_UNNAMED, 0);
  const uint64_t contended = barefxt_lock_contended(kBus, BAREFXT_LOCK_UNNAMED, nullptr);
  barefxt_lock_given_up(kBus, BAREFXT_LOCK_UNNAMED, contended);
  const std::vector<PlainRecord> locks = of_locks(stop_and_read());
  ASSERT_EQ(locks.size(), 2u);
  EXPECT_EQ(locks[0].argument("holder"), nullptr);
  EXPECT_EQ(locks[1].subtype, kComplete);
  EXPECT_EQ(locks[1].name, "lock");
  EXPECT_NE(locks[1].argument("failed"), nullptr);
}

TEST_F(LockTest, ANameThatRunTimeKnowsIsCopied) {
  start();
  char name[] = "run time";
  barefxt_lock_acquired(kBus, BAREFXT_TEXT_INLINE(name, 8), 0);
  name[0] = '?';
  const std::vector<PlainRecord> locks = of_locks(stop_and_read());
  ASSERT_EQ(locks.size(), 1u);
  EXPECT_EQ(locks[0].name, "run time");
  EXPECT_EQ(locks[0].value, kBus);
}

TEST_F(LockTest, NothingIsWrittenWhileTheCategoryIsOff) {
  start(16, ~BAREFXT_CATEGORY_BIT(locks));
  EXPECT_EQ(barefxt_lock_contended(kBus, BAREFXT_LOCK_UNNAMED, nullptr), 0u);
  barefxt_lock_acquired(kBus, BAREFXT_LOCK_UNNAMED, 0);
  barefxt_lock_given_up(kBus, BAREFXT_LOCK_UNNAMED, 5);
  barefxt_lock_acquired(kBus, BAREFXT_LOCK_UNNAMED, 5);
  barefxt_lock_released(kBus, BAREFXT_LOCK_UNNAMED);
  EXPECT_TRUE(of_locks(stop_and_read()).empty());
}

}  // namespace
}  // namespace barefxt::test::lock_test
