// Archives as tables, read by another reader than the one that wrote them.
#include <gtest/gtest.h>
#include <set>

#include "converting.h"
#include "goldens/goldens.h"
#include "plain_parquet.h"

namespace barefxt::test::convert_parquet_test {
namespace {

using fxt::EventType;
using host::ArchiveArgument;
using host::ArchiveThread;
using host::ArchiveWriter;
using host::Change;
using Row = PlainParquet::Row;
using U = uint64_t;

// A row as "column=value" in the order of names, texts as they are and numbers in digits.
std::string shown(const Row& row) {
  static const std::set<std::string> kTexts = {"kind",          "thread_name", "state",
                                               "incoming_name", "category",    "name",
                                               "argument",      "arguments",   "message"};
  std::string line;
  for (const auto& [column, value] : row) {
    if (column == "record") continue;
    line += (line.empty() ? "" : " ") + column + "=";
    line += kTexts.contains(column) ? value.text
            : column == "value"     ? std::to_string(std::bit_cast<double>(value.bits))
                                    : std::to_string(static_cast<int64_t>(value.bits));
  }
  return line;
}

TEST(ConvertParquet, RowsOfEveryKind) {
  const Converted converted = to_parquet(written([](ArchiveWriter& writer) {
    writer.provider_info(7, "kernel");
    writer.initialization(500'000'000);
    add(writer, EventType::kInstant, 1, "instant", 0, {ArchiveArgument::int32(text("i"), -4)});
    add(writer, EventType::kDurationComplete, 2, "complete", 5);
    add(writer, EventType::kCounter, 3, "counter", 9,
        {ArchiveArgument::int64(text("n"), -1), ArchiveArgument::real(text("x"), 1.5),
         ArchiveArgument::string(text("s"), text("t"))});
    add(writer, EventType::kFlowBegin, 4, "flow", 6);
    EXPECT_TRUE(writer.context_switch({7, 300, fxt::ThreadState::kBlocked, 11, 12}, {}));
    writer.legacy_context_switch(
        {8, 1, fxt::ThreadState::kRunning, {0, 10, 12}, {0, 10, 11}, 3, 4});
    EXPECT_TRUE(writer.thread_wakeup({9, 3, 11}, {}));
    writer.log(10, ArchiveThread{0, 10, 11}, "all is \xff");
    writer.provider_event(7, fxt::ProviderEvent::kBufferFull);
    // Named behind all that it did, which is no matter.
    const std::vector<ArchiveArgument> process = {ArchiveArgument::koid(text("process"), 10)};
    EXPECT_TRUE(writer.kernel_object(11, fxt::KernelObjectType::kThread, text("worker"), process));
    const std::vector<ArchiveArgument> nothing = {ArchiveArgument::koid(text("process"), 0)};
    EXPECT_TRUE(writer.kernel_object(12, fxt::KernelObjectType::kThread, text("rest"), nothing));
  }));
  const PlainParquet table(converted.bytes);
  std::vector<std::string> lines;
  for (const Row& row : table.rows) lines.push_back(shown(row));
  const std::string who = " process=10 provider=7 thread=11 thread_name=worker";
  EXPECT_EQ(
      lines,
      (std::vector<std::string>{
          R"(arguments={"i":-4} category=c idle=0 kind=instant name=instant process=10 provider=7 thread=11 thread_name=worker time=2)",
          "category=c end_time=10 idle=0 kind=duration_complete name=complete" + who + " time=4",
          "argument=n category=c id=9 idle=0 kind=counter name=counter" + who +
              " time=6 value=-1.000000",
          "argument=x category=c id=9 idle=0 kind=counter name=counter" + who +
              " time=6 value=1.500000",
          "category=c id=6 idle=0 kind=flow_begin name=flow" + who + " time=8",
          "cpu=300 idle=0 incoming=12 incoming_idle=1 incoming_name=rest kind=context_switch "
          "provider=7 state=blocked thread=11 thread_name=worker time=14",
          "cpu=1 idle=1 incoming=11 incoming_idle=0 incoming_name=worker incoming_priority=4 "
          "kind=context_switch priority=3 provider=7 state=running thread=12 thread_name=rest "
          "time=16",
          "cpu=3 idle=0 kind=thread_wakeup provider=7 thread=11 thread_name=worker time=18",
          "idle=0 kind=log message=all is \uFFFD" + who + " time=20",
          "kind=buffer_full provider=7",
          R"(arguments={"process":10} category=2 id=11 kind=kernel_object name=worker provider=7)",
          R"(arguments={"process":0} category=2 id=12 kind=kernel_object name=rest provider=7)",
      }));
  EXPECT_EQ(converted.changes.of(Change::kSeriesValue), 1U);
  // Rows have the place of their record.
  EXPECT_LT(table.rows[0].at("record").bits, table.rows[1].at("record").bits);
}

U known_of(const std::function<void(ArchiveWriter&)>& write, size_t cut = 0) {
  std::string archive = written(write);
  archive.resize(archive.size() - cut);
  const PlainParquet table(to_parquet(archive).bytes);
  U known = 0;
  for (const Row& row : table.rows) known += row.contains("known") ? row.at("known").bits : 0;
  EXPECT_TRUE(known == 0 || known == table.rows.size());
  return known;
}

TEST(ConvertParquet, RowsAreKnownIfNothingIsMissing) {
  const auto instants = [](ArchiveWriter& writer) {
    for (U i = 0; i < 3; ++i) add(writer, EventType::kInstant, i, "x");
  };
  EXPECT_EQ(known_of(instants), 3U);
  EXPECT_EQ(known_of(instants, 8), 0U);
  EXPECT_EQ(known_of([&](ArchiveWriter& writer) {
              instants(writer);
              writer.provider_event(7, fxt::ProviderEvent::kBufferFull);
            }),
            0U);
  EXPECT_EQ(known_of([&](ArchiveWriter& writer) {
              instants(writer);
              add_event(writer, EventType::kDurationComplete, 1, {}, "barefxt", "drop_stats", 2);
            }),
            0U);
}

TEST(ConvertParquet, EventsOfACpuNameItAndLocksTheirAddress) {
  const PlainParquet table(
      to_parquet(written([](ArchiveWriter& writer) {
        const std::vector<ArchiveArgument> pointer = {
            ArchiveArgument::int32(text("i"), 1), ArchiveArgument::pointer(text("lock"), 0xf00)};
        add_event(writer, EventType::kDurationComplete, 0, {0, 10, 11}, "lock", "bus", 9, pointer);
        add(writer, EventType::kInstant, 1, "x");
        EXPECT_TRUE(writer.kernel_object(11, fxt::KernelObjectType::kThread, text("cpu-3"), {}));
      })).bytes);
  EXPECT_EQ(table.rows[0].at("id").bits, 0xf00U);
  EXPECT_EQ(table.rows[0].at("cpu").bits, 3U);
  EXPECT_FALSE(table.rows[1].contains("id"));
  EXPECT_EQ(table.rows[1].at("cpu").bits, 3U);
}

TEST(ConvertParquet, EveryGoldenAndEveryDamagedGoldenIsATable) {
  for (const Golden& golden : goldens()) {
    host::FormOverrides overrides;
    if (golden.old) overrides.dialect = host::Dialect::k2017;
    const std::string good = little_endian(golden.pieces);
    const PlainParquet table(to_parquet(good, overrides).bytes);
    EXPECT_EQ(table.columns.size(), 24U);
    for (size_t at = 0; at < good.size(); at += 3) {
      std::string bad = good;
      bad[at] = static_cast<char>(bad[at] ^ 0x11);
      (void)PlainParquet(to_parquet(bad).bytes);
      ASSERT_FALSE(HasFailure()) << golden.name << " at " << at;
    }
  }
}

TEST(ConvertParquet, ManyRowsAreSeveralGroups) {
  constexpr U kEvents = 300'001;
  const PlainParquet table(to_parquet(written([](ArchiveWriter& writer) {
                             for (U i = 0; i < kEvents; ++i)
                               add(writer, EventType::kInstant, i, i % 3 == 0 ? "x" : "y");
                           })).bytes);
  EXPECT_EQ(table.groups, 3U);
  ASSERT_EQ(table.rows.size(), kEvents);
  for (U i = 0; i < kEvents; ++i) {
    ASSERT_EQ(table.rows[i].at("time").bits, i);
    ASSERT_EQ(table.rows[i].at("name").text, i % 3 == 0 ? "x" : "y");
  }
}

TEST(ConvertParquet, NothingIsATableToo) {
  const PlainParquet table(to_parquet(written([](ArchiveWriter&) {})).bytes);
  EXPECT_TRUE(table.rows.empty());
  EXPECT_EQ(table.groups, 0U);
}

TEST(ConvertParquet, TimesThatItCannotHoldAreCounted) {
  const Converted converted = to_parquet(written([](ArchiveWriter& writer) {
    add(writer, EventType::kInstant, ~U{0}, "late");
    add(writer, EventType::kDurationComplete, 1, "late", ~U{0});
    add(writer, EventType::kInstant, 5, "x");
  }));
  EXPECT_EQ(PlainParquet(converted.bytes).rows.size(), 1U);
  EXPECT_EQ(converted.changes.of(Change::kUnplacedEvent), 2U);
}

}  // namespace
}  // namespace barefxt::test::convert_parquet_test
