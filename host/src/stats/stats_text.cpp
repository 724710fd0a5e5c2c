// Statistics as text: records, load of the CPUs, the threads that kept them busy, losses.
#include <algorithm>
#include <array>
#include <cinttypes>
#include <cmath>
#include <vector>

#include <barefxt/host/json.h>

#include "shares.h"
#include "text_lines.h"

namespace barefxt::host {
namespace {

constexpr size_t kWorstHolders = 5;
constexpr unsigned kBarCells = 20;

class Summary : TextLines {
 public:
  using TextLines::TextLines;

  void print(Shown shown) {
    head();
    if (shown == Shown::kFunctions) {
      calls();
      functions(statistics_.functions.size());
      left_out_calls();
      losses();
      return doubts();
    }
    records();
    cpus();
    threads();
    interrupts();
    unannounced_interrupts();
    print_probes(out_, statistics_);
    contention();
    inversions();
    print_jobs(out_, statistics_);
    functions(kBusiest);
    left_out_calls();
    losses();
    doubts();
  }

 private:
  void head() {
    format("%" PRIu64 " records", statistics_.records);
    if (statistics_.timed) {
      format(" over %s, %zu CPU%s with context switches\n",
             time(statistics_.last - statistics_.first).c_str(), statistics_.cpus.size(),
             statistics_.cpus.size() == 1 ? "" : "s");
    } else {
      out_.text(", none of them with a time\n");
    }
  }

  void records() {
    std::vector<std::pair<std::string, uint64_t>> kinds(statistics_.records_by_kind.begin(),
                                                        statistics_.records_by_kind.end());
    std::sort(kinds.begin(), kinds.end(), more_first);
    size_t column = 0;
    for (const auto& [kind, count] : kinds) {
      const std::string entry = "  " + kind + " " + std::to_string(count);
      if (column + entry.size() > 78) {
        out_.character('\n');
        column = 0;
      }
      out_.text(entry);
      column += entry.size();
    }
    out_.character('\n');
  }

  void bar(double part) {
    const auto full = static_cast<unsigned>(std::lround(part * kBarCells));
    for (unsigned cell = 0; cell < kBarCells; ++cell) out_.text(cell < full ? "█" : "·");
  }

  void cpus() {
    if (statistics_.cpus.empty()) return;
    format("\nCPU  %-*s   busy   idle unknown   lost  preempted    yielded    blocked      ended\n",
           int{kBarCells}, "");
    for (const auto& [number, cpu] : statistics_.cpus) {
      const double busy = share(cpu.busy, cpu.observed);
      format("%3u  ", number);
      bar(busy);
      const auto& causes = cpu.switches.by_cause;
      format(" %5.1f%% %5.1f%%  %5.1f%% %5.1f%% %10" PRIu64 " %10" PRIu64 " %10" PRIu64
             " %10" PRIu64 "\n",
             busy * 100, share(cpu.idle, cpu.observed) * 100,
             share(cpu.unknown, cpu.observed) * 100, share(cpu.lost, statistics_.span()) * 100,
             causes[0], causes[1], causes[2], causes[3]);
    }
  }

  // A row of the tables of threads.
  struct Row {
    uint64_t koid = 0;  // where there are no groups
    const ThreadGroup* group = nullptr;
    const ThreadStatistics& sum;
  };
  std::string column(const Row& row) const {
    return row.group != nullptr ? TextLines::column(*row.group) : TextLines::column(row.koid);
  }
  using TextLines::column;

  // Returns one row per group or thread, without idle ones.
  std::vector<Row> rows() const {
    std::vector<Row> rows;
    for (const ThreadGroup& group : statistics_.groups)
      if (!group.idle) rows.push_back({0, &group, group.sum});
    if (statistics_.group_by != GroupBy::kThread) return rows;
    for (const auto& [koid, thread] : statistics_.threads)
      if (!statistics_.is_idle(koid)) rows.push_back({koid, nullptr, thread});
    return rows;
  }

  // The same for any table of threads: the largest first, and how many more there are. Those that
  // have no size are left out.
  template <typename Size, typename Line>
  void ranked(const std::string& head, const Size& size, const Line& line) {
    const std::vector<Row> all = rows();
    std::vector<std::pair<size_t, uint64_t>> ranking;
    for (size_t i = 0; i < all.size(); ++i)
      if (const std::optional<uint64_t> one = size(all[i].sum)) ranking.emplace_back(i, *one);
    if (ranking.empty()) return;
    std::sort(ranking.begin(), ranking.end(), more_first);
    out_.text(head);
    for (size_t i = 0; i < std::min(kBusiest, ranking.size()); ++i)
      line(column(all[ranking[i].first]), all[ranking[i].first].sum);
    if (ranking.size() > kBusiest) format("and %zu more\n", ranking.size() - kBusiest);
  }

  void threads() {
    const auto running = [](const ThreadStatistics& thread) {
      const uint64_t ticks = thread.time(ThreadTime::kRunning);
      return ticks == 0 ? std::nullopt : std::optional(ticks);
    };
    constexpr std::array<const char*, 3> kBusiestOf = {"threads", "names", "processes"};
    std::string head =
        std::string("\nBusiest ") + kBusiestOf[static_cast<size_t>(statistics_.group_by)];
    head.resize(1 + kNameColumns, ' ');
    ranked(head + "    running            runnable blocked unknown       runs\n", running,
           [&](const std::string& column, const ThreadStatistics& thread) {
             const uint64_t all = thread.observed();
             const double unknown = share(thread.time(ThreadTime::kUnknown), all) +
                                    share(thread.time(ThreadTime::kWaiting), all);
             format("%s %10s %6.1f%%   %6.1f%% %6.1f%% %6.1f%% %10" PRIu64 "\n", column.c_str(),
                    time(thread.time(ThreadTime::kRunning)).c_str(),
                    share(thread.time(ThreadTime::kRunning), cpu_time(statistics_)) * 100,
                    share(thread.time(ThreadTime::kRunnable), all) * 100,
                    share(thread.time(ThreadTime::kBlocked), all) * 100, unknown * 100,
                    thread.runs);
           });
    ranked("\nSwitched away            preempted    yielded    blocked      ended    wakeups\n",
           running, [&](const std::string& column, const ThreadStatistics& thread) {
             const auto& causes = thread.switches.by_cause;
             format("%s %9" PRIu64 " %10" PRIu64 " %10" PRIu64 " %10" PRIu64 " %10" PRIu64 "\n",
                    column.c_str(), causes[0], causes[1], causes[2], causes[3], thread.wakeups);
           });
    longest("Longest wakeup to run", &ThreadStatistics::latency);
    longest("Longest without a switch", &ThreadStatistics::run);
    longest("Longest blocked", &ThreadStatistics::block);
  }

  // A set of lengths for each thread, that with the longest first.
  void longest(const char* title, Distribution ThreadStatistics::* set) {
    ranked(
        lengths_head(title),
        [&](const ThreadStatistics& thread) {
          const Distribution& all = thread.*set;
          return all.count() == 0 ? std::nullopt : std::optional(all.longest());
        },
        [&](const std::string& column, const ThreadStatistics& thread) {
          lengths(column, thread.*set);
        });
  }

  void interrupts() {
    if (statistics_.interrupts.empty()) return;
    out_.text(lengths_head("Interrupts"));
    for (const auto& [key, one] : statistics_.interrupts) {
      lengths(padded("cpu " + std::to_string(key.cpu) + " " + key.name), one.length);
      format("    %.1f a second", rate(statistics_, key.cpu, one.length.count()));
      if (one.nested > 0) format("; %" PRIu64 " nested, %" PRIu64 " deep", one.nested, one.deepest);
      if (one.kept_off.count() > 0)
        format("; kept %s off for %s", trimmed(column(one.kept_off_longest)).c_str(),
               time(one.kept_off.longest()).c_str());
      out_.character('\n');
    }
  }

  void unannounced_interrupts() {
    if (statistics_.unannounced_interrupts.empty()) return;
    out_.text("Interrupts that the kernel does not announce, by what they woke\n");
    for (const auto& [key, wakeups] : statistics_.unannounced_interrupts) {
      out_.text(padded("cpu " + std::to_string(key.cpu) + " " + key.name));
      format("  %" PRIu64 " wakeups\n", wakeups);
    }
  }

  // The coverage of the numbers of calls.
  void calls() {
    uint64_t measured = 0;
    uint64_t in_doubt = 0;
    uint64_t unended = 0;
    for (const auto& [name, one] : statistics_.functions) {
      measured += one.total.count();
      in_doubt += one.in_doubt;
      unended += one.unended;
    }
    format("%" PRIu64 " calls of %zu functions; %" PRIu64
           " more in doubt, since records were lost "
           "meanwhile, and %" PRIu64 " without an end\n",
           measured, statistics_.functions.size(), in_doubt, unended);
  }

  void functions(size_t most) {
    if (statistics_.functions.empty()) return;
    std::vector<std::pair<const std::string*, uint64_t>> ranking;
    ranking.reserve(statistics_.functions.size());
    for (const auto& [name, one] : statistics_.functions) ranking.emplace_back(&name, one.self);
    std::sort(ranking.begin(), ranking.end(), [](const auto& a, const auto& b) {
      return std::tie(b.second, *a.first) < std::tie(a.second, *b.first);
    });
    out_.text(
        "\nFunctions: calls      total       self        min     median        p99        max\n");
    for (size_t i = 0; i < std::min(most, ranking.size()); ++i) {
      const DurationStatistics& one = statistics_.functions.at(*ranking[i].first);
      const Distribution& all = one.total;
      const auto shown = [&](uint64_t ticks, uint64_t of) {
        return of == 0 ? std::string("-") : time(ticks);
      };
      format(
          "%16" PRIu64 " %10s %10s %10s %10s %10s %10s  ", all.count(),
          shown(all.total(), all.count()).c_str(), shown(one.self, one.self_count).c_str(),
          shown(all.shortest(), all.count()).c_str(), shown(all.quantile(500), all.count()).c_str(),
          shown(all.quantile(990), all.count()).c_str(), shown(all.longest(), all.count()).c_str());
      out_.text(readable(*ranking[i].first));
      out_.character('\n');
    }
    if (ranking.size() > most) format("and %zu more: --functions\n", ranking.size() - most);
  }

  void left_out_calls() {
    if (!statistics_.calls_left_out) return;
    const LeftOutCallsStatistics& left = *statistics_.calls_left_out;
    format("%" PRIu64 " calls left out by the limits on the target: %" PRIu64 " too short, %" PRIu64
           " too deep, %" PRIu64 " without an end of their own, %" PRIu64 " that had not ended\n",
           left.all(), left.too_short, left.too_deep, left.without_end, left.open);
  }

  void contention() {
    if (statistics_.contention.empty()) return;
    waits("Waits for locks", true);
    waits("Waits for others", false);
  }

  // Waits that have a holder, or all others; the longest wait first.
  void waits(const char* title, bool has_holder) {
    std::vector<std::pair<const ObjectKey*, uint64_t>> ranking;
    uint64_t unfinished = 0;
    for (const auto& [key, one] : statistics_.contention) {
      const std::string_view kind = kind_of_wait(key.label);
      if ((kind == "lock" || kind == "mutex") != has_holder) continue;
      unfinished += one.unfinished;
      if (one.wait.count() > 0) ranking.emplace_back(&key, one.wait.longest());
    }
    std::sort(ranking.begin(), ranking.end(), [](const auto& a, const auto& b) {
      return std::tie(b.second, *a.first) < std::tie(a.second, *b.first);
    });
    if (ranking.size() + unfinished == 0) return;
    out_.text(lengths_head(title));
    const size_t most = has_holder ? ranking.size() : kBusiest;
    for (size_t i = 0; i < std::min(most, ranking.size()); ++i) {
      const ContentionStatistics& one = statistics_.contention.at(*ranking[i].first);
      lengths(padded(name_of(*ranking[i].first)), one.wait);
      holders(one);
      if (one.woken_in_vain > 0)
        format("    woken only to wait again %" PRIu64 " times\n", one.woken_in_vain);
    }
    if (ranking.size() > most) format("and %zu more\n", ranking.size() - most);
    if (unfinished > 0)
      format("%" PRIu64 " waits had not ended, and are not in these numbers\n", unfinished);
  }

  // The object of the wait by its name, else by its address.
  std::string name_of(const ObjectKey& key) const {
    const std::string name = statistics_.name_of(key);
    if (!name.empty()) return name + ", " + key.label.name;
    if (!key.pointer) return key.label.name;
    std::array<char, 24> address;
    std::snprintf(address.data(), address.size(), " 0x%" PRIx64, *key.pointer);
    return key.label.name + address.data();
  }

  void inversions() {
    std::vector<std::pair<const InversionKey*, uint64_t>> worst;
    worst.reserve(statistics_.inversions.size());
    for (const auto& [key, one] : statistics_.inversions)
      worst.emplace_back(&key, one.longest_ticks);
    std::sort(worst.begin(), worst.end(), [](const auto& a, const auto& b) {
      return std::tie(b.second, *a.first) < std::tie(a.second, *b.first);
    });
    for (size_t i = 0; i < std::min(kBusiest, worst.size()); ++i) inversion(*worst[i].first);
    if (worst.size() > kBusiest)
      format("and %zu more priority inversions\n", worst.size() - kBusiest);
  }

  void holders(const ContentionStatistics& lock) {
    std::vector<std::pair<uint64_t, uint64_t>> longest;
    for (const auto& [holder, waits] : lock.by_holder) {
      if (holder) longest.emplace_back(*holder, waits.longest());
    }
    std::sort(longest.begin(), longest.end(), more_first);
    for (size_t i = 0; i < std::min(kWorstHolders, longest.size()); ++i) {
      const Distribution& waits = lock.by_holder.at(longest[i].first);
      format("    for %s %" PRIu64 " times, %s at most\n",
             trimmed(column(longest[i].first)).c_str(), waits.count(),
             time(waits.longest()).c_str());
    }
    if (longest.size() > kWorstHolders)
      format("    for %zu more\n", longest.size() - kWorstHolders);
  }

  void inversion(const InversionKey& key) {
    const PriorityInversion& one = statistics_.inversions.at(key);
    format("Priority inversion: %s waited for %s, which held %s, while %s ran: %" PRIu64
           " wait%s, %s at most, at %s\n",
           trimmed(column(key.waiter)).c_str(), trimmed(column(key.holder)).c_str(),
           trimmed(padded(name_of(key.object))).c_str(), trimmed(column(key.runner)).c_str(),
           one.waits, one.waits == 1 ? "" : "s", time(one.longest_ticks).c_str(),
           at(one.longest.end).c_str());
  }

  void losses() {
    out_.text("\nLosses: ");
    if (statistics_.losses.empty() && statistics_.buffer_full_events == 0) {
      out_.text("none\n");
      return;
    }
    if (statistics_.losses.empty()) {
      format("a buffer was full %" PRIu64 " times, the amount lost is unknown\n",
             statistics_.buffer_full_events);
      return;
    }
    out_.character('\n');
    format("  in %.2f%% of the time records of some CPU were lost\n",
           share(statistics_.loss_ticks, statistics_.span()) * 100);
    for (const auto& [key, loss] : statistics_.losses) {
      const std::string place = readable(key.first.empty() ? "somewhere" : key.first);
      const auto amount = [](uint64_t number, bool unknown) {
        if (!unknown) return std::to_string(number);
        return number == 0 ? std::string("unknown") : "at least " + std::to_string(number);
      };
      format("  %s, %s: %s records, %s bytes, within %s\n", place.c_str(),
             readable(key.second).c_str(), amount(loss.records, loss.records_unknown).c_str(),
             amount(loss.bytes, loss.bytes_unknown).c_str(), time(loss.last - loss.first).c_str());
    }
  }

  // Reasons to trust the numbers less.
  void doubts() {
    if (statistics_.malformed_places > 0) {
      format("%" PRIu64 " malformed places, %" PRIu64 " bytes, are not in these numbers\n",
             statistics_.malformed_places, statistics_.malformed_bytes);
    }
    if (statistics_.left_out > 0) {
      format("%" PRIu64 " records are not in these numbers: too many threads or names\n",
             statistics_.left_out);
    }
    if (statistics_.unmatched_begins + statistics_.unmatched_ends > 0) {
      format("Durations without an end: %" PRIu64 ", without a begin: %" PRIu64 "\n",
             statistics_.unmatched_begins, statistics_.unmatched_ends);
    }
  }
};

}  // namespace

void print_statistics(Output& out, const Statistics& statistics, Shown shown) {
  Summary(out, statistics).print(shown);
}

}  // namespace barefxt::host
