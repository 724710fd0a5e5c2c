// barefxt explain as people and scripts use it.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/wait.h>

#include "story.h"

namespace barefxt::test::explain_command_test {
namespace {

using namespace explaining;

class ExplainCommand : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ =
        std::filesystem::temp_directory_path() / ("barefxt-explain-" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
    Story story;
    story.wake(100, 0, 2).change(100, 0, kIdle, 2).wake(110, 0, 3, 2);
    story.change(190, 0, 2, 3, kBlockedState).change(210, 0, 3, kIdle, kBlockedState);
    const std::string bytes = story.archive();
    std::ofstream(folder_ / "trace.fxt", std::ios::binary) << bytes;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  int run(const std::string& arguments) {
    const std::string line = std::string(BAREFXT_COMMAND) + " explain " + arguments + " 2>&1";
    std::FILE* pipe = ::popen(("cd " + folder_.string() + " && " + line).c_str(), "r");
    text_.clear();
    char part[4096];
    while (const size_t got = std::fread(part, 1, sizeof part, pipe)) text_.append(part, got);
    return WEXITSTATUS(::pclose(pipe));
  }

  std::filesystem::path folder_;
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
