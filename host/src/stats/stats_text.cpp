// Statistics for people: what was recorded, what the CPUs did, who kept them busy, what was lost.
#include <algorithm>
#include <array>
#include <cinttypes>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <vector>

#include <barefxt/host/json.h>
#include <barefxt/host/stats.h>

namespace barefxt::host {
namespace {

constexpr std::size_t kBusiest = 10;
constexpr unsigned kBarCells = 20;
constexpr std::size_t kNameColumns = 24;

[[gnu::format(printf, 2, 3)]] void format(Output& out, const char* pattern, ...) {
  constexpr std::size_t kLongest = 512;
  std::array<char, kLongest> line;
  std::va_list values;
  va_start(values, pattern);
  const int size = std::vsnprintf(line.data(), line.size(), pattern, values);
  va_end(values);
  if (size > 0) out.text({line.data(), std::min(static_cast<std::size_t>(size), kLongest - 1)});
}

// The larger number first, and equals in order of their keys.
constexpr auto more_first = [](const auto& a, const auto& b) {
  return std::tie(b.second, a.first) < std::tie(a.second, b.first);
};

class Summary {
 public:
  Summary(Output& out, const Statistics& statistics) : out_(out), statistics_(statistics) {}

  void print() {
    head();
    records();
    cpus();
    threads();
    losses();
    doubts();
  }

 private:
  // A time with a unit that leaves it readable, ten columns wide.
  std::string time(double ticks) const {
    if (statistics_.ticks_per_second == 0) return "?";
    const double seconds = ticks / static_cast<double>(statistics_.ticks_per_second);
    std::array<char, 32> text;
    if (seconds >= 1) {
      std::snprintf(text.data(), text.size(), "%.3f s", seconds);
    } else if (seconds >= 1e-3) {
      std::snprintf(text.data(), text.size(), "%.3f ms", seconds * 1e3);
    } else if (seconds >= 1e-6) {
      std::snprintf(text.data(), text.size(), "%.3f us", seconds * 1e6);
    } else {
      std::snprintf(text.data(), text.size(), "%.0f ns", seconds * 1e9);
    }
    return text.data();
  }
  std::string time(std::uint64_t ticks) const { return time(static_cast<double>(ticks)); }

  static double share(std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
  }

  void head() {
    format(out_, "%" PRIu64 " records", statistics_.records);
    if (statistics_.timed) {
      format(out_, " over %s, %zu CPU%s with context switches\n",
             time(statistics_.last - statistics_.first).c_str(), statistics_.cpus.size(),
             statistics_.cpus.size() == 1 ? "" : "s");
    } else {
      out_.text(", none of them with a time\n");
    }
  }

  void records() {
    std::vector<std::pair<std::string, std::uint64_t>> kinds(statistics_.records_by_kind.begin(),
                                                             statistics_.records_by_kind.end());
    std::sort(kinds.begin(), kinds.end(), more_first);
    std::size_t column = 0;
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
    format(out_, "\nCPU  %-*s   busy   switches  interrupts  time in them\n", int{kBarCells}, "");
    for (const auto& [number, cpu] : statistics_.cpus) {
      const std::uint64_t busy = statistics_.busy_ticks(cpu);
      const std::uint64_t known = busy + statistics_.idle_ticks(cpu);
      format(out_, "%3u  ", number);
      bar(share(busy, known));
      format(out_, " %5.1f%% %10" PRIu64, share(busy, known) * 100, cpu.switches);
      const auto found = statistics_.interrupts.find(number);
      if (found == statistics_.interrupts.end()) {
        format(out_, "  %10s  %12s", "-", "-");
      } else {
        format(out_, "  %10" PRIu64 "  %12s", found->second.each.count,
               time(found->second.busy).c_str());
      }
      if (cpu.unknown > 0) format(out_, "  (%s unknown)", time(cpu.unknown).c_str());
      out_.character('\n');
    }
  }

  // As wide as a column, control characters taken out.
  std::string column(std::uint64_t thread) const {
    std::string name = valid_utf8(statistics_.name_of(thread));
    for (char& c : name) c = c >= 0 && c < ' ' ? '?' : c;
    if (name.empty()) name = "thread " + std::to_string(thread);
    std::size_t shown = 0;
    std::size_t end = 0;
    const auto continues = [&](std::size_t at) {
      return at < name.size() && (static_cast<unsigned char>(name[at]) & 0xC0) == 0x80;
    };
    while (end < name.size() && shown < kNameColumns) {
      do ++end;
      while (continues(end));
      ++shown;
    }
    name.resize(end);
    name.append(kNameColumns - shown, ' ');
    return name;
  }

  void threads() {
    std::map<std::uint64_t, std::uint64_t> ticks;
    std::uint64_t known = 0;
    for (const auto& [number, cpu] : statistics_.cpus) {
      for (const auto& [thread, time] : cpu.by_thread) {
        if (!statistics_.is_idle(thread)) ticks[thread] += time;
        known += time;
      }
    }
    if (ticks.empty()) return;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> busiest(ticks.begin(), ticks.end());
    std::sort(busiest.begin(), busiest.end(), more_first);
    const std::size_t count = std::min(kBusiest, busiest.size());
    format(out_, "\n%-*s   CPU time  share       runs  wakeup to run: mean        max\n",
           static_cast<int>(kNameColumns), "Busiest threads");
    for (std::size_t i = 0; i < count; ++i) {
      const auto [koid, time_run] = busiest[i];
      const auto found = statistics_.threads.find(koid);
      const ThreadStatistics thread =
          found == statistics_.threads.end() ? ThreadStatistics{} : found->second;
      const bool woken = thread.latency.count > 0;
      format(out_, "%s %10s %5.1f%% %10" PRIu64 " %20s %10s\n", column(koid).c_str(),
             time(time_run).c_str(), share(time_run, known) * 100, thread.runs,
             woken ? time(thread.latency.mean()).c_str() : "-",
             woken ? time(thread.latency.longest).c_str() : "-");
    }
    if (busiest.size() > count) format(out_, "and %zu more\n", busiest.size() - count);
  }

  void losses() {
    out_.text("\nLosses: ");
    if (statistics_.losses.empty() && statistics_.buffer_full_events == 0) {
      out_.text("none\n");
      return;
    }
    if (statistics_.losses.empty()) {
      format(out_, "a buffer was full %" PRIu64 " times, how much was lost is unknown\n",
             statistics_.buffer_full_events);
      return;
    }
    out_.character('\n');
    for (const auto& [key, loss] : statistics_.losses) {
      const std::string place = valid_utf8(key.first.empty() ? "somewhere" : key.first);
      const auto amount = [](std::uint64_t number, bool unknown) {
        if (!unknown) return std::to_string(number);
        return number == 0 ? std::string("unknown") : "at least " + std::to_string(number);
      };
      format(out_, "  %s, %s: %s records, %s bytes, within %s\n", place.c_str(),
             valid_utf8(key.second).c_str(), amount(loss.records, loss.records_unknown).c_str(),
             amount(loss.bytes, loss.bytes_unknown).c_str(), time(loss.last - loss.first).c_str());
    }
  }

  // What might make a reader trust the numbers too much.
  void doubts() {
    if (statistics_.malformed_places > 0) {
      format(out_, "%" PRIu64 " malformed places, %" PRIu64 " bytes, are not in these numbers\n",
             statistics_.malformed_places, statistics_.malformed_bytes);
    }
    if (statistics_.left_out > 0) {
      format(out_, "%" PRIu64 " records did not fit in memory and are not in these numbers\n",
             statistics_.left_out);
    }
    if (statistics_.unmatched_begins + statistics_.unmatched_ends > 0) {
      format(out_, "Durations without an end: %" PRIu64 ", without a begin: %" PRIu64 "\n",
             statistics_.unmatched_begins, statistics_.unmatched_ends);
    }
  }

  Output& out_;
  const Statistics& statistics_;
};

}  // namespace

void print_statistics(Output& out, const Statistics& statistics) {
  Summary(out, statistics).print();
}

}  // namespace barefxt::host
