// The page's tables have the numbers of `stats --json`.
#include <algorithm>
#include <set>

#include "page_test.h"
#include "sample.h"
#include "stats/job_trace.h"

namespace barefxt::test::page_tables_test {
namespace {

class PageTables : public PageTest {
 protected:
  // The histogram of a metric's lengths: how many there are, and its bounds, each with what exceeds
  // it and its place.
  Json histogram(const std::string& metric, const std::string& of) {
    return browser_.run(
        "const select = document.getElementById('lengths-of'); select.closest('details').open = "
        "true; const lengths = document.getElementById('lengths'); const seen = [];"
        "for (const option of select.options) {"
        "  select.value = option.value; select.dispatchEvent(new Event('change'));"
        "  if (lengths.dataset.metric !== '" +
        metric + "' || lengths.dataset.of !== '" + of +
        "') continue;"
        "  const bounds = [...lengths.querySelectorAll('.bound')].map((one) => one.style.left);"
        "  return {count: Number(lengths.dataset.count), bars: [...lengths.querySelectorAll("
        "'rect')].length, bounds: [...lengths.querySelectorAll('li')].map((one, i) => ({text: "
        "one.textContent, above: Number(one.dataset.above), place: parseFloat(bounds[i])}))};"
        "} return null");
  }
};

TEST_F(PageTables, SortsItsStatistics) {
  open_sample();
  EXPECT_EQ(statistic("threads", "name", "logger", "wakeup_latency.max_ticks"),
            row("threads", "name", "logger").at("wakeup_latency").at("max_ticks").get<double>());
  const auto columns = [&] {
    return browser_
        .run(
            "return [...document.querySelectorAll('td[data-key=running_ticks]')].map((cell) => "
            "Number(cell.dataset.value))")
        .get<std::vector<double>>();
  };
  const std::string head =
      "const head = [...document.querySelectorAll('th button')].find((one) => /^running( "
      "[^a-z]*)?$/.test(one.textContent));";
  browser_.run(head + "head.click()");
  const std::vector<double> falling = columns();
  EXPECT_TRUE(std::is_sorted(falling.rbegin(), falling.rend()));
  EXPECT_EQ(browser_.run("return document.querySelectorAll('th[aria-sort=descending]').length"), 1);
  browser_.run(head + "head.click()");
  const std::vector<double> rising = columns();
  EXPECT_TRUE(std::is_sorted(rising.begin(), rising.end()));
  EXPECT_EQ(rising.size(), 4u);
  // Nothing that is summed up is left out.
  std::set<std::string> tables;
  for (const auto& [name, value] : stats_.items())
    if (value.is_array()) tables.insert(name);
  EXPECT_EQ(
      browser_.run("return [...document.getElementById('table').options].map((one) => one.value)")
          .get<std::set<std::string>>(),
      tables);
  // To where the longest is.
  browser_.run(
      "document.querySelector('td[data-key=\"wakeup_latency.max_ticks\"] button').click()");
  details();
  EXPECT_LT(range()[1] - range()[0], 2000);
}

TEST_F(PageTables, ShowsResponseTimesOfJobsAsAHistogram) {
  JobTrace trace;
  for (const uint64_t length : {3, 4, 5, 30, 700}) {
    trace.begin(length * 1000, 1, "control", JobTrace::terms(1000, 100));
    trace.end(length * 1000 + length, 1, "control");
  }
  write("jobs.fxt", trace.archive());
  open(path("jobs.fxt"));
  EXPECT_EQ(statistic("jobs", "name", "control", "late"), 1);
  EXPECT_EQ(statistic("jobs", "name", "control", "max_ticks"), 700);
  const Json cell = browser_.run(
      "const cell = document.querySelector('td[data-key=histogram]'); "
      "return [cell.textContent, cell.title.split('\\n')[0]]");
  EXPECT_EQ(cell.at(0), "█  ▃   ▃");
  EXPECT_EQ(cell.at(1).get<std::string>().find("up to 5"), 0U) << cell;
  // The same with its deadline.
  const Json shown = histogram("job", browser_
                                          .run("return document.querySelector('#lengths-of "
                                               "optgroup[label=job] option').textContent")
                                          .get<std::string>()
                                          .substr(4));
  EXPECT_EQ(shown.at("count"), 5);
  EXPECT_EQ(shown.at("bars"), 3);
  ASSERT_EQ(shown.at("bounds").size(), 1u);
  EXPECT_EQ(shown.at("bounds").at(0).at("above"), row("jobs", "name", "control").at("late"));
}

TEST_F(PageTables, HasHistogramsOfAllLengthsWithTheBudgetsBounds) {
  write("budget",
        "wakeup_latency thread=control max <= 350us\n"
        "duration name=measure p99 <= 1500us  # as long as all of them\n"
        "duration name=plan share above 3ms <= 10%\n"
        "duration name=plan total <= 1s\n");
  write("sample.fxt", sample_archive());
  open(path("sample.fxt"), "--budget budget");
  // First comes the one that is exceeded most often.
  EXPECT_EQ(browser_.run("return document.getElementById('lengths').dataset.metric"),
            "wakeup_latency");
  size_t compared = 0;
  const Json all = json_of("stats", "--above 350us --above 3ms");
  for (const Json& set : all.at("above")) {
    const Json shown =
        histogram(set.at("metric").get<std::string>(), set.at("of").get<std::string>());
    ASSERT_FALSE(shown.is_null()) << set;
    EXPECT_GT(shown.at("bars"), 0) << set;
    EXPECT_DOUBLE_EQ(set.at("count").get<double>(),
                     shown.at("count").get<double>() * set.at("share").get<double>())
        << set;
    for (const Json& bound : shown.at("bounds")) {
      const bool is_it = (set.at("metric") == "wakeup_latency" && set.at("limit") == "350us") ||
                         (bound.at("text").get<std::string>().find("plan") != std::string::npos &&
                          set.at("limit") == "3ms");
      if (!is_it) continue;
      EXPECT_EQ(bound.at("above"), set.at("count")) << set << bound;
      EXPECT_GT(bound.at("above"), 0);
      ++compared;
    }
  }
  EXPECT_EQ(compared, 2u);
  // From 1 ms to 2 ms lies one bar, and 1.5 ms in it by its logarithm.
  const Json measure = histogram("duration", "category=work name=measure");
  ASSERT_EQ(measure.at("bounds").size(), 1u) << measure;
  EXPECT_EQ(measure.at("bars"), 1);
  EXPECT_EQ(measure.at("bounds").at(0).at("above"), 0);
  EXPECT_NEAR(measure.at("bounds").at(0).at("place").get<double>(), 58.5, 0.1);
  // A bound behind all lengths lies behind all bars.
  write("budget", "duration name=measure max <= 1s\n");
  open(path("sample.fxt"), "--budget budget");
  EXPECT_GT(histogram("duration", "category=work name=measure")
                .at("bounds")
                .at(0)
                .at("place")
                .get<double>(),
            50);
}

}  // namespace
}  // namespace barefxt::test::page_tables_test
