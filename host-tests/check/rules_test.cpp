// Each form of a rule on a trace by hand, and what the grammar refuses.
#include <fstream>
#include <gtest/gtest.h>

#include "contains.h"
#include "rule_trace.h"

namespace barefxt::test::rules_test {
namespace {

using namespace checking;
using Verdict = host::RuleOutcome;

constexpr uint64_t kT0 = kFirstThread;
constexpr uint64_t kT1 = kFirstThread + 1;

Rec instant(uint64_t time, unsigned name, uint64_t thread = kT0) {
  return {.kind = Rec::kInstant, .time = time, .thread = thread, .number = name};
}
Rec change(uint64_t time, uint64_t from, uint64_t to, unsigned cpu = 0) {
  return {.kind = Rec::kSwitch, .time = time, .thread = from, .other = to, .cpu = cpu};
}
Rec begin(uint64_t time, unsigned name, uint64_t thread = kT0) {
  return {.kind = Rec::kBegin, .time = time, .thread = thread, .number = name};
}
Rec end(uint64_t time, unsigned name, uint64_t thread = kT0) {
  return {.kind = Rec::kEnd, .time = time, .thread = thread, .number = name};
}
Rec complete(uint64_t from, uint64_t time, unsigned name, uint64_t thread = kT0) {
  return {.kind = Rec::kComplete, .time = time, .thread = thread, .other = from, .number = name};
}
Rec loss(uint64_t from, uint64_t time, unsigned cpu = 0) {
  return {.kind = Rec::kLoss, .time = time, .other = from, .cpu = cpu};
}
Rec hold(uint64_t time, unsigned lock, uint64_t thread) {
  return {.kind = Rec::kHold, .time = time, .thread = thread, .number = lock};
}
Rec release(uint64_t time, unsigned lock, uint64_t thread) {
  return {.kind = Rec::kRelease, .time = time, .thread = thread, .number = lock};
}

RuleTrace trace(const std::vector<Rec>& records) {
  RuleTrace all;
  for (const Rec& one : records) all.add(one);
  return all;
}

struct Counts {
  Verdict outcome;
  uint64_t kept;
  uint64_t violated;
  uint64_t unknown;
  uint64_t left_out;
  bool operator==(const Counts&) const = default;
};
std::ostream& operator<<(std::ostream& out, const Counts& counts) {
  return out << name_of(counts.outcome) << ' ' << counts.kept << ' ' << counts.violated << ' '
             << counts.unknown << ' ' << counts.left_out;
}

Counts counts(const std::vector<Rec>& records, const std::string& rule) {
  const host::RuleVerdict one = verdict_on(trace(records), rule);
  return {one.outcome, one.kept, one.violated, one.unknown, one.left_out};
}

constexpr uint64_t kIdle = kIdleThread;

TEST(Rules, AResponseComesInTime) {
  const std::string rule = "after \"n0\" within 10ns thread \"t1\" runs";
  const std::vector<Rec> records = {
      instant(100, 0),         change(110, kIdle, kT1), change(120, kT1, kIdle), instant(200, 0),
      change(211, kIdle, kT1), instant(215, 0),         change(300, kT1, kIdle), instant(400, 0)};
  // In time, a tick late, it runs already, and the trace ends before.
  EXPECT_EQ(counts(records, rule), (Counts{Verdict::kViolated, 2, 1, 0, 1}));
  const host::RuleVerdict verdict = verdict_on(trace(records), rule);
  EXPECT_EQ(verdict.first->begin, 200u);
  EXPECT_EQ(verdict.first->end, 210u);
}

TEST(Rules, AThreadThatLeavesAtTheTickDoesNotRun) {
  EXPECT_EQ(
      counts({change(1, kIdle, kT1), instant(100, 0), change(100, kT1, kIdle), instant(200, 1)},
             "after \"n0\" within 10ns thread \"t1\" runs"),
      (Counts{Verdict::kViolated, 0, 1, 0, 0}));
}

TEST(Rules, TheFirstSwitchShowsWhoRanFromTheBegin) {
  EXPECT_EQ(counts({instant(100, 0), instant(200, 1), change(300, kT1, kIdle)},
                   "after \"n0\" within 10ns thread \"t1\" runs"),
            (Counts{Verdict::kHolds, 1, 0, 0, 0}));
}

TEST(Rules, AChainCountsEachStep) {
  const std::string rule = "after \"n0\" within 10ns \"n1\" then within 5ns \"n2\"";
  EXPECT_EQ(counts({instant(1, 0), instant(10, 1), instant(15, 2), instant(99, 0)}, rule),
            (Counts{Verdict::kHolds, 1, 0, 0, 1}));
  EXPECT_EQ(counts({instant(1, 0), instant(10, 1), instant(16, 2), instant(99, 0)}, rule),
            (Counts{Verdict::kViolated, 0, 1, 0, 1}));
}

TEST(Rules, ALossLeavesItOpen) {
  const std::string rule = "after \"n0\" within 10ns \"n1\"";
  EXPECT_EQ(counts({instant(1, 0), loss(5, 8), instant(99, 1)}, rule),
            (Counts{Verdict::kUnknown, 0, 0, 1, 0}));
  // One that is violated without the loss is violated.
  EXPECT_EQ(counts({instant(1, 0), loss(50, 60), instant(99, 1)}, rule),
            (Counts{Verdict::kViolated, 0, 1, 0, 0}));
  // A trigger may have been lost.
  EXPECT_EQ(counts({instant(1, 0), instant(2, 1), loss(50, 60), instant(99, 1)}, rule),
            (Counts{Verdict::kUnknown, 1, 0, 0, 0}));
  EXPECT_EQ(counts({instant(1, 0), instant(2, 1), loss(50, 60), instant(99, 1)}, rule + " to 40ns"),
            (Counts{Verdict::kHolds, 1, 0, 0, 0}));
}

TEST(Rules, AnEndThatALossLiesInMayBeNone) {
  const std::vector<Rec> records = {begin(1, 1), loss(5, 8), end(20, 1), instant(99, 0)};
  const auto after = [&](const std::string& rule) { return counts(records, rule); };
  EXPECT_EQ(after("never slice \"n1\" ends"), (Counts{Verdict::kUnknown, 0, 0, 0, 0}));
  EXPECT_EQ(after("never \"n0\" from slice \"n1\" ends"), (Counts{Verdict::kUnknown, 0, 0, 1, 0}));
  EXPECT_EQ(after("after slice \"n1\" ends within 5ns \"n1\""),
            (Counts{Verdict::kUnknown, 0, 0, 0, 0}));
  // As a loss does, it answers nothing and hides an answer.
  EXPECT_EQ(counts({begin(1, 1), loss(5, 8), instant(18, 2), end(20, 1), instant(99, 0)},
                   "after \"n2\" within 5ns slice \"n1\" ends"),
            (Counts{Verdict::kUnknown, 0, 0, 1, 0}));
}

TEST(Rules, AnEndWhoseBeginMayBeLostEndsWhatBeganSince) {
  const std::vector<Rec> records = {loss(5, 8), begin(10, 1), end(20, 2), end(90, 1),
                                    instant(99, 0)};
  EXPECT_EQ(counts(records, "slice \"n1\" lasts < 20ns"), (Counts{Verdict::kUnknown, 0, 0, 1, 0}));
  EXPECT_EQ(counts({instant(1, 0), begin(10, 1), end(20, 2), end(90, 1), instant(99, 0)},
                   "slice \"n1\" lasts < 20ns"),
            (Counts{Verdict::kViolated, 0, 1, 0, 0}));
}

TEST(Rules, AFirstSwitchBehindALossShowsNothingOfTheBegin) {
  const std::string rule = "after \"n1\" within 5ns thread \"t1\" runs";
  EXPECT_EQ(counts({instant(2, 1), loss(50, 60), change(70, kT1, kT0), instant(99, 0)}, rule),
            (Counts{Verdict::kUnknown, 0, 0, 1, 0}));
}

TEST(Rules, AResponseBehindALossMayBeTheSecond) {
  // A lost "n1" may have been answered at 6.
  const std::string rule = "after \"n0\" within 20ns \"n1\" then within 4ns \"n2\"";
  EXPECT_EQ(
      counts({instant(1, 0), loss(3, 5), instant(6, 2), instant(10, 1), instant(99, 1)}, rule),
      (Counts{Verdict::kUnknown, 0, 0, 1, 0}));
}

TEST(Rules, ALostEndLeavesACountOpen) {
  const std::string rule = "between \"n0\" and \"n1\" exactly 0 \"n2\" to 4ns";
  EXPECT_EQ(counts({instant(1, 0), instant(2, 2), loss(5, 8), instant(99, 2)}, rule),
            (Counts{Verdict::kUnknown, 0, 0, 1, 0}));
}

TEST(Rules, NeverDuringAHold) {
  // The holder before the first record is not known.
  const std::string rule = "never thread \"t0\" runs while lock \"l0\" held by \"t1\"";
  EXPECT_EQ(counts({change(1, kIdle, kT0), change(5, kT0, kT1), hold(10, 0, kT1),
                    release(20, 0, kT1), change(20, kT1, kT0), instant(30, 0)},
                   rule),
            (Counts{Verdict::kHolds, 1, 0, 0, 1}));
  EXPECT_EQ(counts({change(1, kIdle, kT1), hold(10, 0, kT1), change(20, kT1, kT0),
                    change(30, kT0, kT1), release(40, 0, kT1), instant(50, 0)},
                   rule),
            (Counts{Verdict::kViolated, 0, 1, 0, 0}));
  // No hold is recorded, so nothing shows that it held.
  EXPECT_EQ(counts({change(1, kIdle, kT0), instant(50, 0)}, rule).outcome, Verdict::kUnknown);
}

TEST(Rules, NeverAnEvent) {
  EXPECT_EQ(counts({instant(1, 0), instant(2, 1)}, "never \"n2\"").outcome, Verdict::kHolds);
  EXPECT_EQ(counts({instant(1, 0), instant(2, 1)}, "never \"n1\"").outcome, Verdict::kViolated);
  EXPECT_EQ(counts({begin(1, 1), instant(5, 0), end(9, 1), instant(10, 0), instant(11, 0)},
                   "never \"n0\" while slice \"n1\""),
            (Counts{Verdict::kViolated, 1, 1, 0, 1}));
  // A complete duration is open before its record.
  EXPECT_EQ(counts({instant(2, 2), instant(5, 0), complete(3, 9, 1), instant(11, 2)},
                   "never \"n0\" while slice \"n1\"")
                .violated,
            1u);
}

TEST(Rules, EveryPeriod) {
  const std::string rule = "every 100ns +-10ns slice \"n0\"";
  EXPECT_EQ(counts({begin(0, 0), end(1, 0), begin(110, 0), end(111, 0), begin(200, 0), end(205, 0)},
                   rule),
            (Counts{Verdict::kHolds, 2, 0, 0, 1}));
  EXPECT_EQ(
      counts({begin(0, 0), end(1, 0), begin(89, 0), end(111, 0), begin(200, 0), end(400, 0)}, rule),
      (Counts{Verdict::kViolated, 0, 3, 0, 0}));
}

TEST(Rules, EveryPeriodOfTheClock) {
  const std::string rule = "every 100ns +-10ns offset 20ns slice \"n0\" done within 30ns";
  // That of 20 has none.
  EXPECT_EQ(counts({instant(1, 1), begin(110, 0), end(150, 0), begin(230, 0), end(240, 0),
                    instant(300, 1)},
                   rule),
            (Counts{Verdict::kViolated, 4, 1, 0, 0}));
  // That of 120 begins too early; 220 has none; 320 is cut.
  EXPECT_EQ(counts({instant(31, 1), begin(109, 0), end(120, 0), instant(315, 1)}, rule),
            (Counts{Verdict::kViolated, 1, 3, 0, 1}));
}

TEST(Rules, APeriodWithoutRecordsIsCountedAtOnce) {
  EXPECT_EQ(
      counts({instant(1, 1), instant(4'000'000'000'000'000'000, 1)}, "every 1ns offset 0ns \"n0\"")
          .outcome,
      Verdict::kViolated);
}

TEST(Rules, ALength) {
  EXPECT_EQ(counts({begin(1, 0), end(20, 0), begin(30, 0), end(50, 0), complete(60, 61, 0),
                    begin(70, 0), instant(75, 1)},
                   "slice \"n0\" lasts < 20ns"),
            (Counts{Verdict::kViolated, 2, 1, 0, 1}));
  // It is too long by the end.
  EXPECT_EQ(counts({begin(70, 0), instant(95, 1)}, "slice \"n0\" lasts < 20ns"),
            (Counts{Verdict::kViolated, 0, 1, 0, 0}));
  EXPECT_EQ(counts({begin(1, 0, kFirstCpu), end(20, 0, kFirstCpu), begin(1, 0), end(100, 0)},
                   "irq \"n0\" lasts < 20ns"),
            (Counts{Verdict::kHolds, 1, 0, 0, 0}));
}

TEST(Rules, ACountBetween) {
  const std::string rule = "between \"n0\" and \"n1\" exactly 2 \"n2\"";
  EXPECT_EQ(counts({instant(1, 0), instant(2, 2), instant(3, 2), instant(4, 1), instant(5, 2),
                    instant(6, 0), instant(7, 2), instant(8, 1), instant(9, 0)},
                   rule),
            (Counts{Verdict::kViolated, 1, 1, 0, 1}));
}

TEST(Rules, ACounterStaysBelow) {
  const auto value = [](uint64_t time, int64_t bytes) {
    return Rec{.kind = Rec::kCounter, .time = time, .number = 0, .value = bytes};
  };
  EXPECT_EQ(counts({value(1, 90), value(2, 91)}, "counter \"n0\" < 91% always").violated, 1u);
  EXPECT_EQ(counts({value(1, 921), value(2, 922)}, "counter \"n0\" <= 90% of 1KiB always").violated,
            1u);
  EXPECT_EQ(counts({value(1, -1)}, "counter \"n0\" \"value\" < 0 always").outcome, Verdict::kHolds);
  EXPECT_EQ(counts({value(1, -1)}, "counter \"n0\" \"other\" < 0 always").outcome,
            Verdict::kUnknown);
}

Rec mark(uint64_t time, uint64_t thread, int64_t left) {
  return {.kind = Rec::kStack, .time = time, .other = thread, .value = left};
}

TEST(Rules, AStackKeepsBytesLeft) {
  const std::vector<Rec> marks = {
      mark(1, kT0, 300),       mark(2, kT1, 100),
      mark(3, kT0, 128),       mark(4, kFirstCpu, 64),
      mark(5, kFirstLock, 32), {.kind = Rec::kStackUsed, .time = 6, .other = kT0, .value = 1}};
  EXPECT_EQ(counts(marks, "stack \"t0\" left >= 128"), (Counts{Verdict::kHolds, 2, 0, 0, 0}));
  EXPECT_EQ(counts(marks, "stack \"t0\" left > 128"), (Counts{Verdict::kViolated, 1, 1, 0, 0}));
  EXPECT_EQ(counts(marks, "stack \"t*\" left >= 128"), (Counts{Verdict::kViolated, 2, 1, 0, 0}));
  EXPECT_EQ(counts(marks, "stack \"101\" left >= 0.125KiB").violated, 1u);
  // Of interrupts, and of one that has a name of its own.
  EXPECT_EQ(counts(marks, "stack \"cpu-0\" left > 64").violated, 1u);
  EXPECT_EQ(counts(marks, "stack \"l0\" left >= 32").outcome, Verdict::kHolds);
  EXPECT_EQ(counts(marks, "stack \"t2\" left >= 0").outcome, Verdict::kUnknown);
  EXPECT_EQ(counts(marks, "stack \"t*\" left > 128 from 4ns").violated, 0u);
  const host::RuleVerdict verdict = verdict_on(trace(marks), "stack \"t1\" left > 100");
  EXPECT_EQ(verdict.first->begin, 2u);
  EXPECT_EQ(verdict.first->thread, kT1);
  EXPECT_EQ(verdict.first->text, "stack \"t1\" has 100 bytes left");
  EXPECT_EQ(counts(marks, "counter \"stack\" \"left\" >= 128 always").violated, 3u);
}

TEST(Rules, ALossMayHideALowerMark) {
  const std::vector<Rec> marks = {mark(1, kT0, 300), loss(2, 4), mark(5, kT0, 200)};
  EXPECT_EQ(counts(marks, "stack \"t0\" left >= 128").outcome, Verdict::kUnknown);
  EXPECT_EQ(counts(marks, "stack \"t0\" left >= 256").outcome, Verdict::kViolated);
  EXPECT_EQ(counts(marks, "stack \"t0\" left >= 128 from 5ns").outcome, Verdict::kHolds);
}

TEST(Rules, AFlowFromEndToEnd) {
  std::vector<Rec> records;
  for (uint64_t i = 0; i < 100; ++i) {
    const uint64_t time = i * 100;
    records.push_back({.kind = Rec::kFlowBegin, .time = time, .other = i});
    records.push_back({.kind = Rec::kFlowEnd, .time = time + (i == 7 ? 50 : 10), .other = i});
  }
  EXPECT_EQ(counts(records, "flow \"n0\" end to end p99 < 20ns").outcome, Verdict::kHolds);
  EXPECT_EQ(counts(records, "flow \"n0\" end to end p99.5 < 20ns").outcome, Verdict::kViolated);
  EXPECT_EQ(counts(records, "flow \"n0\" end to end max < 20ns"),
            (Counts{Verdict::kViolated, 99, 1, 0, 0}));
  records.push_back(loss(20'000, 20'001));
  EXPECT_EQ(counts(records, "flow \"n0\" end to end p99.5 < 20ns").outcome, Verdict::kUnknown);
}

TEST(Rules, AnOrderOnEachThread) {
  const std::string rule = "order \"n0\" \"n1\" \"n2\"";
  const std::vector<Rec> records = {instant(1, 0, kT0), instant(2, 0, kT1), instant(3, 1, kT0),
                                    instant(4, 1, kT1), instant(5, 1, kT1), instant(6, 2, kT0),
                                    instant(7, 2, kT1)};
  EXPECT_EQ(counts(records, rule + " per thread"), (Counts{Verdict::kHolds, 7, 0, 0, 0}));
  EXPECT_EQ(counts(records, rule), (Counts{Verdict::kViolated, 5, 2, 0, 0}));
}

TEST(Rules, AWindowOpensAndCloses) {
  const std::string rule = "never \"n0\" from \"n1\" to \"n2\"";
  EXPECT_EQ(counts({instant(1, 0), instant(2, 1), instant(3, 2), instant(4, 0)}, rule).outcome,
            Verdict::kHolds);
  EXPECT_EQ(counts({instant(1, 0), instant(2, 1), instant(3, 0), instant(4, 2)}, rule).violated,
            1u);
  EXPECT_EQ(counts({instant(1, 0), loss(2, 3), instant(4, 0), instant(5, 2)}, rule),
            (Counts{Verdict::kUnknown, 0, 0, 1, 0}));
}

TEST(Rules, ALineOfABudgetIsARule) {
  const std::vector<Rec> records = {begin(1, 0), end(20, 0), begin(30, 0), end(50, 0)};
  EXPECT_EQ(counts(records, "duration name=n0 max <= 19ns").outcome, Verdict::kViolated);
  EXPECT_EQ(counts(records, "duration name=n0 max <= 20ns  # as long").outcome, Verdict::kHolds);
  EXPECT_EQ(counts(records, "duration name=n1 max <= 20ns").outcome, Verdict::kUnknown);
}

TEST(Rules, ConstantsStandForTheirValues) {
  const auto rules = rules_of(
      "let deadline = 50us  # of the line\nlet rx = \"net/rx\"\nlet tries = 3\n"
      "after irq \"uart\" within deadline thread rx runs\n"
      "between \"start\" and \"ready\" at most tries \"retry\"\n");
  ASSERT_EQ(rules.size(), 2u);
  EXPECT_EQ(rules[0].line, 4u);
  EXPECT_EQ(in_words(rules[0]),
            "each time interrupt \"uart\" begins, thread \"net/rx\" is switched to at most 50 us "
            "later (or runs already)");
  EXPECT_EQ(in_words(rules[1]),
            "from each time \"start\" happens or begins until \"ready\" happens or begins, at most "
            "3 times \"retry\" happens or begins");
  EXPECT_EQ(in_words(rules_of("stack \"rx\" left >= 1KiB").at(0)),
            "the stack of thread \"rx\" always has at least 1KiB bytes left");
}

TEST(Rules, EachExampleIsUnderstood) {
  for (const host::RuleFormHelp& form : host::rule_forms()) {
    const auto rules = rules_of(std::string(form.example));
    ASSERT_EQ(rules.size(), 1u) << form.example;
    EXPECT_FALSE(in_words(rules[0]).empty());
  }
}

// The page that users read has the grammar and the table as the command has them.
TEST(Rules, ThePageHasTheGrammar) {
  std::ifstream file(BAREFXT_SOURCE_DIR "/docs/reference/rules.md");
  const std::string page((std::istreambuf_iterator<char>(file)), {});
  const auto in_cell = [](std::string_view text) {
    std::string cell;
    for (const char c : text) cell += c == '|' ? std::string("\\|") : std::string(1, c);
    return cell;
  };
  EXPECT_TRUE(contains(page, "```\n" + std::string(host::rule_grammar()) + "```\n"));
  std::string table;
  for (const host::RuleFormHelp& form : host::rule_forms())
    table += "| `" + in_cell(form.grammar) + "` | " + in_cell(form.meaning) + " | `" +
             in_cell(form.example) + "` |\n";
  EXPECT_TRUE(contains(page, "|---|---|---|\n" + table)) << table;
}

std::string refusal(const std::string& text) {
  const auto rules = host::parse_rules(text, "rules");
  return rules.ok() ? "none" : rules.error().text();
}

TEST(Rules, AnErrorNamesThePlaceAndWhatIsExpected) {
  EXPECT_EQ(refusal("after irq uart within 5us \"x\""),
            "rules:1:11: expected an interrupt's name in quotes, but there is 'uart'");
  EXPECT_EQ(refusal("# one\nafter \"a\" within 5 \"x\""),
            "rules:2:18: expected a time such as 50us (ns, us, ms, s or ticks), or a constant, but "
            "there is '5'");
  EXPECT_EQ(refusal("nevr \"a\"").substr(0, 20), "rules:1:1: expected ");
  EXPECT_TRUE(contains(refusal("nevr \"a\""), "did you mean 'never'?"));
  EXPECT_EQ(refusal("never \"a"), "rules:1:7: a quote that does not end. Hint: add a \"");
  EXPECT_EQ(refusal("slice \"ü\" lasts < 20us always"),
            "rules:1:24: expected the end of the line, but there is 'always'");
  EXPECT_EQ(refusal("every 10ms +-5ms \"a\""),
            "rules:1:12: the jitter is half of the period or more. Hint: no time would be wrong");
  EXPECT_EQ(refusal("stack \"rx\" >= 128"), "rules:1:12: expected 'left', but there is '>='");
  EXPECT_EQ(refusal("stack \"rx\" left >= 10%"),
            "rules:1:20: a percentage of a stack. Hint: write a number of bytes, such as 128 or "
            "1KiB");
  EXPECT_EQ(refusal("let never = 5us"), "rules:1:5: 'never' begins a rule");
  EXPECT_EQ(refusal("let a = 5us\nlet a = 6us"), "rules:2:5: 'a' has a value already");
  EXPECT_EQ(refusal("# nothing\n"), "rules: no line of it is a rule");
  EXPECT_EQ(refusal("duration name=x max").substr(0, 8), "rules:1:");
}

TEST(Rules, TheirNumberIsBounded) {
  std::string text;
  for (size_t i = 0; i < host::kMaxRules; ++i) text += "never \"a\"\n";
  EXPECT_EQ(refusal(text), "none");
  EXPECT_EQ(refusal(text + "never \"a\"\n"),
            "rules:1001: more than 1000 rules. Hint: make several files of it");
  EXPECT_TRUE(contains(refusal("never \"" + std::string(host::kMaxRuleNameBytes + 1, 'a') + "\""),
                       "longer than 255 bytes"));
}

TEST(Rules, TooManyOpenObligationsAreUnknown) {
  RuleTrace many;
  for (uint64_t i = 0; i <= host::kMaxOpenObligations; ++i) many.add(instant(i, 0));
  many.add(instant(5000, 1)).add(instant(6000, 1));
  const host::RuleVerdict verdict = verdict_on(many, "after \"n0\" within 1ms \"n1\"");
  EXPECT_EQ(verdict.outcome, Verdict::kUnknown);
  EXPECT_EQ(verdict.reason, "more is open at once than is followed");
  EXPECT_EQ(verdict.unknown, 1u);
}

}  // namespace
}  // namespace barefxt::test::rules_test
