// Statistics as rows of a table: metric, subject and number. Tables, budgets and comparisons are
// made of these.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include <barefxt/host/stats.h>

namespace barefxt::host {

enum class Unit : uint8_t { kTicks, kCount, kShare, kPerSecond, kValue };
std::string_view name_of(Unit unit);

// Whom a number is about; what does not apply is empty.
struct Subject {
  std::optional<unsigned> cpu;
  std::optional<uint64_t> thread;
  std::string thread_name;
  std::optional<uint64_t> process;  // of a group of threads
  std::string process_name;
  std::optional<uint64_t> holder;
  std::string holder_name;
  bool holder_unknown = false;     // waits without a known holder; the name shows it
  std::optional<uint64_t> runner;  // of a priority inversion
  std::string runner_name;

  bool has_holder() const { return holder || holder_unknown; }
  std::string category;
  std::string name;
  std::string argument;
  std::optional<uint64_t> object;
  std::string object_name;  // of what is waited for
  std::string_view kind;    // of that, see kind_of_wait
};

struct Measure {
  std::string_view metric;
  const Subject& subject;
  std::string_view statistic;
  Unit unit;
  double value;
  const Extent* where;  // of the largest; null where there is no such place
};

void for_each_measure(const Statistics& statistics, const std::function<void(const Measure&)>& see);

// All sets of lengths, as a whole.
void for_each_distribution(const Statistics& statistics,
                           const std::function<void(std::string_view metric, const Subject& subject,
                                                    const Distribution& lengths)>& see);

// Why this trace cannot show the metric, for want of records; empty where it can.
std::string_view missing_for(const Statistics& statistics, std::string_view metric);
// True if the actual number may be larger, since the target did not report how much was lost.
bool is_lower_bound(const Statistics& statistics, const Measure& measure);

// The metrics and statistics that there are.
const std::vector<std::string_view>& known_metrics();
const std::vector<std::string_view>& known_statistics();
// The metrics that are sets of lengths.
const std::vector<std::string_view>& known_sets();

void print_statistics_csv(Output& out, const Statistics& statistics, Shown shown = Shown::kAll);

// "thread=control cpu=1", of what is there.
std::string describe(const Subject& subject);
// A time, as people read it.
std::string describe_seconds(double seconds);
// A number with its unit, likewise.
std::string describe(const Statistics& statistics, Unit unit, double value);

}  // namespace barefxt::host
