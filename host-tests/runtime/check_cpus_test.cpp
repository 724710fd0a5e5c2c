// barefxt_check_cpus: threads play the CPUs.
#include <array>
#include <atomic>
#include <gtest/gtest.h>
#include <thread>
#include <vector>

#include <barefxt/barefxt.h>
#include <barefxt/event.h>

namespace barefxt::test::check_cpus_test {
namespace {

BAREFXT_CATEGORY(work, 3);

constexpr uint64_t kSecond = 1'000'000'000;
constexpr uint64_t kPatience = 200'000'000;  // no test waits that long
constexpr uint64_t kShort = 1'000;

std::array<std::atomic<uint64_t>, BAREFXT_MAX_CPUS> ahead;
std::atomic<uint64_t> now;

// One counter for all, plus each CPU's lead that a test sets. Waiting CPUs read it: on a busy
// machine the others have their turn then.
uint64_t counter() {
  const uint64_t ticks = ++now;
  if (ticks % 16 == 0) std::this_thread::yield();
  return ticks + ahead[barefxt_host_cpu % BAREFXT_MAX_CPUS];
}

std::vector<barefxt_error> check(const std::vector<uint32_t>& numbers, uint16_t cpus,
                                 uint64_t patience = kPatience) {
  std::vector<barefxt_error> errors(numbers.size());
  std::vector<std::thread> threads;
  for (size_t i = 0; i < numbers.size(); ++i)
    threads.emplace_back([&, i] {
      barefxt_host_cpu = numbers[i];
      errors[i] = barefxt_check_cpus(cpus, patience);
    });
  for (std::thread& thread : threads) thread.join();
  return errors;
}

class CheckCpusTest : public ::testing::Test {
 protected:
  void SetUp() override {
    for (auto& one : ahead) one = 0;
    barefxt_host_counter = counter;
    barefxt_host_cpu = 0;
  }
  void TearDown() override { check({0}, 1); }

  static barefxt_error start(uint16_t cpus, uint8_t skipped_checks = 0) {
    alignas(8) static uint8_t memory[size_t{8} * BAREFXT_SEGMENT_BYTES];
    barefxt_config config = {};
    config.memory = memory;
    config.bytes = sizeof memory;
    config.cpus = cpus;
    config.skipped_checks = skipped_checks;
    const barefxt_error error = barefxt_start(&config);
    barefxt_stop();
    return error;
  }
};

using Errors = std::vector<barefxt_error>;

TEST_F(CheckCpusTest, FindsNothingWrongWithCpusThatAreSoundHoweverOften) {
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(check({0, 1}, 2), Errors(2, BAREFXT_OK));
    EXPECT_EQ(check({3, 1, 0, 2}, 4), Errors(4, BAREFXT_OK));
  }
  EXPECT_EQ(check({0}, 1), Errors(1, BAREFXT_OK));
  EXPECT_EQ(start(2), BAREFXT_OK);
}

TEST_F(CheckCpusTest, NamesTwoCpusThatHaveOneNumberAndTheStartRefusesThem) {
  EXPECT_EQ(check({0, 0}, 2), Errors(2, BAREFXT_ERROR_CPU_NUMBER_TWICE));
  EXPECT_EQ(start(2), BAREFXT_ERROR_CPU_NUMBER_TWICE);
  EXPECT_EQ(start(1), BAREFXT_OK) << "the other one is not traced";
  EXPECT_EQ(start(2, BAREFXT_CHECK_STORES | BAREFXT_CHECK_COUNTER), BAREFXT_ERROR_CPU_NUMBER_TWICE);
  EXPECT_EQ(start(2, BAREFXT_CHECK_CPU), BAREFXT_OK);
  EXPECT_EQ(check({0, 1}, 2), Errors(2, BAREFXT_OK));
  EXPECT_EQ(start(2), BAREFXT_OK) << "mended";
}

TEST_F(CheckCpusTest, NamesACpuWithANumberThatIsTooHigh) {
  EXPECT_EQ(check({0, 4}, 2), Errors(2, BAREFXT_ERROR_CPU_NUMBER));
  EXPECT_EQ(start(2), BAREFXT_ERROR_CPU_NUMBER);
}

TEST_F(CheckCpusTest, NamesCountersThatAreNotInStepEitherWay) {
  for (const uint64_t by : {uint64_t{1'000'000'000}, ~uint64_t{1'000'000'000}}) {
    ahead[2] = by;
    EXPECT_EQ(check({0, 1, 2}, 3), Errors(3, BAREFXT_ERROR_COUNTERS_APART));
    EXPECT_EQ(start(2), BAREFXT_ERROR_COUNTERS_APART);
    EXPECT_EQ(start(2, BAREFXT_CHECK_COUNTER), BAREFXT_OK);
    ahead[2] = 0;
    EXPECT_EQ(check({0, 1, 2}, 3), Errors(3, BAREFXT_OK));
  }
}

TEST_F(CheckCpusTest, GivesUpWhereACpuDoesNotComeAndIsInStepAgainWhenAllDo) {
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(check({0}, 2, kShort), Errors(1, BAREFXT_ERROR_CLOCK_UNANSWERED));
    EXPECT_EQ(start(2), BAREFXT_OK) << "it may be off";
    EXPECT_EQ(check({0, 1}, 2), Errors(2, BAREFXT_OK));
    EXPECT_EQ(check({1}, 2, kShort), Errors(1, BAREFXT_ERROR_CLOCK_UNANSWERED));
    EXPECT_EQ(check({1, 0}, 2), Errors(2, BAREFXT_OK));
  }
}

// CPU 1 records instants, the last with a counter that has gone ahead. CPU 0 records one before,
// and stops the session.
void record(uint32_t instants, uint64_t last_ahead = 0) {
  alignas(8) static uint8_t memory[size_t{8} * BAREFXT_SEGMENT_BYTES];
  barefxt_config config = {};
  config.memory = memory;
  config.bytes = sizeof memory;
  config.cpus = 2;
  config.mode = BAREFXT_MODE_CIRCULAR;
  config.categories = ~0u;
  ASSERT_EQ(barefxt_start(&config), BAREFXT_OK);
  BAREFXT_INSTANT(work, "n");
  barefxt_host_cpu = 1;
  for (uint32_t i = 0; i < instants; ++i) {
    if (i + 1 == instants) ahead[1] += last_ahead;
    BAREFXT_INSTANT(work, "n");
  }
  barefxt_host_cpu = 0;
  barefxt_stop();
}

constexpr uint32_t kFewInstants = 3;
constexpr uint32_t kInstantsOfTwoSegments = 2 * BAREFXT_SEGMENT_BYTES / 16;

TEST_F(CheckCpusTest, FindsACounterThatLeadsTheOneOfTheStop) {
  record(kInstantsOfTwoSegments);
  EXPECT_EQ(start(2), BAREFXT_OK);
  ahead[1] = kSecond / 2000;
  record(kFewInstants);
  EXPECT_EQ(start(2), BAREFXT_OK) << "less than a millisecond may be the counters' own doubt";
  ahead[1] = 0;
  record(kFewInstants, kSecond / 500);
  EXPECT_EQ(start(2), BAREFXT_ERROR_COUNTERS_APART);
  EXPECT_EQ(start(2, BAREFXT_CHECK_COUNTER), BAREFXT_OK);
  EXPECT_EQ(start(1), BAREFXT_OK) << "the other one is not traced";
  ahead[1] = 0;
  EXPECT_EQ(check({0, 1}, 2), Errors(2, BAREFXT_OK));
  EXPECT_EQ(start(2), BAREFXT_OK) << "mended";
}

TEST_F(CheckCpusTest, FindsACounterThatLagsBehindTheOneOfTheStartInItsSecondSegment) {
  now = kSecond;
  ahead[1] = 0 - kSecond / 500;
  record(kFewInstants);
  EXPECT_EQ(start(2), BAREFXT_OK);
  record(kInstantsOfTwoSegments);
  EXPECT_EQ(start(2), BAREFXT_ERROR_COUNTERS_APART);
  ahead[1] = 0;
  EXPECT_EQ(check({0, 1}, 2), Errors(2, BAREFXT_OK));
  ahead[1] = 0 - kSecond / 2000;
  record(kInstantsOfTwoSegments);
  EXPECT_EQ(start(2), BAREFXT_OK) << "less than a millisecond may be the counters' own doubt";
}

TEST_F(CheckCpusTest, RefusesWhatItCannotCount) {
  EXPECT_EQ(barefxt_check_cpus(0, 0), BAREFXT_ERROR_CPU_COUNT);
  EXPECT_EQ(barefxt_check_cpus(BAREFXT_MAX_CPUS + 1, 0), BAREFXT_ERROR_CPU_COUNT);
  barefxt_host_counter = [] { return uint64_t{7}; };
  EXPECT_EQ(barefxt_check_cpus(2, 0), BAREFXT_ERROR_COUNTER_STOPPED);
}

}  // namespace
}  // namespace barefxt::test::check_cpus_test
