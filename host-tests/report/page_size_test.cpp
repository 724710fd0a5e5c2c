// The page of a million records is small, quick and right.
#include <algorithm>
#include <set>

#include "page_test.h"
#include "report/palette.h"
#include "stats/busy_archive.h"

namespace barefxt::test::page_size_test {
namespace {

class PageSize : public PageTest {
 protected:
  struct Ready {
    double cpu_seconds;   // of the page's thread: a machine that is busy does not add to it
    double milliseconds;  // from the begin of loading until all is drawn, the first time
  };
  Ready ready(const std::string& archive) {
    browser_.renew();
    browser_.devtools("Performance.enable", {{"timeDomain", "threadTicks"}});
    open(archive);
    Ready ready{};
    const Json all = browser_.devtools("Performance.getMetrics", Json::object()).at("metrics");
    for (const Json& metric : all)
      if (metric.at("name") == "TaskDuration") ready.cpu_seconds = metric.at("value");
    ready.milliseconds = std::stod(
        browser_.run("return document.getElementById('stage').dataset.ready").get<std::string>());
    return ready;
  }
};

TEST_F(PageSize, IsReadyHardlyLaterWithAHundredTimesTheRecords) {
  const BusyArchive small(10'000);
  // Twice: with the first page the browser itself is not ready.
  ready(small.path());
  const Ready few = ready(small.path());
  const BusyArchive large(1'000'000);
  const Ready many = ready(large.path());
  std::printf("ready after %.0f ms with 10,000 records, %.0f ms with 1,000,000; CPU: %.0f, %.0f\n",
              few.milliseconds, many.milliseconds, 1e3 * few.cpu_seconds, 1e3 * many.cpu_seconds);
  EXPECT_GT(few.cpu_seconds, 0);
  EXPECT_LT(many.cpu_seconds, 4 * few.cpu_seconds);
}

TEST_F(PageSize, OfAMillionRecordsIsSmallAndShowsTheRightNumbers) {
  const BusyArchive archive(1'000'000);
  open(archive.path());
  EXPECT_GE(stats_.at("records").at("total").get<uint64_t>(), 1'000'000u);
  const uint64_t bytes = std::filesystem::file_size(page());
  std::printf("%.2f bytes of the page for each record\n",
              static_cast<double>(bytes) / stats_.at("records").at("total").get<double>());
  EXPECT_LT(bytes, 10 * stats_.at("records").at("total").get<uint64_t>());
  // It is ready once levels of detail and what lasts long are unpacked: a small part of all.
  const auto unpacked = std::stoull(
      browser_.run("return document.getElementById('stage').dataset.unpacked").get<std::string>());
  RecordProperty("unpacked", std::to_string(unpacked));
  EXPECT_GT(unpacked, 0u);
  EXPECT_LT(unpacked, bytes / 20);
  EXPECT_EQ(browser_.run("return document.getElementById('summary').dataset.records"),
            std::to_string(stats_.at("records").at("total").get<uint64_t>()));
  EXPECT_EQ(browser_.run("return document.getElementById('summary').dataset.events"),
            std::to_string(stats_.at("records").at("event").get<uint64_t>()));
  EXPECT_EQ(browser_.run("return document.getElementById('stage').dataset.exact"), "false");
  // Summed up, too, threads are seen to run, and CPUs to run threads of many colours.
  EXPECT_GT(pixels("running"), 1000);
  EXPECT_EQ(pixels("running", 26 + 4, 26 + 4 + 20), 0);
  EXPECT_GT(pixels("idle", 26 + 4, 26 + 4 + 20), 1000);
  std::set<std::string> hues;
  const Json colours = browser_.run(
      "const canvas = document.getElementById('picture'); const {data} = "
      "canvas.getContext('2d').getImageData(170, 30, canvas.width - 170, 20); const seen = []; for "
      "(let i = 0; i < data.length; i += 4) seen.push(data[i] * 65536 + data[i + 1] * 256 + data[i "
      "+ 2]); return [...new Set(seen)]");
  for (const report::Colour& hue : report::kHues)
    if (std::ranges::count(colours, Json(hue.light)) > 0) hues.insert(std::to_string(hue.light));
  EXPECT_GE(hues.size(), 2u);
  EXPECT_EQ(statistic("durations", "name", "work", "p99_ticks"),
            row("durations", "name", "work").at("p99_ticks").get<double>());
  EXPECT_EQ(
      statistic("threads", "name", "thread 20", "wakeup_latency.mean_ticks"),
      row("threads", "name", "thread 20").at("wakeup_latency").at("mean_ticks").get<double>());
  EXPECT_EQ(statistic("cpus", "cpu", "2", "preempted"),
            row("cpus", "cpu", 2).at("preempted").get<double>());
  // Every one of them, counted by the page itself.
  EXPECT_EQ(found("step"), row("durations", "name", "step").at("count").get<uint64_t>());
  // The longest of all, found by its place, is as long as it should be.
  browser_.run(
      "const table = document.getElementById('table'); table.value = 'durations'; "
      "table.dispatchEvent(new Event('change'))");
  browser_.run(
      "[...document.querySelectorAll('#statistics tbody tr')].find((row) => "
      "row.querySelector('[data-key=name]').dataset.value === "
      "'step').querySelector('[data-key=max_ticks] button').click()");
  details();
  settle();
  EXPECT_EQ(browser_.run("return document.getElementById('stage').dataset.exact"), "true");
  browser_.click("#nearby summary");
  const Json& step = row("durations", "name", "step");
  browser_.wait_for("document.querySelector('#list caption') !== null");
  const std::string offset = "offset " + std::to_string(step.at("max_offset").get<uint64_t>());
  const Json text = browser_.run(
      "for (const button of document.querySelectorAll('#list button')) {"
      "  if (button.textContent !== 'step') continue;"
      "  button.click();"
      "  const text = document.getElementById('details').innerText;"
      "  if (text.includes('" +
      offset +
      "')) return text;"
      "} return ''");
  EXPECT_TRUE(contains(text.get<std::string>(),
                       "(" + std::to_string(step.at("max_ticks").get<uint64_t>()) + " ticks)"))
      << text;
}

}  // namespace
}  // namespace barefxt::test::page_size_test
