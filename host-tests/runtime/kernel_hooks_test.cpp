// The building blocks of ports to other kernels: switches in halves, interrupts that need not come
// in pairs, names that come late, and ids.

#include "session_fixture.h"

namespace barefxt::test::kernel_hooks_test {
namespace {

BAREFXT_CATEGORY(work, 3);

constexpr int kSwitch = 8;
constexpr int kKernelObject = 7;
constexpr uint64_t kCpu0 = 0x7f000000;

class KernelHooksTest : public TwoThreadsTest {
 protected:
  void SetUp() override {
    TwoThreadsTest::SetUp();
    barefxt_thread_register(&c_, 10, 103, "gamma", 7);
  }
  void TearDown() override {
    barefxt_thread_unregister(&c_);
    TwoThreadsTest::TearDown();
  }

  struct Switch {
    uint64_t out;
    int state;
    uint64_t in;
    bool operator==(const Switch& other) const {
      return out == other.out && state == other.state && in == other.in;
    }
    friend std::ostream& operator<<(std::ostream& stream, const Switch& one) {
      return stream << one.out << " (" << one.state << ") -> " << one.in;
    }
  };
  static std::vector<Switch> switches(const PlainArchive& archive) {
    std::vector<Switch> found;
    for (const PlainRecord& record : archive.of_type(kSwitch))
      found.push_back({record.thread, static_cast<int>(record.numbers.at(0)), record.other_thread});
    return found;
  }
  // A CPU's interrupts: + number for an entry, - for an exit.
  static std::vector<std::string> interrupts(const PlainArchive& archive) {
    std::vector<std::string> found;
    for (const PlainRecord& record : archive.of_type(4))
      if (record.category == "irq")
        found.push_back((record.subtype == 2 ? "+" : "-") + record.name);
    return found;
  }
  static std::vector<std::string> names_of(const PlainArchive& archive, uint64_t koid) {
    std::vector<std::string> names;
    for (const PlainRecord& record : archive.of_type(kKernelObject))
      if (record.value == koid) names.push_back(record.name);
    return names;
  }

  barefxt_thread c_ = {};
};

TEST_F(KernelHooksTest, TwoHalvesAreOneSwitchAtTheTimeOfTheSecond) {
  start();
  barefxt_switch_out(&a_, BAREFXT_STATE_BLOCKED);
  BAREFXT_INSTANT(work, "between");
  barefxt_switch_in(&b_);
  BAREFXT_INSTANT(work, "after");
  const PlainArchive archive = stop_and_read();
  EXPECT_EQ(switches(archive), (std::vector<Switch>{{101, BAREFXT_STATE_BLOCKED, 102}}));
  EXPECT_EQ(archive.events("between").at(0).thread, 101u);
  EXPECT_EQ(archive.events("after").at(0).thread, 102u);
  EXPECT_GT(archive.of_type(kSwitch).at(0).timestamp, archive.events("between").at(0).timestamp);
}

TEST_F(KernelHooksTest, HalvesArePairedByCpu) {
  if (kCpus == 1) GTEST_SKIP() << "the image has one CPU";
  start();
  barefxt_switch_out(&a_, BAREFXT_STATE_BLOCKED);
  run_on_cpu(1);
  barefxt_switch_out(&b_, BAREFXT_STATE_SUSPENDED);
  run_on_cpu(0);
  barefxt_switch_in(&b_);
  run_on_cpu(1);
  barefxt_switch_in(&a_);
  run_on_cpu(0);
  const PlainArchive archive = stop_and_read();
  const std::vector<PlainRecord> records = archive.of_type(kSwitch);
  ASSERT_EQ(records.size(), 2u);
  EXPECT_EQ(records[0].cpu, 0u);
  EXPECT_EQ(records[1].cpu, 1u);
  EXPECT_EQ(switches(archive), (std::vector<Switch>{{101, BAREFXT_STATE_BLOCKED, 102},
                                                    {102, BAREFXT_STATE_SUSPENDED, 101}}));
}

TEST_F(KernelHooksTest, AThreadThatSwitchesToItselfIsNotSwitched) {
  start();
  barefxt_switch_in(&a_);
  barefxt_switch_out(&a_, BAREFXT_STATE_RUNNABLE);
  barefxt_switch_in(&a_);
  barefxt_switch_in(&a_);
  barefxt_switch_out(&a_, BAREFXT_STATE_BLOCKED);
  barefxt_switch_in(&b_);
  EXPECT_EQ(switches(stop_and_read()), (std::vector<Switch>{{kCpu0, BAREFXT_STATE_BLOCKED, 101},
                                                            {101, BAREFXT_STATE_BLOCKED, 102}}));
}

TEST_F(KernelHooksTest, WithoutAnOutTheThreadThatRanWasPreempted) {
  start();
  barefxt_switch_in(&a_);
  barefxt_switch_in(&b_);
  EXPECT_EQ(switches(stop_and_read()), (std::vector<Switch>{{kCpu0, BAREFXT_STATE_BLOCKED, 101},
                                                            {101, BAREFXT_STATE_RUNNABLE, 102}}));
}

TEST_F(KernelHooksTest, AnOutOfAThreadThatNeverCameInShowsAMissingSwitch) {
  start();
  barefxt_switch_out(&a_, BAREFXT_STATE_BLOCKED);
  barefxt_switch_in(&b_);
  barefxt_switch_out(&c_, BAREFXT_STATE_DYING);
  barefxt_switch_in(&a_);
  EXPECT_EQ(switches(stop_and_read()), (std::vector<Switch>{{101, BAREFXT_STATE_BLOCKED, 102},
                                                            {102, BAREFXT_STATE_RUNNABLE, 103},
                                                            {103, BAREFXT_STATE_DYING, 101}}));
}

TEST_F(KernelHooksTest, TheLastOfTwoOutsCounts) {
  start();
  barefxt_switch_out(&a_, BAREFXT_STATE_RUNNABLE);
  barefxt_switch_out(&a_, BAREFXT_STATE_BLOCKED);
  barefxt_switch_in(&b_);
  EXPECT_EQ(switches(stop_and_read()), (std::vector<Switch>{{101, BAREFXT_STATE_BLOCKED, 102}}));
}

TEST_F(KernelHooksTest, AHalfFromBeforeTheStartOrAPauseIsNotPairedWithOneFromAfter) {
  barefxt_switch_out(&a_, BAREFXT_STATE_DYING);
  start();
  barefxt_switch_in(&b_);
  barefxt_switch_out(&b_, BAREFXT_STATE_DYING);
  barefxt_set_categories(BAREFXT_CATEGORY_BIT(work));
  barefxt_switch_in(&a_);
  barefxt_set_categories(~0u);
  barefxt_switch_in(&c_);
  EXPECT_EQ(switches(stop_and_read()), (std::vector<Switch>{{kCpu0, BAREFXT_STATE_BLOCKED, 102},
                                                            {kCpu0, BAREFXT_STATE_BLOCKED, 103}}));
}

TEST_F(KernelHooksTest, InterruptsAreDurationsWithTheirNumber) {
  start();
  barefxt_interrupt_enter(15, BAREFXT_TEXT("tick"));
  barefxt_interrupt_enter(24, BAREFXT_TEXT_INLINE("uart", 4));
  barefxt_interrupt_exit(24);
  barefxt_interrupt_exit(15);
  const PlainArchive archive = stop_and_read();
  EXPECT_EQ(interrupts(archive), (std::vector<std::string>{"+tick", "+uart", "-uart", "-tick"}));
  EXPECT_EQ(archive.events("uart").at(0).argument("irq")->bits, 24u);
  EXPECT_EQ(archive.events("uart").at(0).thread, kCpu0);
}

TEST_F(KernelHooksTest, AnExitWithoutAnEntryIsLeftOut) {
  start();
  barefxt_interrupt_exit(3);
  barefxt_interrupt_enter(15, BAREFXT_TEXT("tick"));
  barefxt_interrupt_exit(24);
  barefxt_interrupt_exit(15);
  barefxt_interrupt_exit(15);
  EXPECT_EQ(interrupts(stop_and_read()), (std::vector<std::string>{"+tick", "-tick"}));
}

TEST_F(KernelHooksTest, AnExitThatIsMissingIsMadeUp) {
  start();
  barefxt_interrupt_enter(15, BAREFXT_TEXT("tick"));
  barefxt_interrupt_enter(24, BAREFXT_TEXT("uart"));
  barefxt_interrupt_exit(15);  // and so both
  barefxt_interrupt_enter(24, BAREFXT_TEXT("uart"));
  barefxt_interrupt_enter(24, BAREFXT_TEXT("uart"));  // it cannot be inside itself
  barefxt_interrupt_exit(24);
  EXPECT_EQ(interrupts(stop_and_read()),
            (std::vector<std::string>{"+tick", "+uart", "-uart", "-tick", "+uart", "-uart", "+uart",
                                      "-uart"}));
}

TEST_F(KernelHooksTest, AWakeupSaysTheInterruptThatHasNotEntered) {
  start();
  barefxt_thread_wakeup_in_interrupt(&a_, 0);
  barefxt_thread_wakeup_in_interrupt(&a_, 24);
  barefxt_interrupt_enter(15, BAREFXT_TEXT("tick"));
  barefxt_interrupt_enter(31, BAREFXT_TEXT("uart"));
  barefxt_thread_wakeup_in_interrupt(&a_, 31);
  barefxt_thread_wakeup_in_interrupt(&a_, 15);
  barefxt_thread_wakeup_in_interrupt(&b_, 40);  // it came in the middle of the others
  barefxt_interrupt_exit(31);
  barefxt_interrupt_exit(15);
  barefxt_thread_wakeup_in_interrupt(&a_, 31);
  std::vector<std::string> found;
  for (const PlainRecord& record : stop_and_read().of_type(kSwitch)) {
    const PlainArgument* const number = record.argument("irq");
    found.push_back(std::to_string(record.thread) + " by " +
                    (number != nullptr ? std::to_string(number->bits) : "-"));
  }
  EXPECT_EQ(found, (std::vector<std::string>{"101 by -", "101 by 24", "101 by -", "101 by -",
                                             "102 by 40", "101 by 31"}));
}

TEST_F(KernelHooksTest, InterruptsTooDeepAreLeftOutInPairs) {
  start();
  for (uint32_t number = 1; number <= 9; ++number)
    barefxt_interrupt_enter(number, BAREFXT_TEXT("nested"));
  for (uint32_t number = 9; number >= 1; --number) barefxt_interrupt_exit(number);
  EXPECT_EQ(interrupts(stop_and_read()).size(), 16u);
}

TEST_F(KernelHooksTest, AnInterruptThatASessionBeganInDoesNotEndInIt) {
  if (kLinear) GTEST_SKIP() << "a boot has one session";
  start();
  barefxt_interrupt_enter(15, BAREFXT_TEXT("tick"));
  stop_and_read();
  const uint32_t before = barefxt_session_number();
  start();
  EXPECT_EQ(barefxt_session_number(), before + 1);
  barefxt_interrupt_exit(15);
  EXPECT_EQ(interrupts(stop_and_read()), std::vector<std::string>{});
}

TEST_F(KernelHooksTest, AThreadHasTheNameItWasLastGiven) {
  start();
  barefxt_thread_rename(&a_, "alpha, renamed to more than fits");
  barefxt_thread_rename(&b_, "beta");
  barefxt_thread_rename(&c_, "gam");
  const PlainArchive archive = stop_and_read();
  EXPECT_EQ(names_of(archive, 101), std::vector<std::string>{"alpha, renamed t"});
  EXPECT_EQ(names_of(archive, 102), std::vector<std::string>{"beta"});
  EXPECT_EQ(names_of(archive, 103), std::vector<std::string>{"gam"});
}

TEST_F(KernelHooksTest, AnObjectsNameHoldsForSessionsThatStartLaterAndCanBeGivenAgain) {
  barefxt_object_register(501, BAREFXT_OBJECT_QUEUE, "jobs");
  start();
  EXPECT_EQ(names_of(stop_and_read(), 501), std::vector<std::string>{"jobs"});
  barefxt_object_register(501, BAREFXT_OBJECT_QUEUE, "more jobs");
  start();
  const PlainArchive archive = stop_and_read();
  EXPECT_EQ(names_of(archive, 501), std::vector<std::string>{"more jobs"});
  std::vector<unsigned> types;
  for (const PlainRecord& record : archive.of_type(kKernelObject))
    if (record.value == 501) types.push_back(record.subtype);
  EXPECT_EQ(types, std::vector<unsigned>{BAREFXT_OBJECT_QUEUE});
  barefxt_object_unregister(501);
  if (kLinear) return;  // no entry is ever used again
  start();
  EXPECT_EQ(names_of(stop_and_read(), 501), std::vector<std::string>{});
}

TEST_F(KernelHooksTest, AnObjectThatIsGoneKeepsItsNameInTheSessionThatKnewIt) {
  start();
  barefxt_object_register(502, BAREFXT_OBJECT_TIMER, "blink");
  barefxt_object_unregister(502);
  barefxt_object_unregister(502);
  EXPECT_EQ(names_of(stop_and_read(), 502), std::vector<std::string>{"blink"});
}

TEST(KoidTest, NoTwoNewKoidsAreEqual) {
  const uint32_t first = barefxt_koid_new();
  EXPECT_GE(first, 0x10000u);
  EXPECT_LT(first, 0x20000u);
  EXPECT_LT(first, 0x7d000000u);
  EXPECT_EQ(barefxt_koid_new(), first + 1);
}

}  // namespace
}  // namespace barefxt::test::kernel_hooks_test
