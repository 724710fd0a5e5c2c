// check, explain and stats about many traces, with rows as output.
#include <algorithm>
#include <bit>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <random>
#include <sys/resource.h>

#include "build_kind.h"
#include "check/rule_trace.h"
#include "convert/converting.h"
#include "convert/plain_parquet.h"
#include "hostile/shell.h"
#include "rebuild/capture_builder.h"

namespace barefxt::test::rows_test {
namespace {

using namespace checking;
using Row = PlainParquet::Row;

// A few switches, wakeups and durations; in every seventh a loss.
std::string tiny_trace(unsigned seed) {
  std::mt19937 random(seed);
  RuleTrace trace;
  uint64_t time = 1000;
  for (int i = 0; i < 8; ++i) {
    const uint64_t thread = kFirstThread + random() % 2;
    trace.add({.kind = Rec::kWakeup, .time = time += random() % 50, .thread = thread});
    trace.add({.kind = Rec::kSwitch,
               .time = time += random() % 50,
               .thread = kIdleThread,
               .other = thread});
    trace.add({.kind = Rec::kBegin, .time = time += 5, .thread = thread, .number = 0});
    trace.add(
        {.kind = Rec::kEnd, .time = time += 10 + random() % 40, .thread = thread, .number = 0});
    trace.add({.kind = Rec::kSwitch, .time = time += 5, .thread = thread, .other = kIdleThread});
    if (i == 4 && seed % 7 == 0) trace.add({.kind = Rec::kLoss, .time = time + 3, .other = time});
    time += 10;
  }
  return trace.archive();
}

class Rows : public Shell {
 protected:
  void SetUp() override {
    Shell::SetUp();
    write("rules.txt", "slice \"n0\" lasts < 45ns\nslice \"n0\" lasts < 1us\n");
  }
  std::vector<Row> rows(const std::string& name) const { return PlainParquet(read(name)).rows; }
  static std::string text(const Row& row, const std::string& column) {
    const auto found = row.find(column);
    return found == row.end() ? "none" : found->second.text;
  }
  static int64_t number(const Row& row, const std::string& column) {
    const auto found = row.find(column);
    return found == row.end() ? -1 : static_cast<int64_t>(found->second.bits);
  }
};

TEST_F(Rows, OfTwoProcessesAreThoseOfOne) {
  const size_t traces = is_full_run() ? 10'000 : sampled(240);
  std::string list;
  for (unsigned i = 0; i < traces; ++i) {
    std::string name = std::to_string(100'000 + i) + ".fxt";
    if (i % 11 == 3)
      write(name, std::string("no trace"));
    else if (i % 13 != 5)
      write(name, tiny_trace(i));  // others are not there
    list += name + "\n";
  }
  write("_list", list);
  for (const std::string verb : {"check rules.txt", "explain", "stats"}) {
    const auto table = [&](const std::string& part) {
      return "BAREFXT " + verb + " --quiet --to parquet -o " + part + " ";
    };
    EXPECT_EQ(run(table("one.parquet") + "$(cat _list)"), 2) << messages();
    EXPECT_EQ(run(table("jobs.parquet") + "--jobs 3 $(cat _list)"), 2) << messages();
    EXPECT_TRUE(read("one.parquet") == read("jobs.parquet")) << verb;
    // Each process has half of the files, and xargs fails as they do.
    EXPECT_EQ(run("xargs -P 2 -n " + std::to_string((traces + 1) / 2) + " sh -c '" +
                  table("part-$1") + "\"$@\"' sh <_list"),
              123)
        << messages();
    std::vector<Row> parts;
    for (const std::string& first : {list.substr(0, 10), list.substr((traces + 1) / 2 * 11, 10)}) {
      const std::vector<Row> part = rows("part-" + first);
      ASSERT_FALSE(part.empty());
      EXPECT_EQ(text(part[0], "file"), first);
      parts.insert(parts.end(), part.begin(), part.end());
    }
    const std::vector<Row> one = rows("one.parquet");
    ASSERT_EQ(parts.size(), one.size()) << verb;
    const auto is_same = [](const Row& a, const Row& b) {
      return std::ranges::equal(a, b, [](const auto& x, const auto& y) {
        return x.first == y.first && x.second.bits == y.second.bits &&
               x.second.text == y.second.text;
      });
    };
    for (size_t i = 0; i < one.size(); ++i) ASSERT_TRUE(is_same(parts[i], one[i])) << verb << i;
    EXPECT_GE(one.size(), traces);
  }
}

TEST_F(Rows, OfAFileThatCannotBeReadSaySo) {
  write("good.fxt", tiny_trace(1));
  write("text.fxt", std::string("no trace"));
  std::string damaged = tiny_trace(2);
  damaged.resize(damaged.size() - 8);
  write("cut.fxt", damaged);
  EXPECT_EQ(run("BAREFXT check rules.txt text.fxt missing.fxt good.fxt cut.fxt --to parquet -o "
                "out.parquet"),
            2);
  EXPECT_EQ(messages(),
            "barefxt: text.fxt: text, no trace of barefxt\n"
            "barefxt: missing.fxt: cannot open: No such file or directory\n"
            "barefxt: cut.fxt: 1 malformed places, 24 bytes that could not be read\n");
  const std::vector<Row> all = rows("out.parquet");
  ASSERT_EQ(all.size(), 8U);
  const int64_t statuses[] = {4, 2, 1, 1};
  for (size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(number(all[i], "status"), statuses[i / 2]) << i;
    EXPECT_EQ(number(all[i], "rule_line"), static_cast<int64_t>(i % 2 + 1));
    if (i < 4) {
      EXPECT_EQ(text(all[i], "verdict"), "unknown");
      EXPECT_EQ(text(all[i], "reason"), "the trace cannot be read");
      EXPECT_EQ(number(all[i], "known"), -1);
    }
  }
  EXPECT_EQ(text(all[2], "message"), "missing.fxt: cannot open: No such file or directory");
  EXPECT_EQ(number(all[4], "known"), 1);
  EXPECT_EQ(number(all[6], "known"), -1);

  // The worst counts: 2, 1, 3, 0.
  EXPECT_EQ(run("BAREFXT stats good.fxt --to parquet -o out.parquet"), 0);
  EXPECT_EQ(run("BAREFXT stats good.fxt text.fxt cut.fxt --to parquet -o out.parquet"), 3);
  EXPECT_EQ(run("BAREFXT stats text.fxt --to parquet -o out.parquet"), 3);
  EXPECT_EQ(rows("out.parquet").size(), 1U);
  EXPECT_EQ(run("BAREFXT check rules.txt good.fxt text.fxt --to parquet -o out.parquet"), 1);
  EXPECT_EQ(run("BAREFXT stats good.fxt missing.fxt text.fxt --to parquet -o out.parquet"), 2);
}

TEST_F(Rows, HaveWhatTheVerbsPrint) {
  for (const unsigned seed : {1U, 7U}) {
    write("one.fxt", tiny_trace(seed));
    const bool is_lost = seed == 7;
    ASSERT_LE(run("BAREFXT check rules.txt one.fxt --to parquet -o out.parquet"), 1);
    const std::vector<Row> verdicts = rows("out.parquet");
    ASSERT_LE(run("BAREFXT check rules.txt one.fxt --json"), 1);
    const auto expected = nlohmann::json::parse(printed())["traces"][0]["verdicts"];
    ASSERT_EQ(verdicts.size(), expected.size());
    for (size_t i = 0; i < verdicts.size(); ++i) {
      EXPECT_EQ(text(verdicts[i], "verdict"), expected[i]["verdict"].get<std::string>());
      EXPECT_EQ(text(verdicts[i], "rule"), expected[i]["rule"].get<std::string>());
      for (const char* key : {"kept", "violated", "unknown", "left_out"})
        EXPECT_EQ(number(verdicts[i], key), expected[i][key].get<int64_t>()) << key;
      const bool has_first = expected[i].contains("first");
      EXPECT_EQ(verdicts[i].contains("first_time"), has_first);
      if (has_first) {
        EXPECT_EQ(number(verdicts[i], "first_time"), expected[i]["first"]["begin"].get<int64_t>());
      }
      EXPECT_EQ(number(verdicts[i], "known"), is_lost ? -1 : 1);
      EXPECT_EQ(text(verdicts[i], "target"), "none");
    }

    ASSERT_EQ(run("BAREFXT explain one.fxt --to parquet -o out.parquet --worst 3"), 0);
    const std::vector<Row> causes = rows("out.parquet");
    ASSERT_EQ(run("BAREFXT explain one.fxt --json --worst 3"), 0);
    const auto explained = nlohmann::json::parse(printed());
    size_t next = 0;
    for (const auto& one : explained["cases"]) {
      for (const auto& part : one["parts"]) {
        const Row& row = causes.at(next++);
        EXPECT_EQ(text(row, "kind"), one["kind"].get<std::string>());
        EXPECT_EQ(text(row, "sentence"), one["sentence"].get<std::string>());
        EXPECT_EQ(text(row, "cause"), part["cause"].get<std::string>());
        EXPECT_EQ(number(row, "length_ns"), one["ticks"].get<int64_t>());
        EXPECT_EQ(number(row, "cause_ns"), part["ticks"].get<int64_t>());
        EXPECT_EQ(number(row, "times"), part["times"].get<int64_t>());
      }
    }
    EXPECT_EQ(next, causes.size());
    EXPECT_GT(next, 0U);

    ASSERT_EQ(run("BAREFXT stats one.fxt --to parquet -o out.parquet"), 0);
    const std::vector<Row> figures = rows("out.parquet");
    ASSERT_EQ(run("BAREFXT stats one.fxt --csv"), 0);
    const std::string csv = printed();
    EXPECT_EQ(figures.size() + 1, static_cast<size_t>(std::ranges::count(csv, '\n')));
    const auto found = std::ranges::find_if(figures, [&](const Row& row) {
      return text(row, "metric") == "losses" && text(row, "statistic") == "count";
    });
    ASSERT_NE(found, figures.end());
    EXPECT_EQ(std::bit_cast<double>(found->at("value").bits), is_lost ? 1 : 0);
    EXPECT_EQ(number(*found, "known"), is_lost ? -1 : 1);
  }
}

TEST_F(Rows, HaveTheIdentityOfTheirTrace) {
  TestCapture capture = two_cpu_capture();
  capture.target = "pump";
  capture.build_id = "\xab\xcd";
  write("capture.raw", binary_form(capture.frames()));
  write("module.fxt", written([](host::ArchiveWriter& writer) {
          writer.provider_info(7, "valve");
          writer.initialization(1000);
          EXPECT_TRUE(writer.profiler_module({.timestamp = 5,
                                              .thread = {0, 1, 2},
                                              .module = 1,
                                              .name = "m",
                                              .build_id = "\x01\x2f"}));
        }));
  ASSERT_EQ(run("BAREFXT stats capture.raw module.fxt --to parquet -o out.parquet"), 0);
  const std::vector<Row> all = rows("out.parquet");
  EXPECT_EQ(text(all.front(), "target"), "pump");
  EXPECT_EQ(text(all.front(), "build"), "abcd");
  EXPECT_EQ(text(all.front(), "session"), "0x0badcafe");
  EXPECT_EQ(text(all.back(), "target"), "valve");
  EXPECT_EQ(text(all.back(), "build"), "012f");
  EXPECT_EQ(text(all.back(), "session"), "none");
  ASSERT_EQ(run("BAREFXT stats capture.raw --to parquet -o out.parquet --build 1.2"), 0);
  EXPECT_EQ(text(rows("out.parquet").front(), "build"), "1.2");
}

TEST_F(Rows, TakeTheSelection) {
  write("one.fxt", tiny_trace(7));
  // The loss lies behind.
  ASSERT_EQ(run("BAREFXT stats one.fxt --to 1100ns --to parquet -o out.parquet"), 0);
  EXPECT_EQ(number(rows("out.parquet").front(), "known"), 1);
  EXPECT_LE(number(rows("out.parquet").front(), "span_ns"), 100);
}

TEST_F(Rows, RefuseOptionsThatDoNotFit) {
  write("one.fxt", tiny_trace(1));
  EXPECT_EQ(run("BAREFXT stats one.fxt --to parquet"), 2);
  EXPECT_EQ(messages(), "barefxt: --to parquet: the output is required. Hint: -o FILE\n");
  EXPECT_EQ(run("BAREFXT stats one.fxt --jobs 2"), 2);
  EXPECT_EQ(run("BAREFXT stats one.fxt --to csv"), 2);
  EXPECT_EQ(run("BAREFXT stats one.fxt --to parquet --to parquet -o x"), 2);
  EXPECT_EQ(run("BAREFXT stats one.fxt --to parquet -o x --json"), 2);
  EXPECT_EQ(run("BAREFXT check rules.txt one.fxt --to parquet -o x --junit y"), 2);
  EXPECT_EQ(run("BAREFXT explain one.fxt --to parquet -o one.fxt"), 2);
  EXPECT_EQ(entries(), "one.fxt rules.txt");
}

TEST_F(Rows, TakeNoMemoryOfEachFile) {
  if (kSanitized) GTEST_SKIP() << "the sanitizer's own memory would count";
  // A program counts the peak of the process that started it.
  constexpr long kHides = 64 * 1024;
  rusage own{};
  ASSERT_EQ(::getrusage(RUSAGE_SELF, &own), 0);
  if (own.ru_maxrss > kHides) GTEST_SKIP() << "the test's own memory would count: run it alone";
  write("one.fxt", tiny_trace(1));
  const std::string line = "exec BAREFXT explain --to parquet -o out.parquet ";
  ASSERT_EQ(run(line + "one.fxt one.fxt"), 0);
  const long few = kilobytes();
  std::string many;
  for (int i = 0; i < 1000; ++i) many += " one.fxt";
  ASSERT_EQ(run(line + many), 0);
  // The table's own group of rows, of some 300 bytes each, and a page of each column.
  EXPECT_LT(kilobytes(), few + 16 * 1024);
}

}  // namespace
}  // namespace barefxt::test::rows_test
