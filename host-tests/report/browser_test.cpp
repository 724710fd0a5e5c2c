// The page in a browser: it loads, zooms, moves, finds, shows what is worst and why, all about an
// event and the numbers of `stats --json`, looks as it did, in light and in dark, and requests
// nothing from the network.
#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <set>
#include <sstream>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

#include <barefxt/host/archive_writer.h>
#include <barefxt/host/output_file.h>

#include "archive/memory_sink.h"
#include "convert/converting.h"
#include "explain/simulated_system.h"
#include "print/printing.h"
#include "report/drawing.h"
#include "report/page.h"
#include "report/palette.h"
#include "sample.h"
#include "stats/busy_archive.h"
#include "stats/job_trace.h"
#include "webdriver.h"

namespace barefxt::test::browser_test {
namespace {

using Json = nlohmann::json;

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

void run_command(const std::string& arguments) {
  const std::string line = "'" BAREFXT_COMMAND "' " + arguments;
  ASSERT_EQ(std::system(line.c_str()), 0) << line;  // NOLINT(cert-env33-c)
}

class Page : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = ::testing::TempDir() + "barefxt-report-XXXXXX";
    ASSERT_NE(::mkdtemp(folder_.data()), nullptr);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  void open_sample() {
    const std::string archive = folder_ + "/sample.fxt";
    std::ofstream(archive, std::ios::binary) << sample_archive();
    open(archive);
  }
  void open(const std::string& archive) {
    run_command("report '" + archive + "' -o '" + page() + "'");
    run_command("stats --json '" + archive + "' >'" + folder_ + "/stats.json'");
    stats_ = Json::parse(contents(folder_ + "/stats.json"));
    browser_.open(page());
    settle();
  }
  std::string page() const { return folder_ + "/report.html"; }

  void settle() { browser_.wait_for("document.getElementById('stage').dataset.state === 'ready'"); }
  // The timeline's range, in ticks.
  std::array<double, 2> range() {
    settle();
    const Json range = browser_.run("return {...document.getElementById('range').dataset}");
    return {std::stod(range.at("begin").get<std::string>()),
            std::stod(range.at("end").get<std::string>())};
  }
  // All of it, with the reasons.
  std::string details() {
    browser_.wait_for("document.querySelector('#why[data-state=done]') !== null");
    return browser_.text_of("#details");
  }
  uint64_t found(const std::string& query) {
    browser_.run("document.getElementById('query').value = ''");
    browser_.type("#query", query);
    browser_.wait_for("document.getElementById('found').dataset.count !== undefined");
    return std::stoull(
        browser_.run("return document.getElementById('found').dataset.count").get<std::string>());
  }
  // How many pixels of the picture have a colour: of the rows from `top` to ahead of `end`.
  int pixels(const std::string& name, int top = 0, int end = 10'000) {
    settle();
    uint32_t rgb = 0;
    for (const report::Colour& one : report::kPalette)
      if (one.name == name) rgb = one.light;
    return browser_
        .run("const canvas = document.getElementById('picture'); const top = " +
             std::to_string(top) + "; const end = Math.min(canvas.height, " + std::to_string(end) +
             "); const {data} = canvas.getContext('2d').getImageData(0, top, canvas.width, end - "
             "top); let count = 0; for (let i = 0; i < data.length; i += 4) if (data[i] * 65536 + "
             "data[i + 1] * 256 + data[i + 2] === " +
             std::to_string(rgb) + ") ++count; return count")
        .get<int>();
  }
  // Returns the number in a column, from the row whose cell of this key has this value.
  double statistic(const std::string& table, const std::string& key, const std::string& value,
                   const std::string& column) {
    browser_.run("const table = document.getElementById('table'); table.value = '" + table +
                 "'; table.dispatchEvent(new Event('change'))");
    const Json number = browser_.run(
        "for (const row of document.querySelectorAll('#statistics tbody tr')) {"
        "  const cell = (key) => row.querySelector(`[data-key=\"${key}\"]`).dataset.value;"
        "  if (cell('" +
        key + "') === '" + value + "') return Number(cell('" + column +
        "'));"
        "} return null");
    EXPECT_TRUE(number.is_number()) << table << " " << value << " " << column;
    return number.is_number() ? number.get<double>() : -1;
  }
  const Json& row(const std::string& table, const std::string& key, const Json& value) const {
    for (const Json& one : stats_.at(table)) {
      if (one.at(key) == value) return one;
    }
    throw std::runtime_error("no such row");
  }

  std::string folder_;
  Json stats_;
  Browser browser_;
};

TEST_F(Page, LoadsAndShowsAllAboutAnEvent) {
  open_sample();
  EXPECT_EQ(browser_.text_of("#archive"), "sample.fxt");
  EXPECT_EQ(browser_.run("return document.getElementById('summary').dataset.records"),
            std::to_string(stats_.at("records").at("total").get<uint64_t>()));
  EXPECT_NE(browser_.text_of("#notes").find("Records were lost"), std::string::npos);
  EXPECT_EQ(found("overrun"), 1u);
  EXPECT_EQ(found("job 7"), 1u);  // in a log
  EXPECT_EQ(found("plan"), row("durations", "name", "plan").at("count").get<uint64_t>());
  browser_.click("#results li:nth-child(4) button");
  settle();
  const std::string details = this->details();
  for (const char* text : {"duration", "plan", "work", "control (thread 11, process 5)",
                           "3.400 ms (3400 ticks)", "tick 31600", "tick 35000", "job (uint32)\n3"})
    EXPECT_NE(details.find(text), std::string::npos) << text << " in " << details;
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
}

TEST_F(Page, ZoomsAndMovesByWheelDragKeysAndButtons) {
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

TEST_F(Page, GoesFromEventToEventByKeys) {
  open_sample();
  EXPECT_EQ(found("measure"), 10u);
  browser_.click("#results li:first-child button");
  settle();
  EXPECT_NE(browser_.text_of("#details").find("tick 2000"), std::string::npos);
  EXPECT_EQ(browser_.text_of("#found"), "1 of 10 events and 0 lanes found");
  browser_.type("#stage", "\uE011nn");
  browser_.wait_for("document.getElementById('details').textContent.includes('tick 12000')");
  browser_.type("#stage", "p");
  browser_.wait_for("document.getElementById('details').textContent.includes('plan')");
  browser_.type("#stage", "\uE00C");
  browser_.wait_for("document.getElementById('details').textContent.includes('Choose')");
}

TEST_F(Page, IsForThoseToo_WhoDoNotSeeIt) {
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
  EXPECT_NE(browser_.text_of("#details").find("tick 2000"), std::string::npos);
}

TEST_F(Page, SortsItsStatistics) {
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

TEST_F(Page, ShowsResponseTimesOfJobsAsAHistogram) {
  JobTrace trace;
  for (const uint64_t length : {3, 4, 5, 30, 700}) {
    trace.begin(length * 1000, 1, "control", JobTrace::terms(1000, 100));
    trace.end(length * 1000 + length, 1, "control");
  }
  const std::string archive = folder_ + "/jobs.fxt";
  std::ofstream(archive, std::ios::binary) << trace.archive();
  open(archive);
  EXPECT_EQ(statistic("jobs", "name", "control", "late"), 1);
  EXPECT_EQ(statistic("jobs", "name", "control", "max_ticks"), 700);
  const Json cell = browser_.run(
      "const cell = document.querySelector('td[data-key=histogram]'); "
      "return [cell.textContent, cell.title.split('\\n')[0]]");
  EXPECT_EQ(cell.at(0), "█  ▃   ▃");
  EXPECT_EQ(cell.at(1).get<std::string>().find("up to 5"), 0U) << cell;
}

// Findings, reasons and times, of a simulated system with losses, locks and interrupts.
class PageOfASystem : public Page {
 protected:
  void SetUp() override {
    Page::SetUp();
    const explaining::System system = explaining::simulate({.seed = 7, .cpus = 2, .steps = 600});
    std::ofstream(archive(), std::ios::binary)
        << explaining::archive_of(system.options, explaining::with_losses(system, 3, 1));
    open(archive());
  }
  std::string archive() const { return folder_ + "/system.fxt"; }
  Json json_of(const std::string& verb, const std::string& options) {
    run_command(verb + " --json '" + archive() + "' " + options + " >'" + folder_ + "/some.json'");
    return Json::parse(contents(folder_ + "/some.json"));
  }
  Json worst_of(const std::string& options) {
    return json_of("explain", "--worst 1 " + options).at("cases").at(0);
  }
  Json findings(const std::string& kind) {
    return browser_.run("return [...document.querySelectorAll('#findings [data-kind=" + kind +
                        "]')].map((line) => ({ticks: Number(line.dataset.ticks), text: "
                        "line.querySelector('span').textContent}))");
  }
  static double most(const Json& rows, const Json::json_pointer& value) {
    double most = 0;
    for (const Json& row : rows)
      if (row.contains(value) && !row.at(value).is_null())
        most = std::max(most, row.at(value).get<double>());
    return most;
  }
};

TEST_F(PageOfASystem, FindsFirstWhatIsWorst) {
  const Json latency = worst_of("");
  EXPECT_EQ(findings("latency").at(0).at("ticks"), latency.at("ticks"));
  EXPECT_EQ(findings("latency").at(0).at("text"), latency.at("sentence"));
  const Json wait = worst_of("--lock '*'");
  EXPECT_EQ(findings("wait").at(0).at("ticks"), wait.at("ticks"));
  EXPECT_EQ(findings("wait").at(0).at("text"), wait.at("sentence"));
  EXPECT_EQ(findings("inversion").at(0).at("ticks"),
            most(stats_.at("priority_inversions"), "/max_ticks"_json_pointer));
  EXPECT_EQ(findings("interrupt").at(0).at("ticks"),
            most(stats_.at("interrupts"), "/kept_off/max_ticks"_json_pointer));
  const Json& busiest = *std::max_element(
      stats_.at("cpus").begin(), stats_.at("cpus").end(), [](const Json& a, const Json& b) {
        return a.at("busy_share").get<double>() < b.at("busy_share").get<double>();
      });
  EXPECT_EQ(findings("cpu").at(0).at("ticks"), busiest.at("busy_ticks"));
  EXPECT_EQ(findings("loss").size(), stats_.at("losses").size());
  EXPECT_GT(findings("loss").size(), 0u);
}

TEST_F(PageOfASystem, ShowsAFindingWithOneClick) {
  const size_t count =
      browser_.run("return document.querySelectorAll('#findings button').length").get<size_t>();
  ASSERT_GE(count, 7u);
  std::set<std::string> seen;
  for (size_t i = 0; i < count; ++i) {
    // As far away as it gets.
    browser_.run("document.getElementById('details').textContent = ''");
    browser_.run("document.querySelectorAll('#findings button')[" + std::to_string(i) +
                 "].click()");
    const std::string details = this->details();
    const Json text = browser_.run("return document.querySelectorAll('#findings span')[" +
                                   std::to_string(i) + "].textContent");
    EXPECT_NE(details.find(text.get<std::string>()), std::string::npos) << text << details;
    EXPECT_TRUE(seen.insert(details).second) << details;
    // The outline is drawn where the lane is on the screen.
    EXPECT_GT(pixels("selection"), 20) << text;
  }
  // The same by keys.
  browser_.run("document.getElementById('stage').focus()");
  browser_.type("#stage", "]");
  EXPECT_TRUE(seen.contains(details()));
}

TEST_F(PageOfASystem, SaysWhyAsTheCommandDoes) {
  const Json latency = worst_of("");
  browser_.run("document.querySelector('#findings [data-kind=latency] button').click()");
  const std::string details = this->details();
  const Json rows = browser_.run(
      "return [...document.querySelectorAll('#why .parts tr')].map((row) => ({ticks: "
      "Number(row.dataset.ticks), times: Number(row.dataset.times), longest: "
      "Number(row.dataset.longest), text: row.dataset.text}))");
  ASSERT_EQ(rows.size(), std::min<size_t>(latency.at("parts").size(), 12));
  for (size_t i = 0; i < rows.size(); ++i) {
    const Json& part = latency.at("parts").at(i);
    EXPECT_EQ(rows[i].at("ticks"), part.at("ticks"));
    EXPECT_EQ(rows[i].at("times"), part.at("times"));
    EXPECT_EQ(rows[i].at("longest"), part.at("longest_ticks"));
    EXPECT_EQ(rows[i].at("text"), part.at("text"));
  }
  EXPECT_NE(details.find(latency.at("would_help").get<std::string>()), std::string::npos);
  EXPECT_EQ(browser_.run("return document.querySelectorAll('#why .chain li').length"),
            latency.at("chain").size());
  // An interval that the command did not explain: a thread was blocked.
  browser_.click("#whole");
  browser_.click("#nearby summary");
  browser_.wait_for("document.querySelector('#list caption') !== null");
  const Json blocked = browser_.run(
      "const one = [...document.querySelectorAll('#list button')].find((one) => "
      "one.textContent.endsWith('is blocked')); one.click(); return one.textContent");
  const std::string parted = this->details();
  EXPECT_NE(parted.find(blocked.get<std::string>()), std::string::npos) << parted;
  const Json sums = browser_.run(
      "const length = [...document.querySelectorAll('#details dt')].find((one) => one.textContent "
      "=== 'Length').nextSibling.textContent; return [length, "
      "[...document.querySelectorAll('#why .parts tr')].reduce((sum, row) => sum + "
      "Number(row.dataset.ticks), 0)]");
  EXPECT_NE(
      sums.at(0).get<std::string>().find("(" + std::to_string(sums.at(1).get<int>()) + " ticks)"),
      std::string::npos)
      << sums;
}

TEST_F(PageOfASystem, HasTheTimesOfTheCommand) {
  // As printed, and as --from takes them.
  browser_.run("document.getElementById('time').value = ''");
  browser_.type("#time", "150us to 0.00032\uE007");
  EXPECT_EQ(range(), (std::array<double, 2>{150, 320}));
  browser_.wait_for("location.hash !== ''");
  const std::string hash = browser_.run("return location.hash.slice(1)").get<std::string>();
  const size_t middle = hash.find('-');
  const std::string stretch =
      "--from " + hash.substr(0, middle) + " --to " + hash.substr(middle + 1);
  const Json stats = json_of("stats", stretch);
  EXPECT_EQ(stats.at("first"), 150) << stretch;
  EXPECT_EQ(stats.at("last"), 320) << stretch;
  // The options themselves can be pasted, too.
  browser_.run("document.getElementById('time').value = ''");
  browser_.type("#time", "--from 200ticks --to 260ticks\uE007");
  EXPECT_EQ(range(), (std::array<double, 2>{200, 260}));
  browser_.run("document.getElementById('time').value = ''");
  browser_.type("#time", "soon\uE007");
  EXPECT_EQ(browser_.run("return document.getElementById('time').validity.valid"), false);
  EXPECT_EQ(range(), (std::array<double, 2>{200, 260}));
  // The place and the theme survive.
  browser_.wait_for("location.hash.includes('260')");
  const std::string url = browser_.run("return location.href").get<std::string>();
  const Json theme = browser_.run("return document.documentElement.dataset.theme");
  browser_.click("#theme");
  browser_.go_to("about:blank");
  browser_.go_to(url);
  EXPECT_EQ(range(), (std::array<double, 2>{200, 260}));
  EXPECT_NE(browser_.run("return document.documentElement.dataset.theme"), theme);
  browser_.click("#whole");
  browser_.wait_for("location.hash === ''");
}

// Many threads that have ended: one row, until one of them is shown.
TEST_F(Page, FoldsThreadsThatHaveEnded) {
  MemorySink sink;
  host::ArchiveWriter writer(sink, host::ByteOrder::kLittle);
  writer.magic_number();
  writer.initialization(1'000'000);
  for (uint64_t thread = 0; thread < 60; ++thread) {
    const auto change = [&](uint64_t time, uint64_t out, fxt::ThreadState state, uint64_t in) {
      writer.legacy_context_switch({.timestamp = time,
                                    .cpu = 0,
                                    .outgoing_state = state,
                                    .outgoing = {0, 5, out},
                                    .incoming = {0, 5, in},
                                    .outgoing_priority = 1,
                                    .incoming_priority = 2});
    };
    (void)writer.thread_wakeup({.timestamp = 100 * thread, .cpu = 0, .thread = 1000 + thread}, {});
    change(100 * thread + 20 + thread, 7, fxt::ThreadState::kNew, 1000 + thread);
    change(100 * thread + 90, 1000 + thread, fxt::ThreadState::kDead, 7);
  }
  ASSERT_TRUE(writer.flush().ok());
  const std::string archive = folder_ + "/many.fxt";
  std::ofstream(archive, std::ios::binary) << std::string(sink.bytes().begin(), sink.bytes().end());
  open(archive);
  EXPECT_EQ(browser_.text_of("#fold"), "Show 60 idle or ended");
  // The latest one is the last.
  browser_.run("document.querySelector('#findings [data-kind=latency] button').click()");
  EXPECT_NE(details().find("thread 1059 ran 79.000 us late"), std::string::npos) << details();
  EXPECT_EQ(browser_.text_of("#fold"), "Fold 60 idle or ended");
  browser_.click("#fold");
  EXPECT_EQ(browser_.text_of("#fold"), "Show 60 idle or ended");
}

// States are seen where much lies in each pixel, and arrows of the selection alone.
TEST_F(Page, StaysQuietWhereMuchHappens) {
  const std::string archive = folder_ + "/long.fxt";
  std::ofstream(archive, std::ios::binary) << sample_archive(2000);
  open(archive);
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

TEST_F(Page, AsksNobodyForAnything) {
  open_sample();
  EXPECT_EQ(browser_.run("return performance.getEntriesByType('resource').length"), 0);
  EXPECT_EQ(
      browser_.run("return fetch('data:text/plain,x').then(() => 'fetched', () => 'refused')"),
      "refused");
  const Json policy = browser_.run("return document.querySelector('meta[http-equiv]').content");
  EXPECT_NE(policy.get<std::string>().find("default-src 'none'"), std::string::npos);
  EXPECT_EQ(policy.get<std::string>().find("unsafe"), std::string::npos);
  // No text of an archive becomes part of the page.
  EXPECT_EQ(browser_.run("return document.querySelectorAll('b').length"), 0);
}

TEST_F(Page, SaysWhereTheTimelineEndsBeforeTheArchive) {
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
  EXPECT_NE(browser_.text_of("#notes").find("more than can be drawn: the timeline ends"),
            std::string::npos)
      << browser_.text_of("#notes");
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
  EXPECT_NE(browser_.text_of("#notes").find("Records were lost"), std::string::npos);
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

// The picture below the text, as colours of a grid of 32 by 24 over its upper 300 pixels.
std::string grid(Browser& browser) {
  return browser
      .run(
          "const canvas = document.getElementById('picture');"
          "const context = canvas.getContext('2d'); const [columns, rows, height] = [32, 24, 300];"
          "let text = '';"
          "for (let row = 0; row < rows; ++row) {"
          "  for (let column = 0; column < columns; ++column) {"
          "    const [x, y] = [Math.floor(column * canvas.width / columns), Math.floor(row * "
          "height / rows)];"
          "    const w = Math.floor((column + 1) * canvas.width / columns) - x;"
          "    const h = Math.floor((row + 1) * height / rows) - y;"
          "    const pixels = context.getImageData(x, y, w, h).data;"
          "    for (let part = 0; part < 3; ++part) {"
          "      let sum = 0;"
          "      for (let i = part; i < pixels.length; i += 4) sum += pixels[i];"
          "      text += Math.round(sum / (w * h)).toString(16).padStart(2, '0');"
          "    }"
          "    text += column + 1 < columns ? ' ' : '\\n';"
          "  }"
          "}"
          "return text;")
      .get<std::string>();
}

// How many colours differ by more than a tolerance for edges that lie a little elsewhere.
int differing(const std::string& one, const std::string& other) {
  constexpr int kTolerance = 8;
  std::istringstream ours(one);
  std::istringstream theirs(other);
  int count = 0;
  for (std::string a, b; ours >> a && theirs >> b;) {
    bool differs = a.size() != 6 || b.size() != 6;
    for (size_t i = 0; i < 6 && !differs; i += 2)
      differs = std::abs(std::stoi(a.substr(i, 2), nullptr, 16) -
                         std::stoi(b.substr(i, 2), nullptr, 16)) > kTolerance;
    count += differs ? 1 : 0;
  }
  return count;
}

TEST_F(Page, LooksAsItDid) {
  open_sample();
  std::array<std::string, 2> seen;
  for (const char* theme : {"light", "dark"}) {
    if (browser_.run("return document.documentElement.dataset.theme") != theme)
      browser_.click("#theme");
    settle();
    const std::string now = grid(browser_);
    seen[*theme == 'd' ? 1 : 0] = now;
    const std::string golden =
        BAREFXT_SOURCE_DIR "/host-tests/report/looks-" + std::string(theme) + ".txt";
    const std::string was = contents(golden);
    ASSERT_EQ(now.size(), 32u * 24 * 7);
    if (was.size() == now.size() && differing(now, was) == 0) continue;
    const std::string aside = ::testing::TempDir() + "looks-" + theme + ".txt";
    std::ofstream(aside) << now;
    ADD_FAILURE() << "the " << theme << " picture differs from " << golden << " in "
                  << differing(now, was) << " of 768 places; what it looks like now is in "
                  << aside;
  }
  EXPECT_GT(differing(seen[0], seen[1]), 500);
}

TEST_F(Page, OfAMillionRecordsIsSmallAndShowsTheRightNumbers) {
  const BusyArchive archive(1'000'000);
  open(archive.path());
  EXPECT_GE(stats_.at("records").at("total").get<uint64_t>(), 1'000'000u);
  EXPECT_LT(std::filesystem::file_size(page()), 10'000'000u);
  EXPECT_EQ(browser_.run("return document.getElementById('summary').dataset.records"),
            std::to_string(stats_.at("records").at("total").get<uint64_t>()));
  EXPECT_EQ(browser_.run("return document.getElementById('summary').dataset.events"),
            std::to_string(stats_.at("records").at("event").get<uint64_t>()));
  EXPECT_EQ(browser_.run("return document.getElementById('stage').dataset.exact"), "false");
  // Summed up, too, threads are seen to run, and CPUs to run threads of many colours.
  EXPECT_GT(pixels("running"), 1000);
  EXPECT_EQ(pixels("running", 26 + 4, 26 + 4 + 20), 0);
  EXPECT_GT(pixels("idle", 26 + 4, 26 + 4 + 20), 1000);
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
  EXPECT_NE(text.get<std::string>().find(
                "(" + std::to_string(step.at("max_ticks").get<uint64_t>()) + " ticks)"),
            std::string::npos)
      << text;
}

// Answers every request with an empty page, as a site would whose scripts are the test's.
class OtherSite {
 public:
  OtherSite() {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    EXPECT_EQ(::bind(listener_, reinterpret_cast<sockaddr*>(&address), size), 0);
    EXPECT_EQ(::listen(listener_, 8), 0);
    EXPECT_EQ(::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size), 0);
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] { serve(); });
  }
  ~OtherSite() {
    ::shutdown(listener_, SHUT_RDWR);
    thread_.join();
    ::close(listener_);
  }
  OtherSite(const OtherSite&) = delete;
  OtherSite& operator=(const OtherSite&) = delete;
  int port() const { return port_; }

 private:
  void serve() const {
    for (int client = 0; (client = ::accept(listener_, nullptr, nullptr)) >= 0; ::close(client)) {
      const timeval patience{2, 0};
      ::setsockopt(client, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
      std::array<char, 4096> request;
      if (::recv(client, request.data(), request.size(), 0) <= 0) continue;
      const std::string answer =
          "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 4\r\n"
          "Connection: close\r\n\r\n<p>\n";
      (void)::send(client, answer.data(), answer.size(), MSG_NOSIGNAL);
    }
  }

  int listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  int port_ = 0;
  std::thread thread_;
};

// `barefxt open`, asked by scripts of another site, and under a name that was rebound to this
// machine.
TEST_F(Page, OfAnotherSiteReadsNothingFromOpen) {
  const std::string archive = folder_ + "/sample.fxt";
  std::ofstream(archive, std::ios::binary) << sample_archive();
  const std::string line =
      "'" BAREFXT_COMMAND "' open '" + archive + "' --no-browser --port 0 --seconds 120";
  std::FILE* const server = ::popen(line.c_str(), "re");  // NOLINT(cert-env33-c)
  ASSERT_NE(server, nullptr);
  std::array<char, 1024> printed{};
  ASSERT_NE(std::fgets(printed.data(), printed.size(), server), nullptr);
  const std::string text(printed.data(), std::strcspn(printed.data(), "\n"));
  const std::string url = text.substr(text.find("http://127.0.0.1"));
  const std::string place = url.substr(url.find(':', 5) + 1);  // PORT/TOKEN/NAME
  const auto fetched = [&](const std::string& what, const char* options) {
    return browser_.run("return fetch('" + what + "', " + options +
                        ").then(async a => a.status + ' ' + (await a.arrayBuffer()).byteLength,"
                        " e => 'refused')");
  };
  const OtherSite site;
  browser_.go_to("http://attacker.example:" + std::to_string(site.port()) + "/");
  EXPECT_EQ(fetched(url, "{}"), "refused");
  EXPECT_EQ(fetched(url, "{method: 'HEAD'}"), "refused");
  EXPECT_EQ(fetched("http://rebound.example:" + place, "{}"), "refused");
  EXPECT_EQ(fetched(url.substr(0, url.rfind('/')), "{mode: 'no-cors'}"), "0 0");  // opaque
  // A page of the name that was rebound is of the same origin as what it asks for.
  browser_.go_to("http://rebound.example:" + place);
  EXPECT_EQ(browser_.run("return document.body.innerText.trim()"), "403 Forbidden");
  EXPECT_EQ(fetched("http://rebound.example:" + place, "{}"), "403 14");
  // Many clients at once, and some that never finish their requests, keep no other client out.
  browser_.go_to("http://attacker.example:" + std::to_string(site.port()) + "/");
  EXPECT_EQ(browser_.run("const all = Array.from({length: 200}, (_, i) => fetch('" + url +
                         "' + i));"
                         "return Promise.allSettled(all).then("
                         "a => a.filter(one => one.status == 'rejected').length)"),
            200);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<uint16_t>(std::stoi(place)));
  std::vector<int> slow;
  for (int i = 0; i < 100; ++i) {
    slow.push_back(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    EXPECT_EQ(::connect(slow.back(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    EXPECT_EQ(::send(slow.back(), "GET /", 5, MSG_NOSIGNAL), 5);
  }
  // It is there for clients that know the address.
  browser_.go_to(url.substr(0, url.find('/', 8)) + "/");
  EXPECT_EQ(fetched(url, "{}"),
            "200 " + std::to_string(to_perfetto(sample_archive()).bytes.size()));
  EXPECT_EQ(::pclose(server), 0);
  for (const int one : slow) ::close(one);
}

}  // namespace
}  // namespace barefxt::test::browser_test
