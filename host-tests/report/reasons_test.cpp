// The page parts an interval into the same causes as the command does: the page's own functions, in
// a browser, against `explain`, over traces of a simulated system.
#include "report/reasons.h"

#include <gtest/gtest.h>

#include "cli/shell_line.h"
#include "explain/phrases.h"
#include "explain/simulated_system.h"
#include "report/bytes.h"
#include "stats/summing.h"
#include "webdriver.h"

namespace barefxt::test::reasons_test {
namespace {

using namespace explaining;
using Json = nlohmann::json;

// The page's functions, as `reasons`.
std::string bundle() {
  const std::string line =
      "cd '" BAREFXT_SOURCE_DIR
      "/host/report/src' && echo 'import { History } from \"./history.js\"; import { fromBase85 } "
      "from \"./bytes.js\"; import * as why from \"./why.js\"; globalThis.reasons = { History, "
      "fromBase85, ...why };' | esbuild --bundle --format=iife --target=es2022 --log-level=warning";
  LineResult ran = run_line(line);
  EXPECT_EQ(ran.status, 0);
  return ran.output;
}

host::Explained explained(const std::string& archive, const host::ExplainOptions& options) {
  host::Source source = host::Source::of(as_bytes(archive), "in memory");
  host::Result<host::Explained> result = host::explain(source, host::Form{}, options);
  EXPECT_TRUE(result.ok());
  return std::move(result.value());
}

// Everything that the page can be asked for, each with its parts as [ticks, times, longest, text].
struct Asked {
  Json questions = Json::array();
  Json answers = Json::array();

  void add(const host::Explained& explained, uint64_t first, uint64_t last) {
    const host::Phrases words(explained);
    for (const host::Explanation& one : explained.cases) {
      if (one.kind == host::CaseKind::kFlow || one.begin < first || one.end > last) continue;
      questions.push_back({std::to_string(one.thread), one.begin, one.end});
      Json parts = Json::array();
      for (const host::Part& part : one.parts)
        parts.push_back({part.ticks, part.times, part.longest, words.cause(part.cause)});
      answers.push_back(parts);
    }
  }
};

Asked everything(const std::string& archive, uint64_t first, uint64_t last) {
  Asked asked;
  asked.add(explained(archive, {.worst = 200, .of_each_kind = true}), first, last);
  for (const double tick : {40.0, 90.0, 200.0, 400.0, 800.0})
    asked.add(explained(archive, {.worst = 200,
                                  .selection = {.threads = {"*"}},
                                  .at = host::TimeBound{true, tick}}),
              first, last);
  return asked;
}

TEST(PageReasons, PartIntervalsAsTheCommandDoes) {
  constexpr size_t kCases = 10'000;
  Browser browser;
  browser.go_to("about:blank");
  browser.run(bundle());
  size_t cases = 0;
  std::map<std::string, size_t> kinds;
  for (uint32_t seed = 0; cases < kCases && !HasFailure(); ++seed) {
    const System system = simulate({.seed = seed,
                                    .cpus = 1 + seed % kMaxCpus,
                                    .steps = 300,
                                    .complete_interrupts = seed / 3 % 2 == 1,
                                    .priorities_change = seed / 6 % 2 == 1,
                                    .records_wakers = seed / 12 % 2 == 1});
    std::vector<Record> records =
        seed % 4 == 0 ? system.records : with_losses(system, seed + 1, 1U << (seed % 4));
    // Some kernels record the holder at a wait, and nothing else of it.
    if (seed % 7 == 3)
      std::erase_if(records, [](const Record& one) {
        return one.kind == Record::kHold || one.kind == Record::kRelease;
      });
    const std::string archive = archive_of(system.options, records);
    // A page of all of it, or of a stretch.
    host::StatisticsOptions how;
    if (seed % 5 == 4) {
      how.selection.from = host::TimeBound{true, 150};
      how.selection.to = host::TimeBound{true, 700};
    }
    host::Source source = host::Source::of(as_bytes(archive), "in memory");
    const auto drawing = report::draw(source, host::Form{}, how);
    ASSERT_TRUE(drawing.ok());
    const report::Reasons reasons =
        report::find_reasons(source, host::Form{}, how.selection, drawing.value());
    const Asked asked =
        everything(archive, drawing.value().statistics.first, drawing.value().statistics.last);
    const Json answers = browser.run(
        "const history = new reasons.History(reasons.fromBase85('" +
        report::base85(reasons.history) + "'), 0);" + "return " + asked.questions.dump() +
        ".map(([koid, begin, end]) => reasons.partition(history, history.threadOf(koid), begin, "
        "end).map((part) => [part.ticks, part.times, part.longest, reasons.causeText(history, "
        "part.cause)]));");
    ASSERT_EQ(answers.size(), asked.answers.size());
    for (size_t i = 0; i < answers.size(); ++i) {
      ASSERT_EQ(answers[i], asked.answers[i]) << "seed " << seed << ": " << asked.questions[i];
      ++cases;
      for (const Json& part : answers[i]) {
        const std::string text = part[3].get<std::string>();
        ++kinds[text.substr(0, text.find('`'))];
      }
    }
  }
  // Every cause is among them, and every reason why one is unknown but the depth.
  EXPECT_GE(kinds.size(), 20u);
}

}  // namespace
}  // namespace barefxt::test::reasons_test
