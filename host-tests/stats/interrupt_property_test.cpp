// Statistics of interrupts equal a count tick by tick: their number, lengths and nesting, and the
// thread that each kept off.
#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <rapidcheck/gtest.h>

#include "interrupted_cpus.h"
#include "stretch.h"
#include "summing.h"

namespace barefxt::test::interrupt_property_test {
namespace {

using Choices = std::vector<uint32_t>;
using namespace interrupted;

using Interrupts = std::vector<InterruptedCpus::Interrupt>;

// Among equally long ones, the first to end is the longest.
void check_lengths_in_order(const host::Distribution& reported, const Interrupts& counted) {
  check_lengths(reported, counted);
  if (counted.empty()) return;
  const auto& first = *std::find_if(counted.begin(), counted.end(), [&](const auto& one) {
    return one.end - one.begin == reported.longest();
  });
  RC_ASSERT(reported.longest_extent().begin == first.begin);
  RC_ASSERT(reported.longest_extent().end == first.end);
}

// The thread that the longest of them kept off, the first if there are several.
uint64_t longest_kept_off(const Interrupts& all) {
  const auto longest = std::max_element(all.begin(), all.end(), [](const auto& a, const auto& b) {
    return a.end - a.begin < b.end - b.begin;
  });
  return longest == all.end() ? 0 : longest->interrupts;
}

void check(const host::InterruptStatistics& reported, const Interrupts& counted) {
  check_lengths_in_order(reported.length, counted);
  uint64_t own = 0;
  uint64_t nested = 0;
  size_t deepest = 0;
  Interrupts keeping_off;
  for (const auto& one : counted) {
    own += one.own;
    nested += one.depth > 1 ? 1 : 0;
    deepest = std::max(deepest, one.depth);
    if (one.interrupts != 0) keeping_off.push_back(one);
  }
  RC_ASSERT(reported.own == own);
  RC_ASSERT(reported.nested == nested);
  RC_ASSERT(reported.deepest == deepest);
  check_lengths_in_order(reported.kept_off, keeping_off);
  if (!keeping_off.empty()) RC_ASSERT(reported.kept_off_longest == longest_kept_off(keeping_off));
}

RC_GTEST_PROP(InterruptStatistics, AreWhatTheCpusCounted, (const Choices& choices)) {
  InterruptedCpus cpus(choices);
  const Stretch stretch = any_stretch(kFirst, cpus.end());
  const host::Statistics reported = statistics_in(cpus.archive(), stretch.options());

  std::map<std::pair<unsigned, unsigned>, Interrupts> counted;
  for (const auto& any_one : cpus.interrupts) {
    if (stretch.has(any_one.end)) counted[{any_one.cpu, any_one.source}].push_back(any_one);
  }
  RC_ASSERT(reported.interrupts.size() == counted.size());
  for (const auto& [key, interrupts] : counted)
    check(reported.interrupts.at({key.first, source(key.second)}), interrupts);
}

RC_GTEST_PROP(InterruptStatistics, OfACpuAreItsOwn, (const Choices& choices)) {
  InterruptedCpus cpus(choices);
  const auto cpu = *rc::gen::inRange<unsigned>(0, kCpus);
  host::StatisticsOptions options;
  options.selection.cpus = {cpu};
  const host::Statistics reported = statistics_in(cpus.archive(), options);
  std::map<unsigned, Interrupts> counted;
  for (const auto& one : cpus.interrupts) {
    if (one.cpu == cpu) counted[one.source].push_back(one);
  }
  RC_ASSERT(reported.cpus.size() == 1U);
  RC_ASSERT(reported.cpus.contains(cpu));
  RC_ASSERT(reported.interrupts.size() == counted.size());
  RC_ASSERT(reported.durations.size() == counted.size());
  for (const auto& [which, interrupts] : counted) {
    check(reported.interrupts.at({cpu, source(which)}), interrupts);
    check_lengths(reported.durations.at({"irq", source(which)}).total, interrupts);
  }
}

}  // namespace
}  // namespace barefxt::test::interrupt_property_test
