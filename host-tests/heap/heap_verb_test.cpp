// Heaps as `barefxt stats` and `barefxt lint` show them.

#include <map>
#include <nlohmann/json.hpp>

#include "heap_trace.h"
#include "hostile/function_elf.h"
#include "hostile/shell.h"

namespace barefxt::test::heap_verb_test {
namespace {

using Json = nlohmann::json;

class HeapVerb : public Shell {
 protected:
  void SetUp() override {
    Shell::SetUp();
    trace_.name(11, "alpha");
    trace_.name(12, "beta");
    write_program("");
  }
  void write_program(const std::string& build_id) {
    const std::string names("\0main\0work\0help\0", 16);
    write("program.elf",
          function_elf(names, {{1, 0x10f0}, {6, 0x1100}, {11, 0x1200}}, {}, build_id));
  }
  // `work` keeps two blocks, the second of them from `begin` to `end`; `help` frees its own.
  void add_blocks() {
    trace_.alloc(10, 11, 0x9000, 100, 0x1104);
    trace_.mark(20, "begin");
    trace_.alloc(30, 11, 0x9100, 60, 0x1104);
    trace_.alloc(40, 12, 0x9200, 30, 0x1204);
    trace_.free(50, 12, 0x9200, 0x1208);
    trace_.mark(60, "end");
    trace_.free(70, 11, 0x9100, 0x1208);
  }
  std::string verb(const std::string& line, int status = 0) {
    write("in.fxt", trace_.bytes());
    EXPECT_EQ(run("BAREFXT " + line), status) << line << messages();
    return printed();
  }
  Json json(const std::string& options, int status = 0) {
    return Json::parse(verb("stats in.fxt --json " + options, status));
  }
  std::map<std::string, int> findings() {
    std::map<std::string, int> rules;
    std::istringstream lines(verb("lint --json in.fxt", 1));
    for (std::string line; std::getline(lines, line);) {
      const std::string rule = Json::parse(line)["rule"];
      if (rule.starts_with("heap-")) ++rules[rule];
    }
    return rules;
  }

  HeapTrace trace_;
};

TEST_F(HeapVerb, LeaksAreBlocksOfTheStretchBetweenTwoInstants) {
  add_blocks();
  const std::string text = verb("stats in.fxt --elf program.elf --leaks begin end", 1);
  EXPECT_TRUE(contains(text, "60 bytes in 1 block\n"));
  EXPECT_TRUE(contains(text, "work"));
  EXPECT_TRUE(lacks(text, "help"));
}

TEST_F(HeapVerb, LeaksAreBlocksOfTheStretchBetweenTwoTimes) {
  add_blocks();
  const Json early = json("--leaks 0ticks 60ticks", 1);
  EXPECT_EQ(early["leaked"], (Json{{"blocks", 2}, {"bytes", 160}}));
  const Json late = json("--leaks 20ms end", 1);
  EXPECT_EQ(late["leaked"]["bytes"], 60);
  const Json all = json("--leaks begin 70ticks");
  EXPECT_EQ(all["leaked"]["blocks"], 0);
}

TEST_F(HeapVerb, WithRecordsLostALeakIsUnknown) {
  add_blocks();
  trace_.lose(80, 90);
  trace_.alloc(95, 12, 0x9300, 7, 0x1204);
  trace_.mark(99, "later");
  const Json shown = json("--leaks 0ticks later", 1);
  EXPECT_EQ(shown["leaked"]["bytes"], 7);
  EXPECT_EQ(shown["perhaps_leaked"]["bytes"], 100);
  EXPECT_TRUE(shown["records_lost"]);
  verb("stats in.fxt --leaks 0ticks 92ticks", 3);
  EXPECT_TRUE(contains(printed(), "Unknown, since records were lost: 100 bytes in 1 block"));
  verb("stats in.fxt --leaks 0ticks 92ticks --allow-unknown", 0);
}

TEST_F(HeapVerb, HeapsHaveAPeakAndWhoHeldIt) {
  add_blocks();
  const Json shown = json("--heap --elf program.elf");
  EXPECT_EQ(shown["peak"], (Json{{"blocks", 3}, {"bytes", 190}}));
  EXPECT_EQ(shown["peak_ticks"], 40);
  EXPECT_EQ(shown["live"]["bytes"], 100);
  std::map<std::string, uint64_t> at_peak;
  for (const Json& site : shown["sites"]) at_peak[site["function"]] = site["at_peak"]["bytes"];
  EXPECT_EQ(at_peak, (std::map<std::string, uint64_t>{{"work", 160}, {"help", 30}}));
  EXPECT_EQ(shown["threads"][1]["name"], "beta");
  EXPECT_EQ(shown["threads"][1]["lifetime"]["max_ticks"], 10);
  const std::string text = verb("stats in.fxt --heap");
  for (const char* part : {"Peak: 190 bytes in 3 blocks at 0.040000000 s", "By call site",
                           "By thread", "Over time", "Sizes", "Lifetimes", "0x1104", "alpha"})
    EXPECT_TRUE(contains(text, part));
}

TEST_F(HeapVerb, AnotherBuildNamesNoCallSites) {
  trace_.module("abcd");
  add_blocks();
  write_program("efgh");
  const Json shown = json("--heap --elf program.elf", 3);
  EXPECT_EQ(shown["sites"][0]["function"], "0x1104");
  EXPECT_TRUE(contains(messages(), "another build"));
}

TEST_F(HeapVerb, WhatIsWrongWithOptionsIsNamed) {
  add_blocks();
  verb("stats in.fxt --leaks begin nowhere", 2);
  EXPECT_TRUE(contains(messages(), "'nowhere'"));
  verb("stats in.fxt --leaks nowhere end", 2);
  verb("stats in.fxt --leaks 5s 4s", 2);
  verb("stats in.fxt --leaks begin", 2);
  verb("stats in.fxt --heap --cpu 0", 2);
  verb("stats in.fxt --heap --csv", 2);
  verb("stats in.fxt --heap --leaks begin end", 2);
}

TEST_F(HeapVerb, ATraceWithoutBlocksSaysSo) {
  trace_.mark(20, "begin");
  verb("stats in.fxt --heap");
  EXPECT_TRUE(contains(messages(), "no events of heaps"));
}

TEST_F(HeapVerb, LintFindsFreesOfNoBlock) {
  trace_.pool(1, "dma", 0x9000, 0x1000, 0);
  add_blocks();
  trace_.free(71, 11, 0x9200);
  trace_.free(72, 11, 0x9008);
  trace_.free(73, 11, 0x8000);  // in no pool: it may be older than the recording
  trace_.alloc(74, 11, 0x9000, 8, 1);
  EXPECT_EQ(findings(),
            (std::map<std::string, int>{
                {"heap-block-live", 1}, {"heap-double-free", 1}, {"heap-unknown-free", 1}}));
}

TEST_F(HeapVerb, LintFindsNothingIfTheMissingRecordMayBeLost) {
  trace_.pool(1, "dma", 0x9000, 0x1000, 0);
  add_blocks();
  trace_.free(71, 11, 0x9200);
  trace_.free(72, 11, 0x9008);
  trace_.alloc(74, 11, 0x9000, 8, 1);
  trace_.lose(4, 75, 1);  // it is reported at its end
  EXPECT_TRUE(findings().empty());
}

}  // namespace
}  // namespace barefxt::test::heap_verb_test
