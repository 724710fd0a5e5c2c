// Values derived from statistics in the same way wherever they are shown.
#pragma once

#include <algorithm>
#include <array>

#include <barefxt/host/stats.h>

namespace barefxt::host {

struct Percentile {
  std::string_view name;
  std::string_view key;  // in JSON
  uint64_t per_mille;
};
inline constexpr auto kPercentiles = std::to_array<Percentile>({{"p50", "p50_ticks", 500},
                                                                {"p90", "p90_ticks", 900},
                                                                {"p95", "p95_ticks", 950},
                                                                {"p99", "p99_ticks", 990},
                                                                {"p99.9", "p999_ticks", 999}});

inline double share(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
}

// The base of the shares of what ran, those of CPUs and those of threads, so that on one CPU the
// latter add up to the former: the longest time that a CPU was observed.
inline uint64_t cpu_time(const Statistics& statistics) {
  uint64_t longest = 0;
  for (const auto& [number, cpu] : statistics.cpus) longest = std::max(longest, cpu.observed);
  return longest;
}

// The base of a thread's share of this.
inline uint64_t base_of(const Statistics& statistics, const ThreadStatistics& thread, size_t kind) {
  const bool is_running = static_cast<ThreadTime>(kind) == ThreadTime::kRunning;
  return is_running ? cpu_time(statistics) : thread.observed();
}

// Interrupts a second, of the time that the CPU's records are there.
inline double rate(const Statistics& statistics, unsigned cpu, uint64_t count) {
  uint64_t ticks = statistics.span();
  const auto found = statistics.cpus.find(cpu);
  if (found != statistics.cpus.end()) ticks -= std::min(ticks, found->second.lost);
  const double seconds = statistics.seconds(static_cast<double>(ticks));
  return seconds == 0 ? 0.0 : static_cast<double>(count) / seconds;
}

}  // namespace barefxt::host
