// Sorts more than fits into memory: what comes is sorted a run at a time, runs go to a temporary
// file, and are merged when they are taken out.
//
// Invariants: memory is one run's, whatever comes; elements are plain data; those that compare
// equal come out in the order of their offsets, which all differ.
#pragma once

#include <algorithm>
#include <queue>
#include <vector>

#include <barefxt/host/outcome.h>
#include <barefxt/host/spooled_array.h>

namespace barefxt::host {

template <typename T, typename Before>
class SpillingSorter {
 public:
  explicit SpillingSorter(std::size_t elements_in_memory) : most_(elements_in_memory) {}

  [[nodiscard]] Outcome add(const T& element) {
    run_.push_back(element);
    return run_.size() < most_ ? Outcome{} : spill();
  }

  // Calls `see` with each element in order.
  template <typename See>
  [[nodiscard]] Outcome take(const See& see) {
    if (ends_.empty()) {
      std::sort(run_.begin(), run_.end(), Before{});
      for (const T& element : run_) see(element);
      return {};
    }
    if (Outcome failure = spill()) return failure;
    run_ = {};
    merge(see);
    return {};
  }

  std::size_t runs() const { return ends_.size(); }

 private:
  struct Cursor {
    std::size_t at;
    std::size_t end;
  };

  Outcome spill() {
    std::sort(run_.begin(), run_.end(), Before{});
    for (const T& element : run_) {
      if (Outcome failure = spilled_.push_back(element)) return failure;
    }
    run_.clear();
    ends_.push_back(spilled_.size());
    spilled_.release_memory();
    return {};
  }

  template <typename See>
  void merge(const See& see) {
    const std::span<const T> all = std::as_const(spilled_).all();
    const auto later = [&](const Cursor& a, const Cursor& b) {
      return Before{}(all[b.at], all[a.at]);
    };
    std::priority_queue<Cursor, std::vector<Cursor>, decltype(later)> heads(later);
    std::size_t begin = 0;
    for (const std::size_t end : ends_) {
      if (begin < end) heads.push({begin, end});
      begin = end;
    }
    std::size_t seen = 0;
    while (!heads.empty()) {
      Cursor head = heads.top();
      heads.pop();
      see(all[head.at]);
      if (++head.at < head.end) heads.push(head);
      if (++seen % most_ == 0) spilled_.release_memory();
    }
  }

  std::size_t most_;
  std::vector<T> run_;
  SpooledArray<T> spilled_;
  std::vector<std::size_t> ends_;
};

}  // namespace barefxt::host
