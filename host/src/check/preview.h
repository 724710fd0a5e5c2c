// Known of a trace ahead: each CPU's first switch, and how long complete durations are whose begins
// are events.
#pragma once

#include <map>
#include <vector>

#include <barefxt/host/reader.h>
#include <barefxt/host/rules.h>

namespace barefxt::host {

struct Preview {
  // By CPU. Its first thread ran from the trace's begin, unless something was lost in between.
  struct FirstSwitch {
    uint64_t ticks;
    uint64_t nanoseconds;
    uint64_t outgoing;
  };
  std::map<unsigned, FirstSwitch> switches;
  // The longest complete duration of a name whose begin is an event or a state of a rule. A record
  // holds it as of its end.
  uint64_t longest_ticks = 0;
  uint64_t longest_nanoseconds = 0;

  static constexpr size_t kMaxCpus = 65536;
};

// Returns true if the longest duration matters.
bool needs_begins(const std::vector<TraceRule>& rules);

// Reads the archive once, unless no rule needs it.
Preview preview(Source& source, Form form, const std::vector<TraceRule>& rules);

}  // namespace barefxt::host
