// Each rule fires on what it is about, and a clean archive is clean.
#include <fstream>
#include <gtest/gtest.h>
#include <set>
#include <sstream>

#include <barefxt/host/lint.h>

#include "build_kind.h"
#include "contains.h"
#include "lint_archives.h"
#include "print/printing.h"
#include "rebuild/rebuild_harness.h"

namespace barefxt::test::lint_test {
namespace {

std::set<std::string> rules_of(const std::string& archive) {
  host::FormOverrides today;
  today.dialect = host::Dialect::kToday;
  const host::Form form = host::guess_form(as_bytes(archive), today).form;
  std::set<std::string> rules;
  host::Linter linter(form, [&](const host::Finding& finding) {
    EXPECT_LT(finding.offset, archive.size());
    EXPECT_FALSE(finding.text.empty());
    rules.emplace(finding.rule->name);
  });
  host::Reader reader(as_bytes(archive), form);
  while (const host::Record* record = reader.next()) linter.see(*record, reader.provider());
  linter.finish();
  return rules;
}

std::set<std::string> rules_of(const Pieces& pieces, bool big = false) {
  return rules_of(big ? big_endian(pieces) : little_endian(pieces));
}

TEST(Lint, FindsNothingInWhatBecameOfACapture) {
  const Bytes archive = rebuild(binary_form(two_cpu_capture(1, 4).frames())).archive;
  EXPECT_EQ(rules_of(std::string(archive.begin(), archive.end())), std::set<std::string>{});
}

TEST(Lint, FindsNothingInACleanArchive) {
  EXPECT_EQ(rules_of(clean({
                change(1, 2),
                W(1),  // 11 to 12
                event(2, 2),
                W(2),  // begin
                event(8, 3),
                W(3, 7),  // flow begin in it
                event(5, 3),
                W(3, 8),  // async begin
                event(4, 3, 0, 2),
                W(4, 5),  // complete inside
                event(6, 3),
                W(5, 8),  // async instant
                event(3, 2),
                W(6),  // end
                event(2, 2),
                W(6),
                event(10, 3),
                W(6, 7),
                event(3, 2),
                W(6),  // flow end
                event(7, 3),
                W(6, 8),  // async end
                change(2, 1, 0),
                W(7),  // 12 to 11
                event(1, 4, 1),
                W(7),
                W(U{1} << 0 | U{1} << 4 | U{1} << 16, 0),
                // from one tick, the outer one first, both written where they end
                event(4, 3),
                W(7, 9),
                event(4, 3, 0, 2),
                W(7, 9),
            })),
            std::set<std::string>{});
}

// `limit` has a test of its own, which takes four million events.
std::set<std::string_view> rules_to_show() {
  std::set<std::string_view> rules;
  for (const host::Rule& rule : host::lint_rules()) {
    if (rule.name != "limit") rules.insert(rule.name);
  }
  return rules;
}

std::set<std::string_view> rules_in(const std::vector<LintCase>& cases) {
  std::set<std::string_view> rules;
  for (const LintCase& one : cases) rules.insert(one.rule);
  return rules;
}

TEST(LintRules, EachIsShownFiringAndNearlyFiring) {
  EXPECT_EQ(rules_in(firing_cases()), rules_to_show());
  EXPECT_EQ(rules_in(near_misses()), rules_to_show());
}

TEST(Lint, EachRuleFiresOnWhatItIsAbout) {
  for (const LintCase& one : firing_cases()) {
    EXPECT_TRUE(rules_of(one.pieces, one.big_endian).contains(std::string(one.rule))) << one.rule;
  }
}

TEST(Lint, NoRuleFiresOnWhatIsOnlyCloseToIt) {
  for (const LintCase& one : near_misses()) {
    EXPECT_FALSE(rules_of(one.pieces).contains(std::string(one.rule))) << one.rule;
  }
}

TEST(Lint, ACaseBreaksNothingBesidesWhatItMust) {
  for (const LintCase& one : firing_cases()) {
    std::set<std::string> rules = rules_of(one.pieces, one.big_endian);
    rules.erase(std::string(one.rule));
    std::set<std::string> also(one.also.begin(), one.also.end());
    EXPECT_EQ(rules, also) << one.rule;
  }
}

TEST(Lint, SaysWhereItStoppedRememberingEvents) {
  if (kSanitized && !is_full_run()) GTEST_SKIP() << "takes a minute under sanitizers";
  const Pieces start = prologue();
  std::string archive = little_endian(start);
  const std::string begin = little_endian({event(2, 2), W(1)});
  const size_t many = (size_t{1} << 22) + 1;
  archive.reserve(archive.size() + many * begin.size());
  for (size_t i = 0; i < many; ++i) archive += begin;
  size_t limits = 0;
  const host::Form form;
  host::Linter linter(form, [&](const host::Finding& finding) {
    if (finding.rule->name != "limit") return;
    ++limits;
    EXPECT_EQ(finding.offset, archive.size() - begin.size());
  });
  host::Reader reader(as_bytes(archive), form);
  while (const host::Record* record = reader.next()) linter.see(*record, reader.provider());
  linter.finish();
  EXPECT_EQ(limits, 1U);
}

TEST(Lint, ALossExplainsASwitchThatDoesNotChain) {
  const Piece buffer_full = W(U{0} << 0 | U{1} << 4 | U{3} << 16 | U{1} << 20);
  EXPECT_FALSE(rules_of(clean({change(1, 2), W(1), buffer_full, change(1, 2), W(2)}))
                   .contains("switch-chain"));
}

TEST(Lint, ALossIsShownByADurationThatSaysSo) {
  // string 3 is drop_stats, the name of a complete duration
  const Piece buffer_full = W(U{0} << 0 | U{1} << 4 | U{3} << 16 | U{1} << 20);
  EXPECT_EQ(rules_of(clean({W(U{2} << 0 | U{3} << 4 | U{3} << 16 | U{10} << 32),
                            S("drop_stats\0\0\0\0\0\0"), buffer_full, event(4, 3, 0, 3), W(1, 2)})),
            std::set<std::string>{});
}

// A flight recorder's archive: what was open at its beginning and at its end is cut off.
TEST(Lint, ALossExplainsWhatHasNoBeginOrNoEnd) {
  const Piece buffer_full = W(U{0} << 0 | U{1} << 4 | U{3} << 16 | U{1} << 20);
  Pieces loss = {
      W(U{2} << 0 | U{3} << 4 | U{3} << 16 | U{10} << 32), S("drop_stats\0\0\0\0\0\0"),
      W(U{2} << 0 | U{2} << 4 | U{4} << 16 | U{7} << 32), S("barefxt\0"), buffer_full,
      // a complete duration from 3 to 5
      W(U{4} << 0 | U{3} << 4 | U{4} << 16 | U{1} << 24 | U{4} << 32 | U{3} << 48, 3, 5)};
  const auto with = [&](const Pieces& more) {
    Pieces all = loss;
    all.insert(all.end(), more.begin(), more.end());
    return rules_of(clean(all));
  };
  EXPECT_EQ(with({event(3, 2), W(6),                        // a duration's end
                  event(9, 3), W(6, 7),                     // a flow's step, without a slice
                  event(6, 3), W(6, 8),                     // an async instant, and the end
                  event(7, 3), W(7, 8), event(2, 2), W(7),  // a begin, within it that of a flow
                  event(8, 3), W(8, 9), event(5, 3), W(9, 10)}),  // an async begin
            std::set<std::string>{});
  // Before any loss there is no excuse for a begin that is missing.
  Pieces early = {event(3, 2), W(2)};
  early.insert(early.end(), loss.begin(), loss.end());
  EXPECT_EQ(rules_of(clean(early)), (std::set<std::string>{"duration-unmatched-end"}));
}

TEST(Lint, FindsNothingInAFlightRecordersCapture) {
  std::ifstream file(BAREFXT_SOURCE_DIR "/host-tests/goldens/captures/cortex-m3-circular.v1.raw",
                     std::ios::binary);
  const Bytes capture(std::istreambuf_iterator<char>(file), {});
  ASSERT_FALSE(capture.empty());
  const Bytes archive = rebuild(capture).archive;
  EXPECT_EQ(rules_of(std::string(archive.begin(), archive.end())), std::set<std::string>{});
}

TEST(Lint, ACompleteDurationCountsByItsEndInTheOrderOfAThread) {
  EXPECT_EQ(rules_of(clean({event(0, 2), W(3), event(4, 3), W(1, 5), event(0, 2), W(5)})),
            std::set<std::string>{});
}

TEST(LintRules, TheDocumentationListsEachRuleAsTheTableDoes) {
  std::ifstream file(BAREFXT_SOURCE_DIR "/docs/reference/lint-rules.md");
  std::stringstream text;
  text << file.rdbuf();
  std::string wanted = "| rule | severity | what |\n|---|---|---|\n";
  for (const host::Rule& rule : host::lint_rules()) {
    const bool warning = rule.severity == host::Severity::kWarning;
    wanted += "| `" + std::string(rule.name) + "` | " + (warning ? "warning" : "note") + " | " +
              std::string(rule.text) + " |\n";
  }
  EXPECT_TRUE(contains(text.str(), wanted));
}

}  // namespace
}  // namespace barefxt::test::lint_test
