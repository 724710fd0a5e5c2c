// The worst of a trace, for people to see first: sentences, each with the place that shows it.
//
// Invariant: every number is one of the statistics or of an explanation.
#pragma once

#include "reasons.h"

namespace barefxt::report {

struct Finding {
  std::string_view kind;  // "loss", "latency", "job", "inversion", "wait", "interrupt" or "cpu"
  std::string text;
  uint64_t ticks = 0;  // the length that the finding is about; of a loss, 0
  // The place.
  uint64_t begin = 0;
  uint64_t end = 0;
  std::optional<uint64_t> thread = {};
  std::optional<unsigned> cpu = {};
};

// Losses first, since all else is a lower bound then; then what was late, and what made it so.
std::vector<Finding> findings_of(const host::Statistics& statistics, const Reasons& reasons);

}  // namespace barefxt::report
