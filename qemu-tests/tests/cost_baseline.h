// The costs of records when they were last written down: cost_baseline.txt, a table with a row for
// each record and a column for each build.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace barefxt::test {

class CostBaseline {
 public:
  static CostBaseline read(const std::string& path);
  void write(const std::string& path) const;

  // Null where the table has none.
  const double* find(const std::string& record, const std::string& build) const;
  void set(const std::string& record, const std::string& build, double count);

 private:
  std::string comment_;  // the lines above the table
  std::vector<std::string> builds_;
  std::vector<std::string> records_;
  std::map<std::pair<std::string, std::string>, double> counts_;
};

}  // namespace barefxt::test
