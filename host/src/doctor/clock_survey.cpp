#include "clock_survey.h"

#include <algorithm>

namespace barefxt::host {

unsigned bits_of_wrap(ClockSurvey::Step step) {
  static constexpr unsigned kFewest = 16;
  static constexpr unsigned kMost = 32;
  for (unsigned bits = kFewest; bits <= kMost; ++bits) {
    const uint64_t period = uint64_t{1} << bits;
    if (step.from >= period) continue;
    // From the last quarter into the first.
    return step.from >= period / 4 * 3 && step.to < period / 4 ? bits : 0;
  }
  return 0;
}

void ClockSurvey::see(uint64_t time) {
  if (times++ == 0) {
    first = last = latest = earliest = time;
    return;
  }
  const Step step{last, time};
  if (time == last) ++same;
  if (time < last) {
    if (backward++ == 0) first_backward = step;
    const unsigned bits = bits_of_wrap(step);
    if (wrap_bits == 0) wrap_bits = bits;
    if (bits != 0 && bits == wrap_bits) ++wraps;
  } else if (time - last > largest_ahead.to - largest_ahead.from) {
    largest_ahead = step;
  }
  last = time;
  latest = std::max(latest, time);
  earliest = std::min(earliest, time);
}

}  // namespace barefxt::host
