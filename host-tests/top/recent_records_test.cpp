// The last records of an archive as an archive.
#include "top/recent_records.h"

#include <gtest/gtest.h>

#include <barefxt/host/explain.h>
#include <barefxt/host/print.h>

#include "rebuild/damaged_captures.h"

namespace barefxt::test::recent_records_test {
namespace {

// The records of the demo, in pieces of whole records.
std::vector<Bytes> pieces_of_demo() {
  const Bytes archive = rebuild(demo_capture()).archive;
  std::vector<Bytes> pieces(1);
  for (size_t at = 0; at < archive.size();) {
    uint64_t header = 0;
    std::memcpy(&header, archive.data() + at, sizeof header);
    const size_t size = ((header >> 4) & 0xfff) * sizeof header;
    if (pieces.back().size() > 4000) pieces.emplace_back();
    pieces.back().insert(pieces.back().end(), archive.begin() + static_cast<ptrdiff_t>(at),
                         archive.begin() + static_cast<ptrdiff_t>(at + size));
    at += size;
  }
  return pieces;
}

host::Statistics figures_of(const Bytes& archive) {
  host::Source source = host::Source::of(archive, "archive");
  return host::collect_statistics(source, {}).value();
}

TEST(RecentRecords, AreAllWhileTheyFit) {
  top::RecentRecords recent;
  Bytes all;
  for (const Bytes& piece : pieces_of_demo()) {
    recent.add(piece);
    all.insert(all.end(), piece.begin(), piece.end());
  }
  EXPECT_TRUE(recent.is_all());
  EXPECT_EQ(recent.archive(), all);
}

TEST(RecentRecords, KeepTheNamesOfThoseBefore) {
  constexpr size_t kMax = 100'000;
  top::RecentRecords recent(kMax);
  size_t most = 0;
  for (const Bytes& piece : pieces_of_demo()) {
    recent.add(piece);
    most = std::max(most, recent.archive().size());
  }
  EXPECT_FALSE(recent.is_all());
  EXPECT_LT(most, kMax + 30'000);
  const host::Statistics all = figures_of(rebuild(demo_capture()).archive);
  const host::Statistics last = figures_of(recent.archive());
  EXPECT_EQ(last.malformed_bytes, 0u);
  EXPECT_EQ(last.ticks_per_second, all.ticks_per_second);
  EXPECT_EQ(last.last, all.last);
  EXPECT_GT(last.first, all.first);
  ASSERT_GT(last.threads.size(), 5u);
  for (const auto& [koid, thread] : last.threads) EXPECT_EQ(last.name_of(koid), all.name_of(koid));
  for (const auto& [label, slices] : last.durations) EXPECT_TRUE(all.durations.contains(label));
}

}  // namespace
}  // namespace barefxt::test::recent_records_test
