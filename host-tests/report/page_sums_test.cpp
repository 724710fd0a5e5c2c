// A stretch that is selected on the page has the sums of `stats --from --to`.
#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "page_test.h"
#include "stats/job_trace.h"
#include "system_page.h"

namespace barefxt::test::page_sums_test {
namespace {

using Json = Browser::Json;
// By table, then by what identifies a row, then by what identifies a number.
using Numbers = std::map<std::string, std::map<std::string, std::map<std::string, double>>>;

const std::map<std::string, std::vector<std::string>> kKeys = {
    {"cpus", {"cpu"}},
    {"threads", {"thread"}},
    {"interrupts", {"cpu", "name"}},
    {"durations", {"category", "name"}},
    {"counters", {"category", "name", "argument", "counter_id"}}};

// Each number that is not zero: a row without one may be missing.
class PageSums : public PageOfASystem {
 protected:
  static std::string text_of(const Json& value) {
    return value.is_string() ? value.get<std::string>() : value.dump();
  }

  // Selects the stretch that is shown.
  Numbers shown_between(uint64_t from, uint64_t to) {
    browser_.run("document.getElementById('time').value = '" + std::to_string(from) + "ticks to " +
                 std::to_string(to) +
                 "ticks'; document.getElementById('go').requestSubmit(); const stage = "
                 "document.getElementById('stage'); stage.dispatchEvent(new "
                 "KeyboardEvent('keydown', {key: 'Escape'})); "
                 "document.getElementById('sum').click()");
    return sums();
  }
  Numbers sums() {
    browser_.wait_for("document.querySelector('#sums[data-state=done]') !== null");
    const Json tables = browser_.run(
        "return Object.fromEntries([...document.querySelectorAll('[data-sums]')].map((table) => "
        "[table.dataset.sums, [...table.tBodies[0].rows].map((row) => "
        "Object.fromEntries([...row.cells].map((cell) => [cell.dataset.key, "
        "cell.dataset.value])))]))");
    Numbers numbers;
    for (const auto& [table, keys] : kKeys) {
      if (!tables.contains(table)) continue;
      for (const Json& row : tables.at(table)) {
        std::string whose;
        for (const std::string& key : keys) whose += row.at(key).get<std::string>() + "/";
        for (const auto& [key, value] : row.items()) {
          if (key == "name" || key == "category" || key == "argument") continue;
          columns_[table].insert(key);
          const double number = std::stod("0" + value.get<std::string>());
          if (number != 0) numbers[table][whose][key] = number;
        }
      }
    }
    return numbers;
  }
  Numbers command_between(uint64_t from, uint64_t to) {
    const Json stats = json_of(
        "stats", "--from " + std::to_string(from) + "ticks --to " + std::to_string(to) + "ticks");
    Numbers numbers;
    for (const auto& [table, keys] : kKeys) {
      for (const Json& row : stats.at(table)) {
        std::string whose;
        for (const std::string& key : keys) whose += text_of(row.at(key)) + "/";
        for (const std::string& key : columns_[table]) {
          std::string path = "/" + key;
          std::replace(path.begin(), path.end(), '.', '/');
          const Json& value = row.at(Json::json_pointer(path));
          if (value.is_number() && value != 0) numbers[table][whose][key] = value.get<double>();
        }
      }
    }
    return numbers;
  }
  static size_t count(const Numbers& numbers) {
    size_t count = 0;
    for (const auto& [table, rows] : numbers)
      for (const auto& [whose, row] : rows) count += row.size();
    return count;
  }
  static void expect_same(const Numbers& shown, const Numbers& command, const std::string& where) {
    for (const auto& [table, keys] : kKeys) {
      const auto of = [&](const Numbers& numbers) {
        const auto found = numbers.find(table);
        return found == numbers.end() ? Numbers::mapped_type{} : found->second;
      };
      const Numbers::mapped_type ours = of(shown);
      for (const auto& [whose, row] : of(command)) {
        const auto mine = ours.find(whose);
        ASSERT_NE(mine, ours.end()) << table << " " << whose << where;
        for (const auto& [key, value] : row)
          EXPECT_DOUBLE_EQ(mine->second.contains(key) ? mine->second.at(key) : 0, value)
              << table << " " << whose << key << where;
      }
    }
    EXPECT_EQ(count(shown), count(command)) << where;
  }

  std::map<std::string, std::set<std::string>> columns_;
};

TEST_F(PageSums, AreThoseOfTheCommandInAnyStretch) {
  std::mt19937 random(1);
  size_t numbers = 0;
  for (const uint32_t seed : {7U, 8U, 9U}) {
    write("system.fxt", system_archive(seed, 600));
    open(path("system.fxt"));
    const auto first = stats_.at("first").get<uint64_t>();
    const auto last = stats_.at("last").get<uint64_t>();
    std::uniform_int_distribution<uint64_t> any(first, last);
    for (int i = 0; i < 10; ++i) {
      uint64_t from = any(random);
      uint64_t to = any(random);
      if (from > to) std::swap(from, to);
      // The view is no narrower.
      to = std::min(last, std::max(to, from + 10));
      from = std::min(from, to - 10);
      if (i == 0) std::tie(from, to) = std::pair(first, last);
      const Numbers shown = shown_between(from, to);
      const Numbers command = command_between(from, to);
      expect_same(shown, command, " from " + std::to_string(from) + " to " + std::to_string(to));
      numbers += count(command);
      if (HasFailure()) return;
    }
  }
  EXPECT_GT(numbers, 1000u);
}

TEST_F(PageSums, OfAStretchThatIsDraggedOver) {
  open_sample();
  const std::array<double, 2> all = range();
  const Json stage = browser_.run(
      "const {width, height} = document.getElementById('stage').getBoundingClientRect(); return "
      "{width, height}");
  // From the ruler, by two hundred pixels; the view stays.
  const int top = -static_cast<int>(stage.at("height").get<double>() / 2) + 10;
  browser_.drag_at("#stage", -100, top, 200, 0);
  EXPECT_EQ(range(), all);
  const double ticks_per_pixel = (all[1] - all[0]) / (stage.at("width").get<double>() - 170);
  Numbers shown = sums();
  const Json bounds = browser_.run(
      "return [...document.querySelectorAll('#details dd')].slice(0, 2).map((one) => "
      "Number(/tick (\\d+)/.exec(one.textContent)[1]))");
  const auto from = bounds.at(0).get<uint64_t>();
  const auto to = bounds.at(1).get<uint64_t>();
  EXPECT_NEAR(static_cast<double>(to - from), 200 * ticks_per_pixel, 2 * ticks_per_pixel);
  expect_same(shown, command_between(from, to), " dragged");
  EXPECT_TRUE(shown.contains("counters"));
  EXPECT_TRUE(shown.contains("interrupts"));
  EXPECT_GT(pixels("background"), 0);
  // To where its longest is.
  browser_.run(
      "document.querySelector('[data-sums=durations] [data-key=max_ticks] button').click()");
  EXPECT_TRUE(contains(details(), "duration"));
  // An item's stretch, by a key.
  const std::string begin = "tick 2000";
  EXPECT_EQ(found("measure"), 10u);
  browser_.click("#results li:first-child button");
  EXPECT_TRUE(contains(details(), begin));
  browser_.type("#stage", "r");
  shown = sums();
  EXPECT_TRUE(contains(browser_.text_of("#details"), begin));
  expect_same(shown, command_between(2000, 3500), " of an item");
}

// It shows only where it runs that it was not blocked all the time.
TEST_F(PageSums, OfAThreadThatIsNotWoken) {
  JobTrace trace;
  trace.run(100, 200, 1);
  trace.run(500, 600, 1);
  write("system.fxt", trace.archive());
  open(path("system.fxt"));
  for (const uint64_t to : {400U, 500U, 550U}) {
    const Numbers shown = shown_between(150, to);
    expect_same(shown, command_between(150, to), " to " + std::to_string(to));
    EXPECT_EQ(shown.at("threads").at("1/").contains("blocked_ticks"), to < 500) << to;
  }
}

}  // namespace
}  // namespace barefxt::test::page_sums_test
