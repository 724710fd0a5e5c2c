// docs/reference/explain.md names every cause, reason and interval, and every key of the JSON.
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

#include "stats/documented_shape.h"
#include "story.h"

namespace barefxt::test::explain_documented_test {
namespace {

using namespace explaining;

std::string page() {
  std::ifstream file(BAREFXT_SOURCE_DIR "/docs/reference/explain.md");
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// The first column of the table with this head.
std::vector<std::string> rows(const std::string& head) {
  std::istringstream lines(page());
  std::string line;
  while (std::getline(lines, line) && !line.starts_with(head)) {
  }
  std::getline(lines, line);
  std::vector<std::string> names;
  while (std::getline(lines, line) && line.starts_with("| `"))
    names.push_back(line.substr(3, line.find('`', 3) - 3));
  return names;
}

TEST(ExplainDocumentation, HasEveryCauseReasonAndInterval) {
  std::vector<std::string> causes;
  for (size_t i = 0; i < host::kCauseKinds; ++i)
    causes.emplace_back(host::name_of(static_cast<host::CauseKind>(i)));
  EXPECT_EQ(rows("| cause "), causes);
  std::vector<std::string> reasons;
  for (auto i = static_cast<size_t>(host::UnknownReason::kLost);
       i <= static_cast<size_t>(host::UnknownReason::kDeep); ++i)
    reasons.emplace_back(host::name_of(static_cast<host::UnknownReason>(i)));
  EXPECT_EQ(rows("| reason "), reasons);
  std::vector<std::string> kinds;
  for (size_t i = 0; i <= static_cast<size_t>(host::CaseKind::kFlow); ++i)
    kinds.emplace_back(host::name_of(static_cast<host::CaseKind>(i)));
  EXPECT_EQ(rows("| kind "), kinds);
}

TEST(ExplainDocumentation, HasTheSchemaOfTheJson) {
  const std::string text = page();
  const size_t begin = text.find("    {\n", text.find("## JSON"));
  const size_t end = text.find("<!-- end", begin);
  const nlohmann::json described = nlohmann::json::parse(text.substr(begin, end - begin));
  const Shape shape({});
  std::set<std::string> seen;
  for (uint32_t seed = 0; seed < 12; ++seed) {
    const System system = simulate({.seed = seed, .cpus = 2, .records_wakers = true});
    const std::string archive =
        archive_of(system.options, seed % 2 == 0 ? system.records : with_losses(system, seed, 3));
    for (const host::ExplainOptions& options :
         {host::ExplainOptions{.selection = {.threads = {"*"}}}, host::ExplainOptions{.lock = "*"},
          host::ExplainOptions{.flow = "*"}, host::ExplainOptions{.slice = "*"}}) {
      host::Source source = host::Source::of(as_bytes(archive), "in memory");
      const auto explained = host::explain(source, host::Form{}, options);
      ASSERT_TRUE(explained.ok());
      host::StringOutput out;
      host::print_explanations_json(out, explained.value());
      const nlohmann::json json = nlohmann::json::parse(out.take());
      shape.check(json, described, "");
      for (const auto& one : json["cases"]) {
        seen.insert(one["kind"].get<std::string>());
        for (const auto& part : one["parts"]) seen.insert(part["cause"].get<std::string>());
      }
    }
  }
  for (const char* name : {"wakeup_latency", "lock_wait", "duration", "flow", "higher", "holder",
                           "blocked", "interrupt", "unknown"})
    EXPECT_TRUE(seen.contains(name)) << name << " was not looked at";
}

}  // namespace
}  // namespace barefxt::test::explain_documented_test
