// Which sets of two sides belong together, and what is found of each.
#include <algorithm>
#include <array>
#include <map>

#include "change.h"

namespace barefxt::host {
namespace {

using Kind = Difference::Kind;

struct ComparedQuantile {
  std::string_view name;
  double share;
};
constexpr auto kCompared =
    std::to_array<ComparedQuantile>({{"p50", 0.5}, {"p90", 0.9}, {"p99", 0.99}});
constexpr std::string_view kInversion = "priority_inversion";

// One of a set's runs.
struct Run {
  const Distribution* lengths;
  double seconds_per_tick;
};

struct Set {
  std::string metric;
  std::string subject;
  std::string part_of;  // the key of a set that is new or vanished where this one is
  std::vector<Run> runs[2];
  uint64_t count[2] = {0, 0};

  bool is_matched() const { return count[0] > 0 && count[1] > 0; }
};

// All sets of two sides: 0 is old, 1 is now.
class Sets {
 public:
  void add(const Statistics& statistics, size_t side) {
    // Sets of the same names are paired by their place among them.
    std::map<std::string, unsigned> places;
    seconds_[side] += statistics.seconds(static_cast<double>(statistics.span()));
    const double tick = statistics.seconds(1);
    const auto set_of = [&](std::string_view metric, const Subject& subject) -> Set& {
      std::string whom = describe(subject);
      std::string key = formatted("{} {}", metric, whom);
      const unsigned place = ++places[key];
      if (place > 1) append(whom, " ({})", place);
      key = formatted("{} {}", metric, whom);
      Set& set = sets_[key];
      if (set.metric.empty()) set = {std::string(metric), whom, {}, {}, {}};
      return set;
    };
    for_each_distribution(statistics, [&](std::string_view metric, const Subject& subject,
                                          const Distribution& lengths) {
      // Waits for locks are sets of their own.
      if (lengths.count() == 0 || (metric == "duration" && subject.category == kLockCategory))
        return;
      Set& set = set_of(metric, subject);
      set.part_of = whole_of(set, subject);
      set.runs[side].push_back({&lengths, tick});
      set.count[side] += lengths.count();
    });
    for_each_measure(statistics, [&](const Measure& measure) {
      if (measure.metric != kInversion || measure.statistic != "count" || !measure.subject.thread)
        return;
      set_of(kInversion, measure.subject).count[side] += static_cast<uint64_t>(measure.value);
    });
  }

  const std::map<std::string, Set>& all() const { return sets_; }
  double seconds(size_t side) const { return seconds_[side]; }
  // A part of a set that is itself on one side only needs no finding of its own.
  bool is_part(const Set& set) const {
    const auto whole = sets_.find(set.part_of);
    return whole != sets_.end() && !whole->second.is_matched();
  }

 private:
  static std::string whole_of(const Set& set, const Subject& subject) {
    if (set.metric == "wakeup_latency" || set.metric == "block") return "run " + set.subject;
    if (set.metric == "kept_off") return "interrupt " + set.subject;
    if (set.metric != "contention" || !subject.has_holder()) return {};
    Subject lock = subject;
    lock.holder.reset();
    lock.holder_unknown = false;
    return "contention " + describe(lock);
  }

  std::map<std::string, Set> sets_;
  double seconds_[2] = {0, 0};
};

class Comparing {
 public:
  Comparing(const Sets& sets, const Relevance& relevance) : sets_(sets), relevance_(relevance) {}

  Comparison all() {
    result_.error = error_of_each();
    for (const auto& [key, set] : sets_.all()) {
      const bool has_lengths = !set.runs[0].empty() || !set.runs[1].empty();
      if (has_lengths && set.is_matched()) {
        lengths(set);
      } else if (!has_lengths || !sets_.is_part(set)) {
        events(set);
      }
    }
    return std::move(result_);
  }

 private:
  // The part of each measure in the false alarms that all may raise together. A test that so few
  // lengths cannot fail takes no part (Tarone's improvement of Bonferroni's method).
  double error_of_each() {
    std::vector<double> least;
    for (const auto& [key, set] : sets_.all()) {
      const auto [old, now] = std::pair(set.count[0], set.count[1]);
      if (set.is_matched() && !set.runs[0].empty()) {
        for (const ComparedQuantile& one : kCompared)
          least.push_back(least_error_of_quantile(old, now, one.share));
        least.push_back(least_error_of_longest(old, now));
      } else if (!sets_.is_part(set)) {
        least.push_back(least_error_of_count(old + now, sets_.seconds(old > now ? 1 : 0),
                                             sets_.seconds(old > now ? 0 : 1)));
      }
    }
    result_.measures = least.size();
    std::sort(least.begin(), least.end());
    size_t parts = 1;
    const auto able = [&] {
      const double error = kFalseAlarms / static_cast<double>(parts);
      return static_cast<size_t>(std::upper_bound(least.begin(), least.end(), error) -
                                 least.begin());
    };
    while (able() > parts) ++parts;
    return kFalseAlarms / static_cast<double>(parts);
  }

  static Difference finding(const Set& set, std::string_view statistic, const Change& change) {
    Difference found;
    found.metric = set.metric;
    found.subject = set.subject;
    found.statistic = statistic;
    found.old_count = set.count[0];
    found.new_count = set.count[1];
    found.old_seconds = change.old;
    found.new_seconds = change.now;
    found.above = change.above;
    found.needs = change.needs;
    found.alike = change.alike;
    return found;
  }

  void lengths(const Set& set) {
    Lengths sides[2];
    for (size_t side = 0; side < 2; ++side) {
      for (const Run& run : set.runs[side]) sides[side].add(*run.lengths, run.seconds_per_tick);
      sides[side].arrange();
    }
    if (sides[0] == sides[1]) {
      result_.unchanged += kCompared.size() + 1;
      return;
    }
    // A run or a time blocked may well be longer without harm.
    const bool is_judged =
        set.metric != "run" && set.metric != "block" && set.metric != "job_interval";
    std::vector<Difference> found;
    bool improved = false;
    bool looks_longer = false;
    const auto see = [&](std::string_view statistic, const Change& change) {
      Difference one = finding(set, statistic, change);
      improved = improved || change.judgement == Judgement::kShorter;
      looks_longer = looks_longer || (change.looks_longer && statistic != "max");
      if (change.judgement == Judgement::kSame) {
        ++result_.unchanged;
        return;
      }
      if (change.judgement == Judgement::kLonger)
        one.kind = is_judged ? Kind::kWorse : Kind::kLonger;
      if (change.judgement == Judgement::kShorter)
        one.kind = is_judged ? Kind::kBetter : Kind::kShorter;
      if (is_judged || one.kind != Kind::kUnknown) found.push_back(std::move(one));
    };
    for (const ComparedQuantile& one : kCompared)
      see(one.name, change_of_quantile(sides[0], sides[1], one.share, result_.error, relevance_));
    see("max", change_of_longest(sides[0], sides[1], result_.error, relevance_));
    // A set that became shorter, and in which no quantile looks longer, is an improvement.
    for (Difference& one : found) {
      if (one.kind == Kind::kUnknown && one.statistic != "max" && improved && !looks_longer) {
        ++result_.unchanged;
        continue;
      }
      result_.differences.push_back(std::move(one));
    }
  }

  // How often something happened, or that it happened at all.
  void events(const Set& set) {
    const Change change = change_of_count(set.count[0], sets_.seconds(0), set.count[1],
                                          sets_.seconds(1), result_.error, relevance_);
    Difference one = finding(set, "count", change);
    const bool is_harm = set.metric == kInversion || set.metric == "contention";
    if (change.judgement == Judgement::kLonger)
      one.kind = set.count[0] == 0 ? Kind::kNew : Kind::kWorse;
    if (change.judgement == Judgement::kShorter) one.kind = Kind::kVanished;
    if (is_harm && (set.count[1] == 0 || change.judgement == Judgement::kShorter))
      one.kind = Kind::kBetter;
    if (change.judgement == Judgement::kSame) {
      ++result_.unchanged;
      return;
    }
    result_.differences.push_back(std::move(one));
  }

  const Sets& sets_;
  const Relevance& relevance_;
  Comparison result_;
};

}  // namespace

uint64_t Comparison::count(Difference::Kind kind) const {
  return static_cast<uint64_t>(
      std::count_if(differences.begin(), differences.end(),
                    [&](const Difference& one) { return one.kind == kind; }));
}

bool Comparison::is_worse() const {
  return count(Kind::kWorse) + count(Kind::kNew) + count(Kind::kVanished) > 0;
}

Comparison compare(std::span<const Statistics* const> old, std::span<const Statistics* const> now,
                   const Relevance& relevance) {
  Sets sets;
  for (const Statistics* run : old) sets.add(*run, 0);
  for (const Statistics* run : now) sets.add(*run, 1);
  return Comparing(sets, relevance).all();
}

}  // namespace barefxt::host
