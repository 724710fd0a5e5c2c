#include "clock_survey.h"

#include <algorithm>
#include <bit>

namespace barefxt::host {

unsigned bits_of_wrap(ClockSurvey::Step step) {
  static constexpr unsigned kFewest = 16;
  static constexpr unsigned kMax = 32;
  // Above these bits, the same; within, from the last quarter into the first.
  const auto bits = static_cast<unsigned>(std::bit_width(step.from ^ step.to));
  if (bits < kFewest || bits > kMax) return 0;
  const uint64_t period = uint64_t{1} << bits;
  return step.from % period >= period / 4 * 3 && step.to % period < period / 4 ? bits : 0;
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
