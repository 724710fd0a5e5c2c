// barefxt check as people and scripts use it.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "hostile/shell.h"
#include "rule_trace.h"

namespace barefxt::test::check_command_test {
namespace {

using namespace checking;

class CheckCommand : public Shell {
 protected:
  void SetUp() override {
    Shell::SetUp();
    RuleTrace trace;
    for (uint64_t i = 1; i <= 4; ++i) {
      trace.add({.kind = Rec::kBegin, .time = 1000 * i, .number = 0});
      trace.add({.kind = Rec::kEnd, .time = 1010 * i, .number = 0});
    }
    write("trace.fxt", trace.archive());
    write("good.txt", "slice \"n0\" lasts < 1us\n");
    write("bad.txt", "slice \"n0\" lasts < 1us\nslice \"n0\" lasts <= 30ns  # too short\n");
    write("open.txt", "slice \"n1\" lasts < 1us\n");
  }

  int run(const std::string& arguments, const std::string& verb = "check") {
    const int status = Shell::run("BAREFXT " + verb + " " + arguments + " 2>&1");
    text_ = printed();
    return status;
  }

  std::string text_;
};

TEST_F(CheckCommand, SaysThatAllHold) {
  EXPECT_EQ(run("good.txt trace.fxt"), 0);
  EXPECT_EQ(text_, "trace.fxt: of 1 rule, 0 violated, 0 unknown, 1 holds\n");
}

TEST_F(CheckCommand, PrintsTheViolationFirst) {
  EXPECT_EQ(run("bad.txt trace.fxt"), 1);
  EXPECT_TRUE(text_.starts_with(
      "  bad.txt:2: violated: slice \"n0\" lasts <= 30ns\n"
      "    slice \"n0\" lasts 40 ns, at 0.000004000 s, thread t0 (1 of 4 violated)\n"
      "    `n0` of `t0` took 40 ns"))
      << text_;
}

TEST_F(CheckCommand, FailsForAnUnknownRuleUnlessAllowed) {
  EXPECT_EQ(run("open.txt trace.fxt"), 1);
  EXPECT_TRUE(contains(text_, "nothing in the trace is about it"));
  EXPECT_EQ(run("open.txt trace.fxt --allow-unknown"), 0);
}

TEST_F(CheckCommand, JudgesEachFileByItself) {
  write("other.fxt", RuleTrace().add({.kind = Rec::kInstant, .time = 1}).archive());
  EXPECT_EQ(run("good.txt trace.fxt other.fxt --json --quiet"), 1);
  const auto json = nlohmann::json::parse(text_);
  EXPECT_EQ(json["traces"][0]["verdicts"][0]["verdict"], "holds");
  EXPECT_EQ(json["traces"][0]["verdicts"][0]["kept"], 4);
  EXPECT_EQ(json["traces"][1]["verdicts"][0]["verdict"], "unknown");
}

TEST_F(CheckCommand, WritesJunit) {
  EXPECT_EQ(run("bad.txt trace.fxt --junit results.xml"), 1);
  const std::string xml = read("results.xml");
  EXPECT_TRUE(contains(xml, "tests=\"2\" failures=\"1\" skipped=\"0\""));
  EXPECT_TRUE(contains(xml, "<failure message=\"slice &quot;n0&quot; lasts 40 ns"));
}

TEST_F(CheckCommand, SelectsAStretchOfTime) { EXPECT_EQ(run("bad.txt trace.fxt --to 3500ns"), 0); }

TEST_F(CheckCommand, SaysWhatARuleMeans) {
  EXPECT_EQ(run("--explain 'slice \"isr\" lasts < 20us'"), 0);
  EXPECT_EQ(text_, "each slice \"isr\" lasts less than 20 us\n");
}

TEST_F(CheckCommand, RefusesWrongRules) {
  write("wrong.txt", "never thread \"x\" walks\n");
  EXPECT_EQ(run("wrong.txt trace.fxt"), 2);
  EXPECT_EQ(text_,
            "barefxt: wrong.txt:1:18: expected runs, stops or wakes, but there is 'walks'\n");
  EXPECT_EQ(run("good.txt"), 2);
}

TEST_F(CheckCommand, KeepsTheRulesThatLearnProposes) {
  RuleTrace trace;
  for (uint64_t i = 1; i <= 20; ++i) {
    trace.add({.kind = Rec::kBegin, .time = 1000 * i, .number = 0});
    trace.add({.kind = Rec::kEnd, .time = 1000 * i + 40, .number = 0});
  }
  write("good.fxt", trace.archive());
  const uint64_t end = 30'000;
  write("lossy.fxt", trace.add({.kind = Rec::kLoss, .time = end, .other = end - 1}).archive());

  EXPECT_EQ(run("good.fxt -o rules.txt", "learn"), 0) << text_;
  EXPECT_EQ(run("rules.txt good.fxt"), 0);
  EXPECT_EQ(text_, "good.fxt: of 2 rules, 0 violated, 0 unknown, 2 hold\n");
  EXPECT_EQ(run("- --margin 100 --most 1 -o - <good.fxt", "learn"), 0);
  EXPECT_TRUE(contains(text_, "\nslice \"n0\" lasts <= 80ns\n"));

  // No rule: what was there stays.
  EXPECT_EQ(run("lossy.fxt -o rules.txt", "learn"), 4);
  EXPECT_EQ(text_,
            "barefxt: 1 of 1 trace with losses, which can refute rules, but confirm none\n"
            "barefxt: no rule holds in 10 or more cases, so none is proposed. Hint: use longer "
            "traces without losses\n");
  EXPECT_EQ(run("rules.txt good.fxt"), 0);
  EXPECT_EQ(run("good.fxt", "learn"), 2);
  EXPECT_EQ(run("-o rules.txt", "learn"), 2);
}

}  // namespace
}  // namespace barefxt::test::check_command_test
