// docs/how-to/promises.md: the demo kernel keeps its promises, and does not when a thread is made
// slower. The commands are those of the page's workflow.

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <regex>
#include <sstream>

#include "qemu.h"

namespace barefxt::test {
namespace {

constexpr const char* kPage = BAREFXT_SOURCE "/docs/how-to/promises.md";
constexpr const char* kDemoRules = BAREFXT_SOURCE "/qemu-tests/workload/demo.rules";

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  for (size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
    text.replace(at, what.size(), by);
  return text;
}

// The steps of the workflow that run and judge, with the paths of this build: QEMU, rebuild, check,
// summary.
std::vector<std::string> steps() {
  std::ifstream page(kPage);
  std::vector<std::string> found;
  for (std::string line; std::getline(page, line);) {
    const std::string run = "          - run: ";
    if (line.rfind(run, 0) != 0) continue;
    line = line.substr(run.size());
    if (line.rfind("qemu-system", 0) != 0 && line.rfind("build/host/barefxt", 0) != 0 &&
        line.rfind("printf", 0) != 0)
      continue;
    line = replaced(line, "build/host/barefxt", BAREFXT_COMMAND);
    line = replaced(line, "build/aarch64/qemu-tests/kernel.elf", image_path("aarch64"));
    found.push_back(
        replaced(line, "docs/how-to/demo.rules", BAREFXT_SOURCE "/docs/how-to/demo.rules"));
  }
  return found;
}

// The lines of the page that begin with `first`, up to an empty one, without the indentation.
std::string shown(const std::string& first) {
  const std::string all = read_file(kPage);
  const size_t begin = all.find("    " + first);
  return replaced("\n" + all.substr(begin, all.find("\n\n", begin) - begin + 1), "\n    ", "\n")
      .substr(1);
}

// Without what differs from compiler to compiler, and from terminal to terminal.
std::string without_numbers(const std::string& text) {
  const std::string words = std::regex_replace(text, std::regex("\\s+"), " ");
  return std::regex_replace(words, std::regex("[0-9]+([.][0-9]+)?( [mun]?s)?"), "N");
}

class Promises : public ::testing::Test {
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
    return run_command("cd " + directory_ + " && export GITHUB_STEP_SUMMARY=summary.md && { " +
                       command + "; }");
  }
  // The status of the step that checks. `more` goes behind the words of the kernel.
  int follow_page(const std::string& more, const std::string& cpus = "-smp 1") const {
    const std::vector<std::string> all = steps();
    EXPECT_EQ(all.size(), 4u);
    if (all.size() != 4) return -1;
    const std::string qemu =
        replaced(replaced(all[0], "workers=40", "workers=40" + more), "-smp 1", cpus);
    EXPECT_EQ(run("timeout 120 " + qemu).status, 0) << qemu;
    EXPECT_EQ(run(all[1]).status, 0);
    const int status = run(all[2]).status;
    EXPECT_EQ(run(all[3]).status, 0);
    return status;
  }
  std::string file(const std::string& name) const { return directory_ + "/" + name; }

 private:
  std::string directory_;
};

TEST_F(Promises, AreKept) {
  EXPECT_EQ(follow_page(""), 0);
  EXPECT_EQ(read_file(file("summary.md")),
            "```\ntrace.fxt: of 6 rules, 0 violated, 0 unknown, 6 hold\n```\n");
  EXPECT_TRUE(contains(read_file(file("junit.xml")), "tests=\"6\" failures=\"0\""));
  const Output demo = run(BAREFXT_COMMAND " check " + std::string(kDemoRules) + " trace.fxt");
  EXPECT_EQ(demo.status, 0) << demo.out << demo.err;

  const std::string first = read_file(file("trace.fxt"));
  EXPECT_FALSE(first.empty());
  EXPECT_EQ(follow_page(""), 0);
  EXPECT_TRUE(read_file(file("trace.fxt")) == first) << "another run is another trace";
}

TEST_F(Promises, AreBrokenByASlowThreadAndTheSummarySaysSo) {
  EXPECT_EQ(follow_page(" slow=4"), 1);
  const std::string summary = without_numbers(read_file(file("summary.md")));
  for (const std::string& line :
       {std::string("violated: run thread=sensor/filter max <= 250us"),
        std::string("violated: wakeup_latency thread=network/tx p99 <= 250us"),
        shown("line 5: `network/tx` ran"),
        std::string("of 6 rules, 2 violated, 0 unknown, 4 hold")})
    EXPECT_TRUE(contains(summary, without_numbers(line.substr(0, line.find_last_not_of('\n') + 1))))
        << line;
  EXPECT_TRUE(contains(read_file(file("junit.xml")), "tests=\"6\" failures=\"2\""));
}

// `toolchain/demo.sh --break` does so, too.
TEST_F(Promises, OfTheDemoAreBrokenByAThreadThatTakesSeconds) {
  EXPECT_EQ(follow_page(" slow=1000", "-smp 4"), 1);
  const Output demo = run(BAREFXT_COMMAND " check " + std::string(kDemoRules) + " trace.fxt");
  EXPECT_EQ(demo.status, 1);
  const std::string words = without_numbers(demo.out);
  for (const char* line :
       {"violated: flow \"message\" end to end pN < patience",
        "because `sensor/filter` ran itself for N", "of N rules, N violated, N unknown, N hold"})
    EXPECT_TRUE(contains(words, line)) << demo.out << demo.err;
  EXPECT_TRUE(contains(demo.out, "of 5 rules, 1 violated"));
}

TEST_F(Promises, ThePageShowsTheFileThereIs) {
  const std::string text = read_file(BAREFXT_SOURCE "/docs/how-to/demo.rules");
  EXPECT_EQ(text.substr(text.find('\n') + 1), shown("never slice"));
}

}  // namespace
}  // namespace barefxt::test
