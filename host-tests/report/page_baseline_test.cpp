// A page of two runs: both timelines begin together, and the differences are those of `stats
// --baseline`.
#include <map>
#include <set>

#include "page_test.h"
#include "stats/job_trace.h"
#include "system_page.h"

namespace barefxt::test::page_baseline_test {
namespace {

using Json = Browser::Json;

class PageBaseline : public PageTest {
 protected:
  void open_both(const std::string& now, const std::string& old) {
    write("now.fxt", now);
    write("old.fxt", old);
    open(path("now.fxt"), "--baseline old.fxt");
    EXPECT_EQ(run("BAREFXT stats --json old.fxt >old.json"), 0);
    old_ = Json::parse(read("old.json"));
  }
  Json rows(const std::string& selector) {
    return browser_.run("return [...document.querySelectorAll('" + selector +
                        " tbody tr')].map((row) => Object.fromEntries([...row.cells].map((cell) "
                        "=> [cell.dataset.key, cell.dataset.value])))");
  }
  // By what identifies it; of those that are there several times, none.
  static std::map<std::string, Json> by(const Json& rows, const std::vector<std::string>& keys) {
    std::map<std::string, Json> found;
    std::set<std::string> twice;
    for (const Json& row : rows) {
      std::string one;
      for (const std::string& key : keys)
        one +=
            (row.at(key).is_string() ? row.at(key).get<std::string>() : row.at(key).dump()) + "/";
      if (!found.emplace(one, row).second) twice.insert(one);
    }
    for (const std::string& one : twice) found.erase(one);
    return found;
  }

  Json old_;
};

TEST_F(PageBaseline, HasTheVerdictsOfTheCommand) {
  open_both(system_archive(7, 600), system_archive(8, 500));
  (void)run("BAREFXT stats --json now.fxt --baseline old.fxt >both.json");
  const Json baseline = Json::parse(read("both.json")).at("baseline");
  const Json& findings = baseline.at("findings");
  ASSERT_GT(findings.size(), 10u);
  const std::vector<std::string> keys = {"metric", "subject", "statistic"};
  const auto shown = by(rows("#compared"), keys);
  const auto expected = by(findings, keys);
  ASSERT_EQ(shown.size(), expected.size());
  for (const auto& [key, finding] : expected) {
    const Json& row = shown.at(key);
    EXPECT_EQ(row.at("kind"), finding.at("kind")) << key;
    EXPECT_EQ(row.at("old_count"), finding.at("old_count").dump()) << key;
    EXPECT_EQ(row.at("new_count"), finding.at("new_count").dump()) << key;
    if (!finding.contains("new_seconds")) continue;
    EXPECT_EQ(std::stod(row.at("now").get<std::string>()), finding.at("new_seconds")) << key;
    EXPECT_EQ(std::stod(row.at("before").get<std::string>()), finding.at("old_seconds")) << key;
  }
  // As sentences, too.
  (void)run("BAREFXT stats now.fxt --baseline old.fxt >/dev/null");
  std::istringstream said(messages());
  std::string line;
  size_t sentences = 0;
  const std::string text = browser_.text_of("#compared");
  const std::string before = "barefxt: ";
  while (std::getline(said, line)) {
    if (line.find("against ") != std::string::npos) continue;
    ++sentences;
    EXPECT_TRUE(contains(text, line.substr(before.size()))) << line;
  }
  EXPECT_GT(sentences, 3u);
}

TEST_F(PageBaseline, PutsRowsOfBothRunsSideBySide) {
  open_both(system_archive(7, 600), system_archive(8, 500));
  struct Set {
    std::string table;
    std::vector<std::string> keys;
    std::string number;
  };
  size_t pairs = 0;
  for (const Set& one : std::vector<Set>{{"threads", {"name"}, "running_ticks"},
                                         {"cpus", {"cpu"}, "busy_ticks"},
                                         {"durations", {"category", "name"}, "total_ticks"},
                                         {"interrupts", {"name", "cpu"}, "total_ticks"}}) {
    choose_table(one.table);
    const auto now = by(stats_.at(one.table), one.keys);
    const auto old = by(old_.at(one.table), one.keys);
    double heaviest = 1e9;
    for (const Json& row : rows("#statistics")) {
      std::string key;
      for (const std::string& part : one.keys) key += row.at(part).get<std::string>() + "/";
      const bool is_now = now.contains(key);
      const bool was = old.contains(key);
      EXPECT_EQ(row.at("set"), is_now ? was ? "in both" : "new" : "vanished") << key;
      const auto share = [&](bool there, const auto& rows, const Json& stats) {
        return there ? rows.at(key).at(one.number).template get<double>() /
                           stats.at("span_ticks").template get<double>()
                     : 0;
      };
      EXPECT_EQ(row.at("is"), is_now ? now.at(key).at(one.number).dump() : "") << key;
      EXPECT_EQ(row.at("was"), was ? old.at(key).at(one.number).dump() : "") << key;
      const double weight = std::stod(row.at("weight").get<std::string>());
      EXPECT_NEAR(weight, share(is_now, now, stats_) - share(was, old, old_), 1e-9) << key;
      EXPECT_LE(std::abs(weight), heaviest) << key;
      heaviest = std::abs(weight);
      ++pairs;
    }
  }
  EXPECT_GT(pairs, 12u);
}

// A run of 50 ticks that begins 300 ticks behind the begin, and one that this run does not have.
TEST_F(PageBaseline, BeginsBothTimelinesAtTheSamePlace) {
  JobTrace now;
  now.run(1000, 1100, 1);
  now.run(1500, 1600, 1);
  JobTrace old;
  old.run(7000, 7100, 1);
  old.run(7300, 7350, 1);
  old.run(7400, 7500, 2);
  open_both(now.archive(), old.archive());
  browser_.run("document.getElementById('lanes').parentElement.open = true");
  browser_.wait_for("document.querySelector('#lanes li') !== null");
  const auto lanes = browser_
                         .run(
                             "return [...document.querySelectorAll('#lanes li')].map((line) => "
                             "line.dataset.lane)")
                         .get<std::vector<std::string>>();
  EXPECT_EQ(lanes,
            (std::vector<std::string>{"CPU 0", "CPU 0 · baseline", "sensor", "sensor · baseline",
                                      "idle/0", "idle/0 · baseline", "motor, left · baseline"}))
      << ::testing::PrintToString(lanes);
  EXPECT_EQ(range(), (std::array<double, 2>{1000, 1600}));
  const auto hovered = [&](double tick, int y) {
    return browser_
        .run(
            "const stage = document.getElementById('stage'); const {left, top, width} = "
            "stage.getBoundingClientRect(); stage.dispatchEvent(new PointerEvent('pointermove', "
            "{clientX: left + 170 + (width - 170) * " +
            std::to_string((tick - 1000) / 600) + ", clientY: top + " + std::to_string(y) +
            "})); return document.getElementById('hover').textContent")
        .get<std::string>();
  };
  constexpr int kSensor = 26 + 4 + 2 * (22 + 8);
  EXPECT_EQ(hovered(1550, kSensor + 6), "sensor runs · 100.000 us · 0.001500000 s");
  EXPECT_EQ(hovered(1325, kSensor + 24 + 6), "sensor · baseline runs · 50.000 us · 0.001300000 s");
  EXPECT_EQ(browser_.text_of("#sets"), "threads: 1 vanished");
  // This run's own sums stay.
  browser_.click("#sum");
  browser_.wait_for("document.querySelector('#sums[data-state=done]') !== null");
  EXPECT_EQ(browser_.run("return document.querySelectorAll('[data-sums=cpus] tbody tr').length"),
            1);
  EXPECT_EQ(browser_.run("return document.querySelector('[data-sums=cpus] "
                         "[data-key=busy_ticks]').dataset.value"),
            "200");
  // Without the other run's lanes.
  browser_.click("#both");
  EXPECT_EQ(browser_.run("return document.querySelectorAll('#lanes li').length"), 3);
}

// Those that have ended in either run are one row, below the others.
TEST_F(PageBaseline, FoldsWhatHasEndedInEitherRun) {
  const auto run_of = [](uint64_t first) {
    JobTrace trace;
    for (uint64_t thread = first; thread < first + 6; ++thread) {
      trace.wake(100 * thread, thread);
      trace.change(100 * thread + 20, JobTrace::kIdle, JobTrace::State::kNew, thread);
      trace.change(100 * thread + 90, thread, JobTrace::State::kDead, JobTrace::kIdle);
    }
    trace.run(100 * first + 1000, 100 * first + 1100, 1);
    return trace.archive();
  };
  open_both(run_of(1000), run_of(2000));
  browser_.run("document.getElementById('lanes').parentElement.open = true");
  browser_.wait_for("document.querySelector('#lanes li') !== null");
  const auto lanes = [&] {
    return browser_.run(
        "return [...document.querySelectorAll('#lanes li')].map((line) => line.dataset.lane)");
  };
  const Json alive = {"CPU 0", "CPU 0 · baseline", "sensor", "sensor · baseline"};
  EXPECT_EQ(lanes(), alive);
  // Six threads and the idle one of each.
  EXPECT_EQ(browser_.text_of("#fold"), "Show 14 idle or ended");
  browser_.click("#fold");
  const Json all = lanes();
  EXPECT_EQ(all.size(), 18u);
  for (size_t i = 0; i < alive.size(); ++i) EXPECT_EQ(all.at(i), alive.at(i));
  browser_.click("#both");
  EXPECT_EQ(browser_.text_of("#fold"), "Fold 7 idle or ended");
  EXPECT_EQ(browser_.text_of("#sets"), "threads: 6 new, 6 vanished");
  unfold_all();
  expect_readable();
}

TEST_F(PageBaseline, SaysWhatIsWrongWithIt) {
  JobTrace trace;
  trace.run(1000, 1100, 1);
  const std::string whole = trace.archive();
  write("now.fxt", whole);
  write("cut.fxt", whole.substr(0, whole.size() - 4));
  EXPECT_EQ(run("BAREFXT report now.fxt --baseline nothing -o page.html"), 2);
  EXPECT_TRUE(contains(messages(), "nothing"));
  EXPECT_EQ(run("BAREFXT report now.fxt --baseline now.fxt --png -o page.png"), 2);
  EXPECT_EQ(run("BAREFXT report now.fxt --baseline now.fxt --baseline-time soon -o page.html"), 2);
  EXPECT_FALSE(std::filesystem::exists(path("page.html")));
  EXPECT_EQ(run("BAREFXT report now.fxt --baseline cut.fxt -o page.html"), 3);
  EXPECT_EQ(run("BAREFXT report now.fxt --baseline cut.fxt -o cut.fxt"), 2);
}

}  // namespace
}  // namespace barefxt::test::page_baseline_test
