// A report's page in a browser, beside the numbers of `stats --json` of the same archive.
#pragma once

#include <array>
#include <string>

#include "hostile/shell.h"
#include "webdriver.h"

namespace barefxt::test {

class PageTest : public Shell {
 protected:
  using Json = nlohmann::json;

  // The tests of a suite share a browser, one after the other: it takes as long to begin as most of
  // them.
  PageTest();
  static void TearDownTestSuite();

  void open_sample(unsigned rounds = 10);
  // `options` are those of `report`.
  void open(const std::string& archive, const std::string& options = {});
  std::string page() const { return path("report.html"); }
  // The command prints it as JSON, of the archive that was opened last.
  Json json_of(const std::string& verb, const std::string& options);

  void settle();
  // The timeline's range, in ticks.
  std::array<double, 2> range();
  // All of it, with the reasons.
  std::string details();
  uint64_t found(const std::string& query);
  // How many pixels of the picture have a colour: of the rows from `top` to ahead of `end`.
  int pixels(const std::string& name, int top = 0, int end = 10'000);
  // All that is folded is unfolded.
  void unfold_all();
  // Nothing that a screen reader cannot name, and no text in view below a contrast of 4.5:1.
  void expect_readable();
  void choose_table(const std::string& table);
  // Returns the number in a column, from the row whose cell of this key has this value.
  double statistic(const std::string& table, const std::string& key, const std::string& value,
                   const std::string& column);
  const Json& row(const std::string& table, const std::string& key, const Json& value) const;

  std::string archive_;
  Json stats_;
  Browser& browser_;
};

}  // namespace barefxt::test
