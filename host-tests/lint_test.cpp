// Each rule fires on what it is about, and a clean archive is clean.
#include <fstream>
#include <gtest/gtest.h>
#include <set>
#include <sstream>

#include <barefxt/host/lint.h>

#include "goldens.h"
#include "printing.h"

namespace barefxt::test {
namespace {

using U = std::uint64_t;
using Pieces = std::vector<Piece>;

std::set<std::string> rules_of(const Pieces& pieces) {
  const std::string archive = little_endian(pieces);
  host::FormWish today;
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

// Magic, provider 1, a rate, string 1 "c", string 2 "d", threads 1 and 2 of process 10, and what
// they are called; an instant ends it.
Pieces prologue() {
  return {
      W(kMagic),
      W(U{0} << 0 | U{2} << 4 | U{1} << 16 | U{1} << 20 | U{1} << 52),
      S("p\0\0\0\0\0\0\0"),
      W(U{1} << 0 | U{2} << 4),
      W(1000),
      W(U{2} << 0 | U{2} << 4 | U{1} << 16 | U{1} << 32),
      S("c\0\0\0\0\0\0\0"),
      W(U{2} << 0 | U{2} << 4 | U{2} << 16 | U{1} << 32),
      S("d\0\0\0\0\0\0\0"),
      W(U{3} << 0 | U{3} << 4 | U{1} << 16),
      W(10),
      W(11),
      W(U{3} << 0 | U{3} << 4 | U{2} << 16),
      W(10),
      W(12),
      W(U{7} << 0 | U{2} << 4 | U{1} << 16 | U{1} << 24),
      W(10),
      W(U{7} << 0 | U{5} << 4 | U{2} << 16 | U{1} << 24 | U{1} << 40),
      W(11),
      W(U{8} << 0 | U{3} << 4 | U{0x8007} << 16),
      S("process\0"),
      W(10),
      W(U{7} << 0 | U{5} << 4 | U{2} << 16 | U{1} << 24 | U{1} << 40),
      W(12),
      W(U{8} << 0 | U{3} << 4 | U{0x8007} << 16),
      S("process\0"),
      W(10),
      W(U{4} << 0 | U{2} << 4 | U{1} << 24 | U{1} << 32 | U{1} << 48),
      W(0),
  };
}

Pieces clean(const Pieces& more) {
  Pieces pieces = prologue();
  pieces.insert(pieces.end(), more.begin(), more.end());
  return pieces;
}

// An event of thread 1, category and name 1; its type at bit 16.
Piece event(unsigned type, unsigned words, unsigned arguments = 0, unsigned name = 1,
            unsigned thread = 1) {
  return W(U{4} << 0 | U{words} << 4 | U{type} << 16 | U{arguments} << 20 | U{thread} << 24 |
           U{1} << 32 | U{name} << 48);
}

// A legacy switch on CPU 0 from and to registered threads.
Piece change(unsigned from, unsigned to, unsigned state = 3) {
  return W(U{8} << 0 | U{2} << 4 | U{state} << 24 | U{from} << 28 | U{to} << 36);
}

struct Case {
  std::string_view rule;
  Pieces pieces;
  std::vector<std::string> also = {};  // what cannot be avoided along with it
};

std::vector<Case> cases() {
  const Piece no_argument = W(U{0} << 0 | U{1} << 4 | U{1} << 16);
  std::vector<Case> all = {
      {"async-end-mismatch", clean({event(5, 3), W(1), W(7), event(7, 3, 0, 2), W(2), W(7)})},
      {"async-instant-outside", clean({event(6, 3), W(1), W(7)})},
      {"async-unmatched-begin", clean({event(5, 3), W(1), W(7)})},
      {"async-unmatched-end", clean({event(7, 3), W(1), W(7)})},
      // begun at 3, inside 1 to 5, and ended at 6; the complete comes where it ends
      {"begin-outlives-complete",
       clean({event(2, 2), W(3), event(4, 3, 0, 2), W(1), W(5), event(3, 2), W(6)})},
      {"complete-overlaps", clean({event(4, 3), W(1), W(5), event(4, 3), W(3), W(8)})},
      {"counter-not-numeric", clean({event(1, 4, 1), W(1), no_argument, W(0)})},
      {"cpu-number", clean({W(U{8} << 0 | U{3} << 4 | U{4096} << 20 | U{2} << 60), W(1), W(11)})},
      {"duration-end-name", clean({event(2, 2), W(1), event(3, 2, 0, 2), W(2)})},
      {"duration-unmatched-begin", clean({event(2, 2), W(1)})},
      {"duration-unmatched-end", clean({event(3, 2), W(1)})},
      {"empty-string", clean({W(U{2} << 0 | U{1} << 4 | U{3} << 16)})},
      {"end-before-begin", clean({event(4, 3), W(5), W(4)})},
      {"extra-words", clean({event(2, 2), W(1), event(3, 3), W(1), W(0)})},
      {"flow-begun-twice",
       clean({event(2, 2), W(1), event(8, 3), W(2), W(7),
              W(U{4} << 0 | U{4} << 4 | U{2} << 16 | U{1} << 32 | U{1} << 48), W(1), W(20), W(21),
              W(U{4} << 0 | U{5} << 4 | U{8} << 16 | U{1} << 32 | U{1} << 48), W(3), W(20), W(21),
              W(7)}),
       {"duration-unmatched-begin", "flow-unmatched-begin"}},
      {"flow-outside-slice", clean({event(8, 3), W(1), W(7)}), {"flow-unmatched-begin"}},
      {"flow-unmatched-begin",
       clean({event(2, 2), W(1), event(8, 3), W(1), W(7), event(3, 2), W(2)})},
      {"flow-without-begin",
       clean({event(2, 2), W(1), event(10, 3), W(1), W(7), event(3, 2), W(2)})},
      {"index-zero", clean({W(U{3} << 0 | U{3} << 4), W(10), W(11)})},
      {"inner-complete-first", clean({event(4, 3), W(1), W(5), event(4, 3), W(1), W(8)})},
      {"instant-scope", clean({event(0, 3), W(1), W(2)})},
      {"invalid-utf8",
       clean({W(U{2} << 0 | U{2} << 4 | U{3} << 16 | U{1} << 32), S("\xff\0\0\0\0\0\0\0")})},
      {"kernel-object-process", clean({W(U{7} << 0 | U{2} << 4 | U{2} << 16 | U{1} << 24), W(13)})},
      {"koid-width", clean({W(U{3} << 0 | U{3} << 4 | U{3} << 16), W(10), W(U{1} << 32)})},
      {"magic-not-first", {W(U{1} << 0 | U{2} << 4), W(9)}},
      {"malformed", clean({W(U{3} << 0 | U{2} << 4), W(1)})},
      {"missing-initialization",
       {W(kMagic), W(U{3} << 0 | U{3} << 4 | U{1} << 16), W(10), W(11),
        W(U{4} << 0 | U{2} << 4 | U{1} << 24), W(1)}},
      {"padding", clean({W(U{2} << 0 | U{2} << 4 | U{3} << 16 | U{1} << 32), S("e\0\0\0\0\0\0x")})},
      {"prologue-order",
       {W(kMagic), W(U{3} << 0 | U{3} << 4 | U{1} << 16), W(10), W(11), W(U{1} << 0 | U{2} << 4),
        W(9)}},
      {"repeated-argument", clean({event(0, 4, 2), W(1), no_argument, no_argument})},
      {"reserved-bits", clean({W(U{1} << 0 | U{2} << 4 | U{1} << 63), W(9)})},
      {"running-outgoing-state", clean({change(1, 2, 1), W(1)})},
      {"switch-chain", clean({change(1, 2), W(1), change(1, 2), W(2)})},
      {"thread-id-zero",
       clean({W(U{7} << 0 | U{5} << 4 | U{2} << 16 | U{1} << 24 | U{1} << 40), W(0),
              W(U{8} << 0 | U{3} << 4 | U{0x8007} << 16), S("process\0"), W(10)})},
      {"thread-without-object", clean({W(U{8} << 0 | U{4} << 4 | U{1} << 28), W(1), W(10), W(99)})},
      {"time-backwards-cpu", clean({change(1, 2), W(5), change(2, 1), W(4)})},
      {"time-backwards-thread", clean({event(0, 2), W(5), event(0, 2), W(4)})},
      {"uint64-range", clean({event(0, 4, 1), W(1), W(U{4} << 0 | U{2} << 4), W(~U{0})})},
      {"undeclared-provider", clean({W(U{0} << 0 | U{1} << 4 | U{2} << 16 | U{9} << 20)})},
      {"unknown-argument", clean({event(0, 3, 1), W(1), W(U{11} << 0 | U{1} << 4)})},
      {"unknown-event", clean({event(11, 2), W(1)})},
      {"unknown-record", clean({W(U{12} << 0 | U{1} << 4)})},
      {"unknown-thread-state", clean({change(1, 2, 6), W(1)})},
      {"unregistered-string", clean({event(0, 2, 0, 9), W(1)})},
      {"unregistered-thread", clean({event(0, 2, 0, 1, 9), W(1)})},
      {"waker-type", clean({W(U{8} << 0 | U{5} << 4 | U{1} << 16 | U{2} << 60), W(1), W(11),
                            W(U{1} << 0 | U{2} << 4 | U{0x8005} << 16), S("waker\0\0\0")})},
      {"weight-type", clean({W(U{8} << 0 | U{5} << 4 | U{1} << 16 | U{2} << 60), W(1), W(11),
                             W(U{2} << 0 | U{2} << 4 | U{0x8006} << 16), S("weight\0\0")})},
      {"wide-integer", clean({event(0, 4, 1), W(1), W(U{3} << 0 | U{2} << 4), W(~U{0})})},
      {"zero-size", clean({W(0)})},
      {"zero-ticks", clean({W(U{1} << 0 | U{2} << 4), W(0)})},
  };
  Pieces deep;
  for (U i = 0; i <= 512; ++i) deep.insert(deep.end(), {event(2, 2), W(i)});
  all.push_back({"depth", clean(deep), {"duration-unmatched-begin"}});
  const Piece zeros = {false, 0, std::string(U{32760}, '\0')};
  all.push_back(
      {"large-record", clean({W(U{15} << 0 | U{4098} << 4 | U{1} << 40), W(0), W(32760), zeros})});
  const Piece long_name = {false, 0, std::string(U{32008}, 'a')};
  all.push_back({"string-length",
                 clean({W(U{2} << 0 | U{4002} << 4 | U{3} << 16 | U{32008} << 32), long_name})});
  return all;
}

TEST(Lint, FindsNothingInACleanArchive) {
  EXPECT_EQ(rules_of(clean({
                change(1, 2),
                W(1),  // 11 to 12
                event(2, 2),
                W(2),  // begin
                event(8, 3),
                W(3),
                W(7),  // flow begin in it
                event(5, 3),
                W(3),
                W(8),  // async begin
                event(4, 3, 0, 2),
                W(4),
                W(5),  // complete inside
                event(6, 3),
                W(5),
                W(8),  // async instant
                event(3, 2),
                W(6),  // end
                event(2, 2),
                W(6),
                event(10, 3),
                W(6),
                W(7),
                event(3, 2),
                W(6),  // flow end
                event(7, 3),
                W(6),
                W(8),  // async end
                change(2, 1, 0),
                W(7),  // 12 to 11
                event(1, 4, 1),
                W(7),
                W(U{1} << 0 | U{1} << 4 | U{1} << 16),
                W(0),
                // from one tick, the outer one first, both written where they end
                event(4, 3),
                W(7),
                W(9),
                event(4, 3, 0, 2),
                W(7),
                W(9),
            })),
            std::set<std::string>{});
}

TEST(Lint, EachRuleFiresOnWhatItIsAbout) {
  for (const Case& one : cases()) {
    const std::set<std::string> rules = rules_of(one.pieces);
    EXPECT_TRUE(rules.contains(std::string(one.rule))) << one.rule;
  }
}

TEST(Lint, EachRuleHasACase) {
  std::set<std::string_view> covered = {"limit"};  // has its own, which takes four million events
  for (const Case& one : cases()) covered.insert(one.rule);
  for (const host::Rule& rule : host::lint_rules())
    EXPECT_TRUE(covered.contains(rule.name)) << rule.name;
}

TEST(Lint, ACaseBreaksNothingBesidesWhatItMust) {
  for (const Case& one : cases()) {
    std::set<std::string> rules = rules_of(one.pieces);
    rules.erase(std::string(one.rule));
    std::set<std::string> also(one.also.begin(), one.also.end());
    EXPECT_EQ(rules, also) << one.rule;
  }
}

TEST(Lint, SaysWhereItStoppedRememberingEvents) {
  const Pieces start = prologue();
  std::string archive = little_endian(start);
  const std::string begin = little_endian({event(2, 2), W(1)});
  const std::size_t many = (std::size_t{1} << 22) + 1;
  archive.reserve(archive.size() + many * begin.size());
  for (std::size_t i = 0; i < many; ++i) archive += begin;
  std::size_t limits = 0;
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
  EXPECT_EQ(rules_of(clean({change(1, 2), W(1), buffer_full, change(1, 2), W(2)})),
            std::set<std::string>{});
}

TEST(Lint, ACompleteDurationCountsByItsEndInTheOrderOfAThread) {
  EXPECT_EQ(rules_of(clean({event(0, 2), W(3), event(4, 3), W(1), W(5), event(0, 2), W(5)})),
            std::set<std::string>{});
}

TEST(LintRules, TheDocumentationListsEachRuleAsTheTableDoes) {
  std::ifstream file(BAREFXT_SOURCE_DIR "/docs/lint-rules.md");
  std::stringstream text;
  text << file.rdbuf();
  std::string wanted = "| rule | severity | what |\n|---|---|---|\n";
  for (const host::Rule& rule : host::lint_rules()) {
    const bool warning = rule.severity == host::Severity::kWarning;
    wanted += "| `" + std::string(rule.name) + "` | " + (warning ? "warning" : "note") + " | " +
              std::string(rule.text) + " |\n";
  }
  EXPECT_NE(text.str().find(wanted), std::string::npos) << wanted;
}

}  // namespace
}  // namespace barefxt::test
