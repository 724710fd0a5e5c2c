// Durations, counters and flows as text: the most time or samples first.
#include <cinttypes>

#include <barefxt/host/json.h>

#include "text_lines.h"

namespace barefxt::host {
namespace {

class Probes : TextLines {
 public:
  using TextLines::TextLines;

  void print() {
    durations();
    counters();
    flows();
  }

 private:
  // Those with the largest number first, and how many more there are.
  template <typename Key, typename Value, typename Rank, typename Line>
  void ranked(const std::string& head, const std::map<Key, Value>& all, const Rank& rank,
              const Line& line) {
    if (all.empty()) return;
    std::vector<std::pair<const Key*, uint64_t>> ranking;
    ranking.reserve(all.size());
    for (const auto& [key, value] : all) ranking.emplace_back(&key, rank(value));
    std::sort(ranking.begin(), ranking.end(), [](const auto& a, const auto& b) {
      return std::tie(b.second, *a.first) < std::tie(a.second, *b.first);
    });
    out_.text(head);
    for (size_t i = 0; i < std::min(kBusiest, ranking.size()); ++i)
      line(*ranking[i].first, all.at(*ranking[i].first));
    if (ranking.size() > kBusiest) format("and %zu more\n", ranking.size() - kBusiest);
  }

  static std::string label(const ProbeName& name) {
    return padded(name.category.empty() ? name.name : name.category + " " + name.name);
  }

  void durations() {
    ranked(
        lengths_head("Durations"), statistics_.durations,
        [](const DurationStatistics& one) { return one.total.total(); },
        [&](const ProbeName& name, const DurationStatistics& one) {
          measured(label(name), one.total);
          format("    total %s", time(one.total.total()).c_str());
          if (one.self_count > 0)
            format(", self %s (of %" PRIu64 ")", time(one.self).c_str(), one.self_count);
          if (one.in_doubt > 0) format(", %" PRIu64 " in doubt", one.in_doubt);
          if (one.unended > 0) format(", %" PRIu64 " without an end", one.unended);
          out_.character('\n');
        });
  }

  void counters() {
    ranked(
        "\nCounters                    samples        min       mean        max  mean over time\n",
        statistics_.counters, [](const CounterStatistics& one) { return one.samples; },
        [&](const CounterKey& key, const CounterStatistics& one) {
          std::string name = key.label.name;
          if (key.id != 0) name += " " + std::to_string(key.id);
          if (key.argument != key.label.name) name += " " + key.argument;
          out_.text(padded(name));
          format(" %10" PRIu64 " %10.6g %10.6g %10.6g  %.6g\n", one.samples, one.least_real,
                 one.mean(), one.most_real, one.time_weighted_mean());
        });
  }

  void flows() {
    ranked(
        lengths_head("Flows, end to end"), statistics_.flows,
        [](const FlowStatistics& one) { return one.begun; },
        [&](const ProbeName& name, const FlowStatistics& one) {
          measured(label(name), one.end_to_end);
          format("    %" PRIu64 " begun, %" PRIu64 " steps, %" PRIu64 " ended", one.begun,
                 one.steps, one.ended);
          if (one.unfinished > 0) format(", %" PRIu64 " unfinished", one.unfinished);
          if (one.in_doubt > 0) format(", %" PRIu64 " in doubt", one.in_doubt);
          out_.character('\n');
        });
  }

  // An empty set prints its count only.
  void measured(const std::string& what, const Distribution& set) {
    if (set.count() > 0) return lengths(what, set);
    out_.text(what);
    out_.text("          0\n");
  }
};

}  // namespace

void print_probes(Output& out, const Statistics& statistics) { Probes(out, statistics).print(); }

}  // namespace barefxt::host
