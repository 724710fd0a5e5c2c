// Shared by `check` and `capture --check`: rules in, verdicts out.
#pragma once

#include <string>
#include <vector>

#include <barefxt/host/check.h>

namespace barefxt::cli {

host::Result<std::vector<host::TraceRule>> read_rules(const std::string& file);
host::Status write_junit(const std::string& path, const std::vector<host::CheckedTrace>& traces,
                         const std::string& rules, bool allow_unknown);
// Returns false if a rule is violated, or is unknown where that is not allowed.
bool keeps_rules(const host::Checked& checked, bool allow_unknown);

}  // namespace barefxt::cli
