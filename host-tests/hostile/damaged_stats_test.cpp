// Statistics of a damaged capture measure nothing that those of the sound capture do not
// (measured.h), and nothing is missing without a word: if `rebuild` reports a complete capture, the
// statistics are the sound capture's, byte by byte. Otherwise it prints a message, and where the
// archive lacks a record that lies between others, the statistics have a loss.
//
// Without both hello frames, which `rebuild` reports as well, neither the clock's rate nor the CPUs
// that recorded are known. Measurements are not held to the sound capture then.
#include <algorithm>
#include <gtest/gtest.h>
#include <set>

#include "build_kind.h"
#include "hostile/measured.h"
#include "hostile/mutations.h"
#include "rebuild/rebuild_harness.h"
#include "stats/summing.h"

namespace barefxt::test::damaged_stats_test {
namespace {

using host::Statistics;

struct Report {
  Rebuilt rebuilt;
  Statistics statistics;
  std::string text;

  explicit Report(const Bytes& capture) : rebuilt(rebuild(capture)) {
    if (rebuilt.archive.empty()) return;
    host::StatisticsOptions options;
    options.precision = host::Precision::kExact;
    statistics = statistics_in({rebuilt.archive.begin(), rebuilt.archive.end()}, options);
    host::StringOutput out;
    host::print_statistics_json(out, statistics);
    text = out.take();
  }
};

// Times of switches, wakeups and events that the target recorded.
std::multiset<uint64_t> times_in(const Bytes& archive) {
  std::multiset<uint64_t> times;
  for (const PlainRecord& record : decode_plainly(archive).records)
    if ((record.type == 4 || record.type == 8) && record.category != "barefxt" && !is_added(record))
      times.insert(record.timestamp);
  return times;
}

// A record is missing with a later one there: not only the end was cut.
bool lacks_a_record_in_between(const Bytes& damaged, const Bytes& sound) {
  const std::multiset<uint64_t> left = times_in(damaged);
  if (left.empty()) return false;
  return std::ranges::any_of(times_in(sound), [&](uint64_t time) {
    return time > *left.begin() && time < *left.rbegin() && !left.contains(time);
  });
}

TEST(DamagedStats, MeasureNothingThatTheSoundCapturesDoNot) {
  std::mt19937_64 random(20261127);
  const size_t cases = is_full_run() ? 1'000 : 6;
  size_t with_losses = 0;
  for (const SoundInput& input : sound_inputs()) {
    // In captures made by hand, switches contradict each other: a loss can hide that.
    if (input.kind != InputKind::kCapture || input.name.find(".raw") == std::string::npos) continue;
    const Report whole(input.bytes);
    const Measured sound = measured(whole.statistics);
    for (size_t i = 0; i < cases; ++i) {
      SCOPED_TRACE(input.name + ", case " + std::to_string(i));
      const Report left(damaged(input.bytes, random));
      if (left.rebuilt.verdict == host::RebuildVerdict::kComplete) {
        EXPECT_EQ(left.text, whole.text);
      } else {
        EXPECT_NE(left.rebuilt.messages, "");
      }
      if (left.rebuilt.archive.empty()) continue;
      const Measured rest = measured(left.statistics);
      const bool is_known = !left.rebuilt.reports("both hello frames are missing");
      ASSERT_EQ(is_known ? first_invented(rest, sound) : "", "") << left.rebuilt.messages;
      if (lacks_a_record_in_between(left.rebuilt.archive, whole.rebuilt.archive)) {
        ASSERT_FALSE(left.statistics.losses.empty()) << left.rebuilt.messages;
        ++with_losses;
      }
    }
  }
  EXPECT_GT(with_losses, cases) << "most are damaged in their records";
}

}  // namespace
}  // namespace barefxt::test::damaged_stats_test
