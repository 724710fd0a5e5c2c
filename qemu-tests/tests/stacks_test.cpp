// Marks of the kernel's stacks, moved at switches and by scans from idle, against the paint that
// the kernel itself counts at the end, and against a thread that knows how deep it has been.

#include <gtest/gtest.h>
#include <map>
#include <sstream>

#include "events.h"
#include "key_values.h"
#include "qemu.h"
#include "targets.h"

namespace barefxt::test {
namespace {

struct CountedStack {
  uint64_t size = 0;
  uint64_t left = 0;
  bool is_self = false;  // of the thread that counted
};

struct CountedStacks {
  std::map<uint64_t, CountedStack> all;
  uint64_t deep = 0;  // the thread that knows
  uint64_t deep_left = 0;
};

CountedStacks read_counted_stacks(const std::string& console) {
  CountedStacks counted;
  std::istringstream lines(console);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("STACK ")) continue;
    const bool is_deep = line.starts_with("STACK deep ");
    std::istringstream words(line);
    const KeyValues values = read_key_values(words);
    if (is_deep) {
      counted.deep = number(values, "koid");
      counted.deep_left = number(values, "left");
    } else {
      counted.all[number(values, "koid")] = {number(values, "size"), number(values, "left"),
                                             number(values, "self") != 0};
    }
  }
  return counted;
}

class StacksTest : public ::testing::TestWithParam<Image> {};

TEST_P(StacksTest, MarksAreWhereThePaintEnds) {
  const Booted run =
      boot({.build = GetParam().build, .arguments = "stacks=1 seconds=1 workers=20 dump=uart"});
  const std::string console = read_file(run.uart);
  ASSERT_EQ(run.status, 0) << read_file(run.file("qemu.log")) << console;
  const CountedStacks counted = read_counted_stacks(console);
  ASSERT_GE(counted.all.size(), 18u);
  const Output shown = barefxt("stats --stacks --json " + run.uart);
  ASSERT_EQ(shown.status, 0) << shown.err;
  std::map<uint64_t, Json> marks;
  const Json all = Json::parse(shown.out);
  for (const Json& stack : all["stacks"]) marks[stack["thread"]] = stack;
  // Workers that are gone had stacks, too.
  EXPECT_GE(marks.size(), counted.all.size() + 20);
  for (const auto& [koid, stack] : counted.all) {
    ASSERT_EQ(marks.count(koid), 1u);
    SCOPED_TRACE(marks[koid].dump());
    EXPECT_EQ(marks[koid]["size"], stack.size);
    // It went on while it counted.
    if (stack.is_self)
      EXPECT_GE(marks[koid]["left"], stack.left);
    else
      EXPECT_EQ(marks[koid]["left"], stack.left);
  }
  const CountedStack& deep = counted.all.at(counted.deep);
  EXPECT_LE(deep.left, counted.deep_left);
  EXPECT_GT(deep.left + deep.size / 4, counted.deep_left);
  EXPECT_LT(counted.deep_left, deep.size / 2);
  EXPECT_EQ(marks[counted.deep]["name"], "sensor/deep");
}

BAREFXT_TEST_IMAGES(StacksTest, Portion::kAll, all_images(), kOneOfEachKind);

}  // namespace
}  // namespace barefxt::test
