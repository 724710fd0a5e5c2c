#include "change.h"

#include <algorithm>
#include <cmath>

#include "chance.h"

namespace barefxt::host {
namespace {

// The probability that a measure that did not grow is called one that grew.
constexpr double kPassError = 0.01;
// The promise of `needs`: an unchanged measure is judged with this probability.
constexpr double kPower = 0.95;
// Runs differ if chance makes so much of independent lengths more seldom than this.
constexpr double kRunsAlike = 0.05;

enum class Edge : uint8_t { kLow, kHigh };

// A quantile and its limit on one side, as logarithms.
struct Estimate {
  double middle;
  std::optional<double> limit;

  double width() const { return limit ? std::abs(middle - *limit) : 0; }
};

class Quantile {
 public:
  Quantile(const Lengths& lengths, double share, double alike)
      : lengths_(lengths),
        share_(share),
        counted_(static_cast<uint64_t>(static_cast<double>(lengths.count()) / alike)),
        alike_(alike) {}

  double middle() const {
    const uint64_t rank = rank_of_middle();
    return std::sqrt(std::max(lengths_.at_least(rank), kMinSeconds) *
                     std::max(lengths_.at_most(rank), kMinSeconds));
  }
  // The limit below it (kLow) or above it, each from that end of the classes.
  Estimate towards(Edge edge, double error, const Relevance* relevance) const {
    const uint64_t rank = rank_of_limit(edge, error);
    Estimate result{scaled(edge, rank_of_middle(), relevance), {}};
    if (rank > 0) result.limit = scaled(edge, rank, relevance);
    return result;
  }
  // The least count that has limits on both sides.
  double needs(double error) const {
    return std::ceil(std::log(error) / std::log(std::max(share_, 1 - share_))) * alike_;
  }

 private:
  uint64_t rank_of_middle() const {
    return std::max<uint64_t>(
        1, static_cast<uint64_t>(std::ceil(static_cast<double>(lengths_.count()) * share_)));
  }
  uint64_t rank_of_limit(Edge edge, double error) const {
    const bool low = edge == Edge::kLow;
    uint64_t rank = rank_below(counted_, low ? share_ : 1 - share_, error);
    if (rank == 0) return 0;
    const double spread = static_cast<double>(rank) * static_cast<double>(lengths_.count()) /
                          static_cast<double>(counted_);
    rank = std::max<uint64_t>(1, static_cast<uint64_t>(spread));
    return low ? rank : lengths_.count() + 1 - rank;
  }
  double scaled(Edge edge, uint64_t rank, const Relevance* relevance) const {
    const double seconds = edge == Edge::kLow ? lengths_.at_least(rank) : lengths_.at_most(rank);
    const double limit = relevance == nullptr ? seconds : relevance->limit(seconds);
    return std::log(std::max(limit, kMinSeconds));
  }

  const Lengths& lengths_;
  double share_;
  uint64_t counted_;
  double alike_;
};

// The limits of a difference, from those of its two parts (Donner and Zou's "method of variance
// estimates recovery").
double width(const Estimate& one, const Estimate& other) {
  return std::hypot(one.width(), other.width());
}

// `to` exceeds `from` by more than is relevant.
bool exceeds(const Quantile& to, const Quantile& from, double error, const Relevance& relevance) {
  const Estimate upper = from.towards(Edge::kHigh, error, &relevance);
  const Estimate lower = to.towards(Edge::kLow, error, nullptr);
  return upper.limit && lower.limit && lower.middle - upper.middle > width(lower, upper);
}

// `to` does not exceed `from` by more than is relevant.
bool keeps(const Quantile& to, const Quantile& from, const Relevance& relevance) {
  const Estimate lower = from.towards(Edge::kLow, kPassError, &relevance);
  const Estimate upper = to.towards(Edge::kHigh, kPassError, nullptr);
  return upper.limit && lower.limit && lower.middle - upper.middle >= width(lower, upper);
}

double lengths_needed(const Quantile& old, const Quantile& now, double count, double error,
                      const Relevance& relevance) {
  const double power = normal_limit(1 - kPower);
  // Very few lengths have neither limit, and only the least number is known.
  const auto noise = [&](double probability) {
    const auto widest = [&](const Quantile& one) {
      return std::max(one.towards(Edge::kLow, probability, nullptr).width(),
                      one.towards(Edge::kHigh, probability, nullptr).width());
    };
    return std::hypot(widest(old), widest(now)) / normal_limit(probability);
  };
  const double change = std::log(now.middle() / old.middle());
  // An unchanged quantile is so far from either limit, less than the threshold by what classes
  // hide.
  const auto edge = [&](Edge from, const Relevance* limit) {
    return old.towards(from, error, limit).middle;
  };
  const double to_pass = edge(Edge::kLow, &relevance) - edge(Edge::kHigh, nullptr);
  const double to_alarm = edge(Edge::kHigh, &relevance) - edge(Edge::kLow, nullptr);
  const double one = noise(kPassError) * std::sqrt(count);  // of a single length
  const auto squared = [](double value) { return value * value; };
  // Nearer to a limit than this, no number of lengths decides.
  constexpr double kMax = 1000;
  double needs = kMax * count;
  const auto reach = [&](double probability, double distance) {
    if (distance > 0)
      needs = std::min(needs, squared(one * (normal_limit(probability) + power) / distance));
  };
  reach(kPassError, to_pass);
  reach(error, change - to_alarm);
  if (needs <= count) {
    needs = kMax * count;
    reach(kPassError, std::abs(change - to_pass));
  }
  return std::max({needs, old.needs(error), now.needs(kPassError), count + 1});
}

// So many lengths count as one, by how far the runs of each side differ.
double alike_of(const Lengths& old, const Lengths& now, double share, double error) {
  Lengths::Spread all;
  for (const Lengths* side : {&old, &now}) {
    const auto rank = static_cast<uint64_t>(std::ceil(static_cast<double>(side->count()) * share));
    const Lengths::Spread one = side->spread_at(side->at_most(std::max<uint64_t>(rank, 1)));
    all.squares += one.squares;
    all.freedom += one.freedom;
  }
  if (all.freedom == 0 || chance_of_squares(all.freedom, all.squares) > kRunsAlike) return 1;
  const double student = student_limit(all.freedom, error) / normal_limit(error);
  return std::max(1.0, all.squares / all.freedom * student * student);
}

// The chance that the new maximum is no shorter than it is, if the new lengths are those of the
// baseline and its longest ones have an exponential tail.
double chance_of_tail(const Lengths& old, const Lengths& now) {
  constexpr uint64_t kFewest = 100;
  constexpr uint64_t kTail = 10;  // one in ten, at most a hundred
  if (old.count() < kFewest) return 0;
  const uint64_t tail = std::min(old.count() / kTail, kTail * kTail);
  const double begin = old.at_least(old.count() - tail);
  double excess = 0;
  for (uint64_t i = 0; i < tail; ++i) excess += old.at_least(old.count() - i) - begin;
  if (excess <= 0) return 0;
  const double mean = excess / static_cast<double>(tail);
  const double one = static_cast<double>(tail) / static_cast<double>(old.count()) *
                     std::exp(-(now.longest() - begin) / mean);
  return -std::expm1(static_cast<double>(now.count()) * std::log1p(-std::min(one, 1.0)));
}

}  // namespace

void Lengths::add(const Distribution& run, double seconds_per_tick) {
  if (run.count() == 0) return;
  count_ += run.count();
  const auto seconds = [&](uint64_t ticks) {
    return static_cast<double>(ticks) * seconds_per_tick;
  };
  longest_ = std::max(longest_, seconds(run.longest()));
  Classes highs;
  run.for_each_class([&](uint64_t low, uint64_t high, uint64_t count) {
    lows_.push_back({seconds(std::max(low, run.shortest())), count});
    highs.push_back({seconds(std::min(high, run.longest())), count});
  });
  highs_.insert(highs_.end(), highs.begin(), highs.end());
  runs_.push_back(std::move(highs));
}

void Lengths::arrange() {
  for (Classes* classes : {&lows_, &highs_}) {
    std::sort(classes->begin(), classes->end(),
              [](const Class& a, const Class& b) { return a.seconds < b.seconds; });
    uint64_t sum = 0;
    Classes joined;
    for (const Class& one : *classes) {
      sum += one.count;
      if (!joined.empty() && joined.back().seconds == one.seconds) {
        joined.back().count = sum;
      } else {
        joined.push_back({one.seconds, sum});
      }
    }
    *classes = std::move(joined);
  }
}

double Lengths::at(const Classes& classes, uint64_t rank) {
  const auto found =
      std::lower_bound(classes.begin(), classes.end(), rank,
                       [](const Class& one, uint64_t wanted) { return one.count < wanted; });
  return found == classes.end() ? classes.back().seconds : found->seconds;
}

uint64_t Lengths::above(double seconds) const {
  const auto found =
      std::upper_bound(lows_.begin(), lows_.end(), seconds,
                       [](double wanted, const Class& one) { return wanted < one.seconds; });
  const uint64_t below = found == lows_.begin() ? 0 : std::prev(found)->count;
  // The longest is known beside its class.
  return std::max<uint64_t>(count_ - below, longest_ > seconds ? 1 : 0);
}

Lengths::Spread Lengths::spread_at(double seconds) const {
  Spread result;
  if (runs_.size() < 2) return result;
  std::vector<std::pair<double, double>> below_of_all;
  double below_all = 0;
  for (const Classes& run : runs_) {
    double below = 0;
    double all = 0;
    for (const Class& one : run) {
      all += static_cast<double>(one.count);
      if (one.seconds <= seconds) below += static_cast<double>(one.count);
    }
    below_of_all.emplace_back(below, all);
    below_all += below;
  }
  const double share = below_all / static_cast<double>(count_);
  result.freedom = static_cast<unsigned>(runs_.size()) - 1;
  if (share >= 1) return result;
  for (const auto& [below, all] : below_of_all) {
    const double off = below - all * share;
    result.squares += off * off / (all * share * (1 - share));
  }
  return result;
}

Change change_of_quantile(const Lengths& old, const Lengths& now, double share, double error,
                          const Relevance& relevance) {
  Change result;
  result.alike = alike_of(old, now, share, error);
  const Quantile before(old, share, result.alike);
  const Quantile today(now, share, result.alike);
  result.old = before.middle();
  result.now = today.middle();
  result.looks_longer = result.now > relevance.limit(result.old);
  if (exceeds(today, before, error, relevance)) {
    result.judgement = Judgement::kLonger;
  } else if (exceeds(before, today, error, relevance)) {
    result.judgement = Judgement::kShorter;
  } else if (keeps(today, before, relevance)) {
    result.judgement = Judgement::kSame;
  } else {
    const auto count = static_cast<double>(std::min(old.count(), now.count()));
    result.needs = lengths_needed(before, today, count, error, relevance);
  }
  return result;
}

Change change_of_longest(const Lengths& old, const Lengths& now, double error,
                         const Relevance& relevance) {
  Change result;
  constexpr double kTail = 0.99;
  result.alike = alike_of(old, now, kTail, error);
  result.old = old.longest();
  result.now = now.longest();
  result.above = now.above(relevance.limit(old.longest()));
  result.looks_longer = result.above > 0;
  const auto counted = [&](uint64_t count) {
    return static_cast<uint64_t>(static_cast<double>(count) / result.alike);
  };
  const auto chance = [&](const Lengths& from, const Lengths& to, uint64_t above) {
    return chance_of_all_longest(counted(from.count()), counted(to.count()), counted(above));
  };
  const uint64_t old_above = old.above(relevance.limit(now.longest()));
  if (result.above == 0) {
    result.judgement = old_above > 0 && chance(now, old, old_above) <= error ? Judgement::kShorter
                                                                             : Judgement::kSame;
  } else if (chance(old, now, result.above) <= error) {
    result.judgement = Judgement::kLonger;
  } else if (chance_of_tail(old, now) > kPassError) {
    result.judgement = Judgement::kSame;
  } else {
    const double longest = std::max(1.0, static_cast<double>(result.above) / result.alike);
    result.needs =
        std::ceil(static_cast<double>(now.count()) * (std::pow(error, -1 / longest) - 1));
  }
  return result;
}

Change change_of_count(uint64_t old, double old_seconds, uint64_t now, double now_seconds,
                       double error, const Relevance& relevance) {
  Change result;
  const uint64_t all = old + now;
  const auto share = [](double one, double other) {
    constexpr double kMin = 1e-6;
    return one + other > 0 ? std::clamp(one / (one + other), kMin, 1 - kMin) : 0.5;
  };
  const double more = share(now_seconds * (1 + relevance.share), old_seconds);
  const double less = share(now_seconds, old_seconds * (1 + relevance.share));
  result.looks_longer = static_cast<double>(now) > static_cast<double>(all) * more;
  // At least `now` of all are on this side: at most `old` are on the other.
  if (chance_of_at_most(all, 1 - more, old) <= error) {
    result.judgement = Judgement::kLonger;
  } else if (chance_of_at_most(all, less, now) <= error) {
    result.judgement = Judgement::kShorter;
  } else if (old == 0) {
    result.needs = std::ceil(std::log(error) / std::log(more));
  } else if (now == 0) {
    result.needs = std::ceil(std::log(error) / std::log1p(-less));
  } else if (!result.looks_longer) {
    result.judgement = Judgement::kSame;
  } else {
    // By the normal approximation, on either side.
    const double limits = normal_limit(kPassError) + normal_limit(1 - kPower);
    const double off = limits / std::log1p(relevance.share);
    result.needs = std::max(std::ceil(2 * off * off), static_cast<double>(std::min(old, now)) + 1);
  }
  return result;
}

double least_error_of_quantile(uint64_t old, uint64_t now, double share) {
  return std::max(std::pow(1 - share, static_cast<double>(now)),
                  std::pow(share, static_cast<double>(old)));
}

double least_error_of_longest(uint64_t old, uint64_t now) {
  return chance_of_all_longest(old, now, now);
}

double least_error_of_count(uint64_t all, double old_seconds, double now_seconds) {
  const double seconds = old_seconds + now_seconds;
  return std::pow(seconds > 0 ? now_seconds / seconds : 0.5, static_cast<double>(all));
}

}  // namespace barefxt::host
