// Marks of stacks: the least that is left, and of whom.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sstream>

#include "archive/memory_archive.h"
#include "stats_command.h"

namespace barefxt::test::stacks_test {
namespace {

using host::ArchiveArgument;
using host::ArchiveText;
using nlohmann::json;

class StacksOfStats : public StatsCommand {
 protected:
  // Three threads, one of them without a name, the interrupts of a CPU, and a stack with a name of
  // its own. The recorder is another each time.
  static std::string archive_of_stacks(bool has_loss) {
    MemoryArchive writer(1'000'000);
    name_thread(writer, 11, 5, "rx");
    name_thread(writer, 12, 5, "tx");
    name_thread(writer, 0x7f000000, 0x7e000000, "cpu-0");
    (void)writer.kernel_object(99, static_cast<fxt::KernelObjectType>(3),
                               ArchiveText::spelled_out("fiq stack"), {});
    const auto mark = [&](uint64_t time, uint64_t koid, uint32_t left, uint32_t size) {
      const ArchiveArgument arguments[] = {
          ArchiveArgument::uint32(ArchiveText::spelled_out("left"), left),
          ArchiveArgument::uint32(ArchiveText::spelled_out("used"), size - left)};
      add_event(writer, fxt::EventType::kCounter, time, {0, 0x7e000000, 0x7f000000 + time % 2},
                "stack", "stack", koid, arguments);
    };
    mark(100, 11, 700, 1024);
    mark(200, 12, 64, 512);
    mark(300, 11, 128, 1024);
    mark(301, 11, 128, 1024);
    // Recorded late: another context moved the mark meanwhile.
    mark(302, 11, 400, 1024);
    mark(400, 0x7f000000, 1024, 4096);
    mark(500, 99, 0, 256);
    mark(600, 13, 8, 64);
    const ArchiveArgument another[] = {
        ArchiveArgument::uint32(ArchiveText::spelled_out("left"), 5)};
    add_event(writer, fxt::EventType::kCounter, 650, {0, 5, 11}, "app", "stack", 11, another);
    if (has_loss)
      add_event(writer, fxt::EventType::kDurationComplete, 700, {0, 0, 0x7f000000}, "barefxt",
                "drop_stats", 800);
    return writer.text();
  }
};

TEST_F(StacksOfStats, AreInOrderOfWhatIsLeft) {
  write("stacks.fxt", archive_of_stacks(false));
  const json all = json::parse(run("stacks.fxt --stacks --json").out);
  EXPECT_EQ(all["stacks"], json::parse(R"([
    {"thread": 99, "name": "fiq stack", "size": 256, "left": 0, "at": 500, "moved": 1},
    {"thread": 13, "name": null, "size": 64, "left": 8, "at": 600, "moved": 1},
    {"thread": 12, "name": "tx", "size": 512, "left": 64, "at": 200, "moved": 1},
    {"thread": 11, "name": "rx", "size": 1024, "left": 128, "at": 300, "moved": 4},
    {"thread": 2130706432, "name": "cpu-0", "size": 4096, "left": 1024, "at": 400, "moved": 1}
  ])"));
  EXPECT_EQ(all["stacks_known"], true);
  EXPECT_FALSE(all.contains("functions"));
  const std::string text = run("stacks.fxt --stacks").out;
  EXPECT_EQ(text.substr(text.find("\nStacks")),
            "\nStacks    left size   used          at\n"
            "fiq stack    0  256 100.0% 0.000500000\n"
            "thread 13    8   64  87.5% 0.000600000\n"
            "tx          64  512  87.5% 0.000200000\n"
            "rx         128 1024  87.5% 0.000300000\n"
            "cpu-0     1024 4096  75.0% 0.000400000\n")
      << text;
}

TEST_F(StacksOfStats, MayBeLowerIfRecordsWereLost) {
  write("stacks.fxt", archive_of_stacks(true));
  EXPECT_EQ(json::parse(run("stacks.fxt --stacks --json").out)["stacks_known"], false);
  EXPECT_TRUE(
      contains(run("stacks.fxt --stacks").out, "records are missing: less may have been left"));
}

TEST_F(StacksOfStats, AreRowsWithTheirThreads) {
  write("stacks.fxt", archive_of_stacks(false));
  const std::string rows = run("stacks.fxt --stacks --csv").out;
  EXPECT_TRUE(contains(rows, "\ncounter,,11,rx,stack,stack,left,11,,,min,value,128.0,,,\n"));
  EXPECT_TRUE(contains(rows, "\ncounter,,99,fiq stack,stack,stack,left,99,,,min,value,0.0,"));
  EXPECT_TRUE(lacks(rows, ",app,")) << "not a stack: ";
  std::istringstream lines(rows.substr(rows.find('\n') + 1));
  for (std::string row; std::getline(lines, row);)
    EXPECT_TRUE(row.rfind("counter,", 0) == 0 || row.rfind("losses,", 0) == 0) << row;
}

TEST_F(StacksOfStats, HaveNothingLeftBelowZero) {
  MemoryArchive writer(1'000'000);
  const ArchiveArgument left[] = {ArchiveArgument::int64(ArchiveText::spelled_out("left"), -1)};
  add_event(writer, fxt::EventType::kCounter, 1, {0, 5, 11}, "stack", "stack", 11, left);
  write("below.fxt", writer.text());
  EXPECT_EQ(json::parse(run("below.fxt --stacks --json").out)["stacks"][0]["left"], 0);
}

TEST_F(StacksOfStats, OfAStretchHaveItsLeast) {
  write("stacks.fxt", archive_of_stacks(false));
  const json all = json::parse(run("stacks.fxt --stacks --json --to 250ticks").out);
  ASSERT_EQ(all["stacks"].size(), 2u);
  EXPECT_EQ(all["stacks"][1]["left"], 700);
}

TEST_F(StacksOfStats, AreNoneWhereNoneIsRecorded) {
  EXPECT_TRUE(contains(run("trace.fxt --stacks").out, "No stack is recorded"));
  EXPECT_TRUE(json::parse(run("trace.fxt --stacks --json").out)["stacks"].empty());
  for (const char* other : {"--functions", "--to parquet -o rows"})
    EXPECT_EQ(run("trace.fxt --stacks " + std::string(other)).status, 2) << other;
}

}  // namespace
}  // namespace barefxt::test::stacks_test
