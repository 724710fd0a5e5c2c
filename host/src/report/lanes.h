// Which lane something lies in: a CPU's, a thread's, that of asynchronous spans of a name, or a
// counter's. Made when they are first asked for, and put in order at the end.
//
// Invariant: there are at most kMax lanes; what would need more has none, and is counted.
#pragma once

#include <map>
#include <unordered_map>

#include "drawing.h"

namespace barefxt::report {

class Lanes {
 public:
  static constexpr uint32_t kNone = ~uint32_t{0};
  static constexpr size_t kMax = size_t{1} << 16;

  explicit Lanes(Drawing& drawing) : drawing_(drawing) {}

  uint32_t of_cpu(unsigned cpu);
  // A pseudo-thread has its CPU's lane.
  uint32_t of_thread(uint64_t koid);
  uint32_t of_spans(uint32_t label);
  uint32_t of_counter(uint32_t label, uint64_t id, uint32_t argument);

  // CPUs first, then threads by process, spans, counters. Items get their lane's new number.
  void put_in_order();
  uint64_t left_out() const { return left_out_; }
  // That their names take.
  size_t bytes() const { return bytes_; }

 private:
  uint32_t add(Lane lane);

  Drawing& drawing_;
  uint64_t left_out_ = 0;
  size_t bytes_ = 0;
  std::unordered_map<unsigned, uint32_t> cpus_;
  std::unordered_map<uint64_t, uint32_t> threads_;
  std::unordered_map<uint32_t, uint32_t> spans_;
  std::map<std::tuple<uint32_t, uint64_t, uint32_t>, uint32_t> counters_;
};

}  // namespace barefxt::report
