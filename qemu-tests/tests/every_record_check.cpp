#include "every_record_check.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <vector>

#include "rebuild/base64.h"

namespace barefxt::test {
namespace {

using Json = nlohmann::json;

constexpr size_t kPatternBytes = 2500;  // every_record_payload

// Finds the payload's place in the pattern; chunks of one blob follow each other.
class Payloads {
 public:
  std::string describe(const Json& record) {
    const std::string text = record.at("payload");
    std::vector<uint8_t> bytes(text.size() / 4 * 3);
    const auto count = host::base64_decode(text, bytes.data());
    if (!count) return "not base64: " + text;
    bytes.resize(*count);
    const bool in_parts = record.at("name") == "in parts";
    const size_t first = in_parts ? next_part_ : 0;
    for (size_t i = 0; i < bytes.size(); ++i)
      if (bytes[i] != static_cast<uint8_t>((first + i) * 7)) return "other bytes: " + text;
    if (in_parts) next_part_ = (first + bytes.size()) % kPatternBytes;
    return std::to_string(first) + "+" + std::to_string(bytes.size());
  }

 private:
  size_t next_part_ = 0;
};

}  // namespace

std::string compare_with_every_record(const std::vector<Json>& records,
                                      const std::string& expected_path) {
  std::vector<std::string> lines;
  std::ifstream file(expected_path);
  for (std::string line; std::getline(file, line);) lines.push_back(Json::parse(line).dump());
  if (lines.empty()) return "nothing to compare with in " + expected_path;

  Payloads payloads;
  size_t at = 0;
  for (Json record : records) {
    if (at == 0 && record.at("record") != "context_switch") continue;
    // Names that the host gives: of events that it makes of compact records.
    if (record.at("record") == "string") continue;
    for (const char* key : {"offset", "provider", "timestamp", "end_timestamp"}) record.erase(key);
    if (record.contains("payload")) record["payload"] = payloads.describe(record);
    const std::string& expected = lines[at % lines.size()];
    if (record.dump() != expected)
      return "record " + std::to_string(at) + " is\n" + record.dump() + "\nand should be\n" +
             expected;
    ++at;
  }
  if (at != 2 * lines.size())
    return std::to_string(at) + " records instead of " + std::to_string(2 * lines.size());
  return {};
}

}  // namespace barefxt::test
