// Resets that lose the caches, after barefxt_crash and beside killed threads: a panic handler saves
// the whole trace even without `clean_caches`, and with them a thread killed in its record costs no
// other record.

#include <algorithm>
#include <cstring>
#include <gtest/gtest.h>
#include <memory>
#include <set>
#include <ucontext.h>
#include <unistd.h>

#include <barefxt/ring.h>

#include "cache_model.h"
#include "machine.h"
#include "rebuild/rebuild_harness.h"

extern "C" uint8_t barefxt_retained_start[];

namespace barefxt::test::write_back_crash_test {
namespace {

BAREFXT_CATEGORY(work, 3);

constexpr uint32_t kSegments = 24;  // more than a test fills
constexpr unsigned kMaxEvictions = 4;

// These belong to the boot that runs.
CacheModel* cache;
std::mt19937_64* randomness;
unsigned evictions;  // at an access, of 4
barefxt_thread main_thread;
barefxt_thread killed_thread;
ucontext_t test_context;
ucontext_t killed_context;
alignas(16) uint8_t killed_stack[65536];
uint32_t accesses_left;  // of the thread that is killed; 0: it does not run

void pass() {
  if (cache == nullptr) return;
  while ((*randomness)() % kMaxEvictions < evictions) cache->evict_one(*randomness);
  if (accesses_left == 0) return;
  --accesses_left;
  if (accesses_left == 0) swapcontext(&killed_context, &test_context);
}

void write_event(uint32_t i) {
  BAREFXT_EVENT(work, BAREFXT_EVENT_INSTANT, &main_thread, BAREFXT_TEXT("n"), 0,
                BAREFXT_ARG_U32("i", i), BAREFXT_ARG_U32("check", ~i));
}

const SegmentHeader& open_segment() {
  return rings[0].open_segment(rings[0].position.load_acquire());
}

void write_a_record() {
  BAREFXT_INSTANT(work, "killed", BAREFXT_ARG_U64("a", 1), BAREFXT_ARG_U64("b", 2));
}

// Returns whether the thread was killed in its work, ahead of the access numbered `last`.
bool work_and_be_killed(void (*killed_work)(), uint32_t last) {
  static bool is_over;
  static void (*work)();
  is_over = false;
  work = killed_work;
  getcontext(&killed_context);
  killed_context.uc_stack.ss_sp = killed_stack;
  killed_context.uc_stack.ss_size = sizeof killed_stack;
  killed_context.uc_link = &test_context;
  makecontext(
      &killed_context,
      [] {
        work();
        accesses_left = 0;
        is_over = true;
      },
      0);
  accesses_left = last;
  swapcontext(&test_context, &killed_context);
  accesses_left = 0;
  return !is_over;
}

class WriteBackCrashTest : public ::testing::Test {
 protected:
  static constexpr unsigned kEventsFound = 0;  // words that a boot shares with the test
  static constexpr unsigned kWasKilled = 1;
  static constexpr unsigned kCapture = 2;
  static constexpr unsigned kHasOpened = 3;

  // A boot that records by `work`, and whose reset loses the caches.
  void record(uint64_t seed, bool clean_caches, const std::function<void()>& work) {
    random_.seed(seed);
    static constexpr size_t kLines[] = {32, 64, 128};
    model_ = std::make_unique<CacheModel>(kLines[seed % 3]);
    model_->add(machine_.retained_pages(), barefxt_retained_start, Machine::retained_bytes());
    model_->add(machine_.ring_memory(0), machine_.ring_memory(0), Machine::kRingBytes / 2);
    model_->fill(random_);
    ASSERT_TRUE(machine_.boot([&] {
      enter(seed);
      barefxt_config config = machine_.config(0, BAREFXT_MODE_CIRCULAR);
      config.cpus = 1;
      config.bytes = kSegments * size_t{kSegmentBytes};
      config.clean_caches = clean_caches;
      barefxt_process_register(1, "process");
      barefxt_thread_register(&main_thread, 1, 2, "main", 1);
      if (barefxt_start(&config) != BAREFXT_OK) ::_exit(1);
      work();
      ::_exit(0);
    }));
  }

  // The id of a session that starts at the same tick and in the same memory in each boot.
  uint64_t next_id() {
    EXPECT_TRUE(machine_.boot([&] {
      enter(0);
      std::memset(machine_.ring_memory(0), 0, Machine::kRingBytes / 2);
      barefxt_host_counter = [] {
        static uint64_t ticks = 0;
        return ++ticks;
      };
      barefxt_config config = machine_.config(0, BAREFXT_MODE_CIRCULAR);
      config.cpus = 1;
      if (barefxt_start(&config) != BAREFXT_OK) ::_exit(1);
      machine_.shared(kCapture) = barefxt_descriptor.capture;
    }));
    return machine_.shared(kCapture);
  }

  // The numbers of the events that the next boot finds. An event that is torn or there twice fails.
  std::set<uint64_t> recover(uint64_t seed, barefxt_recovery& found) {
    machine_.sent();
    EXPECT_TRUE(machine_.boot([&] {
      enter(seed);
      machine_.report(barefxt_recover());
      const barefxt_writer line = machine_.line();
      barefxt_recovered_dump(&line, BAREFXT_DUMP_BINARY);
    }));
    found = static_cast<barefxt_recovery>(machine_.reported().at(0));
    std::set<uint64_t> events;
    if (found == BAREFXT_RECOVERED_NOTHING) return events;
    const PlainArchive archive = decode_plainly(rebuild(machine_.sent()).archive);
    EXPECT_TRUE(archive.problems.empty()) << archive.problem_text();
    for (const PlainRecord& event : archive.events("n")) {
      const uint64_t i = event.argument("i")->bits;
      EXPECT_EQ(event.argument("check")->bits, ~static_cast<uint32_t>(i));
      EXPECT_TRUE(events.insert(i).second) << i << " is there twice";
    }
    return events;
  }

  // A thread is killed ahead of each access of its work, behind so many events, and then the CPU
  // writes further segments. Lines are evicted as `series` and the access decide. Returns the
  // number of accesses.
  uint32_t kill_in(void (*killed_work)(), uint32_t ahead, uint64_t series = 0) {
    bool was_killed = true;
    uint32_t at = 0;
    while (was_killed && !HasFailure()) {
      ++at;
      const uint64_t seed = (series + ahead) * 1000 + at;
      record(seed, true, [&] {
        uint32_t i = 0;
        while (i < ahead) write_event(i++);
        barefxt_thread_register(&killed_thread, 1, 3, "killed", 1);
        barefxt_context_switch(&main_thread, BAREFXT_STATE_RUNNABLE, &killed_thread);
        machine_.shared(kWasKilled) = work_and_be_killed(killed_work, at) ? 1 : 0;
        barefxt_context_switch(&killed_thread, BAREFXT_STATE_BLOCKED, &main_thread);
        barefxt_thread_unregister(&killed_thread);
        // Those of the last segment may be lost.
        for (uint32_t segments = 0; segments < 4; ++segments) {
          const SegmentHeader* const open = &open_segment();
          machine_.shared(kEventsFound) = i;
          while (&open_segment() == open) write_event(i++);
        }
      });
      was_killed = machine_.shared(kWasKilled) != 0;
      barefxt_recovery found = BAREFXT_RECOVERED_NOTHING;
      const std::set<uint64_t> events = recover(seed, found);
      for (uint64_t i = 0; i < machine_.shared(kEventsFound) && !HasFailure(); ++i)
        EXPECT_EQ(events.count(i), 1u)
            << i << " of " << machine_.shared(kEventsFound) << " is lost, " << ahead
            << " ahead of a thread killed before access " << at;
    }
    return at;
  }

  void enter(uint64_t seed) {
    model_->reset();
    cache = model_.get();
    randomness = &random_;
    evictions = seed % kMaxEvictions;
    barefxt_host_clean_cache = [](const void* start, size_t bytes) {
      pass();
      cache->clean(start, bytes);
      pass();
    };
  }

  Machine machine_;
  std::mt19937_64 random_;
  std::unique_ptr<CacheModel> model_;
};

TEST_F(WriteBackCrashTest, KeepsTheWholeTraceWithoutCleaningAsItGoes) {
  for (const auto write_all_back : {&barefxt_crash, &barefxt_clean_for_reader}) {
    for (uint64_t seed = 0; seed < 60 && !HasFailure(); ++seed) {
      const uint32_t count = 1 + static_cast<uint32_t>(7 * seed % 200);
      record(seed, false, [&] {
        for (uint32_t i = 0; i < count; ++i) write_event(i);
        write_all_back();
      });
      barefxt_recovery found = BAREFXT_RECOVERED_NOTHING;
      EXPECT_EQ(recover(seed, found).size(), count) << "seed " << seed;
      EXPECT_EQ(found, BAREFXT_RECOVERED_WHOLE) << "seed " << seed;
    }
  }
}

TEST_F(WriteBackCrashTest, BootsThatDifferInTheirCountAloneHaveDifferentIds) {
  record(0, false, [] {});
  const uint64_t first = next_id();
  EXPECT_NE(next_id(), first);
}

TEST_F(WriteBackCrashTest, AThreadKilledAtAnyAccessOfItsRecordCostsNoOther) {
  // From segments more and more full, so that some record opens the next.
  uint32_t most = 0;
  for (const uint64_t series : {0, 400})
    for (uint32_t ahead = 0; ahead < 20; ++ahead)
      most = std::max(most, kill_in(&write_a_record, ahead, series));
  EXPECT_GT(most, 50u);
}

// The segment that the killed thread left has its mark at its end, and one that it claimed is free.
// Both were written back before, so no writer and no stop does that once more.
TEST_F(WriteBackCrashTest, AStopSavesTheWholeTraceAfterAThreadKilledInAnOpening) {
  const auto kill_at = [&](uint64_t seed, uint32_t ahead, uint32_t at) {
    record(seed, true, [&] {
      for (uint32_t i = 0; i < ahead; ++i) write_event(i);
      barefxt_thread_register(&killed_thread, 1, 3, "killed", 1);
      barefxt_context_switch(&main_thread, BAREFXT_STATE_RUNNABLE, &killed_thread);
      const SegmentHeader* const open = &open_segment();
      const auto clean_and_write = [] {
        barefxt_clean_for_reader();
        write_a_record();
      };
      machine_.shared(kWasKilled) = work_and_be_killed(clean_and_write, at) ? 1 : 0;
      machine_.shared(kHasOpened) = &open_segment() != open ? 1 : 0;
      barefxt_context_switch(&killed_thread, BAREFXT_STATE_BLOCKED, &main_thread);
      barefxt_thread_unregister(&killed_thread);
      write_event(ahead);
      barefxt_stop();
    });
  };
  constexpr uint32_t kNever = 1'000'000;
  uint32_t openings = 0;
  for (uint32_t ahead = 0; ahead < 20; ++ahead) {
    kill_at(0, ahead, kNever);
    if (machine_.shared(kHasOpened) == 0) continue;
    ++openings;
    for (uint32_t at = 1; !HasFailure(); ++at) {
      // Without evictions, and with them.
      const uint64_t seed = uint64_t{at} * (at % 2 == 0 ? 1 : 4);
      kill_at(seed, ahead, at);
      if (machine_.shared(kWasKilled) == 0) break;
      barefxt_recovery found = BAREFXT_RECOVERED_NOTHING;
      EXPECT_EQ(recover(seed, found).size(), ahead + 1);
      EXPECT_EQ(found, BAREFXT_RECOVERED_WHOLE)
          << ahead << " ahead of a thread killed before access " << at;
    }
  }
  EXPECT_GE(openings, 2u);
}

TEST_F(WriteBackCrashTest, AThreadKilledWhileItWritesAllBackCostsNoRecord) {
  EXPECT_GT(kill_in(&barefxt_clean_for_reader, 70), 50u);
}

}  // namespace
}  // namespace barefxt::test::write_back_crash_test

extern "C" void barefxt_at_access(void) { barefxt::test::write_back_crash_test::pass(); }
