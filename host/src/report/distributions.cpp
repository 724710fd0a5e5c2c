#include "distributions.h"

#include "figures/histogram.h"

namespace barefxt::report {
namespace {

using host::BudgetLine;
using host::Distribution;
using host::JsonList;
using host::JsonObject;
using host::Statistics;
using host::Subject;

// The length that the line compares lengths with; null if it bounds a sum or a number of them.
std::optional<uint64_t> length_in(const BudgetLine& line, uint64_t ticks_per_second) {
  if (line.above) return line.above->whole_ticks(ticks_per_second);
  const std::string& statistic = line.statistic;
  const bool is_length = statistic == "min" || statistic == "mean" || statistic == "max" ||
                         (statistic.size() > 1 && statistic[0] == 'p' && statistic[1] <= '9');
  const bool in_ticks = line.scale == BudgetLine::Scale::kTicks;
  if (!is_length || (!in_ticks && line.scale != BudgetLine::Scale::kNanoseconds))
    return std::nullopt;
  return host::TimeBound{in_ticks, line.limit}.whole_ticks(ticks_per_second);
}

class Bounds {
 public:
  Bounds(host::Output& out, const Distribution& lengths) : list_(out), lengths_(lengths) {}

  void add(const std::string& text, uint64_t ticks) {
    JsonObject one(list_.next());
    one.string("text", text);
    one.number("ticks", ticks);
    one.number("above", lengths_.count_above(ticks));
  }

 private:
  JsonList list_;
  const Distribution& lengths_;
};

void add_deadline(Bounds& bounds, const Statistics& statistics, const Subject& subject) {
  const auto source =
      subject.category == "recorded" ? host::JobSource::kRecorded : host::JobSource::kWakeups;
  const auto jobs = statistics.jobs.find({subject.thread.value_or(0), subject.name, source});
  if (jobs == statistics.jobs.end() || jobs->second.deadline_ns == 0) return;
  const auto nanoseconds = static_cast<double>(jobs->second.deadline_ns);
  bounds.add("deadline " + host::describe_seconds(nanoseconds / 1e9),
             host::TimeBound{false, nanoseconds}.whole_ticks(statistics.ticks_per_second));
}

}  // namespace

void json_distributions(host::Output& out, const Statistics& statistics,
                        const std::vector<BudgetLine>& budget) {
  JsonList list(out);
  host::for_each_distribution(statistics, [&](std::string_view metric, const Subject& subject,
                                              const Distribution& lengths) {
    if (lengths.count() == 0) return;
    JsonObject one(list.next());
    one.string("metric", metric);
    one.string("of", host::describe(subject));
    json_histogram(one, statistics, lengths);
    Bounds bounds(one.key("bounds"), lengths);
    if (metric == "job") add_deadline(bounds, statistics, subject);
    for (const BudgetLine& line : budget) {
      if (!host::is_about(line, metric, subject)) continue;
      if (const auto ticks = length_in(line, statistics.ticks_per_second))
        bounds.add(line.text, *ticks);
    }
  });
}

}  // namespace barefxt::report
