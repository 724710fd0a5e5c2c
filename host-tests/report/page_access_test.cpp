// The page on a telephone, at a zoom of 200 %, and on paper.
#include "page_test.h"
#include "stats/job_trace.h"

namespace barefxt::test::page_access_test {
namespace {

using Json = Browser::Json;

class PageAccess : public PageTest {
 protected:
  void show_at(int width, int height, double scale) {
    browser_.devtools("Emulation.setDeviceMetricsOverride", {{"width", width},
                                                             {"height", height},
                                                             {"deviceScaleFactor", scale},
                                                             {"mobile", width < 500}});
  }
  double measure(const std::string& expression) {
    return browser_.run("return " + expression).get<double>();
  }
  // Nothing is wider than the screen, and the timeline is most of what is seen first.
  void expect_room(int width, double least_height) {
    settle();
    EXPECT_LE(measure("document.documentElement.scrollWidth"), width);
    EXPECT_LE(measure("document.querySelector('main').scrollWidth"), width);
    const Json stage = browser_.run(
        "const {width, height, top} = document.getElementById('stage').getBoundingClientRect(); "
        "return {width, height, top}");
    EXPECT_GE(stage.at("height").get<double>(), least_height) << stage;
    // States, right of the names.
    const Json columns = browser_.run(
        "const canvas = document.getElementById('picture'); const {data, width} = "
        "canvas.getContext('2d').getImageData(0, 45, canvas.width, 1); let first = -1; for (let x "
        "= 1; first < 0 && x < width; ++x) if (data[x * 4] !== data[0] || data[x * 4 + 2] !== "
        "data[2]) first = x; return first / width");
    EXPECT_LE(columns.get<double>(), 0.3) << columns;
  }
};

TEST_F(PageAccess, IsReadable) {
  open_sample();
  unfold_all();
  EXPECT_EQ(found("control"), 0u);
  browser_.run("document.querySelector('#findings [data-kind=latency] button').click()");
  details();
  expect_readable();
  open_sample(2);
  expect_readable();
}

// By Tab, from the first to the last.
TEST_F(PageAccess, IsReachedByKeys) {
  open_sample();
  // It lists what is in view once more when the view rests.
  browser_.wait_for("document.getElementById('spoken').textContent !== ''");
  unfold_all();
  browser_.run(
      "globalThis.reached = new Set(); document.addEventListener('focusin', (event) => "
      "reached.add(event.target)); document.activeElement.blur()");
  const Json wanted = browser_.run(
      "globalThis.wanted = [...document.querySelectorAll('button, input, select, summary, "
      "[tabindex]')].filter((one) => one.getClientRects().length > 0); return wanted.length");
  EXPECT_GT(wanted, 50);
  for (int i = 0; i < wanted.get<int>() + 10; ++i)
    browser_.devtools("Input.dispatchKeyEvent",
                      {{"type", "keyDown"}, {"key", "Tab"}, {"windowsVirtualKeyCode", 9}});
  EXPECT_EQ(browser_.run("return wanted.filter((one) => !reached.has(one)).map((one) => "
                         "one.outerHTML.slice(0, 80))"),
            Json::array());
  EXPECT_EQ(browser_.run("return reached.has(document.getElementById('stage'))"), true);
}

TEST_F(PageAccess, HasRoomOnATelephone) {
  show_at(390, 844, 1);
  open_sample();
  expect_room(390, 844 * 0.5);
  // All of it can be reached.
  browser_.run("document.getElementById('statistics').scrollIntoView()");
  EXPECT_LT(measure("document.getElementById('table').getBoundingClientRect().top"), 844);
}

TEST_F(PageAccess, HasRoomAtAZoomOfTwoHundredPerCent) {
  // Half the pixels of a screen of 1280 by 800.
  show_at(640, 400, 2);
  open_sample();
  expect_room(640, 300);
  browser_.run("document.getElementById('statistics').scrollIntoView()");
  EXPECT_LT(measure("document.getElementById('table').getBoundingClientRect().top"), 400);
}

TEST_F(PageAccess, HasRoomInALowWindow) {
  show_at(1280, 400, 1);
  open_sample();
  expect_room(1280, 300);
}

TEST_F(PageAccess, PrintsAllOfItsFindingsAndNumbers) {
  // More rows than the table on the screen has room for.
  JobTrace trace;
  for (uint64_t thread = 0; thread < 60; ++thread)
    trace.run(100 * thread, 100 * thread + 50, 1000 + thread);
  write("many.fxt", trace.archive());
  open(path("many.fxt"));
  browser_.devtools("Emulation.setEmulatedMedia", {{"media", "print"}});
  // A sheet of A4.
  show_at(794, 1123, 1);
  settle();
  // Nothing is hidden by an edge, and nothing is there to be pressed.
  EXPECT_EQ(browser_.run("return [...document.querySelectorAll('.scrolled, ul')].filter((one) => "
                         "one.offsetParent !== null && one.scrollHeight > one.clientHeight + "
                         "1).map((one) => one.outerHTML.slice(0, 60))"),
            Json::array());
  EXPECT_EQ(browser_.run("return [...document.querySelectorAll('#tools, #find, .findings "
                         "button')].filter((one) => one.offsetParent !== null).length"),
            0);
  EXPECT_GT(measure("document.querySelector('#findings').offsetHeight"), 30);
  EXPECT_GT(measure("document.querySelector('#statistics table').offsetHeight"), 30);
  EXPECT_GT(measure("document.getElementById('stage').offsetHeight"), 300);
  EXPECT_GT(pixels("blocked") + pixels("waiting") + pixels("running"), 100);
  // Several sheets: what does not fit on the first one is on the next.
  const Json printed = browser_.devtools("Page.printToPDF", {{"printBackground", true}});
  EXPECT_GT(printed.at("data").get<std::string>().size(), 20'000u);
}

}  // namespace
}  // namespace barefxt::test::page_access_test
