// Intervals of quantiles, old and new.
#include <array>
#include <cmath>
#include <deque>
#include <map>

#include <barefxt/host/baseline.h>

namespace barefxt::host {
namespace {

struct Quantile {
  std::string_view name;
  double share;
};
constexpr auto kCompared = std::to_array<Quantile>({{"p50", 0.5}, {"p90", 0.9}, {"p99", 0.99}});

struct Interval {
  double low;  // seconds
  double middle;
  double high;
};

std::optional<Interval> interval_of(const Statistics& statistics, const Distribution& lengths,
                                    double share) {
  constexpr double kNormal99 = 2.576;
  const auto count = static_cast<double>(lengths.count());
  const double middle = count * share;
  const double spread = kNormal99 * std::sqrt(count * share * (1 - share));
  const double low = std::floor(middle - spread);
  const double high = std::ceil(middle + spread) + 1;
  if (low < 1 || high > count) return std::nullopt;
  const auto at = [&](double rank) {
    return statistics.seconds(
        static_cast<double>(lengths.at_rank(static_cast<std::uint64_t>(rank))));
  };
  return Interval{at(low), at(std::ceil(middle)), at(high)};
}

}  // namespace

Comparison compare(const Statistics& old, const Statistics& now) {
  Comparison result;
  // Of those that bear the same names, each in its order.
  std::map<std::string, std::deque<const Distribution*>> before;
  const auto key_of = [](std::string_view metric, const Subject& subject) {
    std::string key(metric);
    const std::string whom = describe(subject);
    if (!whom.empty()) key += " " + whom;
    return key;
  };
  for_each_distribution(
      old, [&](std::string_view metric, const Subject& subject, const Distribution& lengths) {
        if (lengths.count() > 0) before[key_of(metric, subject)].push_back(&lengths);
      });
  for_each_distribution(now, [&](std::string_view metric, const Subject& subject,
                                 const Distribution& lengths) {
    if (lengths.count() == 0) return;
    const std::string key = key_of(metric, subject);
    const auto found = before.find(key);
    if (found == before.end()) {
      ++result.unmatched;
      return;
    }
    for (const Quantile& one : kCompared) {
      const auto then = interval_of(old, *found->second.front(), one.share);
      const auto today = interval_of(now, lengths, one.share);
      if (!then || !today) {
        ++result.too_few;
        continue;
      }
      ++result.compared;
      const bool longer = today->low > then->high;
      if (!longer && today->high >= then->low) continue;
      const auto shown = [&](double seconds) {
        return describe(now, Unit::kTicks, seconds * static_cast<double>(now.ticks_per_second));
      };
      result.differences.push_back(
          {std::string(metric), describe(subject), one.name, longer,
           longer && metric != "run" && metric != "block" && metric != "job_interval",
           key + " " + std::string(one.name) + (longer ? " became longer: " : " became shorter: ") +
               shown(then->middle) + " (" + shown(then->low) + " to " + shown(then->high) +
               "), now " + shown(today->middle) + " (" + shown(today->low) + " to " +
               shown(today->high) + ")"});
    }
    found->second.pop_front();
    if (found->second.empty()) before.erase(found);
  });
  for (const auto& [key, sets] : before) result.unmatched += sets.size();
  return result;
}

}  // namespace barefxt::host
