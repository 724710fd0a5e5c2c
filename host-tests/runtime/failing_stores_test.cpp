// A machine whose exclusive stores fail: all, those to the rings' memory, every second, at random,
// or all from some instant on. The start refuses where none succeeds; else nothing hangs, and what
// was recorded, lost and overwritten is what was attempted.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include <barefxt/barefxt.h>
#include <barefxt/ring.h>

#include "configuration.h"
#include "thread_table.h"

namespace barefxt::test {
namespace {

BAREFXT_CATEGORY(work, 3);

constexpr unsigned kSegments = 5;
constexpr unsigned kEvents = 120;  // more than the segments hold
alignas(8) uint8_t memory[kSegments * size_t{kSegmentBytes}];

std::function<bool(const volatile void*)> fails;
bool overlaps;  // stores succeed behind another's load and store
bool caches_are_off;
uint32_t* reserved;  // by the latest load
uint64_t stores;
uint64_t most_stores;

uint64_t now;
uint64_t next_tick() { return ++now; }

bool is_in_memory(const volatile void* word) {
  const auto* at = static_cast<const volatile uint8_t*>(word);
  return at >= memory && at < memory + sizeof memory;
}

barefxt_config configuration(barefxt_mode mode) {
  barefxt_config config = config_of(memory, sizeof memory, 1, mode);
  config.partial_after_ticks = 100;
  return config;
}

barefxt_thread threads[2];

void register_threads() {
  // Others each time: to name one that is known anew is a record.
  static uint32_t koid = 10;
  barefxt_thread_register(&threads[0], 1, koid++, "first", 1);
  barefxt_thread_register(&threads[1], 1, koid++, "second", 1);
}
void unregister_threads() {
  for (barefxt_thread& thread : threads) barefxt_thread_unregister(&thread);
}

class FailingStoresTest : public ::testing::Test {
 protected:
  void SetUp() override {
    barefxt_host_counter = next_tick;
    barefxt_host_cpu = 0;
    now = 0;
    fails = nullptr;
    overlaps = false;
    caches_are_off = false;
    stores = 0;
    most_stores = 10'000'000;
    register_threads();
  }
  void TearDown() override {
    fails = nullptr;
    unregister_threads();
    barefxt_stop();
    barefxt_forget_unfinished();
    barefxt_snapshot_release();
  }
};

constexpr barefxt_mode kModes[] = {BAREFXT_MODE_ONE_SHOT, BAREFXT_MODE_CIRCULAR,
                                   BAREFXT_MODE_STREAMING};

void drain() {
  static uint8_t buffer[BAREFXT_DRAIN_BYTES];
  for (int i = 0; i < 8 && barefxt_drain(buffer, sizeof buffer, BAREFXT_DUMP_BINARY) != 0; ++i)
    now += 100;
}

// A rename to another name is a record, or a lost one, if the thread has an entry.
bool rename_is_a_record(unsigned number) {
  if (threads[1].reference == 0) return false;
  barefxt_thread_rename(&threads[1], ("renamed " + std::to_string(number)).c_str());
  return true;
}

// Everything that swaps but registrations, which may record names. Returns the records attempted.
uint64_t use_all(barefxt_mode mode) {
  uint64_t attempted = 0;
  for (unsigned i = 0; i < kEvents; ++i) {
    BAREFXT_INSTANT(work, "event", BAREFXT_ARG_U32("i", i));
    barefxt_context_switch(&threads[i & 1], BAREFXT_STATE_BLOCKED, &threads[1 - (i & 1)]);
    attempted += 2;
    if (i % 16 == 5) barefxt_thread_set_priority(&threads[0], static_cast<uint8_t>(i));
    if (i % 16 == 6 && rename_is_a_record(i)) ++attempted;
    if (i % 16 == 7 && mode == BAREFXT_MODE_STREAMING) drain();
    if (i % 32 == 8 && mode != BAREFXT_MODE_STREAMING) barefxt_snapshot();
    if (i % 32 == 9) barefxt_snapshot_release();
    if (i % 32 == 10) barefxt_set_categories(~0u);
  }
  return attempted;
}

// With stores that succeed again.
void expect_all_accounted(uint64_t attempted) {
  fails = nullptr;
  const barefxt_stop_report report = barefxt_stop();
  EXPECT_FALSE(barefxt_running());
  EXPECT_EQ(report.unfinished_records, 0u);
  EXPECT_EQ(report.recorded_records + report.lost_records + report.overwritten_records, attempted);
}

TEST_F(FailingStoresTest, AStartRefusesAMachineOnWhichNoneSucceedsAndNothingHangs) {
  for (const barefxt_mode mode : kModes) {
    fails = [](const volatile void*) { return true; };
    const barefxt_config config = configuration(mode);
    stores = 0;
    EXPECT_EQ(barefxt_start(&config), BAREFXT_ERROR_STORES_FAIL);
    EXPECT_LE(stores, 100u) << "the test is bounded";
    EXPECT_FALSE(barefxt_running());
    const uint64_t recorded = barefxt_stop().recorded_records;
    unregister_threads();
    register_threads();
    barefxt_object_register(20, BAREFXT_OBJECT_QUEUE, "object");
    use_all(mode);
    EXPECT_EQ(barefxt_stop().recorded_records, recorded);
    barefxt_close();
    barefxt_crash();
    barefxt_clock_tick();
    fails = nullptr;
    unregister_threads();
    register_threads();
    EXPECT_EQ(barefxt_start(&config), BAREFXT_OK) << "nothing of that is left";
    expect_all_accounted(use_all(mode));
  }
}

TEST_F(FailingStoresTest, AStartRefusesMemoryToWhichNoneSucceeds) {
  fails = &is_in_memory;
  barefxt_config config = configuration(BAREFXT_MODE_CIRCULAR);
  EXPECT_EQ(barefxt_start(&config), BAREFXT_ERROR_STORES_FAIL);
  EXPECT_FALSE(barefxt_running());
  config.skipped_checks = BAREFXT_CHECK_CPU | BAREFXT_CHECK_COUNTER;
  EXPECT_EQ(barefxt_start(&config), BAREFXT_ERROR_STORES_FAIL);
  // With that check skipped, it records as far as it comes.
  config.skipped_checks = BAREFXT_CHECK_STORES;
  EXPECT_EQ(barefxt_start(&config), BAREFXT_OK);
  const uint64_t attempted = use_all(config.mode);
  const barefxt_stop_report report = barefxt_stop();
  EXPECT_GT(report.recorded_records, 0u);
  EXPECT_GT(report.lost_records, 0u);
  EXPECT_EQ(report.recorded_records + report.lost_records, attempted);
}

TEST_F(FailingStoresTest, NothingIsMissingWhereEverySecondFailsOrSomeDoAtRandom) {
  static uint64_t state;
  const std::function<bool(const volatile void*)> kinds[] = {
      [](const volatile void*) { return stores % 2 == 0; },
      [](const volatile void*) { return stores % 2 == 1; },
      [](const volatile void*) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        return (state >> 62) != 0;
      }};
  for (const auto& kind : kinds)
    for (const barefxt_mode mode : kModes)
      for (unsigned run = 0; run < 10; ++run) {
        state = run;
        fails = kind;
        const barefxt_config config = configuration(mode);
        ASSERT_EQ(barefxt_start(&config), BAREFXT_OK);
        const uint64_t attempted = use_all(mode);
        const barefxt_stop_report report = barefxt_stop();
        EXPECT_EQ(report.unfinished_records, 0u);
        EXPECT_EQ(report.recorded_records + report.lost_records + report.overwritten_records,
                  attempted)
            << "mode " << mode << " run " << run;
        fails = nullptr;
      }
}

// A panic handler that turns MMU or caches off has this effect.
TEST_F(FailingStoresTest, FromWhereverNoneSucceedsAnyMoreNothingHangsAndLossesAreCounted) {
  for (const barefxt_mode mode : kModes) {
    const barefxt_config config = configuration(mode);
    uint64_t in_all = 0;
    for (uint64_t first = 0; first == 0 || first <= in_all; first += 7) {
      ASSERT_EQ(barefxt_start(&config), BAREFXT_OK);
      unregister_threads();
      register_threads();
      stores = 0;
      fails = [first](const volatile void*) { return first != 0 && stores >= first; };
      const uint64_t attempted = use_all(mode);
      barefxt_stop();
      if (first == 0) in_all = stores;
      expect_all_accounted(attempted);
      if (HasFailure()) FAIL() << "mode " << mode << ", from store " << first;
      barefxt_forget_unfinished();
      barefxt_snapshot_release();
    }
    EXPECT_GT(in_all, 300u);
  }
}

TEST_F(FailingStoresTest, AStartNamesStoresThatOverlap) {
  overlaps = true;
  barefxt_config config = configuration(BAREFXT_MODE_ONE_SHOT);
  EXPECT_EQ(barefxt_start(&config), BAREFXT_ERROR_STORES_OVERLAP);
  EXPECT_FALSE(barefxt_running());
  config.skipped_checks = BAREFXT_CHECK_STORES;
  EXPECT_EQ(barefxt_start(&config), BAREFXT_OK);
}

// On many chips an exclusive store faults then.
TEST_F(FailingStoresTest, AStartRefusesAMachineWhoseCachesAreOffAheadOfItsFirstStore) {
  caches_are_off = true;
  stores = 0;
  fails = [](const volatile void*) { return true; };
  barefxt_config config = configuration(BAREFXT_MODE_ONE_SHOT);
  EXPECT_EQ(barefxt_start(&config), BAREFXT_ERROR_MMU_OFF);
  config.skipped_checks = BAREFXT_CHECK_STORES | BAREFXT_CHECK_CPU | BAREFXT_CHECK_COUNTER;
  EXPECT_EQ(barefxt_start(&config), BAREFXT_ERROR_MMU_OFF);
  EXPECT_EQ(stores, 0u);
  EXPECT_FALSE(barefxt_running());
  EXPECT_STREQ(barefxt_error_name(BAREFXT_ERROR_MMU_OFF), "BAREFXT_ERROR_MMU_OFF");

  config.skipped_checks = BAREFXT_CHECK_MEMORY;
  EXPECT_EQ(barefxt_start(&config), BAREFXT_ERROR_STORES_FAIL);
  fails = nullptr;
  EXPECT_EQ(barefxt_start(&config), BAREFXT_OK) << "an emulator";
  barefxt_stop();
  caches_are_off = false;
  config.skipped_checks = 0;
  EXPECT_EQ(barefxt_start(&config), BAREFXT_OK);
}

TEST_F(FailingStoresTest, AStartNamesACpuThatIsNotCountedAndACounterThatGoesBack) {
  barefxt_config config = configuration(BAREFXT_MODE_ONE_SHOT);
  barefxt_host_cpu = 1;
  EXPECT_EQ(barefxt_start(&config), BAREFXT_ERROR_CPU_NUMBER);
  config.skipped_checks = BAREFXT_CHECK_CPU;
  EXPECT_EQ(barefxt_start(&config), BAREFXT_OK);
  barefxt_stop();
  barefxt_host_cpu = 0;
  config.skipped_checks = 0;
  barefxt_host_counter = [] { return uint64_t{1} << 40 | (1000 - ++now); };
  EXPECT_EQ(barefxt_start(&config), BAREFXT_ERROR_COUNTER_JUMPS);
  config.skipped_checks = BAREFXT_CHECK_COUNTER;
  EXPECT_EQ(barefxt_start(&config), BAREFXT_OK);
}

}  // namespace
}  // namespace barefxt::test

extern "C" bool barefxt_store_fails(const volatile void* word) {
  using namespace barefxt::test;
  if (++stores > most_stores) {
    std::fprintf(stderr, "a call does not end\n");
    std::abort();
  }
  return fails && fails(word);
}

extern "C" int barefxt_port_caches_are_on(void) { return !barefxt::test::caches_are_off; }
extern "C" void barefxt_port_monitor_probe_begin(uint32_t* word) { barefxt::test::reserved = word; }
extern "C" uint32_t barefxt_port_monitor_probe_end(uint32_t* word) {
  using namespace barefxt::test;
  const bool has_failed = reserved != word && !overlaps;
  reserved = nullptr;
  return has_failed ? 1 : 0;
}
