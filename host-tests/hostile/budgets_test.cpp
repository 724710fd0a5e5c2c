// Budgets that ask for the impossible, or for too much.
#include <barefxt/host/budget.h>

#include "archive/memory_archive.h"
#include "convert/plain_xml.h"
#include "hostile/shell.h"
#include "speed/sample_archive.h"

namespace barefxt::test::budgets_test {
namespace {

class HostileBudgets : public Shell {
 protected:
  void SetUp() override {
    Shell::SetUp();
    write("in.fxt", sample(Mix::kDemo, 1 << 16).archive(1));
  }
  int hold_to(const std::string& budget) {
    write("budget", budget);
    return run("BAREFXT stats in.fxt --budget budget --junit junit");
  }
};

// Every number is at most infinity: such a bound would always pass.
TEST_F(HostileBudgets, ALimitIsANumber) {
  for (const char* limit :
       {"inf", "infinity", "-inf", "nan", "inf%", "nanus", "1e999", "1e300s", "-1e300s"}) {
    EXPECT_EQ(hold_to("runs count >= 0\nruns count <= " + std::string(limit) + "\n"), 2) << limit;
    EXPECT_TRUE(contains(messages(), "budget:2: '" + std::string(limit) + "' is no limit"));
  }
  for (const char* time : {"inf", "1e300s", "nan", "nanms"})
    EXPECT_EQ(run("BAREFXT stats in.fxt --from " + std::string(time)), 2) << time;
  EXPECT_EQ(hold_to("runs count >= -1e300\n"), 0) << messages();
}

TEST_F(HostileBudgets, AreAsLongAsTheyMayBe) {
  std::string budget;
  for (size_t i = 0; i < host::kMaxBudgetLines; ++i) budget += "losses? records >= 0\n";
  EXPECT_EQ(hold_to(budget + "# no bound\n\n"), 0) << messages();
  EXPECT_EQ(hold_to(budget + "losses? records >= 0\n"), 2);
  EXPECT_TRUE(contains(messages(), "budget:10001: more than 10000 bounds"));
}

// Violations beyond the limit are counted.
TEST_F(HostileBudgets, ALineHasOnlySoManyViolations) {
  const size_t names = host::kMaxViolations + 40;
  MemoryArchive writer(1'000'000);
  for (size_t i = 0; i < names; ++i) {
    ASSERT_TRUE(add_event(writer, fxt::EventType::kDurationComplete, 10 * i, {0, 1, 2}, "c",
                          "n" + std::to_string(i), 10 * i + 5));
  }
  write("in.fxt", writer.text());
  EXPECT_EQ(hold_to("duration max < 1us\n"), 1);
  const std::string text = messages();
  size_t violated = 0;
  for (size_t at = 0; (at = text.find(": violated: ", at)) != std::string::npos; ++at) ++violated;
  EXPECT_EQ(violated, host::kMaxViolations + 1);
  // One of them is explained.
  EXPECT_LE(std::count(text.begin(), text.end(), '\n'),
            static_cast<ptrdiff_t>(host::kMaxViolations + 11));
  EXPECT_TRUE(contains(text, "budget:1: violated: 40 more violations of this line\n"));
  EXPECT_EQ(PlainXml(read("junit")).count("failure"), host::kMaxViolations + 1);
}

// XML has no place for some characters that budgets and names may hold.
TEST_F(HostileBudgets, GiveXmlThatCanBeRead) {
  const std::string name =
      "a\xef\xbf\xbf"
      "b\xef\xbf\xbe\xff\x01&<>\"'\xed\xa0\x80\x7f";
  write(name, read("in.fxt"));
  write("budget",
        "runs? thread=\xef\xbf\xbf\x02\xc0<&> count = 0\nlosses? records > 1e9 # \xef\xbf\xbe\n");
  std::string quoted = name;
  quoted.replace(quoted.find('\''), 1, "'\\''");
  EXPECT_EQ(run("BAREFXT stats '" + quoted + "' --budget budget --junit junit"), 1) << messages();
  const PlainXml xml(read("junit"));
  EXPECT_EQ(xml.problem, "") << read("junit");
  EXPECT_EQ(xml.count("testcase"), 2U);
}

// All texts of up to `most` of these letters.
std::vector<std::string> all_texts(const std::string& letters, size_t most) {
  std::vector<std::string> all = {""};
  for (size_t i = 0; i < all.size(); ++i)
    if (all[i].size() < most)
      for (const char letter : letters) all.push_back(all[i] + letter);
  return all;
}

bool matches_by_definition(std::string_view pattern, std::string_view text) {
  if (pattern.empty()) return text.empty();
  if (pattern[0] == '*')
    return matches_by_definition(pattern.substr(1), text) ||
           (!text.empty() && matches_by_definition(pattern, text.substr(1)));
  return !text.empty() && pattern[0] == text[0] &&
         matches_by_definition(pattern.substr(1), text.substr(1));
}

TEST(Patterns, MatchByTheirDefinition) {
  unsigned matching = 0;
  for (const std::string& pattern : all_texts("ab*", 6))
    for (const std::string& text : all_texts("ab", 6)) {
      const bool is = matches_by_definition(pattern, text);
      ASSERT_EQ(host::matches(pattern, text), is) << pattern << " and " << text;
      matching += is ? 1 : 0;
    }
  EXPECT_GT(matching, 1000U);
}

}  // namespace
}  // namespace barefxt::test::budgets_test
