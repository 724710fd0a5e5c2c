// The offset of a CPU's counter, with `clean_caches`: after a reset that loses the caches it is
// whole, the old one or the new, or marked as unknown.

#include <algorithm>
#include <gtest/gtest.h>
#include <new>
#include <sys/mman.h>
#include <unistd.h>

#include <barefxt/clock.h>

#include "cache_model.h"
#include "machine.h"

extern "C" uint8_t barefxt_retained_start[];

namespace barefxt::test::write_back_clocks_test {
namespace {

// Lines of a word, since the linker decides whether an offset spans two of a real cache.
constexpr size_t kLineBytes = 8;
constexpr uint64_t kTicks = 1'000'000'007;  // of an offset, for each tick of its error

struct Journal {
  uint64_t measured;
  uint64_t is_being_measured;
};

CacheModel* cache;
std::mt19937_64* randomness;
uint32_t accesses_left;  // 0: no reset

void pass() {
  if (cache == nullptr) return;
  // One of all, or half of the offset.
  while ((*randomness)() % 4 != 0) {
    if ((*randomness)() % 2 == 0)
      cache->evict_one(*randomness);
    else
      cache->clean(reinterpret_cast<const uint8_t*>(&stored_clock_offsets[1]) +
                       (*randomness)() % sizeof(StoredClockOffset),
                   1);
  }
  if (accesses_left != 0 && --accesses_left == 0) ::_exit(0);
}

void clean(const void* start, size_t bytes) {
  pass();
  cache->clean(start, bytes);
  pass();
}

TEST(WriteBackClocksTest, AnOffsetIsWholeOrUnknown) {
  void* shared =
      ::mmap(nullptr, sizeof(Journal), PROT_READ | PROT_WRITE, MAP_ANONYMOUS | MAP_SHARED, -1, 0);
  ASSERT_NE(shared, MAP_FAILED);
  auto* journal = new (shared) Journal;
  Machine machine;
  unsigned unknown = 0;
  unsigned known = 0;
  for (uint64_t seed = 1; seed <= 1'000; ++seed) {
    std::mt19937_64 random(seed);
    CacheModel model(kLineBytes);
    model.add(machine.retained_pages(), barefxt_retained_start, Machine::retained_bytes());
    model.fill(random);
    *journal = Journal{};
    const auto enter = [&] {
      model.reset();
      cache = &model;
      randomness = &random;
      barefxt_host_clean_cache = &clean;
    };
    ASSERT_TRUE(machine.boot([&] {
      enter();
      barefxt_config config = machine.config();
      config.clean_caches = true;
      barefxt_start(&config);
      accesses_left = static_cast<uint32_t>(1 + random() % 60);
      while (true) {
        const uint64_t next = ++journal->is_being_measured;
        const uint64_t words[ClockOffset::kWords] = {next * kTicks, next};
        publish_clock_offset(1, words);
        journal->measured = next;
        // The reset may come now as well.
        pass();
        pass();
      }
    }));
    ASSERT_TRUE(machine.boot([&] {
      enter();
      machine.report(stored_clock_offsets[1].ticks);
      machine.report(stored_clock_offsets[1].error);
    }));
    const std::vector<uint64_t> reported = machine.reported();
    const uint64_t error = reported.at(1);
    if (error == StoredClockOffset::kUnknownError) {
      ++unknown;
      ASSERT_TRUE(journal->measured != journal->is_being_measured || journal->measured == 0)
          << "seed " << seed;
      continue;
    }
    ++known;
    ASSERT_TRUE(error == journal->measured || error == journal->is_being_measured)
        << "seed " << seed << ": " << error;
    ASSERT_EQ(reported.at(0), error * kTicks) << "seed " << seed;
  }
  EXPECT_GT(unknown, 10u);
  EXPECT_GT(known, 10u);
  ::munmap(shared, sizeof(Journal));
}

}  // namespace
}  // namespace barefxt::test::write_back_clocks_test

extern "C" void barefxt_at_access(void) { barefxt::test::write_back_clocks_test::pass(); }
