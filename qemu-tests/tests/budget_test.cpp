// docs/how-to/budgets.md: the demo kernel keeps its budget, and does not when a thread is made
// slower. The commands are the page's own.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

#include "qemu.h"

namespace barefxt::test {
namespace {

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  for (size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
    text.replace(at, what.size(), by);
  return text;
}

// The lines of the page's example that are commands, with the paths of this build.
std::vector<std::string> commands() {
  std::ifstream page(BAREFXT_SOURCE "/docs/how-to/budgets.md");
  std::vector<std::string> found;
  bool in_example = false;
  for (std::string line; std::getline(page, line);) {
    in_example = in_example || line == "## An example";
    const bool command =
        line.rfind("    qemu-system", 0) == 0 || line.rfind("    build/host/barefxt", 0) == 0;
    if (!in_example || !command) continue;
    line = replaced(line.substr(4), "build/host/barefxt", BAREFXT_COMMAND);
    line = replaced(line, "build/aarch64/qemu-tests/kernel.elf", image_path("aarch64"));
    line = replaced(line, "docs/how-to/demo.budget", BAREFXT_SOURCE "/docs/how-to/demo.budget");
    found.push_back(line);
  }
  return found;
}

// The part of the page that shows the file, without the indentation.
std::string shown_budget() {
  std::ifstream page(BAREFXT_SOURCE "/docs/how-to/budgets.md");
  std::stringstream text;
  text << page.rdbuf();
  std::string all = text.str();
  const size_t begin = all.find("    run            thread=sensor/filter");
  return replaced(all.substr(begin, all.find("\n\n", begin) - begin + 1), "\n    ", "\n").substr(4);
}

class BudgetExample : public ::testing::Test {
 protected:
  void SetUp() override {
    directory_ = std::filesystem::temp_directory_path() / "barefxt-XXXXXX";
    ASSERT_NE(mkdtemp(directory_.data()), nullptr);
  }
  void TearDown() override {
    std::error_code ignored;
    if (!directory_.empty()) std::filesystem::remove_all(directory_, ignored);
  }
  Output run(const std::string& command) const {
    return run_command("cd " + directory_ + " && timeout 120 " + command);
  }
  std::string file(const std::string& name) const { return directory_ + "/" + name; }

 private:
  std::string directory_;
};

TEST_F(BudgetExample, PassesAndFailsAsThePageSays) {
  const std::vector<std::string> all = commands();
  ASSERT_EQ(all.size(), 7u);
  for (size_t i = 0; i < 2; ++i) ASSERT_EQ(run(all[i]).status, 0) << all[i];
  const Output kept = run(all[2]);
  EXPECT_EQ(kept.status, 0) << kept.err;
  EXPECT_EQ(kept.err, "");
  EXPECT_NE(read_file(file("junit.xml")).find("tests=\"5\" failures=\"0\""), std::string::npos);

  for (size_t i = 3; i < 5; ++i) ASSERT_EQ(run(all[i]).status, 0) << all[i];
  const Output violated = run(all[5]);
  EXPECT_EQ(violated.status, 1);
  size_t lines = 0;
  for (size_t at = 0; (at = violated.err.find(": violated: ", at)) != std::string::npos; ++at)
    ++lines;
  EXPECT_EQ(lines, 2u) << violated.err;
  for (const char* line : {"violated: run thread=sensor/filter max is ",
                           "violated: wakeup_latency thread=network/tx p99 is ",
                           "because `sensor/filter` of equal priority kept CPU 0"})
    EXPECT_NE(violated.err.find(line), std::string::npos) << violated.err;
  EXPECT_NE(read_file(file("junit.xml")).find("tests=\"5\" failures=\"2\""), std::string::npos);

  const Output compared = run(all[6]);
  EXPECT_EQ(compared.status, 1);
  EXPECT_NE(compared.err.find("worse: wakeup_latency thread=network/tx p50: "), std::string::npos)
      << compared.err;
}

TEST_F(BudgetExample, TheSameRunIsTheSameTraceToTheTick) {
  const std::vector<std::string> all = commands();
  ASSERT_EQ(all.size(), 7u);
  std::string first;
  for (unsigned i = 0; i < 2; ++i) {
    ASSERT_EQ(run(all[0]).status, 0);
    ASSERT_EQ(run(all[1]).status, 0);
    const std::string trace = read_file(file("good.fxt"));
    if (i == 0) first = trace;
    EXPECT_FALSE(trace.empty());
    EXPECT_TRUE(trace == first);
  }
}

TEST_F(BudgetExample, ThePageShowsTheFileThereIs) {
  const std::string text = read_file(BAREFXT_SOURCE "/docs/how-to/demo.budget");
  EXPECT_EQ(text.substr(text.find('\n') + 1), shown_budget());
}

}  // namespace
}  // namespace barefxt::test
