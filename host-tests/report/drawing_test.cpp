// Drawings add up to the statistics, and agree with the archive in everything.
#include "report/drawing.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <rapidcheck/gtest.h>
#include <tuple>

#include "archive/memory_archive.h"
#include "contains.h"
#include "heap/heap_trace.h"
#include "print/printing.h"
#include "sample.h"
#include "stats/simulated_kernel.h"

namespace barefxt::test::drawing_test {
namespace {

using report::Drawing;
using report::Item;
using report::ItemKind;
using report::LaneKind;

host::Result<Drawing> try_to_draw(const std::string& archive,
                                  const host::StatisticsOptions& options = {},
                                  size_t most = Drawing::kMaxItems) {
  host::Source source = host::Source::of(as_bytes(archive), "in memory");
  return report::draw(source, host::Form{}, options, most);
}

Drawing drawing_of(const std::string& archive, const host::StatisticsOptions& options = {}) {
  host::Result<Drawing> drawing = try_to_draw(archive, options);
  EXPECT_TRUE(drawing.ok());
  return std::move(drawing.value());
}

// Ticks of each thread and state, and of each CPU, added up from what is drawn.
void expect_sums_of_statistics(const Drawing& drawing) {
  std::map<std::pair<uint64_t, host::ThreadTime>, uint64_t> threads;
  std::map<uint64_t, uint64_t> ran;
  std::map<uint64_t, uint64_t> unknown;
  std::map<uint64_t, std::pair<uint64_t, uint64_t>> late;  // times, ticks
  for (const Item& item : drawing.items) {
    const report::Lane& lane = drawing.lanes[item.lane];
    const uint64_t ticks = item.end - std::max(item.begin, drawing.statistics.first);
    if (item.kind == ItemKind::kRun) {
      threads[{lane.id, host::ThreadTime::kRunning}] += ticks;
      ran[drawing.lanes[item.other].id] += ticks;
    } else if (item.kind == ItemKind::kState) {
      threads[{lane.id, static_cast<host::ThreadTime>(item.other)}] += ticks;
      if (item.late) {
        ++late[lane.id].first;
        late[lane.id].second += item.end - item.begin;
      }
    } else if (item.kind == ItemKind::kUnknown) {
      unknown[lane.id] += ticks;
    }
  }
  for (const auto& [koid, thread] : drawing.statistics.threads) {
    const auto latencies = std::pair(thread.latency.count(), thread.latency.total());
    EXPECT_EQ(late[koid], latencies) << koid;
    for (size_t i = 0; i < host::kThreadTimeKinds; ++i) {
      const auto what = static_cast<host::ThreadTime>(i);
      const uint64_t sum = threads[{koid, what}];
      EXPECT_EQ(sum, thread.time(what)) << koid << " " << host::kThreadTimeNames[i];
    }
  }
  for (const auto& [number, cpu] : drawing.statistics.cpus) {
    const uint64_t busy_and_idle = ran[number];
    const uint64_t not_known = unknown[number];
    EXPECT_EQ(busy_and_idle, cpu.busy + cpu.idle) << number;
    EXPECT_EQ(not_known, cpu.unknown) << number;
  }
}

RC_GTEST_PROP(Drawing, StatesAddUpToTheStatistics, (const std::vector<uint32_t>& choices)) {
  SimulatedTrace trace = simulate(choices);
  if (!trace.records.empty() && *rc::gen::arbitrary<bool>()) {
    const auto first = *rc::gen::inRange<size_t>(0, trace.records.size());
    trace = with_loss(trace, *rc::gen::inRange(0U, kSimCpus), first, 3);
  }
  host::StatisticsOptions options;
  options.selection.from = {true,
                            static_cast<double>(*rc::gen::inRange<uint64_t>(0, trace.end + 1))};
  if (*rc::gen::arbitrary<bool>()) options = {};
  expect_sums_of_statistics(drawing_of(archive_of(trace.records), options));
  RC_ASSERT(!::testing::Test::HasFailure());
}

std::vector<Item> items_of(const Drawing& drawing, ItemKind kind, std::string_view name) {
  std::vector<Item> found;
  for (const Item& item : drawing.items) {
    if (item.kind == kind && (name.empty() || drawing.labels[item.label].name == name))
      found.push_back(item);
  }
  return found;
}

TEST(DrawingOfTheSample, AddsUp) { expect_sums_of_statistics(drawing_of(sample_archive())); }

TEST(DrawingOfTheSample, HasEveryDurationThatIsCounted) {
  const Drawing drawing = drawing_of(sample_archive());
  ASSERT_EQ(drawing.statistics.durations.size(), 3u);
  for (const auto& [label, duration] : drawing.statistics.durations) {
    const std::vector<Item> items = items_of(drawing, ItemKind::kDuration, label.name);
    EXPECT_EQ(items.size(), duration.total.count() + duration.in_doubt) << label.name;
    uint64_t ticks = 0;
    for (const Item& item : items) {
      if (!item.doubtful) ticks += item.end - item.begin;
    }
    EXPECT_EQ(ticks, duration.total.total()) << label.name;
  }
}

TEST(DrawingOfTheSample, LaysWhatIsWithinBelow) {
  const Drawing drawing = drawing_of(sample_archive());
  for (const Item& item : items_of(drawing, ItemKind::kDuration, "plan")) EXPECT_EQ(item.other, 0u);
  for (const Item& item : items_of(drawing, ItemKind::kDuration, "measure"))
    EXPECT_EQ(item.other, 1u);
}

TEST(DrawingOfStacks, HasALaneWithTheNameOfEachThread) {
  MemoryArchive writer;
  name_thread(writer, 11, 5, "rx");
  const auto left = host::ArchiveArgument::uint32(text("left"), 128);
  for (const uint64_t koid : {11u, 12u})
    add_event(writer, fxt::EventType::kCounter, koid, {0, 5, 99}, "stack", "stack", koid,
              {&left, 1});
  const Drawing drawing = drawing_of(writer.text());
  std::vector<std::string> names;
  for (const report::Lane& lane : drawing.lanes)
    if (lane.kind == LaneKind::kCounter) names.push_back(lane.name);
  EXPECT_EQ(names, (std::vector<std::string>{"stack: left (12)", "stack: left (rx)"}));
}

TEST(DrawingOfHeaps, HasOneLaneOfTheLiveBytes) {
  const Drawing drawing = drawing_of(heap_of_four_changes());
  EXPECT_TRUE(drawing.has_heaps);
  EXPECT_FALSE(drawing_of(sample_archive()).has_heaps);
  std::vector<std::string> values;
  for (const Item& item : items_of(drawing, ItemKind::kCounter, "live heap"))
    values.emplace_back(drawing.text_of(item));
  EXPECT_EQ(values, (std::vector<std::string>{"100", "150", "350", "50"}));
  const auto is_counter = [](const report::Lane& lane) { return lane.kind == LaneKind::kCounter; };
  EXPECT_EQ(std::ranges::count_if(drawing.lanes, is_counter), 1);
}

TEST(DrawingOfTheSample, KeepsArgumentsLogsValuesAndArrows) {
  const Drawing drawing = drawing_of(sample_archive());
  const std::vector<Item> plans = items_of(drawing, ItemKind::kDuration, "plan");
  ASSERT_EQ(plans.size(), 10u);
  EXPECT_EQ(drawing.text_of(plans[3]), "3");
  ASSERT_EQ(drawing.shapes[plans[3].shape].size(), 1u);
  EXPECT_EQ(drawing.shapes[plans[3].shape][0].name, "job");
  EXPECT_EQ(drawing.shapes[plans[3].shape][0].type, "uint32");
  const std::vector<Item> logs = items_of(drawing, ItemKind::kLog, "");
  ASSERT_EQ(logs.size(), 10u);
  EXPECT_EQ(drawing.text_of(logs[4]), "job 4 <b>came</b>");
  const std::vector<Item> values = items_of(drawing, ItemKind::kCounter, "jobs");
  ASSERT_EQ(values.size(), 10u);
  EXPECT_EQ(drawing.text_of(values[2]), "2");
  EXPECT_EQ(values[2].begin, 24'500u);
  EXPECT_EQ(values[2].end, 34'500u);
  // A newer value may have been lost.
  EXPECT_EQ(values[5].end, 59'600u);
  EXPECT_EQ(values[9].end, drawing.statistics.last);
  const std::vector<Item> arrows = items_of(drawing, ItemKind::kArrow, "hand over");
  ASSERT_EQ(arrows.size(), 10u);
  EXPECT_EQ(drawing.lanes[arrows[0].lane].name, "control");
  EXPECT_EQ(drawing.lanes[arrows[0].other].name, "logger");
  const std::vector<Item> spans = items_of(drawing, ItemKind::kDuration, "flush");
  ASSERT_EQ(spans.size(), 10u);
  EXPECT_EQ(drawing.lanes[spans[0].lane].kind, LaneKind::kAsync);
  EXPECT_EQ(spans[0].end - spans[0].begin, 3700u);
  const std::vector<Item> losses = items_of(drawing, ItemKind::kLost, "");
  ASSERT_EQ(losses.size(), 1u);
  EXPECT_EQ(drawing.lanes[losses[0].lane].name, "CPU 1");
}

TEST(DrawingOfTheSample, SaysWithWhichRecordSomethingEnded) {
  const std::string archive = sample_archive();
  const Drawing drawing = drawing_of(archive);
  host::Reader reader(as_bytes(archive), host::Form{});
  std::map<uint64_t, uint64_t> time_at;
  while (const host::Record* record = reader.next()) {
    if (const auto time = host::timestamp_of(*record)) time_at[record->offset] = *time;
  }
  for (const Item& item : drawing.items) {
    if (item.kind == ItemKind::kLost || item.kind == ItemKind::kCounter ||
        item.offset == ~uint64_t{0})
      continue;
    ASSERT_TRUE(time_at.contains(item.offset)) << static_cast<int>(item.kind);
    // At the end of a loss, only a later record shows the state behind it.
    const bool known_later = item.kind == ItemKind::kState || item.kind == ItemKind::kUnknown;
    if (known_later && item.end == 60'900) continue;
    EXPECT_EQ(time_at[item.offset], item.end) << static_cast<int>(item.kind);
  }
}

TEST(DrawingOfTheSample, InAStretchIsWhatEndsThere) {
  host::StatisticsOptions options;
  options.selection.from = {true, 20'000};
  options.selection.to = {true, 40'000};
  const Drawing drawing = drawing_of(sample_archive(), options);
  expect_sums_of_statistics(drawing);
  EXPECT_EQ(items_of(drawing, ItemKind::kDuration, "plan").size(), 2u);
  EXPECT_EQ(items_of(drawing, ItemKind::kLog, "").size(), 2u);
  for (const Item& item : drawing.items) EXPECT_LE(item.end, 40'000u);
}

std::string json_of(const host::Statistics& statistics) {
  host::StringOutput out;
  host::print_statistics_json(out, statistics);
  return out.take();
}

// The parts of an item that are the same wherever it lies among others.
auto contents_of(const Drawing& drawing) {
  std::vector<std::tuple<ItemKind, uint64_t, uint64_t, std::string, std::string>> all;
  for (const Item& item : drawing.items)
    all.emplace_back(item.kind, item.begin, item.end, drawing.lanes[item.lane].name,
                     item.shape == 0 ? "" : drawing.text_of(item));
  return all;
}

// A drawing with too many items has the beginning, as if no more had been requested. The numbers
// are of all.
TEST(DrawingOfTheSample, OfTooMuchIsTheBeginning) {
  const std::string archive = sample_archive();
  const Drawing whole = drawing_of(archive);
  EXPECT_FALSE(whole.of_all);
  EXPECT_EQ(json_of(whole.shown()), json_of(whole.statistics));
  EXPECT_FALSE(try_to_draw(archive, {}, whole.items.size()).value().of_all);
  for (const size_t most : {whole.items.size() - 1, whole.items.size() / 3, size_t{12}}) {
    const host::Result<Drawing> drawing = try_to_draw(archive, {}, most);
    ASSERT_TRUE(drawing.ok()) << drawing.error().text();
    const Drawing& part = drawing.value();
    ASSERT_TRUE(part.of_all);
    EXPECT_LE(part.items.size(), most);
    EXPECT_GT(part.items.size(), 0u);
    EXPECT_EQ(json_of(part.shown()), json_of(whole.statistics));
    EXPECT_EQ(part.statistics.first, whole.statistics.first);
    EXPECT_LT(part.statistics.last, whole.statistics.last);
    expect_sums_of_statistics(part);
    host::StatisticsOptions stretch;
    stretch.selection.to = {true, static_cast<double>(part.statistics.last)};
    EXPECT_EQ(contents_of(part), contents_of(drawing_of(archive, stretch)));
  }
}

TEST(DrawingOfTheSample, OfTooMuchAtOnceThereIsNone) {
  const auto drawing = try_to_draw(sample_archive(), {}, 0);
  ASSERT_FALSE(drawing.ok());
  EXPECT_TRUE(contains(drawing.error().text(), "--from"));
}

}  // namespace
}  // namespace barefxt::test::drawing_test
