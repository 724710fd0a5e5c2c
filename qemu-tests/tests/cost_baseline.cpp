#include "cost_baseline.h"

#include <algorithm>
#include <fstream>
#include <iomanip>
#include <sstream>
#include <stdexcept>

namespace barefxt::test {

CostBaseline CostBaseline::read(const std::string& path) {
  CostBaseline baseline;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') {
      baseline.comment_ += line + "\n";
      continue;
    }
    std::istringstream words(line);
    std::string record;
    words >> record;
    if (baseline.builds_.empty()) {
      for (std::string build; words >> build;) baseline.builds_.push_back(build);
      continue;
    }
    baseline.records_.push_back(record);
    for (const std::string& build : baseline.builds_) {
      std::string count;
      if (!(words >> count)) throw std::runtime_error(path + ": a count is missing: " + line);
      if (count != "-") baseline.counts_[{record, build}] = std::stod(count);
    }
  }
  return baseline;
}

void CostBaseline::write(const std::string& path) const {
  std::ofstream file(path);
  constexpr int kRecordWidth = 30;
  file << comment_ << std::left << std::setw(kRecordWidth) << "record" << std::right;
  for (const std::string& build : builds_) file << "  " << build;
  file << "\n" << std::fixed << std::setprecision(2);
  for (const std::string& record : records_) {
    file << std::left << std::setw(kRecordWidth) << record << std::right;
    for (const std::string& build : builds_) {
      file << "  " << std::setw(static_cast<int>(build.size()));
      if (const double* count = find(record, build))
        file << *count;
      else
        file << "-";
    }
    file << "\n";
  }
}

const double* CostBaseline::find(const std::string& record, const std::string& build) const {
  const auto found = counts_.find({record, build});
  return found == counts_.end() ? nullptr : &found->second;
}

void CostBaseline::set(const std::string& record, const std::string& build, double count) {
  if (std::find(builds_.begin(), builds_.end(), build) == builds_.end()) builds_.push_back(build);
  if (std::find(records_.begin(), records_.end(), record) == records_.end())
    records_.push_back(record);
  counts_[{record, build}] = count;
}

}  // namespace barefxt::test
