// The page's timeline: it loads, zooms, moves, finds, folds, stays quiet, and shows all about an
// event.
#include <algorithm>
#include <array>
#include <cmath>
#include <gtest/gtest.h>

#include <barefxt/host/output_file.h>

#include "page_test.h"
#include "print/printing.h"
#include "report/drawing.h"
#include "report/page.h"
#include "sample.h"
#include "stats/job_trace.h"

namespace barefxt::test::page_timeline_test {
namespace {

using PageTimeline = PageTest;

TEST_F(PageTimeline, LoadsAndShowsAllAboutAnEvent) {
  open_sample();
  EXPECT_EQ(browser_.text_of("#archive"), "sample.fxt");
  EXPECT_EQ(browser_.run("return document.getElementById('summary').dataset.records"),
            std::to_string(stats_.at("records").at("total").get<uint64_t>()));
  EXPECT_TRUE(contains(browser_.text_of("#notes"), "Records were lost"));
  EXPECT_EQ(found("overrun"), 1u);
  EXPECT_EQ(found("job 7"), 1u);  // in a log
  EXPECT_EQ(found("plan"), row("durations", "name", "plan").at("count").get<uint64_t>());
  browser_.click("#results li:nth-child(4) button");
  settle();
  const std::string details = this->details();
  for (const char* text : {"duration", "plan", "work", "control (thread 11, process 5)",
                           "3.400 ms (3400 ticks)", "tick 31600", "tick 35000", "job (uint32)\n3"})
    EXPECT_TRUE(contains(details, text)) << " in ";
  // It stands in the middle, and a click there means it.
  const std::array<double, 2> shown = range();
  EXPECT_NEAR((shown[0] + shown[1]) / 2, 33'300, 2);
  browser_.run("document.getElementById('details').textContent = ''");
  const Json place = browser_.run(
      "const stage = document.getElementById('stage').getBoundingClientRect();"
      "return {x: Math.round(170 + (stage.width - 170) / 2 - stage.width / 2), height: "
      "stage.height, width: Math.round(stage.width)}");
  // Two CPUs of 38 and 22 pixels, control's bar, and then the row of durations.
  const int y = 26 + 4 + 46 + 30 + 14 + 7;
  browser_.click_at("#stage", place.at("x").get<int>(),
                    y - static_cast<int>(place.at("height").get<double>() / 2));
  settle();
  EXPECT_EQ(this->details(), details);
  // A click on the lane's name means nothing.
  browser_.click_at("#stage", -place.at("width").get<int>() / 2 + 20,
                    y - static_cast<int>(place.at("height").get<double>() / 2));
  EXPECT_EQ(this->details(), details);
  // Also where a state reaches to the left of what is shown.
  browser_.click_at("#stage", -place.at("width").get<int>() / 2 + 20,
                    26 + 4 + 46 + 30 + 7 - static_cast<int>(place.at("height").get<double>() / 2));
  EXPECT_EQ(this->details(), details);
}

TEST_F(PageTimeline, ZoomsAndMovesByWheelDragKeysAndButtons) {
  open_sample();
  const std::array<double, 2> all = range();
  EXPECT_EQ(all[0], stats_.at("first").get<double>());
  EXPECT_EQ(all[1], stats_.at("last").get<double>());
  browser_.wheel("#stage", -400);
  const std::array<double, 2> wheeled = range();
  EXPECT_NEAR((wheeled[1] - wheeled[0]) / (all[1] - all[0]), std::exp(-1), 0.01);
  browser_.drag("#stage", 100, 0);
  const std::array<double, 2> dragged = range();
  EXPECT_LT(dragged[0], wheeled[0]);
  EXPECT_NEAR(dragged[1] - dragged[0], wheeled[1] - wheeled[0], 2);
  browser_.type("#stage", "+");
  const std::array<double, 2> plus = range();
  EXPECT_NEAR((plus[1] - plus[0]) * 1.5, dragged[1] - dragged[0], 3);
  browser_.type("#stage", "\uE014");  // to the right
  EXPECT_GT(range()[0], plus[0]);
  browser_.type("#stage", "\uE011");  // home
  EXPECT_EQ(range(), all);
  browser_.click("#in");
  EXPECT_NEAR((range()[1] - range()[0]) * 2, all[1] - all[0], 2);
  browser_.click("#whole");
  EXPECT_EQ(range(), all);
}

TEST_F(PageTimeline, GoesFromEventToEventByKeys) {
  open_sample();
  EXPECT_EQ(found("measure"), 10u);
  browser_.click("#results li:first-child button");
  settle();
  EXPECT_TRUE(contains(browser_.text_of("#details"), "tick 2000"));
  EXPECT_EQ(browser_.text_of("#found"), "1 of 10: 10 events and 0 lanes found");
  browser_.type("#stage", "\uE011nn");
  browser_.wait_for("document.getElementById('details').textContent.includes('tick 12000')");
  browser_.type("#stage", "p");
  browser_.wait_for("document.getElementById('details').textContent.includes('plan')");
  // `f` zooms to it, `m` scrolls to its lane, `?` shows the keys, `[` goes to the last finding.
  browser_.type("#stage", "\uE011");
  const std::array<double, 2> all = range();
  browser_.type("#stage", "f");
  EXPECT_LT((range()[1] - range()[0]) * 2, all[1] - all[0]);
  browser_.run(
      "Object.assign(document.getElementById('stage').style, {flex: '0 0 90px', minHeight: 0})");
  browser_.run(
      "document.getElementById('stage').dispatchEvent(new WheelEvent('wheel', {deltaY: 900, "
      "altKey: true}))");
  EXPECT_EQ(pixels("selection"), 0);
  browser_.type("#stage", "m");
  EXPECT_GT(pixels("selection"), 20);
  browser_.type("#stage", "?");
  EXPECT_EQ(browser_.run("return document.getElementById('help').open"), true);
  browser_.type("#stage", "[");
  browser_.wait_for(
      "document.getElementById('details').textContent.includes([...document.querySelectorAll('#"
      "findings span')].at(-1).textContent)");
  browser_.type("#stage", "\uE00C");
  browser_.wait_for("document.getElementById('details').textContent.includes('Choose')");
}

TEST_F(PageTimeline, IsForThoseToo_WhoDoNotSeeIt) {
  open_sample();
  EXPECT_EQ(browser_.label_of("#stage"), "Timeline");
  EXPECT_EQ(browser_.run("return document.getElementById('stage').tabIndex"), 0);
  const Json controls = browser_.run(
      "return [...document.querySelectorAll('header button, header input, #tools "
      "button:not([hidden]), #tools input, "
      "#statistics select')]"
      ".map((one) => '#' + one.id).filter((id) => id !== '#')");
  EXPECT_GE(controls.size(), 6u);
  for (const Json& control : controls)
    EXPECT_NE(browser_.label_of(control.get<std::string>()), "") << control;
  EXPECT_EQ(browser_.run("return document.querySelectorAll('th[aria-sort]').length > 5"), true);
  browser_.wait_for("document.getElementById('spoken').textContent.startsWith('Timeline shows')");
  browser_.click("#nearby summary");
  browser_.wait_for("document.querySelector('#list caption') !== null");
  browser_.run(
      "[...document.querySelectorAll('#list button')].find((one) => one.textContent === "
      "'measure').click()");
  EXPECT_TRUE(contains(browser_.text_of("#details"), "tick 2000"));
}

// Many threads that have ended, and the idle one: one row, until one of them is shown.
TEST_F(PageTimeline, FoldsThreadsThatHaveEnded) {
  JobTrace trace;
  for (uint64_t thread = 0; thread < 60; ++thread) {
    trace.wake(100 * thread, 1000 + thread);
    trace.change(100 * thread + 20 + thread, JobTrace::kIdle, JobTrace::State::kNew, 1000 + thread);
    trace.change(100 * thread + 90, 1000 + thread, JobTrace::State::kDead, JobTrace::kIdle);
  }
  write("many.fxt", trace.archive());
  open(path("many.fxt"));
  EXPECT_EQ(browser_.text_of("#fold"), "Show 61 idle or ended");
  // The latest one is the last.
  browser_.run("document.querySelector('#findings [data-kind=latency] button').click()");
  EXPECT_TRUE(contains(details(), "thread 1059 ran 79.000 us late"));
  EXPECT_EQ(browser_.text_of("#fold"), "Fold 61 idle or ended");
  browser_.click("#fold");
  EXPECT_EQ(browser_.text_of("#fold"), "Show 61 idle or ended");
}

// States are seen where much lies in each pixel, and arrows of the selection alone.
TEST_F(PageTimeline, StaysQuietWhereMuchHappens) {
  open_sample(2000);
  constexpr int kControl = 26 + 4 + 38 + 8 + 22 + 8;
  EXPECT_EQ(browser_.run("return document.getElementById('stage').dataset.exact"), "true");
  // A pixel in each column, in the mean.
  const int columns =
      browser_.run("return document.getElementById('stage').clientWidth - 170").get<int>();
  EXPECT_GT(pixels("running", kControl, kControl + 12), columns);
  EXPECT_GT(pixels("blocked", kControl, kControl + 12), columns);
  // Between the bars of the two threads.
  EXPECT_EQ(pixels("arrow", kControl + 14, kControl + 46), 0);
  found("hand over");
  browser_.click("#results li:first-child button");
  details();
  EXPECT_GT(pixels("arrow"), 20);
}

TEST_F(PageTimeline, SaysWhereTheTimelineEndsBeforeTheArchive) {
  open_sample();
  const std::string archive = sample_archive();
  host::Source source = host::Source::of(as_bytes(archive), "sample.fxt");
  const host::Result<report::Drawing> drawing = report::draw(source, host::Form{}, {}, 12);
  ASSERT_TRUE(drawing.ok());
  ASSERT_TRUE(drawing.value().of_all);
  auto file = host::OutputFile::create(page());
  ASSERT_TRUE(file.ok());
  const report::Reasons reasons = report::find_reasons(source, {}, {}, drawing.value());
  ASSERT_TRUE(report::write_page(drawing.value(), reasons, *file.value()).ok());
  ASSERT_TRUE(file.value()->commit().ok());
  browser_.open(page());
  settle();
  EXPECT_TRUE(contains(browser_.text_of("#notes"), "more than can be drawn: the timeline ends"));
  EXPECT_EQ(range()[1], static_cast<double>(drawing.value().statistics.last));
  EXPECT_LT(range()[1], stats_.at("last").get<double>());
  // The numbers cover all of it, and the page reports that a place is not drawn.
  for (const char* name : {"plan", "measure"})
    EXPECT_EQ(statistic("durations", "name", name, "count"),
              row("durations", "name", name).at("count").get<double>());
  EXPECT_EQ(statistic("threads", "name", "logger", "wakeup_latency.max_ticks"),
            row("threads", "name", "logger").at("wakeup_latency").at("max_ticks").get<double>());
  const Json& losses = stats_.at("losses");
  EXPECT_EQ(losses.size(), 1u);
  EXPECT_LT(drawing.value().statistics.last, losses[0].at("first").get<uint64_t>());
  EXPECT_TRUE(contains(browser_.text_of("#notes"), "Records were lost"));
  const Json texts = browser_.run(
      "const table = document.getElementById('table'); const texts = [];"
      "for (const option of table.options) {"
      "  table.value = option.value; table.dispatchEvent(new Event('change'));"
      "  for (const button of document.querySelectorAll('#statistics td button')) {"
      "    document.getElementById('details').textContent = '';"
      "    button.click();"
      "    texts.push(document.getElementById('details').textContent);"
      "  }"
      "} return texts");
  const auto not_drawn = std::count_if(texts.begin(), texts.end(), [](const Json& text) {
    return text.get<std::string>().starts_with("Not drawn: from tick ");
  });
  EXPECT_GT(not_drawn, 0);
  EXPECT_LT(not_drawn, static_cast<ptrdiff_t>(texts.size()));
}

}  // namespace
}  // namespace barefxt::test::page_timeline_test
