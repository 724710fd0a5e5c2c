// The stretch of time that the options of a verb select, and the messages about it.
#pragma once

#include <string>

#include <barefxt/host/stats.h>

#include "command_line.h"

namespace barefxt::cli {

// A time that the user gives: "1.5ms", "1.5" (seconds, as print shows them), "12345ticks".
host::Result<host::TimeBound> time_bound(const std::string& text, const char* option);

struct TimeWindow {
  std::string from;
  std::string to;

  void add_to(const Verb& verb);
  // Fails where one of them is no time.
  host::Outcome apply_to(host::StatisticsOptions& options) const;
};

// Reports unreadable parts, and records without a place in the numbers. Returns the exit status.
int report_statistics(const host::Source& source, const host::Statistics& statistics);

}  // namespace barefxt::cli
