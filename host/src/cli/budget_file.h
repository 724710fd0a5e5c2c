// The file of --budget.
#pragma once

#include <string>
#include <vector>

#include <barefxt/host/budget.h>

namespace barefxt::cli {

// Its lines; none if `file` is empty.
host::Result<std::vector<host::BudgetLine>> read_budget(const std::string& file);

}  // namespace barefxt::cli
