// Lines of tables for people, and what stands in them: times with a unit, names as wide as a
// column, sets of lengths.
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

namespace barefxt::host {

inline constexpr size_t kBusiest = 10;  // lines of a table
inline constexpr size_t kNameColumns = 24;

// The larger number first, and equals in order of their keys.
inline constexpr auto more_first = [](const auto& a, const auto& b) {
  return std::tie(b.second, a.first) < std::tie(a.second, b.first);
};

class TextLines {
 public:
  TextLines(Output& out, const Statistics& statistics);

  [[gnu::format(printf, 2, 3)]] void format(const char* pattern, ...) const;

  // A time with a unit that leaves it readable, ten columns wide.
  std::string time(double ticks) const;
  std::string time(uint64_t ticks) const { return time(static_cast<double>(ticks)); }
  // When, as `print` shows it.
  std::string at(uint64_t ticks) const;

  // The head of a table of sets of lengths, and a line of it.
  static std::string lengths_head(const char* title);
  void lengths(const std::string& what, const Distribution& set) const;

  // A thread's name, as wide as a column. A name that several threads have is followed by the koid:
  // "worker #12".
  std::string column(uint64_t thread) const;
  // The same of a group, with the number of its threads: "sh x12". The koid is the process's.
  std::string column(const ThreadGroup& group) const;
  // Text, at least as wide as a column.
  static std::string padded(const std::string& text);
  static std::string readable(std::string_view bytes);
  static std::string trimmed(const std::string& text);

 protected:
  Output& out_;
  const Statistics& statistics_;

 private:
  static std::string fitted(std::string name, const std::string& suffix);

  std::set<std::string, std::less<>> shared_names_;
  std::set<std::string, std::less<>> shared_process_names_;
};

// The tables of durations, counters and flows.
void print_probes(Output& out, const Statistics& statistics);
// The table of jobs, and lengths above the limits that were asked for.
void print_jobs(Output& out, const Statistics& statistics);

}  // namespace barefxt::host
