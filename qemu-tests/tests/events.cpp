#include "events.h"

#include <gtest/gtest.h>
#include <sstream>

#include "qemu.h"

namespace barefxt::test {

std::vector<Json> read_archive(const std::string& path, const std::string& word) {
  std::vector<Json> records;
  std::istringstream lines(barefxt("print --json " + path).out);
  for (std::string line; std::getline(lines, line);) {
    const bool is_added = line.find("\"barefxt_added\"") != std::string::npos;
    if (line.find(word) != std::string::npos && !is_added) records.push_back(Json::parse(line));
  }
  return records;
}

uint64_t argument_word(const Json& argument) {
  const Json& value = argument.at("value");
  if (value.is_boolean()) return value.get<bool>() ? 1 : 0;
  if (value.is_number_unsigned()) return value.get<uint64_t>();
  return static_cast<uint64_t>(value.get<int64_t>());
}

const Json* find_argument(const Json& record, const std::string& name) {
  for (const Json& argument : record.at("args"))
    if (argument.at("name") == name) return &argument;
  return nullptr;
}

RecordCounts count_records(const std::vector<Json>& records) {
  RecordCounts counts;
  for (const Json& record : records) {
    const std::string kind = record.at("record");
    if (kind == "provider_event") ++counts.provider_events;
    if (kind == "event" && record.at("category") == "barefxt") {
      EXPECT_EQ(record.at("name"), "drop_stats");
      EXPECT_EQ(find_argument(record, "where")->at("value"), "ring");
      counts.lost += argument_word(*find_argument(record, "records"));
    } else if (kind == "event" || kind == "context_switch" || kind == "thread_wakeup" ||
               kind == "log") {
      ++counts.recorded;
    }
  }
  return counts;
}

}  // namespace barefxt::test
