// The page's tables have the numbers of `stats --json`.
#include <algorithm>
#include <set>

#include "page_test.h"
#include "stats/job_trace.h"

namespace barefxt::test::page_tables_test {
namespace {

using PageTables = PageTest;

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
}

}  // namespace
}  // namespace barefxt::test::page_tables_test
