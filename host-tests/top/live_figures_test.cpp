// The figures while a capture arrives are those of the archive that it becomes.
#include "live_figures.h"

#include <gtest/gtest.h>
#include <malloc.h>
#include <nlohmann/json.hpp>
#include <random>

#include "build_kind.h"
#include "rebuild/damaged_captures.h"
#include "top/endless_stream.h"

namespace barefxt::test::live_figures_test {
namespace {

using nlohmann::json;

// Without the places of records in the archive, which also has the wakers of wakeups.
json without_offsets(const std::string& text) {
  const auto is_kept = [](int /*depth*/, json::parse_event_t event, json& parsed) {
    return event != json::parse_event_t::key ||
           !parsed.get_ref<const std::string&>().ends_with("offset");
  };
  return json::parse(text, is_kept);
}

// The differences, for people.
std::string difference(const json& live, const json& archive) {
  std::string text;
  for (const json& one : json::diff(archive, live)) {
    const std::string path = one.at("path");
    if (text.size() < 2000)
      text += path + ": archive " + archive.value(json::json_pointer(path), json()).dump() +
              ", live " + one.value("value", json()).dump() + "\n";
  }
  return text;
}

// Around losses an archive has records for viewers, which are not in order, count as records, and
// end slices that the target did not end.
enum class Counts : uint8_t { kAll, kWithoutAdded, kWithoutSlices };

std::string difference(const Bytes& capture, size_t step, Counts counts) {
  LiveFigures live;
  std::span<const uint8_t> left = capture;
  while (!left.empty()) {
    const size_t count = std::min(step, left.size());
    live.feed(left.first(count));
    if (live.has_begun()) live.figures();  // which changes nothing
    left = left.subspan(count);
  }
  live.finish();
  const host::Statistics archive = figures_of_archive(rebuild(capture).archive);
  json ours = without_offsets(as_json(live.figures()));
  json theirs = without_offsets(as_json(archive));
  const auto leave_out = [&](const char* key) {
    ours.erase(key);
    theirs.erase(key);
  };
  if (counts != Counts::kAll)
    for (const char* key : {"records", "records_by_kind", "sorted"}) leave_out(key);
  if (counts == Counts::kWithoutSlices)
    for (const char* key : {"contention", "durations", "unmatched_begins", "unmatched_ends"})
      leave_out(key);
  return difference(ours, theirs);
}

TEST(LiveFigures, AreThoseOfTheArchive) {
  for (const size_t step : {7u, 1000u, 1000000u})
    EXPECT_EQ(difference(binary_form(two_cpu_capture(5, 12).frames()), step, Counts::kAll), "");
}

TEST(LiveFigures, AreThoseOfTheArchiveOfTargets) {
  for (const char* name :
       {"cortex-m3-demo.v2.raw", "freertos-example.raw", "cortex-m3-circular.v1.raw"})
    EXPECT_EQ(difference(golden_capture(name), 4096, Counts::kWithoutAdded), "") << name;
}

// Compares records alone: only the whole capture shows whether a table came by its second copy.
Bytes with_cut_in_the_middle(Bytes capture, unsigned seed) {
  std::mt19937 random(seed);
  const auto third = static_cast<ptrdiff_t>(capture.size() / 3);
  const auto at = capture.begin() + third + random() % third;
  capture.erase(at, at + 1000 + random() % 4000);
  return capture;
}

TEST(LiveFigures, AreThoseOfTheArchiveWhereFramesAreLost) {
  for (unsigned seed = 0; seed < 20; ++seed)
    EXPECT_EQ(
        difference(with_cut_in_the_middle(demo_capture(), seed), 5000, Counts::kWithoutSlices), "")
        << seed;
}

// Streams of several CPUs, whose pieces come as CPUs have filled them, with losses.
TestCapture random_stream(unsigned seed) {
  std::mt19937 random(seed);
  TestCapture capture = two_cpu_capture(0, 0);
  capture.mode = 3;
  capture.start_ticks = 900;
  std::array<uint64_t, 2> now = {1000, 1003};
  std::array<uint32_t, 2> segments = {};
  std::array<uint64_t, 2> lost = {};
  std::array<bool, 2> is_idle = {true, true};
  uint32_t n = 0;
  for (int i = 0; i < 60; ++i) {
    const uint16_t cpu = now[0] <= now[1] ? 0 : 1;
    if (random() % 8 == 0) {
      lost[cpu] += 1 + random() % 5;
      now[cpu] += random() % 2000;
      is_idle[cpu] = random() % 2 == 0;
    }
    TestPiece piece{.cpu = cpu, .segment = segments[cpu]++, .records = {}};
    piece.records_lost = lost[cpu];
    piece.bytes_lost = lost[cpu] * 24;
    for (unsigned record = 0; record < 1 + random() % 20; ++record) {
      now[cpu] += 1 + random() % 50;
      const unsigned worker = 1 + cpu;
      if (random() % 3 == 0) {
        piece.records.push_back(instant(now[cpu], worker, 1, 2, 3, n++));
      } else {
        piece.records.push_back(is_idle[cpu] ? context_switch(now[cpu], cpu, 2, 3, worker, 0, 5)
                                             : context_switch(now[cpu], cpu, 3, worker, 3, 5, 0));
        is_idle[cpu] = !is_idle[cpu];
      }
    }
    capture.pieces.push_back(piece);
  }
  capture.stop_ticks = std::max(now[0], now[1]) + 100;
  return capture;
}

TEST(LiveFigures, AreThoseOfTheArchiveOfStreams) {
  for (unsigned seed = 0; seed < 100; ++seed) {
    std::vector<Bytes> frames = random_stream(seed).frames();
    EXPECT_EQ(difference(binary_form(frames), 100 + seed * 7, Counts::kWithoutAdded), "") << seed;
    // Some records do not arrive, and the line may break.
    std::mt19937 random(seed);
    constexpr ptrdiff_t kTables = 6;
    for (int i = 0; i < 3; ++i)
      frames.erase(frames.begin() + kTables + static_cast<ptrdiff_t>(random() % 40));
    if (seed % 2 == 0) frames.resize(kTables + 20 + random() % 20);
    EXPECT_EQ(difference(binary_form(frames), 100 + seed * 7, Counts::kWithoutAdded), "")
        << seed << ", frames are lost";
  }
}

// Owners of threads' entries are forgotten once records are past their change.
TEST(LiveFigures, TakeTheMemoryOfTheThreadsThatThereAre) {
  if (kSanitized) GTEST_SKIP() << "the sanitizer's own memory would count";
  EndlessStream stream(true);
  LiveFigures live;
  live.feed(stream.begin());
  const auto bytes_after = [&](int steps) {
    for (int i = 0; i < steps; ++i) live.feed(stream.next(2 * EndlessStream::kTicksPerSecond));
    const struct mallinfo2 heap = mallinfo2();
    return heap.uordblks + heap.hblkhd;
  };
  const size_t early = bytes_after(100);
  EXPECT_LT(bytes_after(400), early + 300'000);
}

// A stream of two CPUs, piece by piece as the test wants it.
class LiveMerge : public testing::Test {
 protected:
  static constexpr uint64_t kSecond = 1'000'000;

  LiveMerge() {
    capture_.mode = 3;
    capture_.start_ticks = 0;
    const std::vector<Bytes> frames = capture_.frames();
    constexpr size_t kTables = 4;  // hello, strings and threads
    live_.feed(binary_form({frames.begin(), frames.begin() + kTables}));
  }
  void send(uint16_t cpu, const std::vector<uint64_t>& times) {
    TestCapture one = capture_;
    TestPiece piece{.cpu = cpu, .segment = segments_[cpu], .records = {}};
    for (const uint64_t time : times) piece.records.push_back(instant(time, 1 + cpu, 1, 2, 3, 0));
    all_[cpu].push_back(piece);
    one.pieces = all_[cpu];
    ++segments_[cpu];
    // The last frame of records has what was sent before.
    const std::vector<Bytes> frames = one.frames();
    constexpr size_t kTables = 4;  // hello, strings and threads
    live_.feed(binary_form({frames[kTables + all_[cpu].size() - 1]}));
  }

  TestCapture capture_ = two_cpu_capture(0, 0);
  std::array<uint32_t, 2> segments_{};
  std::array<std::vector<TestPiece>, 2> all_;
  LiveFigures live_;
};

TEST_F(LiveMerge, NamesTheCpuThatHoldsItBack) {
  send(0, {1000, 2000});
  EXPECT_EQ(live_.state().held_by, 1u);
  EXPECT_EQ(live_.state().merged, 0u);
  send(1, {1500, 1600});
  EXPECT_EQ(live_.state().merged, 1600u) << "what CPU 0 has behind may still have earlier ones";
  EXPECT_EQ(live_.state().held_by, 1u);
  send(1, {2500});
  EXPECT_EQ(live_.state().merged, 2000u);
  EXPECT_EQ(live_.state().held_by, 0u);
}

TEST_F(LiveMerge, WaitsForACpuForASecondOfTheOthers) {
  send(0, {1000, 2000});
  send(0, {kSecond - 1});
  EXPECT_EQ(live_.state().merged, 0u);
  send(0, {kSecond + 2001});
  EXPECT_EQ(live_.state().merged, kSecond + 2001);
  EXPECT_EQ(live_.state().late_records, 0u);
  send(1, {500, 600, kSecond + 3000});
  EXPECT_EQ(live_.state().late_records, 2u);
}

// The end of a line ahead of all records of a CPU.
TEST_F(LiveMerge, EndsWhereACpuHasSentNothing) {
  send(0, {1000, 2000});
  live_.finish();
  EXPECT_TRUE(live_.state().is_over);
  EXPECT_EQ(live_.state().merged, 2000u);
}

TEST_F(LiveMerge, WaitsForNobodyOnALineThatIsIdle) {
  send(0, {1000, 2000});
  live_.advance_idle();
  EXPECT_EQ(live_.state().merged, 2000u);
  EXPECT_EQ(live_.state().held_by, std::nullopt);
}

}  // namespace
}  // namespace barefxt::test::live_figures_test
