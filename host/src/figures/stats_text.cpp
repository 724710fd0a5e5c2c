// Statistics as text: records, load of the CPUs, the threads that kept them busy, losses.
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <barefxt/host/json.h>

#include "shares.h"
#include "stacks_output.h"
#include "text_lines.h"

namespace barefxt::host {
namespace {

constexpr size_t kWorstHolders = 5;
constexpr unsigned kBarCells = 20;

class Summary : TextLines {
 public:
  using TextLines::TextLines;

  // First the losses and the worst cases, then all the rest.
  void print(Shown shown) {
    head();
    losses();
    doubts();
    if (shown == Shown::kStacks) return print_stacks(out_, statistics_, look_);
    left_out_calls();
    if (shown == Shown::kFunctions) {
      calls();
      return functions(statistics_.functions.size());
    }
    worst();
    inversions();
    out_.character('\n');
    records();
    cpus();
    threads();
    interrupts();
    unannounced_interrupts();
    print_probes(out_, statistics_, look_);
    contention();
    print_jobs(out_, statistics_, look_);
    functions(kBusiest);
  }

 private:
  void head() {
    out_.print("{} records", statistics_.records);
    if (statistics_.timed) {
      out_.print(" over {}, {} with context switches\n", time(statistics_.last - statistics_.first),
                 counted(statistics_.cpus.size(), "CPU"));
    } else {
      out_.text(", none of them with a time\n");
    }
  }

  void worst() {
    // An idle thread runs when nothing else does, and waits for nothing.
    const auto longest = std::ranges::max_element(statistics_.threads, {}, [&](const auto& one) {
      return statistics_.is_idle(one.first) ? 0 : one.second.latency.longest();
    });
    if (longest != statistics_.threads.end() && longest->second.latency.count() > 0 &&
        !statistics_.is_idle(longest->first))
      out_.print("Worst wakeup to run: {}, {}, at {}\n", column(longest->first),
                 time(longest->second.latency.longest()),
                 at(longest->second.latency.longest_extent().end));
    for (const auto& [key, job] : statistics_.jobs)
      if (job.late > 0)
        out_.text(look_.alarm("Late:") +
                  formatted(" {} of {} jobs of {}\n", job.late, job.judged(), column(key.thread)));
  }

  void records() {
    std::vector<std::pair<std::string, uint64_t>> kinds(statistics_.records_by_kind.begin(),
                                                        statistics_.records_by_kind.end());
    std::sort(kinds.begin(), kinds.end(), more_first);
    size_t taken = 0;
    for (const auto& [kind, count] : kinds) {
      const std::string entry = formatted("  {} {}", kind, count);
      if (taken != 0 && look_.width != 0 && taken + entry.size() > look_.width) {
        out_.character('\n');
        taken = 0;
      }
      out_.text(entry);
      taken += entry.size();
    }
    out_.character('\n');
  }

  static std::string bar(double part) {
    const auto full = static_cast<unsigned>(std::lround(part * kBarCells));
    std::string cells;
    for (unsigned cell = 0; cell < kBarCells; ++cell) cells += cell < full ? "█" : "·";
    return cells;
  }
  static std::string percent(double part) { return formatted("{:.1f}%", part * 100); }
  static std::string number(uint64_t count) { return std::to_string(count); }

  void cpus() {
    if (statistics_.cpus.empty()) return;
    TextTable table("CPU", {{.title = "", .rank = 9, .is_picture = true},
                            {.title = "busy", .rank = 0},
                            {.title = "idle", .rank = 1},
                            {.title = "unknown", .rank = 3},
                            {.title = "lost", .rank = 2},
                            {.title = "preempted", .rank = 4},
                            {.title = "yielded", .rank = 6},
                            {.title = "blocked", .rank = 5},
                            {.title = "ended", .rank = 7}});
    for (const auto& [cpu_number, cpu] : statistics_.cpus) {
      const auto& causes = cpu.switches.by_cause;
      table.row(formatted("{:3}", cpu_number),
                {bar(share(cpu.busy, cpu.observed)), percent(share(cpu.busy, cpu.observed)),
                 percent(share(cpu.idle, cpu.observed)), percent(share(cpu.unknown, cpu.observed)),
                 percent(share(cpu.lost, statistics_.span())), number(causes[0]), number(causes[1]),
                 number(causes[2]), number(causes[3])});
    }
    TextLines::print(table);
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
  template <typename Size, typename AddRow>
  void ranked(TextTable table, const Size& size, const AddRow& add_row) {
    const std::vector<Row> all = rows();
    std::vector<std::pair<size_t, uint64_t>> ranking;
    for (size_t i = 0; i < all.size(); ++i)
      if (const std::optional<uint64_t> one = size(all[i].sum)) ranking.emplace_back(i, *one);
    if (ranking.empty()) return;
    std::sort(ranking.begin(), ranking.end(), more_first);
    for (size_t i = 0; i < std::min(kBusiest, ranking.size()); ++i)
      add_row(table, column(all[ranking[i].first]), all[ranking[i].first].sum);
    if (ranking.size() > kBusiest)
      table.end_note(formatted("and {} more", ranking.size() - kBusiest));
    TextLines::print(table);
  }

  void threads() {
    const auto running = [](const ThreadStatistics& thread) {
      const uint64_t ticks = thread.time(ThreadTime::kRunning);
      return ticks == 0 ? std::nullopt : std::optional(ticks);
    };
    constexpr std::array<const char*, 3> kBusiestOf = {"Busiest threads", "Busiest names",
                                                       "Busiest processes"};
    ranked({kBusiestOf[static_cast<size_t>(statistics_.group_by)],
            {{.title = "running", .rank = 0},
             {.title = "share", .rank = 1},
             {.title = "runnable", .rank = 2},
             {.title = "blocked", .rank = 3},
             {.title = "unknown", .rank = 4},
             {.title = "runs", .rank = 5}}},
           running, [&](TextTable& table, const std::string& name, const ThreadStatistics& thread) {
             const uint64_t all = thread.observed();
             const double unknown = share(thread.time(ThreadTime::kUnknown), all) +
                                    share(thread.time(ThreadTime::kWaiting), all);
             const uint64_t ticks = thread.time(ThreadTime::kRunning);
             table.row(name, {time(ticks), percent(share(ticks, cpu_time(statistics_))),
                              percent(share(thread.time(ThreadTime::kRunnable), all)),
                              percent(share(thread.time(ThreadTime::kBlocked), all)),
                              percent(unknown), number(thread.runs)});
           });
    ranked({"Switched away",
            {{.title = "preempted", .rank = 0},
             {.title = "yielded", .rank = 3},
             {.title = "blocked", .rank = 1},
             {.title = "ended", .rank = 4},
             {.title = "wakeups", .rank = 2}}},
           running, [&](TextTable& table, const std::string& name, const ThreadStatistics& thread) {
             const auto& causes = thread.switches.by_cause;
             table.row(name, {number(causes[0]), number(causes[1]), number(causes[2]),
                              number(causes[3]), number(thread.wakeups)});
           });
    longest("Longest wakeup to run", &ThreadStatistics::latency);
    longest("Longest without a switch", &ThreadStatistics::run);
    longest("Longest blocked", &ThreadStatistics::block);
  }

  // A set of lengths for each thread, that with the longest first.
  void longest(const char* title, Distribution ThreadStatistics::* set) {
    ranked(
        lengths_table(title),
        [&](const ThreadStatistics& thread) {
          const Distribution& all = thread.*set;
          return all.count() == 0 ? std::nullopt : std::optional(all.longest());
        },
        [&](TextTable& table, const std::string& name, const ThreadStatistics& thread) {
          lengths(table, name, thread.*set);
        });
  }

  static std::string name_of(const InterruptKey& key) {
    return formatted("cpu {} {}", key.cpu, readable(key.name));
  }

  void interrupts() {
    if (statistics_.interrupts.empty()) return;
    TextTable table = lengths_table("Interrupts");
    for (const auto& [key, one] : statistics_.interrupts) {
      lengths(table, name_of(key), one.length);
      std::string note =
          formatted("    {:.1f} a second", rate(statistics_, key.cpu, one.length.count()));
      if (one.nested > 0) append(note, "; {} nested, {} deep", one.nested, one.deepest);
      if (one.kept_off.count() > 0)
        append(note, "; kept {} off for {}", column(one.kept_off_longest),
               time(one.kept_off.longest()));
      table.note(note);
    }
    TextLines::print(table);
  }

  void unannounced_interrupts() {
    if (statistics_.unannounced_interrupts.empty()) return;
    TextTable table("Not announced by the kernel", {{.title = "wakeups", .rank = 0}});
    for (const auto& [key, wakeups] : statistics_.unannounced_interrupts)
      table.row(name_of(key), {number(wakeups)});
    TextLines::print(table);
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
    out_.print(
        "{} calls of {} functions; {} more in doubt, since records were lost meanwhile, and {} "
        "without an end\n",
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
    TextTable table("Functions", {{.title = "calls", .rank = 1},
                                  {.title = "total", .rank = 2},
                                  {.title = "self", .rank = 0},
                                  {.title = "min", .rank = 6},
                                  {.title = "median", .rank = 5},
                                  {.title = "p99", .rank = 4},
                                  {.title = "max", .rank = 3}});
    for (size_t i = 0; i < std::min(most, ranking.size()); ++i) {
      const DurationStatistics& one = statistics_.functions.at(*ranking[i].first);
      const Distribution& all = one.total;
      const auto shown = [&](uint64_t ticks, uint64_t of) {
        return of == 0 ? std::string("-") : time(ticks);
      };
      table.row(
          readable(*ranking[i].first),
          {number(all.count()), shown(all.total(), all.count()), shown(one.self, one.self_count),
           shown(all.shortest(), all.count()), shown(all.quantile(500), all.count()),
           shown(all.quantile(990), all.count()), shown(all.longest(), all.count())});
    }
    if (ranking.size() > most)
      table.end_note(formatted("and {} more: --functions", ranking.size() - most));
    TextLines::print(table);
  }

  void left_out_calls() {
    if (!statistics_.calls_left_out) return;
    const LeftOutCallsStatistics& left = *statistics_.calls_left_out;
    out_.print(
        "{} calls left out by the limits on the target: {} too short, {} too deep, {} without an "
        "end of their own, {} that had not ended\n",
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
    TextTable table = lengths_table(title);
    const size_t most = has_holder ? ranking.size() : kBusiest;
    for (size_t i = 0; i < std::min(most, ranking.size()); ++i) {
      const ContentionStatistics& one = statistics_.contention.at(*ranking[i].first);
      lengths(table, readable(name_of(*ranking[i].first)), one.wait);
      holders(table, one);
      if (one.woken_in_vain > 0)
        table.note(formatted("    woken only to wait again {} times", one.woken_in_vain));
    }
    if (ranking.size() > most) table.end_note(formatted("and {} more", ranking.size() - most));
    if (unfinished > 0)
      table.end_note(formatted("{} waits had not ended, and are not in these numbers", unfinished));
    TextLines::print(table);
  }

  // The object of the wait by its name, else by its address.
  std::string name_of(const ObjectKey& key) const {
    const std::string name = statistics_.name_of(key);
    if (!name.empty()) return name + ", " + key.label.name;
    if (!key.pointer) return key.label.name;
    return formatted("{} 0x{:x}", key.label.name, *key.pointer);
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
      out_.print("and {} more priority inversions\n", worst.size() - kBusiest);
  }

  void holders(TextTable& table, const ContentionStatistics& lock) const {
    std::vector<std::pair<uint64_t, uint64_t>> longest;
    for (const auto& [holder, waits] : lock.by_holder) {
      if (holder) longest.emplace_back(*holder, waits.longest());
    }
    std::sort(longest.begin(), longest.end(), more_first);
    for (size_t i = 0; i < std::min(kWorstHolders, longest.size()); ++i) {
      const Distribution& waits = lock.by_holder.at(longest[i].first);
      table.note(formatted("    for {} {} times, {} at most", column(longest[i].first),
                           waits.count(), time(waits.longest())));
    }
    if (longest.size() > kWorstHolders)
      table.note(formatted("    for {} more", longest.size() - kWorstHolders));
  }

  void inversion(const InversionKey& key) {
    const PriorityInversion& one = statistics_.inversions.at(key);
    out_.text(look_.alarm("Priority inversion:"));
    out_.text(formatted(" {} waited for {}, which held {}, while {} ran", column(key.waiter),
                        column(key.holder), readable(name_of(key.object)), column(key.runner)));
    out_.print(": {}, {} at most, at {}\n", counted(one.waits, "wait"), time(one.longest_ticks),
               at(one.longest.end));
  }

  void losses() {
    if (statistics_.losses.empty() && statistics_.buffer_full_events == 0)
      return out_.text("\nLosses: none\n");
    out_.text("\n" + look_.alarm("Losses:"));
    if (statistics_.losses.empty()) {
      out_.print(" a buffer was full {} times, the amount lost is unknown\n",
                 statistics_.buffer_full_events);
      return;
    }
    out_.character('\n');
    out_.print("  in {:.2f}% of the time records of some CPU were lost\n",
               share(statistics_.loss_ticks, statistics_.span()) * 100);
    for (const auto& [key, loss] : statistics_.losses) {
      const std::string place = readable(key.first.empty() ? "somewhere" : key.first);
      const auto amount = [](uint64_t number, bool unknown) {
        if (!unknown) return std::to_string(number);
        return number == 0 ? std::string("unknown") : formatted("at least {}", number);
      };
      out_.print("  {}, {}: {} records, {} bytes, within {}\n", place, readable(key.second),
                 amount(loss.records, loss.records_unknown), amount(loss.bytes, loss.bytes_unknown),
                 time(loss.last - loss.first));
    }
  }

  // Reasons to trust the numbers less.
  void doubts() {
    if (statistics_.malformed_places > 0) {
      out_.print("{} malformed places, {} bytes, are not in these numbers\n",
                 statistics_.malformed_places, statistics_.malformed_bytes);
    }
    if (statistics_.left_out > 0) {
      out_.print("{} records are not in these numbers: too many threads or names\n",
                 statistics_.left_out);
    }
    if (statistics_.unmatched_begins + statistics_.unmatched_ends > 0) {
      out_.print("Durations without an end: {}, without a begin: {}\n",
                 statistics_.unmatched_begins, statistics_.unmatched_ends);
    }
  }
};

}  // namespace

void print_statistics(Output& out, const Statistics& statistics, Shown shown,
                      const TextLook& look) {
  constexpr size_t kIndent = 4;
  FittedOutput fitted(out, look.width, kIndent);
  Summary(fitted, statistics, look).print(shown);
  fitted.finish();
}

}  // namespace barefxt::host
