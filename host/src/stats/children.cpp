// Ended durations, until their parent takes them.
#include "children.h"

#include <algorithm>

namespace barefxt::host {
namespace {

void add(Children::Within& sum, const Children::Within& one) {
  sum.ticks += one.ticks;
  sum.calls += one.calls;
  sum.ticks_known = sum.ticks_known && one.ticks_known;
  sum.calls_known = sum.calls_known && one.calls_known;
}

}  // namespace

void Children::pop(Stack& stack) {
  const auto below = pool_.below(stack.top);
  pool_.give_back(stack.top);
  stack.top = below;
  --stack.size;
}

Children::Within Children::take(Stack& stack, uint64_t begin, bool call) {
  Within sum;
  while (stack.size > 0 && pool_[stack.top].begin >= begin) {
    host::add(sum, pool_[stack.top].holds);
    pop(stack);
  }
  if (stack.size > 0 && pool_[stack.top].joined && pool_[stack.top].end > begin) {
    // Some of the joined ones are within this duration, so taking both would count them twice. A
    // duration that is no call passes on the calls within it unchanged.
    Within& cut = pool_[stack.top].holds;
    sum.ticks_known = cut.ticks_known = false;
    if (call) sum.calls_known = cut.calls_known = false;
  }
  return sum;
}

void Children::add(Stack& stack, const Ended& ended, uint32_t first) {
  first = std::min(first, stack.size);
  const uint32_t count = stack.size - first;
  if (pool_.used() >= kMaxInAll) {
    join(stack, first, count);
  } else if (count >= kMax) {
    join(stack, first, kMax / 2);
  }
  stack.top = pool_.take(ended, stack.top);
  ++stack.size;
}

uint32_t Children::begin(Stack& stack, uint32_t first) {
  first = std::min(first, stack.size);
  if (stack.size >= kMaxOfThread || pool_.used() >= kMaxInAll)
    join(stack, first, stack.size - first);
  return stack.size;
}

void Children::join(Stack& stack, uint32_t first, uint32_t count) {
  if (count < 2) return;
  auto at = stack.top;
  for (uint32_t above = stack.size - first - count; above > 0; --above) at = pool_.below(at);
  Ended& all = pool_[at];
  all.joined = true;
  for (; count > 1; --count, --stack.size) {
    const auto next = pool_.below(at);
    const Ended& one = pool_[next];
    all.begin = std::min(all.begin, one.begin);
    all.end = std::max(all.end, one.end);
    host::add(all.holds, one.holds);
    pool_.below(at) = pool_.below(next);
    pool_.give_back(next);
  }
}

}  // namespace barefxt::host
