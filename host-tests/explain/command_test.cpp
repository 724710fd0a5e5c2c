// barefxt explain as people and scripts use it.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "hostile/shell.h"
#include "story.h"

namespace barefxt::test::explain_command_test {
namespace {

using namespace explaining;

class ExplainCommand : public Shell {
 protected:
  void SetUp() override {
    Shell::SetUp();
    Story story;
    story.wake(100, 0, 2).change(100, 0, kIdle, 2).wake(110, 0, 3, 2);
    story.change(190, 0, 2, 3, kBlockedState).change(210, 0, 3, kIdle, kBlockedState);
    write("trace.fxt", story.archive());
  }

  int run(const std::string& arguments) { return run_verb("explain", arguments + " 2>&1"); }
  int run_verb(const std::string& verb, const std::string& arguments) {
    const int status = Shell::run("BAREFXT " + verb + " " + arguments);
    text_ = printed();
    return status;
  }

  std::string text_;
};

TEST_F(ExplainCommand, PrintsTheLongestLatencies) {
  ASSERT_EQ(run("trace.fxt --worst 1"), 0);
  EXPECT_TRUE(
      text_.starts_with("`thread 3` ran 80.000 us late on CPU 0 because `thread 2` of "
                        "lower priority kept CPU 0"))
      << text_;
}

TEST_F(ExplainCommand, PrintsJson) {
  ASSERT_EQ(run("trace.fxt --json --thread 3"), 0);
  const auto json = nlohmann::json::parse(text_);
  EXPECT_EQ(json["cases"][0]["parts"][0]["cause"], "lower");
  EXPECT_EQ(json["cases"][0]["ticks"], 80);
}

TEST_F(ExplainCommand, LooksAtATime) {
  ASSERT_EQ(run("trace.fxt --thread 'thread 3' --at 150ticks"), 0);
  EXPECT_TRUE(text_.starts_with("`thread 3` did not run for ")) << text_;
}

// `thread 3` waits from 110 to 190 for CPU 0.
TEST_F(ExplainCommand, ListsWhatTheSelectionTouches) {
  for (const char* touching :
       {"--from 150ticks --to 160ticks", "--from 190ticks", "--to 110ticks --from 110ticks",
        "--cpu 0 --from 120ticks", "--thread 'thread *' --from 111ticks --to 189ticks"}) {
    ASSERT_EQ(run("trace.fxt --worst 1 " + std::string(touching)), 0) << text_;
    EXPECT_TRUE(text_.starts_with("`thread 3` ran 80.000 us late")) << touching << text_;
    EXPECT_TRUE(contains(text_, "100.0 %    80.000 us")) << touching;
  }
  for (const char* other : {"--from 191ticks", "--cpu 1", "--thread nobody", "--category work",
                            "--name slice", "--from 101ticks --to 109ticks"}) {
    EXPECT_EQ(run("trace.fxt " + std::string(other)), 0) << text_;
    EXPECT_TRUE(contains(text_, "no such interval")) << other;
  }
  EXPECT_EQ(run("trace.fxt --from 2s --to 1s"), 2);
}

TEST_F(ExplainCommand, ExplainsViolatedLinesOfABudget) {
  write("budget",
        "wakeup_latency thread=\"thread 2\" max <= 1us\n"
        "wakeup_latency thread=\"thread 3\" max <= 79us\n"
        "losses records = 0\n");
  ASSERT_EQ(run("trace.fxt --budget budget"), 0) << text_;
  EXPECT_TRUE(text_.starts_with("line 2: `thread 3` ran 80.000 us late on CPU 0 because")) << text_;
  EXPECT_TRUE(lacks(text_, "line 1:"));
  ASSERT_EQ(run("trace.fxt --budget budget --json"), 0);
  const auto json = nlohmann::json::parse(text_);
  ASSERT_EQ(json["cases"].size(), 1U);
  EXPECT_EQ(json["cases"][0]["budget_line"], 2);
  // No interval is longer than this.
  write("budget", "wakeup_latency max <= 80us\n");
  ASSERT_EQ(run("trace.fxt --budget budget"), 0);
  EXPECT_EQ(text_, "barefxt: trace.fxt: no line about intervals is violated\n");
}

TEST_F(ExplainCommand, BudgetsThatFailSayWhy) {
  write("budget", "wakeup_latency thread=\"thread 3\" max <= 79us\n");
  ASSERT_EQ(run_verb("stats", "trace.fxt --budget budget --junit junit.xml 2>&1 >/dev/null"), 1);
  EXPECT_TRUE(contains(text_, "barefxt: line 1: `thread 3` ran 80.000 us late on CPU 0 because"));
  const std::string junit = read("junit.xml");
  EXPECT_TRUE(contains(junit, "\">line 1: `thread 3` ran 80.000 us late on CPU 0 because"));
  EXPECT_TRUE(contains(junit, "\n</failure>"));
}

TEST_F(ExplainCommand, ReportsWhatIsNotThere) {
  EXPECT_EQ(run("trace.fxt --lock nothing"), 0);
  EXPECT_EQ(text_,
            "barefxt: trace.fxt: no such interval. Hint: barefxt stats shows what there is\n");
}

TEST_F(ExplainCommand, RefusesWrongOptions) {
  for (const char* wrong :
       {"trace.fxt --worst 0", "trace.fxt --worst 1001", "trace.fxt --at 1s",
        "trace.fxt --thread x --at now", "trace.fxt --lock a --flow b", "nothing.fxt"}) {
    EXPECT_EQ(run(wrong), 2) << wrong << text_;
    EXPECT_TRUE(text_.starts_with("barefxt: ")) << text_;
  }
}

}  // namespace
}  // namespace barefxt::test::explain_command_test
