// The page sums up any stretch as `stats --from --to` does, also where a switch behind the stretch
// shows that some are missing: the page's own functions, in a browser, over traces of a simulated
// system.
#include <gtest/gtest.h>
#include <random>

#include "archive/memory_sink.h"
#include "cli/shell_line.h"
#include "explain/simulated_system.h"
#include "report/page.h"
#include "stats/summing.h"
#include "webdriver.h"

namespace barefxt::test::page_stretches_test {
namespace {

using namespace explaining;
using Json = nlohmann::json;
using Stretch = std::pair<uint64_t, uint64_t>;

// The page's functions, as `stretches`.
std::string bundle() {
  LineResult ran = run_line(
      "cd '" BAREFXT_SOURCE_DIR
      "/host/report/src' && echo 'import { Trace } from \"./trace.js\"; import { sumsOf } from "
      "\"./sums.js\"; globalThis.stretches = { Trace, sumsOf };' | esbuild --bundle --format=iife "
      "--target=es2022 --log-level=warning");
  EXPECT_EQ(ran.status, 0);
  return ran.output;
}

// The content of an element of the page.
std::string content_of(const std::string& page, const std::string& id) {
  const std::string head = "id=\"" + id + "\">";
  const size_t begin = page.find(head) + head.size();
  return page.substr(begin, page.find("</script>", begin) - begin);
}

std::string page_of(const std::string& archive) {
  host::Source source = host::Source::of(as_bytes(archive), "in memory");
  const auto drawing = report::draw(source, host::Form{}, {});
  EXPECT_TRUE(drawing.ok());
  const report::Reasons reasons = report::find_reasons(source, {}, {}, drawing.value());
  MemorySink sink;
  EXPECT_TRUE(report::write_page(drawing.value(), reasons, sink).ok());
  return {sink.bytes().begin(), sink.bytes().end()};
}

// Lists of numbers by what they are about, without those that are all zero.
void put(Json& all, const std::string& about, const Json& numbers) {
  if (std::ranges::any_of(numbers, [](const Json& number) { return number != 0; }))
    all[about] = numbers;
}

Json shown_in(Browser& browser, const std::string& page, const std::vector<Stretch>& stretches) {
  const Json answers = browser.run(
      "return (async () => { const trace = await stretches.Trace.load({textContent: '" +
      content_of(page, "data") + "'}, {textContent: '" + content_of(page, "index") +
      "'}); const all = []; for (const [from, to] of " + Json(stretches).dump() +
      ") { const sums = await stretches.sumsOf(trace, trace.time(from), trace.time(to), () => "
      "false); all.push([sums.threads.map((row) => ['thread ' + row.thread, [row.running_ticks, "
      "row.runnable_ticks, row.blocked_ticks, row.waiting_ticks, row.unknown_ticks, "
      "row.wakeup_latency.count, row.wakeup_latency.max_ticks]]), sums.cpus.map((row) => ['CPU ' + "
      "row.cpu, [row.busy_ticks, row.idle_ticks, row.unknown_ticks, row.lost_ticks]])]); } return "
      "all; })()");
  Json all = Json::array();
  for (const Json& answer : answers) {
    Json one = Json::object();
    for (const Json& rows : answer)
      for (const Json& row : rows) put(one, row.at(0), row.at(1));
    all.push_back(one);
  }
  return all;
}

Json command_in(const std::string& archive, const Stretch& stretch) {
  host::StatisticsOptions how;
  how.selection.from = host::TimeBound{true, static_cast<double>(stretch.first)};
  how.selection.to = host::TimeBound{true, static_cast<double>(stretch.second)};
  const host::Statistics statistics = statistics_in(archive, how);
  Json all = Json::object();
  for (const auto& [koid, thread] : statistics.threads) {
    Json numbers = thread.time_in;
    numbers.push_back(thread.latency.count());
    numbers.push_back(thread.latency.longest());
    put(all, "thread " + std::to_string(koid), numbers);
  }
  for (const auto& [number, cpu] : statistics.cpus)
    put(all, "CPU " + std::to_string(number), {cpu.busy, cpu.idle, cpu.unknown, cpu.lost});
  return all;
}

TEST(PageStretches, SumUpAsTheCommandDoes) {
  constexpr size_t kNumbers = 10'000;
  Browser browser;
  browser.go_to("about:blank");
  browser.run(bundle());
  std::mt19937 random(1);
  size_t numbers = 0;
  for (uint32_t seed = 0; numbers < kNumbers && !HasFailure(); ++seed) {
    const System system = simulate({.seed = seed,
                                    .cpus = 1 + seed % kMaxCpus,
                                    .steps = 300,
                                    .complete_interrupts = seed / 3 % 2 == 1});
    std::vector<Record> records =
        seed % 3 == 0 ? system.records : with_losses(system, seed + 1, 1U << (seed % 3));
    // Switches are missing, and no loss shows it.
    if (seed % 2 == 1)
      std::erase_if(records, [&](const Record& one) {
        return one.kind == Record::kSwitch && random() % 16 == 0;
      });
    const std::string archive = archive_of(system.options, records);
    const host::Statistics whole = statistics_in(archive);
    std::uniform_int_distribution<uint64_t> any(whole.first, whole.last);
    std::vector<Stretch> stretches;
    for (int i = 0; i < 20; ++i) {
      const uint64_t one = any(random);
      const uint64_t other = any(random);
      stretches.emplace_back(std::min(one, other), std::max(one, other));
    }
    const Json shown = shown_in(browser, page_of(archive), stretches);
    ASSERT_EQ(shown.size(), stretches.size());
    for (size_t i = 0; i < stretches.size(); ++i) {
      const Json command = command_in(archive, stretches[i]);
      EXPECT_EQ(shown[i], command) << "seed " << seed << ": " << Json(stretches[i]);
      for (const Json& row : command) numbers += row.size();
    }
  }
}

}  // namespace
}  // namespace barefxt::test::page_stretches_test
