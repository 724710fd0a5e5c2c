// Lanes are filtered, pinned, collapsed and put in order; hovering, touch and search; the tables at
// hand.
#include <algorithm>
#include <set>

#include "page_test.h"
#include "stats/busy_archive.h"
#include "system_page.h"

namespace barefxt::test::page_hands_test {
namespace {

using Json = Browser::Json;

class PageHands : public PageTest {
 protected:
  void open_list() {
    browser_.run("document.getElementById('lanes').parentElement.open = true");
    browser_.wait_for("document.querySelector('#lanes li') !== null");
  }
  // Names of the lanes, from the top.
  std::vector<std::string> lanes() {
    settle();
    return browser_
        .run("return [...document.querySelectorAll('#lanes li')].map((line) => line.dataset.lane)")
        .get<std::vector<std::string>>();
  }
  void press(const std::string& lane, const std::string& what) {
    EXPECT_EQ(browser_.run("const one = document.querySelector('#lanes [data-lane=\"" + lane +
                           "\"] [data-does^=" + what + "]'); one?.click(); return one !== null"),
              true)
        << lane << what;
  }
  // Moves the pointer there, in the stage; returns what is said to lie there.
  std::string hovered(int x, int y) {
    return browser_
        .run(
            "const stage = document.getElementById('stage'); const {left, top} = "
            "stage.getBoundingClientRect(); stage.dispatchEvent(new PointerEvent('pointermove', "
            "{bubbles: true, clientX: left + " +
            std::to_string(x) + ", clientY: top + " + std::to_string(y) +
            "})); return document.getElementById('hover').textContent")
        .get<std::string>();
  }
  double stage(const std::string& what) {
    return browser_.run("return document.getElementById('stage').getBoundingClientRect()." + what)
        .get<double>();
  }
};

TEST_F(PageHands, FilterPinCollapseAndOrderLanes) {
  open_sample();
  open_list();
  const std::vector<std::string> all = lanes();
  ASSERT_EQ(all.size(), 8u) << ::testing::PrintToString(all);
  ASSERT_EQ(all[0], "CPU 0");
  const auto at = [&](const std::string& name) {
    const std::vector<std::string> now = lanes();
    return std::find(now.begin(), now.end(), name) - now.begin();
  };
  const auto control = at("control");
  // Order.
  press("control", "up");
  EXPECT_EQ(at("control"), control - 1);
  press("control", "down");
  EXPECT_EQ(lanes(), all);
  // Pinned, it lies ahead of all, and stays when the others scroll.
  press("control", "pin");
  EXPECT_EQ(at("control"), 0);
  constexpr int kRuler = 26 + 4;
  EXPECT_EQ(hovered(10, kRuler + 5), "control");
  const int running = pixels("running", kRuler, kRuler + 12);
  EXPECT_GT(running, 10);
  browser_.run("document.getElementById('stage').style.flex = '0 0 240px'");
  browser_.run(
      "document.getElementById('stage').dispatchEvent(new WheelEvent('wheel', {deltaY: 60, altKey: "
      "true}))");
  settle();
  EXPECT_EQ(hovered(10, kRuler + 5), "control");
  EXPECT_EQ(pixels("running", kRuler, kRuler + 12), running);
  // Collapsed, its durations are gone: it is as high as its bar.
  const auto height = [&] {
    int y = kRuler;
    while (y < 400 && hovered(10, y) == "control") ++y;
    return y - kRuler;
  };
  EXPECT_EQ(height(), 14 + 2 * 16 + 4);
  press("control", "collapse");
  EXPECT_EQ(height(), 16 + 4);
  // The triangle in the gutter does it, too.
  const int left = -static_cast<int>(stage("width") / 2) + 5;
  browser_.click_at("#stage", left, kRuler + 7 - static_cast<int>(stage("height") / 2));
  EXPECT_EQ(height(), 14 + 2 * 16 + 4);
  press("control", "pin");
  EXPECT_EQ(lanes(), all);
  // A filter leaves those of the name; showing another one ends it.
  browser_.type("#filter", "logg");
  EXPECT_EQ(lanes(), std::vector<std::string>{"logger"});
  EXPECT_EQ(found("measure"), 10u);
  browser_.click("#results li:first-child button");
  settle();
  EXPECT_EQ(lanes(), all);
  EXPECT_GT(pixels("selection"), 20);
}

TEST_F(PageHands, HoverSaysWhatLiesThere) {
  open_sample();
  constexpr int kControl = 26 + 4 + 46 + 30;
  const double pixel = (stage("width") - 170) / (range()[1] - range()[0]);
  const auto x = [&](double tick) { return static_cast<int>(170 + (tick - range()[0]) * pixel); };
  EXPECT_EQ(hovered(x(2700), kControl + 14 + 16 + 7), "measure · 1.500 ms · 0.002000000 s");
  EXPECT_EQ(hovered(x(8000), kControl + 6).substr(0, 18), "control is blocked");
  EXPECT_EQ(hovered(x(8000), 10), "");
  browser_.run("document.getElementById('stage').dispatchEvent(new PointerEvent('pointerleave'))");
  EXPECT_EQ(browser_.run("return document.getElementById('hover').hidden"), true);
}

// As much is drawn as can be. An answer compares the items of the blocks that lie there, however
// many there are.
TEST_F(PageHands, HoverLooksAtFewItems) {
  const BusyArchive archive(90'000);
  open(archive.path());
  EXPECT_EQ(browser_.run("return document.getElementById('stage').dataset.exact"), "true");
  const Json all = browser_.run("return Number(document.getElementById('stage').dataset.items)");
  ASSERT_GE(all, 80'000);
  const Json answers = browser_.run(
      "const stage = document.getElementById('stage'); const {left, top} = "
      "stage.getBoundingClientRect(); const hover = document.getElementById('hover'); const "
      "compared = [];"
      "for (let i = 0; i < 20; ++i) {"
      "  delete hover.dataset.compared;"
      "  stage.dispatchEvent(new PointerEvent('pointermove', {clientX: left + 200 + i * 40, "
      "clientY: top + 40 + i * 8}));"
      "  if (hover.dataset.compared !== undefined) compared.push(Number(hover.dataset.compared));"
      "}"
      "return compared");
  EXPECT_GE(answers.size(), 15u);
  for (const Json& compared : answers) EXPECT_LE(compared.get<double>() * 3, all) << answers;
}

TEST_F(PageHands, PinchZooms) {
  open_sample();
  const std::array<double, 2> all = range();
  // Two fingers move apart, from 200 to 400 pixels, around the middle of the stage.
  browser_.pinch("#stage", 100, 200);
  const std::array<double, 2> pinched = range();
  EXPECT_NEAR((pinched[1] - pinched[0]) * 2, all[1] - all[0], (all[1] - all[0]) * 0.03);
  const double middle = stage("width") / 2 - 170;
  const double share = middle / (stage("width") - 170);
  const auto there = [&](const std::array<double, 2>& one) {
    return one[0] + (one[1] - one[0]) * share;
  };
  EXPECT_NEAR(there(pinched), there(all), (all[1] - all[0]) * 0.02);
  // One finger moves it after that.
  browser_.drag("#stage", 100, 0);
  EXPECT_LT(range()[0], pinched[0]);
}

TEST_F(PageHands, ButtonsAreLargeEnoughForFingers) {
  browser_.devtools("Emulation.setTouchEmulationEnabled", {{"enabled", true}});
  browser_.devtools("Emulation.setDeviceMetricsOverride",
                    {{"width", 800}, {"height", 1000}, {"deviceScaleFactor", 1}, {"mobile", true}});
  open_sample();
  ASSERT_EQ(browser_.run("return matchMedia('(pointer: coarse)').matches"), true);
  browser_.run("for (const one of document.querySelectorAll('details')) one.open = true");
  browser_.wait_for(
      "document.querySelector('#lanes li') !== null && document.querySelector('#list button') !== "
      "null");
  const Json small = browser_.run(
      "return [...document.querySelectorAll('button, input, select, summary')].filter((one) => "
      "one.offsetParent !== null && (one.offsetHeight < 44 || one.offsetWidth < 44)).map((one) => "
      "one.outerHTML.slice(0, 80))");
  EXPECT_EQ(small, Json::array());
}

TEST_F(PageHands, SearchFindsThreadsRunsAndStates) {
  open_sample();
  const auto spells = [&] {
    return std::stoull(
        browser_.run("return document.getElementById('found').dataset.spells").get<std::string>());
  };
  const Json& control = row("threads", "name", "control");
  found("control runs");
  EXPECT_EQ(spells(), control.at("runs").get<uint64_t>());
  found("control is runnable");
  EXPECT_EQ(spells(), control.at("wakeup_latency").at("count").get<uint64_t>());
  browser_.click("#results li:first-child button");
  EXPECT_TRUE(contains(details(), "control is runnable"));
  EXPECT_EQ(browser_.text_of("#found"), "1 of " + std::to_string(spells()) + ": 0 events, " +
                                            std::to_string(spells()) +
                                            " runs and states and 0 lanes found");
  // A thread is found, too, and outlined where it is.
  EXPECT_EQ(found("control"), 0u);
  EXPECT_EQ(browser_.text_of("#results li:first-child button"), "control lane");
  const std::string of =
      " of " + std::to_string(1 + spells()) + ": 0 events, " + std::to_string(spells());
  browser_.run("document.getElementById('details').textContent = ''");
  browser_.type("#query", "\uE007");
  EXPECT_TRUE(contains(details(), "control (thread 11, process 5)"));
  EXPECT_EQ(browser_.text_of("#found").find("1" + of), 0u) << browser_.text_of("#found");
  EXPECT_GT(pixels("selection"), 20);
  browser_.type("#query", "\uE007");
  EXPECT_EQ(browser_.text_of("#found").find("2" + of), 0u) << browser_.text_of("#found");
}

// Every table: sorted by one column, its first one stays when it is scrolled, and no cell of a
// thread or of an object is a bare number.
TEST_F(PageHands, TablesNameWhatTheyAreAbout) {
  write("system.fxt", system_archive(7, 600));
  open(path("system.fxt"));
  const std::set<std::string> identifies = {"name", "cpu", "thread", "object", "waiter", "where"};
  for (const Json& table :
       browser_.run("return [...document.getElementById('table').options].filter((one) => "
                    "!one.text.endsWith('(0)')).map((one) => one.value)")) {
    choose_table(table.get<std::string>());
    const Json seen = browser_.run(
        "const holder = document.querySelector('#statistics .scrolled'); const cell = "
        "holder.querySelector('td'); const before = cell.getBoundingClientRect().left;"
        "holder.style.width = '120px'; holder.scrollLeft = 100; const moved = holder.scrollLeft;"
        "const after = cell.getBoundingClientRect().left; holder.style.width = '';"
        "return {key: cell.dataset.key, stays: moved > 0 && before === after, sorted: "
        "holder.querySelectorAll('[aria-sort=descending]').length, "
        "bare: [...holder.querySelectorAll('[data-key=object], [data-key=holder], "
        "[data-key=runner], [data-key=waiter], [data-key=thread], "
        "[data-key=kept_off_thread]')].map((one) => one.textContent).filter((text) => "
        "/^\\d+$/.test(text))}");
    EXPECT_TRUE(identifies.contains(seen.at("key").get<std::string>())) << table << seen;
    EXPECT_EQ(seen.at("stays"), true) << table << seen;
    EXPECT_EQ(seen.at("sorted"), 1) << table;
    if (table != "threads") {
      EXPECT_EQ(seen.at("bare"), Json::array()) << table;
    }
  }
}

}  // namespace
}  // namespace barefxt::test::page_hands_test
