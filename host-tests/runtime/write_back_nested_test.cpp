// Writers that come in while a segment is being looked at or written back, with `clean_caches`:
// before each access of the interrupted call. Such a writer cannot write that segment back itself.

#include <algorithm>
#include <functional>
#include <gtest/gtest.h>

#include <barefxt/barefxt.h>
#include <barefxt/ring.h>

#include "configuration.h"
#include "write_back.h"

namespace barefxt::test::write_back_nested_test {
namespace {

BAREFXT_CATEGORY(work, 3);

constexpr uint32_t kSegments = 4;
alignas(64) uint8_t memory[kSegments * kSegmentBytes];
uint64_t now;

// Runs before the access with the number, from 1 on; others run after it, before each.
struct Interruption {
  uint32_t at = 0;
  std::function<void()> come_in;
  std::function<void()> look;
};
Interruption interruption;
uint32_t accesses;
bool is_counting;
size_t cleaned;  // bytes of the first segment

void write(unsigned events) {
  for (unsigned i = 0; i < events; ++i) BAREFXT_INSTANT(work, "n", BAREFXT_ARG_U64("i", i));
}

// Returns false if the call was over before that access.
bool interrupt(uint32_t at, const std::function<void()>& call, const std::function<void()>& come_in,
               const std::function<void()>& look = {}) {
  interruption = {at, come_in, look};
  accesses = 0;
  is_counting = true;
  call();
  is_counting = false;
  return accesses >= at;
}

class WriteBackNestedTest : public ::testing::Test {
 protected:
  ~WriteBackNestedTest() override { barefxt_stop(); }

  static void start(barefxt_mode mode) {
    barefxt_stop();
    barefxt_host_counter = [] { return ++now; };
    barefxt_config config = config_of(memory, sizeof memory, 1, mode);
    config.clean_caches = true;
    ASSERT_EQ(barefxt_start(&config), BAREFXT_OK);
  }

  static const Ring& ring() { return rings[0]; }
  static const SegmentHeader& open_segment() {
    return ring().open_segment(ring().position.load_relaxed());
  }
  static uint32_t room() {
    return kSegmentBytes - static_cast<uint32_t>(ring().position.load_relaxed() % kSegmentBytes);
  }
  // Until the next event needs another segment.
  static void fill_segment() {
    const uint32_t before = room();
    write(1);
    const uint32_t event = before - room();
    while (room() > event) write(1);
  }

  // Segments that were left, hold finished records alone, belong to nobody, and are not written
  // back.
  static unsigned count_left_behind() {
    unsigned count = 0;
    for (uint32_t slot = 0; slot < ring().segments; ++slot) {
      const SegmentHeader& segment = ring().segment(slot);
      if (state_of(segment) == SegmentState::kLive && segment.end.load_relaxed() != 0 &&
          look_through(segment).is_whole && !is_written_back(segment))
        ++count;
    }
    return count;
  }
};

TEST_F(WriteBackNestedTest, ASegmentThatIsNotOverwrittenAfterAllIsWrittenBack) {
  uint32_t unfinished_at = 0;
  uint32_t tried = 0;
  unsigned held_up = 0;
  while (true) {
    ++unfinished_at;
    bool is_there = true;
    for (uint32_t at = 1; is_there; ++at) {
      start(BAREFXT_MODE_CIRCULAR);
      // The first segment has a record that is finished when the last one is open.
      const bool was_interrupted = interrupt(
          unfinished_at, [] { write(1); },
          [] {
            while (&open_segment() != &ring().segment(kSegments - 1)) write(1);
          });
      if (!was_interrupted) {
        EXPECT_GT(held_up, 0u);
        EXPECT_GT(tried, 100u);
        return;
      }
      fill_segment();
      if (count_left_behind() != 0) ++held_up;
      // This writer would overwrite that segment. Another opens the next one instead.
      is_there = interrupt(at, [] { write(1); }, [] { write(1); });
      ++tried;
      ASSERT_EQ(count_left_behind(), 0u) << unfinished_at << ", " << at;
    }
  }
}

TEST_F(WriteBackNestedTest, ASegmentIsInMemoryBeforeItCountsAsWrittenBack) {
  uint32_t looks = 0;
  bool is_there = true;
  for (uint32_t unfinished_at = 1; is_there; ++unfinished_at) {
    start(BAREFXT_MODE_CIRCULAR);
    is_there = interrupt(
        unfinished_at, [] { write(1); },
        [] {
          while (&open_segment() != &ring().segment(kSegments - 1)) write(1);
        });
    fill_segment();
    // From here on its last record is in memory once the segment is cleaned.
    cleaned = 0;
    barefxt_host_clean_cache = [](const void* from, size_t bytes) {
      if (from == &ring().segment(0)) cleaned = std::max(cleaned, bytes);
    };
    if (count_left_behind() != 1) continue;
    const uint32_t end = ring().segment(0).end.load_relaxed();
    interrupt(
        1, [] { write(1); }, [] {},
        [&] {
          if (state_of(ring().segment(0)) != SegmentState::kLeaving) return;
          ++looks;
          if (written_back_until(ring().segment(0)) != end) return;
          EXPECT_GE(cleaned, end);
        });
  }
  barefxt_host_clean_cache = nullptr;
  EXPECT_GT(looks, 0u);
}

TEST_F(WriteBackNestedTest, ASegmentThatIsLeftWhileItIsWrittenBackIsWrittenBackAgain) {
  unsigned left_behind_at = 0;
  bool is_there = true;
  for (uint32_t at = 1; is_there; ++at) {
    start(BAREFXT_MODE_ONE_SHOT);
    write(2);
    unsigned looks = 0;
    is_there = interrupt(
        at, [] { barefxt_clean_for_reader(); },
        [] {
          fill_segment();
          write(1);
        },
        [&] { looks += count_left_behind(); });
    EXPECT_EQ(count_left_behind(), 0u) << at;
    if (looks != 0) ++left_behind_at;
  }
  // Only between the last look and the end of the ownership.
  EXPECT_LE(left_behind_at, 2u);
}

}  // namespace
}  // namespace barefxt::test::write_back_nested_test

extern "C" void barefxt_at_access(void) {
  using namespace barefxt::test::write_back_nested_test;
  if (!is_counting) return;
  is_counting = false;
  ++accesses;
  if (accesses == interruption.at)
    interruption.come_in();
  else if (accesses > interruption.at && interruption.look)
    interruption.look();
  is_counting = true;
}
