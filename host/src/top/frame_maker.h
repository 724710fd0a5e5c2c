// Makes frames of statistics, and remembers what the figures were a second ago.
//
// Invariant: memory is bounded by the names of the trace.
#pragma once

#include <chrono>
#include <deque>
#include <map>

#include <barefxt/host/arriving_merge.h>
#include <barefxt/host/stats.h>

#include "frame.h"

namespace barefxt::top {

class FrameMaker {
 public:
  using Clock = std::chrono::steady_clock;

  // Another capture begins.
  void forget();
  // Figures of no capture are null.
  Frame make(const host::Statistics* figures, const host::MergeState& merge, LineFacts line,
             std::string target);

 private:
  // Running ticks at a time of the trace.
  struct Past {
    uint64_t last = 0;
    std::map<unsigned, uint64_t> busy;
    std::map<uint64_t, uint64_t> running;
  };
  static constexpr size_t kKept = 120;  // values of a counter

  const Past* a_second_before(const host::Statistics& figures);
  void add_cpus(const host::Statistics& figures, const Past* past, Frame& frame) const;
  void add_threads(const host::Statistics& figures, const Past* past, Frame& frame) const;
  void add_counters(const host::Statistics& figures, Frame& frame);

  std::deque<Past> past_;
  std::map<host::CounterKey, std::vector<double>> counters_;
};

}  // namespace barefxt::top
