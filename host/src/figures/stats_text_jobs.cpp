// Jobs and lengths above a limit for people.
#include <cmath>

#include <barefxt/host/measures.h>

#include "histogram.h"
#include "shares.h"
#include "text_lines.h"

namespace barefxt::host {
namespace {

constexpr unsigned kHistogramCells = 40;

class JobLines : TextLines {
 public:
  using TextLines::TextLines;

  void print() {
    jobs();
    for (const TicksAbove& limit : statistics_.above) above(limit);
  }

 private:
  // Those with the most late ones first, then those with the longest response.
  void jobs() {
    using Entry = std::pair<const JobKey, JobStatistics>;
    std::vector<const Entry*> ranking;
    ranking.reserve(statistics_.jobs.size());
    for (const Entry& one : statistics_.jobs) ranking.push_back(&one);
    if (ranking.empty()) return;
    std::sort(ranking.begin(), ranking.end(), [](const Entry* a, const Entry* b) {
      const uint64_t longest_a = a->second.response.longest();
      const uint64_t longest_b = b->second.response.longest();
      return std::tie(b->second.late, longest_b, a->first) <
             std::tie(a->second.late, longest_a, b->first);
    });
    TextTable table = lengths_table("Jobs, release to end");
    for (size_t i = 0; i < std::min(kBusiest, ranking.size()); ++i) job(table, *ranking[i]);
    if (ranking.size() > kBusiest)
      table.end_note(formatted("and {} more", ranking.size() - kBusiest));
    TextLines::print(table);
  }

  void job(TextTable& table, const std::pair<const JobKey, JobStatistics>& entry) {
    const auto& [key, one] = entry;
    const std::string thread = column(key.thread);
    const bool adds_name = key.name != statistics_.name_of(key.thread);
    lengths(table, adds_name ? thread + ": " + readable(key.name) : thread, one.response);
    table.note(verdict(one));
    histogram(table, one);
  }

  std::string verdict(const JobStatistics& one) const {
    std::string line = "    no deadline";
    if (one.deadline_ns > 0) {
      const double ticks = static_cast<double>(one.deadline_ns) *
                           static_cast<double>(statistics_.ticks_per_second) / 1e9;
      line = formatted("    deadline {}: {} of {} late ({:.2f}%)", time(ticks), one.late,
                       one.judged(), one.late_share() * 100);
    }
    if (one.overdue > 0)
      append(line, ", {} of them not done after {}", one.overdue, time(one.overdue_ticks));
    if (one.interval.count() > 0)
      append(line, "; every {} to {}", time(one.interval.shortest()), time(one.interval.longest()));
    if (one.in_doubt > 0)
      line +=
          formatted("; {} in doubt, not judged: records lost, or no wakeup recorded", one.in_doubt);
    if (one.not_due > 0) append(line, "; {} not due by the end, left out", one.not_due);
    return line;
  }

  void histogram(TextTable& table, const JobStatistics& one) const {
    const std::vector<HistogramBin> bins = histogram_of(statistics_, one.response);
    uint64_t most = 1;
    for (const HistogramBin& bin : bins) most = std::max(most, bin.count);
    for (const HistogramBin& bin : bins) {
      std::string line = formatted("    up to {:>10} {:10}", time(bin.up_to), bin.count);
      const size_t room =
          look_.width == 0 ? kHistogramCells : look_.width - std::min(look_.width, line.size() + 2);
      const auto most_cells = static_cast<double>(std::min<size_t>(kHistogramCells, room));
      const auto cells = static_cast<unsigned>(std::lround(share(bin.count, most) * most_cells));
      line += "  ";
      for (unsigned cell = 0; cell < std::max(cells, bin.count > 0 ? 1U : 0U); ++cell) line += "█";
      table.note(line.substr(0, line.find_last_not_of(' ') + 1));
    }
  }

  struct Above {
    std::string subject;
    uint64_t count;
    uint64_t of;
  };
  void above(const TicksAbove& limit) {
    std::vector<Above> found;
    for_each_distribution(
        statistics_, [&](std::string_view metric, const Subject& subject, const Distribution& set) {
          const uint64_t count = set.count_above(limit.ticks);
          if (count == 0) return;
          found.push_back({formatted("{} {}", metric, describe(subject)), count, set.count()});
        });
    const std::string title = formatted("Above {}:", readable(limit.text));
    out_.text("\n" + look_.strong(title) + (found.empty() ? " nothing\n" : "\n"));
    std::sort(found.begin(), found.end(), [](const Above& a, const Above& b) {
      return std::tie(b.count, a.subject) < std::tie(a.count, b.subject);
    });
    for (size_t i = 0; i < std::min(kBusiest, found.size()); ++i) {
      out_.print("  {:10} of {:10} ({:.2f}%)  ", found[i].count, found[i].of,
                 share(found[i].count, found[i].of) * 100);
      out_.text(readable(found[i].subject));
      out_.character('\n');
    }
    if (found.size() > kBusiest) out_.print("and {} more\n", found.size() - kBusiest);
  }
};

}  // namespace

void print_jobs(Output& out, const Statistics& statistics, const TextLook& look) {
  JobLines(out, statistics, look).print();
}

}  // namespace barefxt::host
