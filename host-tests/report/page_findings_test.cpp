// Findings, reasons and times on the page are those of the command.
#include <algorithm>
#include <array>
#include <set>

#include <barefxt/host/archive_writer.h>

#include "archive/memory_archive.h"
#include "page_test.h"
#include "stats/job_trace.h"
#include "system_page.h"

namespace barefxt::test::page_findings_test {
namespace {

class PageFindings : public PageOfASystem {
 protected:
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

TEST_F(PageFindings, FindsFirstWhatIsWorst) {
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

// Each sentence names whom it is about, as the command's numbers do.
TEST_F(PageFindings, SaysWhoAndWhereInEachSentence) {
  const auto expect_words = [&](const std::string& kind, const std::vector<Json>& words) {
    const std::string text = findings(kind).at(0).at("text").get<std::string>();
    for (const Json& word : words) {
      const std::string part = word.is_string() ? word.get<std::string>() : word.dump();
      EXPECT_TRUE(contains(text, part)) << " in ";
    }
  };
  const auto worst = [](const Json& rows, const char* value) -> const Json& {
    const Json::json_pointer path(value);
    const auto of = [&](const Json& one) {
      return one.contains(path) && one.at(path).is_number() ? one.at(path).get<double>() : 0;
    };
    return *std::max_element(rows.begin(), rows.end(),
                             [&](const Json& a, const Json& b) { return of(a) < of(b); });
  };
  const auto name = [&](const Json& koid) {
    const Json& known = row("threads", "thread", koid).at("name");
    return known.is_null() ? Json("thread " + koid.dump()) : known;
  };
  const Json& interrupt = worst(stats_.at("interrupts"), "/kept_off/max_ticks");
  expect_words("interrupt", {interrupt.at("name"), "CPU " + interrupt.at("cpu").dump(),
                             name(interrupt.at("kept_off_thread"))});
  const Json& inversion = worst(stats_.at("priority_inversions"), "/max_ticks");
  expect_words("inversion", {name(inversion.at("waiter")), name(inversion.at("holder")),
                             name(inversion.at("runner"))});
  const Json& loss = worst(stats_.at("losses"), "/times");
  expect_words("loss",
               {"CPU " + loss.at("cpu").dump(), loss.at("where"),
                loss.at("records").dump() + " records", loss.at("bytes").dump() + " bytes"});
  const Json& busiest = worst(stats_.at("cpus"), "/busy_share");
  expect_words("cpu", {"CPU " + busiest.at("cpu").dump()});
}

// Three come first, and the others behind all else.
TEST_F(PageFindings, NamesEveryCpuThatLostRecords) {
  MemoryArchive writer(1'000'000);
  for (uint64_t cpu = 0; cpu < 5; ++cpu) {
    EXPECT_TRUE(writer.kernel_object(100 + cpu, fxt::KernelObjectType::kThread,
                                     text("cpu-" + std::to_string(cpu)), {}));
    const host::ArchiveArgument arguments[] = {
        host::ArchiveArgument::uint64(text("records"), 10 + cpu),
        host::ArchiveArgument::uint64(text("bytes"), 200),
        host::ArchiveArgument::string(text("where"), text("ring"))};
    EXPECT_TRUE(add_event(writer, fxt::EventType::kDurationComplete, 100 * cpu, {0, 0, 100 + cpu},
                          "barefxt", "drop_stats", 100 * cpu + 50, arguments));
  }
  write("lost.fxt", writer.text());
  open(path("lost.fxt"));
  const Json found = findings("loss");
  ASSERT_EQ(found.size(), stats_.at("losses").size());
  ASSERT_EQ(found.size(), 5u);
  for (const Json& loss : stats_.at("losses")) {
    const std::string start = "Records of CPU " + loss.at("cpu").dump() + " were lost, 1 time";
    const std::string amount = loss.at("records").dump() + " records";
    EXPECT_EQ(std::ranges::count_if(found,
                                    [&](const Json& one) {
                                      const std::string words = one.at("text");
                                      return words.starts_with(start) &&
                                             words.find(amount) != std::string::npos;
                                    }),
              1)
        << loss;
  }
  // Each is shown where it is.
  for (size_t i = 0; i < found.size(); ++i) {
    browser_.run("document.querySelectorAll('#findings [data-kind=loss] button')[" +
                 std::to_string(i) + "].click()");
    EXPECT_TRUE(contains(details(), found[i].at("text").get<std::string>()));
    EXPECT_GT(pixels("selection"), 20) << i;
  }
}

TEST_F(PageFindings, CountsLateJobs) {
  JobTrace trace;
  for (const uint64_t length : {3, 4, 250, 700}) {
    trace.begin(length * 1000, 1, "control", JobTrace::terms(1000, 100));
    trace.end(length * 1000 + length, 1, "control");
  }
  write("jobs.fxt", trace.archive());
  open(path("jobs.fxt"));
  const Json& jobs = row("jobs", "name", "control");
  const Json found = findings("job").at(0);
  EXPECT_EQ(found.at("ticks"), jobs.at("max_ticks"));
  EXPECT_TRUE(contains(found.at("text").get<std::string>(), jobs.at("late").dump() + " of 4 jobs"))
      << found;
  browser_.run("document.querySelector('#findings [data-kind=job] button').click()");
  EXPECT_TRUE(contains(details(), "tick " + jobs.at("max_begin").dump()));
}

TEST_F(PageFindings, ShowsAFindingWithOneClick) {
  const size_t count =
      browser_.run("return document.querySelectorAll('#findings button').length").get<size_t>();
  ASSERT_GE(count, 7u);
  std::set<std::string> seen;
  for (size_t i = 0; i < count; ++i) {
    // As far away as it gets: the lanes are scrolled to one end.
    browser_.run(
        "const stage = document.getElementById('stage'); Object.assign(stage.style, {flex: '0 0 "
        "120px', minHeight: 0}); stage.dispatchEvent(new WheelEvent('wheel', {deltaY: " +
        std::string(i % 2 == 0 ? "" : "-") + "5000, altKey: true}))");
    browser_.run("document.getElementById('details').textContent = ''");
    browser_.run("document.querySelectorAll('#findings button')[" + std::to_string(i) +
                 "].click()");
    const std::string details = this->details();
    const Json text = browser_.run("return document.querySelectorAll('#findings span')[" +
                                   std::to_string(i) + "].textContent");
    EXPECT_TRUE(contains(details, text.get<std::string>())) << text;
    EXPECT_TRUE(seen.insert(details).second) << details;
    // The outline is drawn where the lane is on the screen.
    EXPECT_GT(pixels("selection"), 20) << text;
  }
  // The same by keys: also those that are pressed right behind a button.
  browser_.run("document.getElementById('stage').focus()");
  browser_.type("#stage", "]");
  const std::string first = details();
  EXPECT_TRUE(seen.contains(first));
  browser_.type("#findings button", "]");
  EXPECT_TRUE(seen.contains(details()));
  EXPECT_NE(details(), first);
  browser_.type("#findings button", "[");
  EXPECT_EQ(details(), first);
  browser_.type("#findings button", "?");
  EXPECT_EQ(browser_.run("return document.getElementById('help').open"), true);
  // Text that is typed means no key.
  browser_.type("#query", "]");
  EXPECT_EQ(details(), first);
}

TEST_F(PageFindings, SaysWhyAsTheCommandDoes) {
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
  EXPECT_TRUE(contains(details, latency.at("would_help").get<std::string>()));
  const Json chain = browser_.run(
      "return [...document.querySelectorAll('#why .chain li')].map((one) => one.textContent)");
  ASSERT_EQ(chain.size(), latency.at("chain").size());
  ASSERT_GT(chain.size(), 0u);
  for (size_t i = 0; i < chain.size(); ++i) {
    const Json& link = latency.at("chain").at(i);
    const std::string words = chain[i].get<std::string>();
    const auto called = [](const Json& koid, const Json& name) {
      return name.is_string() ? name.get<std::string>() : "thread " + koid.dump();
    };
    std::string by = "somebody that is not recorded";
    if (link.contains("waker"))
      by = called(link.at("waker"), link.value("waker_name", Json()));
    else if (link.contains("interrupt"))
      by = "interrupt " + link.at("interrupt").get<std::string>();
    EXPECT_TRUE(words.starts_with(called(link.at("thread"), link.value("thread_name", Json())) +
                                  " was woken by " + by))
        << words << link;
  }
  // An interval that the command did not explain: a thread was blocked.
  browser_.click("#whole");
  browser_.click("#nearby summary");
  browser_.wait_for("document.querySelector('#list caption') !== null");
  const Json blocked = browser_.run(
      "const one = [...document.querySelectorAll('#list button')].find((one) => "
      "one.textContent.endsWith('is blocked')); one.click(); return one.textContent");
  const std::string parted = this->details();
  EXPECT_TRUE(contains(parted, blocked.get<std::string>()));
  const Json sums = browser_.run(
      "const length = [...document.querySelectorAll('#details dt')].find((one) => one.textContent "
      "=== 'Length').nextSibling.textContent; return [length, "
      "[...document.querySelectorAll('#why .parts tr')].reduce((sum, row) => sum + "
      "Number(row.dataset.ticks), 0)]");
  EXPECT_TRUE(contains(sums.at(0).get<std::string>(),
                       "(" + std::to_string(sums.at(1).get<int>()) + " ticks)"))
      << sums;
}

TEST_F(PageFindings, HasTheTimesOfTheCommand) {
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
  // A link is followed in the open page, too.
  browser_.run("location.hash = '#150ticks-320ticks'");
  browser_.wait_for("document.getElementById('range').dataset.begin === '150'");
  EXPECT_EQ(range(), (std::array<double, 2>{150, 320}));
  browser_.run("location.hash = '#200ticks-260ticks'");
  browser_.wait_for("document.getElementById('range').dataset.begin === '200'");
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

}  // namespace
}  // namespace barefxt::test::page_findings_test
