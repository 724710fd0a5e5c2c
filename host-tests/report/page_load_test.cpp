// Load over time on the page: each part has the numbers of `stats --from --to`.
#include <cmath>
#include <map>
#include <sstream>

#include "page_test.h"
#include "system_page.h"

namespace barefxt::test::page_load_test {
namespace {

using Json = Browser::Json;

class PageLoad : public PageOfASystem {
 protected:
  void choose(const std::string& what) {
    browser_.run(
        "document.getElementById('load').closest('details').open = true; const select = "
        "document.getElementById('load-of'); select.selectedIndex = "
        "[...select.options].findIndex((one) => one.text === '" +
        what + "'); select.dispatchEvent(new Event('change'))");
    browser_.wait_for("document.getElementById('load').dataset.state === 'done'");
  }
  // The sum of each part of a row.
  std::map<std::string, std::vector<double>> sums() {
    const Json rows = browser_.run(
        "return [...document.querySelectorAll('#load tbody tr')].map((row) => [row.dataset.name, "
        "row.dataset.sums.split(' ').map(Number)])");
    std::map<std::string, std::vector<double>> sums;
    for (const Json& row : rows) sums[row.at(0)] = row.at(1).get<std::vector<double>>();
    return sums;
  }
  std::vector<uint64_t> edges() {
    std::istringstream text(
        browser_.run("return document.getElementById('load').dataset.edges").get<std::string>());
    std::vector<uint64_t> edges;
    for (uint64_t edge = 0; text >> edge;) edges.push_back(edge);
    return edges;
  }
  std::string cells(const std::string& name) {
    return browser_
        .run(
            "return [...[...document.querySelectorAll('#load tbody tr')].find((row) => "
            "row.dataset.name === '" +
            name + "').cells].slice(1).map((cell) => cell.textContent).join(' | ')")
        .get<std::string>();
  }
};

TEST_F(PageLoad, OfEachPartIsThatOfTheCommand) {
  choose("CPUs");
  const auto cpus = sums();
  const std::vector<uint64_t> parts = edges();
  ASSERT_EQ(parts.size(), 61u);
  EXPECT_EQ(parts.front(), stats_.at("first"));
  EXPECT_EQ(parts.back(), stats_.at("last"));
  choose("threads");
  const auto threads = sums();
  EXPECT_EQ(edges(), parts);
  size_t compared = 0;
  for (size_t part = 3; part < 60; part += 8) {
    const Json stats = json_of("stats", "--from " + std::to_string(parts[part]) + "ticks --to " +
                                            std::to_string(parts[part + 1]) + "ticks");
    for (const Json& cpu : stats.at("cpus")) {
      const std::string name = "CPU " + std::to_string(cpu.at("cpu").get<int>());
      EXPECT_LE(cpus.at(name).at(part), parts[part + 1] - parts[part]);
      // Records behind the part may show who ran in it.
      EXPECT_GE(cpus.at(name).at(part), cpu.at("busy_ticks")) << name << part;
      EXPECT_LE(cpus.at(name).at(part),
                cpu.at("busy_ticks").get<double>() + cpu.at("unknown_ticks").get<double>())
          << name << part;
      ++compared;
    }
  }
  EXPECT_GE(compared, 14u);
  // All parts together, exactly.
  const auto whole = [](const std::vector<double>& sums) {
    double sum = 0;
    for (const double one : sums) sum += one;
    return sum;
  };
  for (const Json& cpu : stats_.at("cpus"))
    EXPECT_EQ(whole(cpus.at("CPU " + std::to_string(cpu.at("cpu").get<int>()))),
              cpu.at("busy_ticks"));
  double ready = 0;
  for (const Json& thread : stats_.at("threads")) {
    if (thread.at("idle") == true) continue;
    ready += thread.at("runnable_ticks").get<double>();
    const std::string name = thread.at("name").is_null() ? "thread " + thread.at("thread").dump()
                                                         : thread.at("name").get<std::string>();
    EXPECT_EQ(threads.contains(name) ? whole(threads.at(name)) : 0, thread.at("running_ticks"))
        << name;
  }
  EXPECT_EQ(whole(cpus.at("threads that wait for a CPU")), ready);
}

TEST_F(PageLoad, OfCountersHasLeastMeanAndMost) {
  open_sample();
  choose("counters");
  const Json& counter = stats_.at("counters").at(0);
  const auto values = sums();
  ASSERT_EQ(values.size(), 1u);
  const std::string shown = cells(values.begin()->first);
  std::ostringstream expected;
  expected << counter.at("min") << " | "
           << std::round(counter.at("time_weighted_mean").get<double>() * 100) / 100 << " | "
           << counter.at("max") << " | ";
  EXPECT_EQ(shown.substr(0, expected.str().size()), expected.str()) << shown;
  // The axis.
  EXPECT_EQ(shown.substr(shown.size() - 2), "30") << shown;
  // A part of the stretch has its own.
  browser_.run(
      "document.getElementById('time').value = '4500ticks to 14400ticks'; "
      "document.getElementById('go').requestSubmit()");
  browser_.wait_for("(document.getElementById('load').dataset.edges ?? '').startsWith('4500 ')");
  browser_.wait_for("document.getElementById('load').dataset.state === 'done'");
  const std::string part = cells(values.begin()->first);
  EXPECT_EQ(part.substr(0, 13), "0 | 0 | 0 | 0") << part;
}

// On the timeline, too: the axis of a counter's lane has the least and the greatest value in view.
TEST_F(PageLoad, OfCountersHasAnAxisInItsLane) {
  open_sample();
  const auto numbers_beside_curves = [&] {
    browser_.run(
        "globalThis.texts = []; const own = "
        "CanvasRenderingContext2D.prototype; if (!own.drawn) own.drawn = own.fillText; "
        "own.fillText = function "
        "(text, x, y) { if (this.textAlign === 'right') texts.push(text); this.drawn(text, x, y); "
        "}; document.getElementById('stage').dispatchEvent(new KeyboardEvent('keydown', {key: "
        "'Escape'}))");
    settle();
    browser_.wait_for("texts.length > 0");
    return browser_.run("return texts.slice(-2)");
  };
  const Json& counter = stats_.at("counters").at(0);
  EXPECT_EQ(numbers_beside_curves(), (Json{counter.at("max").dump(), counter.at("min").dump()}));
  // Values of 1 and 2.
  browser_.run(
      "document.getElementById('time').value = '15000ticks to 30000ticks'; "
      "document.getElementById('go').requestSubmit()");
  settle();
  EXPECT_EQ(numbers_beside_curves(), (Json{"2", "1"}));
  EXPECT_GT(pixels("counter"), 1000);
}

}  // namespace
}  // namespace barefxt::test::page_load_test
