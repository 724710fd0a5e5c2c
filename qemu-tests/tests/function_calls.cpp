#include "function_calls.h"

#include <sstream>

namespace barefxt::test {

std::string without_arguments(std::string name) {
  static const std::string kAnonymous = "(anonymous namespace)::";
  const size_t at = name.find(kAnonymous);
  if (at != std::string::npos) name.erase(at, kAnonymous.size());
  return name.substr(0, name.find('('));
}

bool is_call(const Json& record, const char* event) {
  return record.at("record") == "event" && record.at("category") == "function" &&
         record.at("event") == event;
}

std::map<std::string, uint64_t> begins_by_function(const std::vector<Json>& archive) {
  std::map<std::string, uint64_t> begins;
  for (const Json& record : archive)
    if (is_call(record, "duration_begin")) ++begins[without_arguments(record.at("name"))];
  return begins;
}

std::map<std::string, uint64_t> entries_by_function(const std::string& yaml) {
  static const std::string kName = "function: '";
  std::map<std::string, uint64_t> entries;
  std::istringstream lines(yaml);
  for (std::string line; std::getline(lines, line);) {
    const size_t at = line.find(kName);
    if (at == std::string::npos || line.find("kind: function-enter") == std::string::npos) continue;
    const size_t begin = at + kName.size();
    ++entries[without_arguments(line.substr(begin, line.find('\'', begin) - begin))];
  }
  return entries;
}

}  // namespace barefxt::test
