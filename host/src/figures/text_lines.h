// Lines and tables for people, and what stands in them: times with a unit, names, sets of lengths.
//
// Invariant: no control character of an archive's is printed.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include <barefxt/host/stats.h>

#include "text_table.h"

namespace barefxt::host {

inline constexpr size_t kBusiest = 10;  // lines of a table

// The larger number first, and equals in order of their keys.
inline constexpr auto more_first = [](const auto& a, const auto& b) {
  return std::tie(b.second, a.first) < std::tie(a.second, b.first);
};

class TextLines {
 public:
  TextLines(Output& out, const Statistics& statistics, const TextLook& look);

  // A time with a unit that leaves it readable, at most ten columns wide.
  std::string time(double ticks) const;
  std::string time(uint64_t ticks) const { return time(static_cast<double>(ticks)); }
  // When, as `print` shows it.
  std::string at(uint64_t ticks) const;

  // A table of sets of lengths, and a row of it. That of an empty set has the count only.
  static TextTable lengths_table(const char* title);
  void lengths(TextTable& table, const std::string& what, const Distribution& set) const;
  // The table, an empty line ahead of it.
  void print(const TextTable& table) const;

  // A thread's name, no wider than a column of names. A name that several threads have is followed
  // by the koid: "worker #12".
  std::string column(uint64_t thread) const;
  // The same of a group, with the number of its threads: "sh x12". The koid is the process's.
  std::string column(const ThreadGroup& group) const;
  static std::string readable(std::string_view bytes);

 protected:
  Output& out_;
  const Statistics& statistics_;
  const TextLook& look_;

 private:
  static std::string fitted(const std::string& name, const std::string& suffix);

  std::set<std::string, std::less<>> shared_names_;
  std::set<std::string, std::less<>> shared_process_names_;
};

// The tables of durations, counters and flows.
void print_probes(Output& out, const Statistics& statistics, const TextLook& look);
// The table of jobs, and lengths above the limits that were asked for.
void print_jobs(Output& out, const Statistics& statistics, const TextLook& look);

}  // namespace barefxt::host
