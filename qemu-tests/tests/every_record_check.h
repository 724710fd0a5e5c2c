// Compares an archive with every_record.jsonl: the records that workload/every_record_probes.h
// writes, read back line by line, once from C++ and once from C.
//
// That file has a line of `print --json` a record, without offset, provider and time. A payload is
// given as the part of the workload's pattern that it holds: "first byte+number of bytes".
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace barefxt::test {

// Empty where they agree, else the first difference. Records before the first context switch, where
// the workload begins, are not looked at.
std::string compare_with_every_record(const std::vector<nlohmann::json>& records,
                                      const std::string& expected_path);

}  // namespace barefxt::test
