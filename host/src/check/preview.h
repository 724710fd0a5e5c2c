// Known of a trace ahead: the thread that each CPU runs at the begin, and how
// long complete durations are whose begins are events.
#pragma once

#include <map>
#include <vector>

#include <barefxt/host/reader.h>
#include <barefxt/host/rules.h>

namespace barefxt::host {

struct Preview {
  // The thread that each CPU's first switch leaves.
  std::map<unsigned, uint64_t> running;
  // The longest complete duration of a name whose begin is an event or a state of a rule. A record
  // holds it as of its end.
  uint64_t longest_ticks = 0;
  uint64_t longest_nanoseconds = 0;

  static constexpr size_t kMaxCpus = 65536;
};

// Reads the archive once, unless no rule needs it.
Preview preview(Source& source, Form form, const std::vector<TraceRule>& rules);

}  // namespace barefxt::host
