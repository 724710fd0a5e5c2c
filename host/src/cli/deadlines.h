// The option --deadline of the verbs that add up an archive.
#pragma once

#include <string>
#include <vector>

#include <barefxt/host/stats.h>

#include "command_line.h"

namespace barefxt::cli {

struct DeadlineOptions {
  std::vector<std::string> texts;

  void add_to(const Verb& verb);
  host::Status apply_to(host::StatisticsOptions& how) const;
};

// Reports deadlines of threads that `statistics` do not have. `file` is the archive's name.
void say_missing_threads(const std::string& file, const host::StatisticsOptions& how,
                         const host::Statistics& statistics);

}  // namespace barefxt::cli
