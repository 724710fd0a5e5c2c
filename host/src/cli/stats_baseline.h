// The options of `stats` that compare with other runs.
#pragma once

#include <string>
#include <vector>

#include <barefxt/host/baseline.h>

#include "archive_input.h"
#include "command_line.h"

namespace barefxt::cli {

struct BaselineOptions {
  std::vector<std::string> files;
  double percent = 5;
  std::string time = "1us";

  Option add_to(const Verb& verb);
  // Those that say which changes are relevant.
  void add_relevance_to(const Verb& verb, const Option& baseline);
  host::Result<host::Relevance> relevance() const;
};

// Compares the runs in options.files with those of the baseline. `statistics` are those of all
// files together. Null if a run cannot be read; then `status` is that of the verb. Otherwise
// `status` becomes kIncomplete where a run of the baseline is damaged.
std::optional<host::Comparison> compare_runs(const ArchiveOptions& options,
                                             const BaselineOptions& baseline,
                                             const host::Relevance& relevance,
                                             const host::Statistics& statistics,
                                             const host::StatisticsOptions& how, int& status);

// A line for each finding, and one for all.
void say_comparison(const BaselineOptions& baseline, const host::Comparison& comparison);

}  // namespace barefxt::cli
