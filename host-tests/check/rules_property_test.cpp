// Rules on random traces: the streaming evaluators equal the definition, and a trace that is cut,
// or that lost some records, keeps no obligation that the whole trace violates or leaves open.
#include <gtest/gtest.h>
#include <set>

#include "build_kind.h"
#include "random_rules.h"
#include "slow_rules.h"

namespace barefxt::test::rules_property_test {
namespace {

using namespace checking;

constexpr unsigned kRecords = 60;
constexpr unsigned kRulesOfTrace = 20;

std::string shown(const RuleTrace& trace) {
  static constexpr const char* kKinds[] = {"switch",   "wakeup",     "instant",  "begin", "end",
                                           "complete", "flow begin", "flow end", "hold",  "release",
                                           "counter",  "stack",      "loss"};
  std::string text;
  for (const Rec& one : trace.records())
    text +=
        host::formatted("{} {} thread {} other {} cpu {} number {} value {}\n", one.time,
                        kKinds[one.kind], one.thread, one.other, one.cpu, one.number, one.value);
  return text;
}

template <typename Verdict>
std::string shown(const Verdict& one) {
  return host::formatted("{}: {} kept, {} violated, {} unknown, {} left out",
                         host::name_of(one.outcome), one.kept, one.violated, one.unknown,
                         one.left_out);
}

size_t pairs() { return is_full_run() ? 1'000'000 : sampled(8000); }

TEST(RulesProperty, EqualTheDefinition) {
  uint64_t outcomes[3] = {};
  for (size_t seed = 0; seed < pairs() / kRulesOfTrace; ++seed) {
    RandomRules random(seed);
    const RuleTrace trace = random.trace(kRecords, seed % 3 == 0 ? 0 : 3);
    std::string text;
    for (unsigned i = 0; i < kRulesOfTrace; ++i) text += random.rule() + "\n";
    const auto rules = rules_of(text);
    host::CheckOptions options;
    options.explained = 0;
    const host::Checked fast = checked(trace, rules, options);
    const SlowRules slow(trace);
    for (size_t i = 0; i < rules.size(); ++i) {
      const SlowVerdict expected = slow.verdict(rules[i]);
      ++outcomes[static_cast<size_t>(expected.outcome)];
      ASSERT_EQ(shown(fast.verdicts[i]), shown(expected))
          << "seed " << seed << ", rule: " << rules[i].text << "\n"
          << shown(trace);
    }
  }
  for (const uint64_t count : outcomes) EXPECT_GT(count, pairs() / 20);
}

struct Judged {
  std::vector<host::TraceRule> rules;
  std::vector<host::RuleVerdict> verdicts;
};

Judged judged(const RuleTrace& trace, const std::string& text) {
  Judged all{rules_of(text), {}};
  host::CheckOptions options;
  options.explained = 0;
  all.verdicts = checked(trace, all.rules, options).verdicts;
  return all;
}

std::string some_rules(RandomRules& random) {
  std::string text;
  for (unsigned i = 0; i < kRulesOfTrace; ++i) text += random.rule() + "\n";
  return text;
}

// The whole trace is one that the losses may stand for.
TEST(RulesProperty, ALossHidesViolationsAndInventsNone) {
  uint64_t became[3][3] = {};
  for (size_t seed = 0; seed < pairs() / kRulesOfTrace; ++seed) {
    RandomRules random(seed);
    const RuleTrace whole = random.trace(kRecords, 0, false);
    const std::string text = some_rules(random);
    const unsigned cpu = random.below(kCpus);
    const uint64_t begin = 12 + random.below(60);
    const uint64_t end = begin + 1 + random.below(20);
    RuleTrace lossy;
    bool is_told = false;
    for (const Rec& one : whole.records()) {
      if (!is_told && one.time > end) {
        lossy.add({.kind = Rec::kLoss, .time = end, .other = begin, .cpu = cpu});
        is_told = true;
      }
      const bool is_within = one.cpu == cpu && begin < one.time && one.time < end;
      if (!is_within || random.below(2) == 0) lossy.add(one);
    }
    if (!is_told) continue;
    const Judged before = judged(whole, text);
    const Judged after = judged(lossy, text);
    for (size_t i = 0; i < before.rules.size(); ++i) {
      const host::RuleOutcome was = before.verdicts[i].outcome;
      const host::RuleOutcome is = after.verdicts[i].outcome;
      ++became[static_cast<size_t>(was)][static_cast<size_t>(is)];
      const bool is_hidden = was != host::RuleOutcome::kHolds && is == host::RuleOutcome::kHolds;
      const bool is_invented =
          was != host::RuleOutcome::kViolated && is == host::RuleOutcome::kViolated;
      ASSERT_FALSE(is_hidden || is_invented)
          << "seed " << seed << ", rule: " << before.rules[i].text << "\nwas "
          << shown(before.verdicts[i]) << "\nis " << shown(after.verdicts[i]) << "\n"
          << shown(whole) << "\nlossy:\n"
          << shown(lossy);
    }
  }
  EXPECT_GT(became[0][2], pairs() / 20);
  EXPECT_GT(became[1][1], pairs() / 20);
  EXPECT_GT(became[1][2], pairs() / 100);
}

// A verdict on an obligation before the cut is the same without the cut, once each CPU has shown
// its thread by a switch.
TEST(RulesProperty, ACutTraceJudgesNoOtherwise) {
  for (size_t seed = 0; seed < pairs() / kRulesOfTrace; ++seed) {
    RandomRules random(seed);
    const RuleTrace whole = random.trace(kRecords, 0, false);
    const std::string text = some_rules(random);
    RuleTrace cut;
    const size_t kept = 2 + random.below(kRecords - 2);
    for (size_t i = 0; i < kept; ++i) cut.add(whole.records()[i]);
    std::set<unsigned> cpus;
    for (const Rec& one : cut.records())
      if (one.kind == Rec::kSwitch) cpus.insert(one.cpu);
    if (cpus.size() < kCpus) continue;
    const Judged of_whole = judged(whole, text);
    const Judged of_cut = judged(cut, text);
    for (size_t i = 0; i < of_whole.rules.size(); ++i) {
      // A share of flows is judged as a whole, and an open duration by its length so far.
      const host::TraceRule& rule = of_whole.rules[i];
      if (rule.form == host::RuleForm::kFlow || rule.form == host::RuleForm::kLasts ||
          rule.done_within)
        continue;
      ASSERT_LE(of_cut.verdicts[i].kept, of_whole.verdicts[i].kept)
          << "seed " << seed << ", rule: " << rule.text << "\n"
          << shown(whole) << "cut:\n"
          << shown(cut);
      ASSERT_LE(of_cut.verdicts[i].violated, of_whole.verdicts[i].violated)
          << "seed " << seed << ", rule: " << rule.text << "\n"
          << shown(whole) << "cut:\n"
          << shown(cut);
    }
  }
}

}  // namespace
}  // namespace barefxt::test::rules_property_test
