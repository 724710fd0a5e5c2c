// docs/reference/statistics.md names every key of the JSON.
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include <barefxt/host/baseline.h>
#include <barefxt/host/measures.h>

#include "contains.h"
#include "documented_shape.h"
#include "everything.h"
#include "goldens/goldens.h"
#include "simulated_kernel.h"
#include "summing.h"

namespace barefxt::test::documented_test {
namespace {

void collect_keys(const nlohmann::json& value, std::set<std::string>& keys) {
  for (const auto& [key, inner] : value.items()) {
    if (value.is_object()) keys.insert(key);
    if (inner.is_structured() && key != "records") collect_keys(inner, keys);
  }
}

std::string json_of_statistics(const std::string& archive) {
  host::StringOutput out;
  host::print_statistics_json(out, statistics_in(archive));
  return out.take();
}

std::string documentation(const std::string& page = "reference/statistics") {
  std::ifstream file(BAREFXT_SOURCE_DIR "/docs/" + page + ".md");
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// The first indented block behind this line, as JSON.
nlohmann::json block_behind(const std::string& line,
                            const std::string& page = "reference/statistics") {
  std::istringstream lines(documentation(page));
  std::string one;
  while (std::getline(lines, one) && !one.starts_with(line)) {
  }
  std::string block;
  while (std::getline(lines, one)) {
    if (one.starts_with("    ")) {
      block += one + "\n";
    } else if (!block.empty()) {
      break;
    }
  }
  return nlohmann::json::parse(block);
}

TEST(StatisticsDocumentation, HasTheSchemaOfTheJson) {
  const Shape shape(block_behind("`\"...\"` stands for"));
  const nlohmann::json all = block_behind("## The JSON");
  const auto check = [&](const std::string& archive) {
    shape.check(nlohmann::json::parse(json_of_statistics(archive)), all, "");
  };
  check(archive_of_everything());
  check(archive_of(simulate({7, 100, 3, 900, 4, 77, 1000, 12, 5, 8, 300, 7}).records));
  for (const Golden& one : goldens()) check(little_endian(one.pieces));
  const auto everything = nlohmann::json::parse(json_of_statistics(archive_of_everything()));
  for (const auto& [key, value] : everything.items())
    EXPECT_FALSE(value.is_array() && value.empty()) << key << " was not looked at";
}

TEST(StatisticsDocumentation, HasTheSchemaOfAComparison) {
  const host::Statistics everything = statistics_in(archive_of_everything());
  const host::Statistics nothing;
  const auto check = [&](const host::Statistics& old, const host::Statistics& now) {
    const host::Statistics* const before[] = {&old};
    const host::Statistics* const today[] = {&now};
    host::StringOutput out;
    host::comparison_json(out, host::compare(before, today), {});
    const auto json = nlohmann::json::parse(out.take());
    EXPECT_FALSE(json["findings"].empty());
    Shape({}).check(json, block_behind("## JSON", "how-to/baselines"), "");
  };
  check(nothing, everything);
  check(
      statistics_in(archive_of(simulate({7, 100, 3, 900, 4, 77, 1000, 12, 5, 8, 300, 7}).records)),
      statistics_in(archive_of(simulate({9, 30, 3, 90, 4, 17, 100, 12, 5, 8, 30, 7}).records)));
}

TEST(StatisticsDocumentation, HasWhatBudgetsMaySay) {
  const std::string text = documentation("how-to/budgets");
  for (const auto& words : {host::known_metrics(), host::known_statistics()}) {
    for (const std::string_view word : words)
      EXPECT_TRUE(contains(text, "`" + std::string(word) + "`")) << word;
  }
}

TEST(StatisticsDocumentation, HasTheHeadOfTheTable) {
  host::StringOutput out;
  host::print_statistics_csv(out, statistics_in(archive_of_everything()));
  const std::string csv = out.take();
  EXPECT_TRUE(contains(documentation(), "`" + csv.substr(0, csv.find('\n')) + "`"));
}

TEST(StatisticsDocumentation, DescribesEveryKey) {
  const std::string text = documentation();
  std::set<std::string> keys;
  const SimulatedTrace trace =
      with_loss(simulate({7, 100, 3, 900, 4, 77, 1000, 12, 5, 8, 300, 7}), 1, 1, 2);
  collect_keys(nlohmann::json::parse(json_of_statistics(archive_of(trace.records))), keys);
  collect_keys(nlohmann::json::parse(json_of_statistics(archive_of_everything())), keys);
  for (const Golden& one : goldens())
    collect_keys(nlohmann::json::parse(json_of_statistics(little_endian(one.pieces))), keys);
  EXPECT_GT(keys.size(), 60U);
  // Named where all such sets and shares are described, or as plain words.
  const std::set<std::string> obvious = {"cpu", "count", "category", "name", "where", "thread"};
  for (const std::string& key : keys) {
    std::string stem = key;
    if (key.ends_with("_share")) stem = key.substr(0, key.size() - 6) + "_ticks";
    const bool is_documented = text.find("`" + key + "`") != std::string::npos ||
                               text.find("`" + stem + "`") != std::string::npos;
    EXPECT_TRUE(is_documented || obvious.contains(key)) << key;
  }
}

}  // namespace
}  // namespace barefxt::test::documented_test
