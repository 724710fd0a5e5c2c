// The page that has the state of a thread after each call, and a test of it for each kernel.
#pragma once

#include <fstream>
#include <functional>
#include <map>
#include <string>

#include "switches.h"

namespace barefxt::test {

class StatesPageTest : public RtosTest {
 protected:
  struct Row {
    std::string state;
    bool wakes = false;
  };
  using Scenarios = std::map<std::string, std::function<void()>>;

  // By call, as the page spells it without its code marks.
  static std::map<std::string, Row> rows_of(const std::string& kernel) {
    std::map<std::string, Row> rows;
    std::ifstream page(BAREFXT_SOURCE_DIR "/docs/reference/thread-states.md");
    bool is_of_kernel = false;
    for (std::string line; std::getline(page, line);) {
      if (line.starts_with("## ")) is_of_kernel = line == "## " + kernel;
      std::erase(line, '`');
      if (!is_of_kernel || !line.starts_with("| ") || line.starts_with("| call ")) continue;
      const auto first = line.find(" | ");
      const auto second = line.find(" | ", first + 1);
      const auto last = line.rfind(" |");
      rows[line.substr(2, first - 2)] = {line.substr(first + 3, second - first - 3),
                                         line.substr(second + 3, last - second - 3) != "nothing"};
    }
    return rows;
  }

  // `prepare` makes a thread "a" ready, and `enter` lets it run from the thread that runs. Each
  // scenario makes the call of its row; if "a" is woken, it comes back and is preempted.
  void expect_states(const std::string& kernel, const std::function<void()>& prepare,
                     const std::function<void()>& enter, const Scenarios& scenarios) {
    const std::map<std::string, Row> rows = rows_of(kernel);
    EXPECT_EQ(rows.size(), scenarios.size());
    for (const auto& [call, row] : rows) {
      SCOPED_TRACE(kernel + ": " + call);
      const auto scenario = scenarios.find(call);
      ASSERT_NE(scenario, scenarios.end());
      prepare();
      start();
      enter();
      scenario->second();
      const PlainArchive archive = stop_and_read();
      EXPECT_EQ(states_of(archive, "a"), numbers_of(row));
      std::vector<std::string> woken = wakeups(archive);
      std::erase_if(woken, [](const std::string& name) { return name != "a"; });
      EXPECT_EQ(woken.size(), row.wakes ? 1u : 0u);
    }
  }

 private:
  static constexpr int kRunnable = 0;

  // In which the thread left its CPU.
  static std::vector<int> states_of(const PlainArchive& archive, const std::string& name) {
    std::vector<int> states;
    for (const PlainRecord& record : archive.of_type(kSwitch))
      if (record.subtype != kWakeup && name_of(archive, record.thread) == name)
        states.push_back(static_cast<int>(record.numbers.at(0)));
    return states;
  }
  // Behind the call the thread is preempted, unless it does not run again.
  static std::vector<int> numbers_of(const Row& row) {
    static const std::map<std::string, int> numbers = {
        {"runnable", kRunnable}, {"suspended", 2}, {"blocked", 3}, {"dying", 4}};
    if (row.state == "unchanged") return {kRunnable};
    std::vector<int> states = {numbers.at(row.state)};
    if (row.wakes) states.push_back(kRunnable);
    return states;
  }
};

}  // namespace barefxt::test
