// docs/statistics.md tells of every key of the JSON.
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "goldens.h"
#include "simulated_kernel.h"
#include "summing.h"

namespace barefxt::test {
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

TEST(StatisticsDocumentation, TellsOfEveryKey) {
  std::ifstream file(BAREFXT_SOURCE_DIR "/docs/statistics.md");
  std::stringstream text;
  text << file.rdbuf();
  std::set<std::string> keys;
  const SimulatedTrace trace =
      with_loss(simulate({7, 100, 3, 900, 4, 77, 1000, 12, 5, 8, 300, 7}), 1, 1, 2);
  collect_keys(nlohmann::json::parse(json_of_statistics(archive_of(trace.records))), keys);
  for (const Golden& one : goldens())
    collect_keys(nlohmann::json::parse(json_of_statistics(little_endian(one.pieces))), keys);
  EXPECT_GT(keys.size(), 60U);
  // Named where all such sets and shares are described, or as plain words.
  const std::set<std::string> obvious = {"cpu", "count", "category", "name", "where", "thread"};
  for (const std::string& key : keys) {
    std::string stem = key;
    if (key.ends_with("_share")) stem = key.substr(0, key.size() - 6) + "_ticks";
    const bool told = text.str().find("`" + key + "`") != std::string::npos ||
                      text.str().find("`" + stem + "`") != std::string::npos;
    EXPECT_TRUE(told || obvious.contains(key)) << key;
  }
}

}  // namespace
}  // namespace barefxt::test
