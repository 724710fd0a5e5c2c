// Intervals joined, cut and added up.
#include "loss_times.h"

#include <algorithm>

namespace barefxt::host {
namespace {

uint64_t ticks_within(const std::vector<Loss>& losses, uint64_t from, uint64_t to) {
  uint64_t sum = 0;
  for (const Loss& loss : losses) {
    const uint64_t begin = std::max(loss.begin, from);
    const uint64_t end = std::min(loss.end, to);
    if (begin < end) sum += end - begin;
  }
  return sum;
}

void unite(std::vector<Loss>& losses) {
  std::sort(losses.begin(), losses.end(),
            [](const Loss& a, const Loss& b) { return a.begin < b.begin; });
  size_t kept = 0;
  for (const Loss& loss : losses) {
    if (kept > 0 && loss.begin <= losses[kept - 1].end) {
      losses[kept - 1].end = std::max(losses[kept - 1].end, loss.end);
    } else {
      losses[kept++] = loss;
    }
  }
  losses.resize(kept);
}

// Something is lost even between two records of one tick. Either may be the one ahead, so the loss
// begins before both.
Loss widened(Loss loss) {
  if (loss.begin == loss.end) loss.begin > 0 ? --loss.begin : ++loss.end;
  return loss;
}

bool is_before(const LossTimes::Edge& a, const LossTimes::Edge& b) {
  return std::tie(a.time, a.begins, a.cpu) < std::tie(b.time, b.begins, b.cpu);
}

}  // namespace

void LossTimes::add(uint64_t thread, Loss loss) {
  const bool fits = by_thread_.size() < kMaxThreads || by_thread_.contains(thread);
  add_to(fits ? by_thread_[thread] : of_the_rest_, loss);
}

void LossTimes::add_for_all(Loss loss) { add_to(of_the_rest_, loss); }

void LossTimes::add_to(std::vector<Loss>& losses, Loss loss) {
  losses.push_back(loss);
  if (losses.size() >= 2 * kMax) join(losses);
}

// Joins the closest until there are no more than half of the most.
void LossTimes::join(std::vector<Loss>& losses) {
  unite(losses);
  if (losses.size() <= kMax / 2) return;
  std::vector<uint64_t> gaps;
  for (size_t i = 1; i < losses.size(); ++i) gaps.push_back(losses[i].begin - losses[i - 1].end);
  const auto middle = gaps.begin() + static_cast<ptrdiff_t>(gaps.size() - kMax / 2);
  std::nth_element(gaps.begin(), middle, gaps.end());
  const uint64_t largest_joined = *middle;
  size_t kept = 0;
  for (const Loss& loss : losses) {
    if (kept > 0 && loss.begin - losses[kept - 1].end <= largest_joined) {
      losses[kept - 1].end = loss.end;
    } else {
      losses[kept++] = loss;
    }
  }
  losses.resize(kept);
}

void LossTimes::finish(const std::function<CpuOrAll(uint64_t thread)>& cpu_of) {
  if (!of_the_rest_.empty()) by_cpu_[std::nullopt] = std::move(of_the_rest_);
  for (const auto& [thread, losses] : by_thread_) {
    std::vector<Loss>& all = by_cpu_[cpu_of(thread)];
    all.insert(all.end(), losses.begin(), losses.end());
  }
  by_thread_.clear();
  for (auto& [cpu, losses] : by_cpu_) {
    std::vector<Loss> wide = losses;
    for (Loss& loss : wide) loss = widened(loss);
    for (std::vector<Loss>* const all : {&losses, &wide}) {
      unite(*all);
      if (all->size() > 2 * kMax) join(*all);
    }
    for (const Loss& loss : wide) {
      edges_.push_back({loss.begin, true, cpu});
      edges_.push_back({loss.end, false, cpu});
    }
  }
  if (const auto of_all = by_cpu_.find(std::nullopt); of_all != by_cpu_.end()) {
    uint64_t sum = 0;
    for (const Loss& loss : of_all->second) {
      lost_before_.push_back(sum);
      sum += loss.end - loss.begin;
    }
  }
  std::sort(edges_.begin(), edges_.end(), is_before);
}

size_t LossTimes::add_ahead(unsigned cpu, Loss loss, size_t next_edge) {
  constexpr size_t kMaxPassed = 64;
  if (next_edge > kMaxPassed) {
    edges_.erase(edges_.begin(), edges_.begin() + static_cast<ptrdiff_t>(next_edge));
    next_edge = 0;
  }
  const auto first = [&] { return edges_.begin() + static_cast<ptrdiff_t>(next_edge); };
  const auto insert = [&](const Edge& edge) {
    edges_.insert(std::upper_bound(first(), edges_.end(), edge, is_before), edge);
  };
  std::vector<Loss>& losses = by_cpu_[cpu];
  const bool goes_on = !losses.empty() && loss.begin <= losses.back().end;
  bool has_begun = false;
  if (goes_on) {
    losses.back().end = std::max(losses.back().end, loss.end);
    // The last of this CPU's, unless time has passed it.
    for (size_t i = edges_.size(); i > next_edge && !has_begun; --i) {
      const Edge& edge = edges_[i - 1];
      has_begun = edge.cpu == CpuOrAll(cpu) && !edge.begins;
      if (has_begun) edges_.erase(edges_.begin() + static_cast<ptrdiff_t>(i - 1));
    }
    loss.end = losses.back().end;
  } else {
    losses.push_back(loss);
    if (losses.size() >= 2 * kMax) join(losses);
  }
  const Loss wide = widened(loss);
  if (!has_begun) insert({wide.begin, true, cpu});
  insert({wide.end, false, cpu});
  return next_edge;
}

uint64_t LossTimes::covered(uint64_t from, uint64_t to) const {
  std::vector<Loss> all;
  for (const auto& [cpu, losses] : by_cpu_) all.insert(all.end(), losses.begin(), losses.end());
  unite(all);
  return ticks_within(all, from, to);
}

uint64_t LossTimes::lost_everywhere_until(uint64_t time) const {
  if (lost_before_.empty()) return 0;
  const std::vector<Loss>& losses = by_cpu_.at(std::nullopt);
  const auto next = std::partition_point(losses.begin(), losses.end(),
                                         [&](const Loss& loss) { return loss.begin < time; });
  if (next == losses.begin()) return 0;
  const Loss& last = *std::prev(next);
  return lost_before_[static_cast<size_t>(next - losses.begin()) - 1] + std::min(last.end, time) -
         last.begin;
}

uint64_t LossTimes::lost_everywhere(uint64_t from, uint64_t to) const {
  return from < to ? lost_everywhere_until(to) - lost_everywhere_until(from) : 0;
}

uint64_t LossTimes::covered(unsigned cpu, uint64_t from, uint64_t to) const {
  uint64_t sum = lost_everywhere(from, to);
  const auto own = by_cpu_.find(cpu);
  if (own == by_cpu_.end()) return sum;
  for (const Loss& loss : own->second) {
    const uint64_t begin = std::max(loss.begin, from);
    const uint64_t end = std::min(loss.end, to);
    if (begin < end) sum += end - begin - lost_everywhere(begin, end);
  }
  return sum;
}

}  // namespace barefxt::host
