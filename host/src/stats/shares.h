// What is derived from statistics in the same way wherever they are shown.
#pragma once

#include <array>

#include <barefxt/host/stats.h>

namespace barefxt::host {

struct Percentile {
  std::string_view name;
  std::string_view key;  // in JSON
  std::uint64_t per_mille;
};
inline constexpr auto kPercentiles = std::to_array<Percentile>({{"p50", "p50_ticks", 500},
                                                                {"p90", "p90_ticks", 900},
                                                                {"p95", "p95_ticks", 950},
                                                                {"p99", "p99_ticks", 990},
                                                                {"p99.9", "p999_ticks", 999}});

inline double share(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
}

// Interrupts a second, of the time that the CPU's records are there.
inline double rate(const Statistics& statistics, unsigned cpu, std::uint64_t count) {
  std::uint64_t ticks = statistics.span();
  const auto found = statistics.cpus.find(cpu);
  if (found != statistics.cpus.end()) ticks -= std::min(ticks, found->second.lost);
  const double seconds = statistics.seconds(static_cast<double>(ticks));
  return seconds == 0 ? 0.0 : static_cast<double>(count) / seconds;
}

}  // namespace barefxt::host
