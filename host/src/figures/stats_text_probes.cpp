// Durations, counters and flows as text: the most time or samples first.

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
  template <typename Key, typename Value, typename Rank, typename Row>
  void ranked(TextTable table, const std::map<Key, Value>& all, const Rank& rank, const Row& row) {
    if (all.empty()) return;
    std::vector<std::pair<const Key*, uint64_t>> ranking;
    ranking.reserve(all.size());
    for (const auto& [key, value] : all) ranking.emplace_back(&key, rank(value));
    std::sort(ranking.begin(), ranking.end(), [](const auto& a, const auto& b) {
      return std::tie(b.second, *a.first) < std::tie(a.second, *b.first);
    });
    for (size_t i = 0; i < std::min(kBusiest, ranking.size()); ++i)
      row(table, *ranking[i].first, all.at(*ranking[i].first));
    if (ranking.size() > kBusiest)
      table.end_note(formatted("and {} more", ranking.size() - kBusiest));
    TextLines::print(table);
  }

  static std::string label(const ProbeName& name) {
    return readable(name.category.empty() ? name.name : name.category + " " + name.name);
  }

  void durations() {
    ranked(
        lengths_table("Durations"), statistics_.durations,
        [](const DurationStatistics& one) { return one.total.total(); },
        [&](TextTable& table, const ProbeName& name, const DurationStatistics& one) {
          lengths(table, label(name), one.total);
          std::string note = formatted("    total {}", time(one.total.total()));
          if (one.self_count > 0) append(note, ", self {} (of {})", time(one.self), one.self_count);
          if (one.in_doubt > 0) append(note, ", {} in doubt", one.in_doubt);
          if (one.unended > 0) append(note, ", {} without an end", one.unended);
          table.note(note);
        });
  }

  void counters() {
    ranked(
        {"Counters",
         {{.title = "samples", .rank = 2},
          {.title = "min", .rank = 3},
          {.title = "mean", .rank = 1},
          {.title = "max", .rank = 0},
          {.title = "mean over time", .rank = 4}}},
        statistics_.counters, [](const CounterStatistics& one) { return one.samples; },
        [&](TextTable& table, const CounterKey& key, const CounterStatistics& one) {
          std::string name = key.label.name;
          if (key.id != 0) append(name, " {}", key.id);
          if (key.argument != key.label.name) name += " " + key.argument;
          table.row(readable(name),
                    {std::to_string(one.samples), formatted("{:.6g}", one.least_real),
                     formatted("{:.6g}", one.mean()), formatted("{:.6g}", one.most_real),
                     formatted("{:.6g}", one.time_weighted_mean())});
        });
  }

  void flows() {
    ranked(
        lengths_table("Flows, end to end"), statistics_.flows,
        [](const FlowStatistics& one) { return one.begun; },
        [&](TextTable& table, const ProbeName& name, const FlowStatistics& one) {
          lengths(table, label(name), one.end_to_end);
          std::string note =
              formatted("    {} begun, {} steps, {} ended", one.begun, one.steps, one.ended);
          if (one.unfinished > 0) append(note, ", {} unfinished", one.unfinished);
          if (one.in_doubt > 0) append(note, ", {} in doubt", one.in_doubt);
          table.note(note);
        });
  }
};

}  // namespace

void print_probes(Output& out, const Statistics& statistics, const TextLook& look) {
  Probes(out, statistics, look).print();
}

}  // namespace barefxt::host
