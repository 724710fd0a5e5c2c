// A drawing as a page that needs nothing but itself: findings, statistics, levels of detail,
// explanations, and all items in blocks that the page unpacks when they come into view; beside
// another run, if there is one, and with a budget's bounds, and heaps as JSON, if there are any.
#pragma once

#include <barefxt/host/archive_writer.h>
#include <barefxt/host/budget.h>

#include "baseline.h"
#include "reasons.h"

namespace barefxt::report {

host::Status write_page(const Drawing& drawing, const Reasons& reasons, host::ByteSink& sink,
                        const std::optional<Baseline>& baseline = {},
                        const std::vector<host::BudgetLine>& budget = {},
                        const std::string& heaps = {});

}  // namespace barefxt::report
