// Every set of lengths as a histogram, with the bounds that a budget or a deadline sets to it.
#pragma once

#include <barefxt/host/budget.h>
#include <barefxt/host/json.h>

namespace barefxt::report {

// As a list, for the page. Of each bound it has how many lengths exceed it.
void json_distributions(host::Output& out, const host::Statistics& statistics,
                        const std::vector<host::BudgetLine>& budget);

}  // namespace barefxt::report
