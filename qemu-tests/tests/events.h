// The archive in the form of `barefxt print --json`: one JSON object a record.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace barefxt::test {

using Json = nlohmann::json;

// Without the records that `rebuild` adds around losses. With `word`, only the records whose line
// contains it: parsing takes longer than all else.
std::vector<Json> read_archive(const std::string& path, const std::string& word = {});

// An argument's value as the 64 bits that the kernel's hashes count: int32 sign-extended, bool 0
// or 1.
uint64_t argument_word(const Json& argument);
// Null: there is none of that name.
const Json* find_argument(const Json& record, const std::string& name);

// Counts the kernel's records in the archive, and those that it reports as lost.
struct RecordCounts {
  uint64_t recorded = 0;
  uint64_t lost = 0;
  uint64_t provider_events = 0;
};
RecordCounts count_records(const std::vector<Json>& records);

}  // namespace barefxt::test
