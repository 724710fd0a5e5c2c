// A drawing as a page that needs nothing but itself: findings, statistics, levels of detail,
// explanations, and all items in blocks that the page unpacks when they come into view.
#pragma once

#include <barefxt/host/archive_writer.h>
#include <barefxt/host/budget.h>

#include "baseline.h"
#include "reasons.h"

namespace barefxt::report {

// Parts that are in the page if there is something in them.
struct PageParts {
  std::optional<Baseline> baseline = {};      // the run to compare with
  std::vector<host::BudgetLine> budget = {};  // bounds in histograms
  std::string heaps = {};                     // as `stats --heap --json` prints them
  std::string samples = {};                   // as `profile --to speedscope` writes them
};

host::Status write_page(const Drawing& drawing, const Reasons& reasons, host::ByteSink& sink,
                        const PageParts& parts = {});

}  // namespace barefxt::report
