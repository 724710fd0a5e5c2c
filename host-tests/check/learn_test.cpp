// Rules that good traces suggest: planted lengths, periods and values are found, other good traces
// keep them, and each planted fault breaks the rule that is about it.
#include <gtest/gtest.h>
#include <random>

#include <barefxt/host/learn.h>

#include "../../host/src/check/decimal.h"
#include "archive/memory_archive.h"
#include "contains.h"
#include "print/printing.h"
#include "rule_trace.h"

namespace barefxt::test::learn_test {
namespace {

using namespace checking;
using Verdict = host::RuleOutcome;

constexpr uint64_t kMicrosecond = 1000;
constexpr uint64_t kMillisecond = 1000 * kMicrosecond;
constexpr uint64_t kT0 = kFirstThread;
constexpr uint64_t kIdle = kIdleThread;

enum Name : unsigned { kSlice, kInstant, kOther, kIrq, kFlow, kCounter };  // unscoped: numbers

// A thread that an interrupt wakes every 10 ms. The greatest of each kind of number is planted.
struct System {
  uint32_t seed = 1;
  uint64_t periods = 40;
  uint64_t slice = 2 * kMillisecond;
  uint64_t irq = 10 * kMicrosecond;
  uint64_t latency = 40 * kMicrosecond;
  uint64_t hold = 200 * kMicrosecond;
  uint64_t flow = 4 * kMillisecond;
  int64_t most = 800;
  int64_t least = 400;
  uint64_t late = 0;  // one wakeup
  bool swaps_order = false;
  bool has_flow = true;

  RuleTrace trace() const {
    std::mt19937 random(seed);
    const auto up_to = [&](uint64_t limit) { return limit / 2 + random() % (limit / 2); };
    std::vector<Rec> all;
    for (uint64_t i = 1; i <= periods; ++i) {
      const bool is_worst = i == 7;
      const bool is_of_grid = i >= 20 && i <= 22;
      constexpr uint64_t kApart = 200 * kMicrosecond;
      const uint64_t off = is_of_grid ? (i == 21 ? kApart : 0) : random() % kApart;
      const uint64_t wake = 10 * kMillisecond * i + off + (is_worst ? late : 0);
      const uint64_t run = wake + (is_worst ? latency : up_to(40 * kMicrosecond));
      const uint64_t end = run + (is_worst ? slice : up_to(2 * kMillisecond));
      const uint64_t taken = run + 2;
      const int64_t value = is_worst ? most
                            : i == 9 ? least
                                     : 500 + static_cast<int64_t>(random() % 200);
      const uint64_t interrupted = wake + 1 - (is_worst ? irq : up_to(10 * kMicrosecond));
      const bool swaps = swaps_order && is_worst;
      all.push_back(
          {.kind = Rec::kBegin, .time = interrupted, .thread = kFirstCpu, .number = kIrq});
      all.push_back({.kind = Rec::kWakeup, .time = wake, .thread = kT0});
      all.push_back({.kind = Rec::kEnd, .time = wake + 1, .thread = kFirstCpu, .number = kIrq});
      all.push_back({.kind = Rec::kSwitch, .time = run, .thread = kIdle, .other = kT0});
      if (swaps) all.push_back({.kind = Rec::kInstant, .time = run, .number = kInstant});
      all.push_back({.kind = Rec::kBegin, .time = run, .number = kSlice});
      if (!swaps) all.push_back({.kind = Rec::kInstant, .time = run + 1, .number = kInstant});
      all.push_back({.kind = Rec::kHold, .time = taken});
      all.push_back(
          {.kind = Rec::kRelease, .time = taken + (is_worst ? hold : up_to(200 * kMicrosecond))});
      all.push_back({.kind = Rec::kCounter, .time = taken, .number = kCounter, .value = value});
      if (has_flow) {
        all.push_back({.kind = Rec::kFlowBegin, .time = run, .other = i, .number = kFlow});
        all.push_back({.kind = Rec::kFlowEnd,
                       .time = run + (is_worst ? flow : up_to(4 * kMillisecond)),
                       .other = i,
                       .number = kFlow});
      }
      all.push_back({.kind = Rec::kEnd, .time = end, .number = kSlice});
      all.push_back({.kind = Rec::kSwitch, .time = end, .thread = kT0, .other = kIdle});
    }
    std::ranges::stable_sort(all, {}, &Rec::time);
    RuleTrace trace;
    for (const Rec& one : all) trace.add(one);
    return trace;
  }
};

RuleTrace with_loss(RuleTrace trace) {
  const uint64_t end = trace.records().back().time;
  return trace.add({.kind = Rec::kLoss, .time = end + 2, .other = end + 1});
}

std::string learned_from(const std::vector<RuleTrace>& traces,
                         const host::LearnOptions& options = {}) {
  host::Learner learner(options);
  std::vector<std::string> archives;
  for (const RuleTrace& trace : traces) archives.push_back(trace.archive());
  for (const std::string& archive : archives) {
    host::Source source = host::Source::of(as_bytes(archive), "in memory");
    EXPECT_TRUE(learner.see(source, host::Form{}).ok());
  }
  for (const std::string& archive : archives) {
    host::Source source = host::Source::of(as_bytes(archive), "in memory");
    EXPECT_TRUE(learner.hold(source, host::Form{}).ok());
  }
  return learner.text();
}

std::vector<std::string> rules_in(const std::string& text) {
  std::vector<std::string> rules;
  for (const host::TraceRule& rule : rules_of(text)) rules.push_back(rule.text);
  return rules;
}

bool has(const std::string& text, const std::string& line) {
  return ("\n" + text).find("\n" + line + "\n") != std::string::npos;
}

// Rules that begin so.
size_t count(const std::string& text, const std::string& begin) {
  size_t found = 0;
  for (const std::string& rule : rules_in(text)) found += rule.starts_with(begin) ? 1 : 0;
  return found;
}

// The rules that the trace violates; the others hold.
std::vector<std::string> violated(const RuleTrace& trace, const std::string& text) {
  const auto rules = rules_of(text);
  std::vector<std::string> found;
  for (const host::RuleVerdict& verdict : checked(trace, rules).verdicts) {
    if (verdict.outcome == Verdict::kViolated)
      found.push_back(verdict.rule->text);
    else
      EXPECT_EQ(verdict.outcome, Verdict::kHolds) << verdict.rule->text << ": " << verdict.reason;
  }
  return found;
}

TEST(Learn, FindsThePlantedNumbers) {
  const std::string text = learned_from({System().trace()});
  for (const char* lines :
       {"# 40 cases in 1 of 1 trace, longest 2ms\nslice \"n0\" lasts <= 2.5ms",
        "# 40 cases in 1 of 1 trace, longest 10us\nirq \"n3\" lasts <= 13us",
        "# 40 cases in 1 of 1 trace, longest 40us\n"
        "after thread \"t0\" wakes within 50us thread \"t0\" runs",
        "# 40 cases in 1 of 1 trace, longest 200us\n"
        "after lock \"l0\" taken within 250us lock \"l0\" released",
        "# 40 cases in 1 of 1 trace, longest 4ms\nflow \"n4\" end to end <= 5ms",
        "# 40 cases in 1 of 1 trace, most 800\ncounter \"n5\" \"value\" <= 1000 always",
        "# 40 cases in 1 of 1 trace, least 400\ncounter \"n5\" \"value\" >= 300 always",
        "# 39 cases in 1 of 1 trace, from 9.8ms to 10.2ms apart\n"
        "every 10ms +-250us thread \"t0\" wakes",
        "# 80 cases in 1 of 1 trace\norder slice \"n0\" \"n1\" per thread"})
    EXPECT_TRUE(has(text, lines)) << lines << "\nin:\n" << text;
  // The wakeup, and what follows from it; interrupts are not durations once more.
  EXPECT_EQ(count(text, "every 10ms +-2"), 4u) << text;
  EXPECT_EQ(rules_in(text).size(), 12u) << text;
}

TEST(Learn, GoodTracesKeepTheRules) {
  std::vector<RuleTrace> good;
  for (uint32_t seed = 1; seed <= 3; ++seed) good.push_back(System{.seed = seed}.trace());
  const std::string text = learned_from(good);
  EXPECT_GE(rules_in(text).size(), 12u) << text;
  for (uint32_t seed = 1; seed <= 20; ++seed)
    EXPECT_EQ(violated(System{.seed = seed}.trace(), text), std::vector<std::string>()) << seed;
}

TEST(Learn, EachFaultViolatesItsRule) {
  const std::string text = learned_from({System{.seed = 1}.trace(), System{.seed = 2}.trace()});
  const std::pair<System, std::string> faults[] = {
      {{.slice = 3 * kMillisecond}, "slice \"n0\" lasts"},
      {{.irq = 14 * kMicrosecond}, "irq \"n3\" lasts"},
      {{.latency = 51 * kMicrosecond}, "after thread \"t0\" wakes"},
      {{.hold = 251 * kMicrosecond}, "after lock \"l0\" taken"},
      {{.flow = 6 * kMillisecond}, "flow \"n4\""},
      {{.most = 1001}, "counter \"n5\" \"value\" <= 1000"},
      {{.least = 299}, "counter \"n5\" \"value\" >= 300"},
      {{.late = 500 * kMicrosecond}, "every 10ms +-250us thread \"t0\" wakes"},
      {{.swaps_order = true}, "order slice \"n0\" \"n1\""}};
  for (const auto& fault : faults) {
    const auto& [system, rule] = fault;
    const auto broken = violated(system.trace(), text);
    EXPECT_TRUE(std::ranges::any_of(
        broken, [&fault](const std::string& one) { return one.starts_with(fault.second); }))
        << rule << " in:\n"
        << text;
    // A late wakeup delays all that follows.
    if (system.late == 0) {
      EXPECT_EQ(broken.size(), 1u) << rule;
    }
  }
}

TEST(Learn, ATraceWithLossesConfirmsNothing) {
  const RuleTrace lossy = with_loss(System{.seed = 2}.trace());
  EXPECT_EQ(learned_from({lossy}), "");
  const RuleTrace good = System{.seed = 1}.trace();
  const std::string both = learned_from({good, lossy});
  EXPECT_TRUE(contains(both, "# 40 cases in 1 of 2 traces"));
  EXPECT_LE(rules_in(both).size(), rules_in(learned_from({good})).size());
  EXPECT_EQ(violated(good, both), std::vector<std::string>());

  // It refutes.
  const std::string refuted =
      learned_from({good, with_loss(System{.late = 9 * kMillisecond}.trace())});
  EXPECT_EQ(count(refuted, "every"), 0u) << refuted;
  EXPECT_EQ(count(refuted, "slice"), 1u) << refuted;
}

// A period may vary by a quarter, and by no more.
TEST(Learn, EventsThatVaryByMoreThanAQuarterHaveNoPeriod) {
  const auto alternately = [](uint64_t less, uint64_t more) {
    RuleTrace trace;
    uint64_t time = 0;
    for (int i = 0; i < 40; ++i) {
      time += (i % 2 == 0 ? less : more) * kMillisecond;
      trace.add({.kind = Rec::kInstant, .time = time, .thread = kT0, .number = kInstant});
    }
    return learned_from({trace}, {.margin = 0});
  };
  EXPECT_EQ(count(alternately(75, 125), "every 100ms +-25ms "), 1u);
  EXPECT_TRUE(lacks(alternately(74, 126), "every "));
}

// A gap across lost records is none of the period, nor a hold or a turn.
TEST(Learn, NothingIsMeasuredAcrossALoss) {
  const RuleTrace whole = System().trace();
  RuleTrace cut;
  constexpr uint64_t kFrom = 105 * kMillisecond;
  constexpr uint64_t kTo = 155 * kMillisecond;
  bool is_lost = false;
  for (const Rec& one : whole.records()) {
    if (one.time < kFrom || one.time > kTo) {
      if (is_lost && one.time > kTo) {
        cut.add({.kind = Rec::kLoss, .time = kTo, .other = kFrom});
        is_lost = false;
      }
      cut.add(one);
    } else {
      is_lost = true;
    }
  }
  const std::string text = learned_from({System{.seed = 2}.trace(), cut});
  EXPECT_TRUE(has(text, "every 10ms +-250us thread \"t0\" wakes")) << text;
}

TEST(Learn, TheOrderOfTracesChangesNothing) {
  std::vector<RuleTrace> traces = {System{.seed = 1}.trace(),
                                   System{.seed = 2, .most = 900}.trace(),
                                   with_loss(System{.seed = 3, .latency = 45000}.trace())};
  const std::string text = learned_from(traces);
  EXPECT_EQ(learned_from(traces), text);
  std::ranges::reverse(traces);
  EXPECT_EQ(learned_from(traces), text);
}

TEST(Learn, EachTraceHasIt) {
  const System without{.seed = 2, .has_flow = false};
  EXPECT_EQ(count(learned_from({System().trace(), without.trace()}), "flow"), 0u);
  EXPECT_EQ(count(learned_from({System().trace(), System{.seed = 2}.trace()}), "flow"), 1u);
}

TEST(Learn, FewCasesSuggestNothing) {
  EXPECT_TRUE(lacks(learned_from({System{.periods = 9}.trace()}), "slice \"n0\" lasts"));
  EXPECT_EQ(count(learned_from({System{.periods = 10}.trace()}), "slice \"n0\" lasts"), 1u);
}

TEST(Learn, ARuleThatItsTraceViolatesIsNotProposed) {
  RuleTrace ends_early = System().trace();
  const uint64_t end = ends_early.records().back().time;
  ends_early.add({.kind = Rec::kInstant, .time = end + 100 * kMillisecond, .number = kOther});
  const std::string text = learned_from({ends_early});
  EXPECT_EQ(count(text, "every"), 0u) << text;
  EXPECT_EQ(count(text, "slice"), 1u) << text;
  // Nor where another trace keeps it.
  EXPECT_EQ(count(learned_from({System{.seed = 2}.trace(), ends_early}), "every"), 0u);
}

TEST(Learn, ASumThatGrowsHasNoBound) {
  RuleTrace trace;
  for (int64_t i = 1; i <= 20; ++i) {
    trace.add({.kind = Rec::kCounter, .time = static_cast<uint64_t>(i), .number = 0, .value = i});
    trace.add({.kind = Rec::kCounter, .time = static_cast<uint64_t>(i), .number = 1, .value = -i});
    trace.add({.kind = Rec::kCounter, .time = static_cast<uint64_t>(i), .number = 2, .value = 0});
  }
  const std::string text = learned_from({trace});
  EXPECT_EQ(count(text, "counter \"n0\" \"value\" <="), 0u) << text;
  EXPECT_TRUE(has(text, "counter \"n1\" \"value\" <= 0 always")) << text;
  EXPECT_TRUE(has(text, "counter \"n2\" \"value\" <= 0 always")) << text;
}

TEST(Learn, AMarkOfAStackSuggestsNoBound) {
  RuleTrace trace;
  for (uint64_t i = 1; i <= 20; ++i)
    trace
        .add({.kind = Rec::kStack, .time = i, .other = kT0, .value = 400 - static_cast<int64_t>(i)})
        .add({.kind = Rec::kCounter, .time = i, .number = 2, .value = 0});
  const std::string text = learned_from({trace});
  EXPECT_EQ(count(text, "counter \"stack\""), 0u) << text;
  EXPECT_EQ(count(text, "counter \"n2\""), 1u) << text;
}

TEST(Learn, MarginAndCountAreOptions) {
  const std::string text = learned_from({System().trace()}, {.margin = 0});
  EXPECT_TRUE(has(text, "slice \"n0\" lasts <= 2ms")) << text;
  EXPECT_EQ(violated(System().trace(), text), std::vector<std::string>());
  const auto few = rules_in(learned_from({System().trace()}, {.most = 2}));
  // Those with the most cases.
  EXPECT_EQ(few, (std::vector<std::string>{"order slice \"n0\" \"n1\" per thread",
                                           rules_in(learned_from({System().trace()}))[1]}));
}

TEST(Learn, NamesStandAsRulesHaveThem) {
  MemoryArchive writer(1'000'000'000);
  for (uint64_t i = 1; i <= 30; ++i)
    for (const char* name : {"a\"b\\c # d", "e\nnever \"f", "g\x1b[2J", ""})
      add_event(writer, fxt::EventType::kDurationComplete, 1000 * i, {0, 1, kFirstThread}, "c",
                name, 1000 * i + 10);
  const std::string archive = writer.text();
  host::Learner learner({});
  host::Source source = host::Source::of(as_bytes(archive), "in memory");
  ASSERT_TRUE(learner.see(source, host::Form{}).ok());
  ASSERT_TRUE(learner.hold(source, host::Form{}).ok());
  EXPECT_EQ(rules_in(learner.text()),
            (std::vector<std::string>{"slice \"a\\\"b\\\\c # d\" lasts <= 13ns",
                                      "every 1us +-10ns slice \"a\\\"b\\\\c # d\""}))
      << learner.text();
}

TEST(Decimal, RoundsToAFewDigits) {
  using host::Rounding;
  const auto text = [](long double value, int digits, Rounding rounding, int least = -6) {
    return host::rounded(value, digits, rounding, least).text();
  };
  EXPECT_EQ(text(1234, 2, Rounding::kUp), "1300");
  EXPECT_EQ(text(1300, 2, Rounding::kUp), "1300");
  EXPECT_EQ(text(1234, 2, Rounding::kDown), "1200");
  EXPECT_EQ(text(999, 2, Rounding::kUp), "1000");
  EXPECT_EQ(text(0.1234L, 2, Rounding::kUp), "0.13");
  EXPECT_EQ(text(3.2L, 2, Rounding::kUp, 0), "4");
  EXPECT_EQ(text(0, 2, Rounding::kUp), "0");
  EXPECT_EQ(host::time_text(host::rounded(62'500, 3, Rounding::kUp)), "62.5us");
  EXPECT_EQ(host::time_text(host::rounded(999'999, 2, Rounding::kUp)), "1ms");
  EXPECT_EQ(host::time_text(host::rounded(0.8L, 2, Rounding::kUp)), "0.8ns");
  EXPECT_EQ(host::time_text(host::rounded(2e9L, 2, Rounding::kUp)), "2s");
}

}  // namespace
}  // namespace barefxt::test::learn_test
