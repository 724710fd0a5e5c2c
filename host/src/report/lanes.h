// Which lane something lies in: a CPU's, a thread's, that of asynchronous spans of a name, or a
// counter's. Made when they are first asked for, and put in order at the end.
//
// Invariant: there are at most kMost lanes; what would need more has none, and is counted.
#pragma once

#include <map>
#include <unordered_map>

#include "drawing.h"

namespace barefxt::report {

class Lanes {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  static constexpr std::size_t kMost = std::size_t{1} << 16;

  explicit Lanes(Drawing& drawing) : drawing_(drawing) {}

  std::uint32_t of_cpu(unsigned cpu);
  // A pseudo-thread has its CPU's lane.
  std::uint32_t of_thread(std::uint64_t koid);
  std::uint32_t of_spans(std::uint32_t label);
  std::uint32_t of_counter(std::uint32_t label, std::uint64_t id, std::uint32_t argument);

  // CPUs first, then threads by process, spans, counters. Items get their lane's new number.
  void put_in_order();
  std::uint64_t left_out() const { return left_out_; }
  // That their names take.
  std::size_t bytes() const { return bytes_; }

 private:
  std::uint32_t add(Lane lane);

  Drawing& drawing_;
  std::uint64_t left_out_ = 0;
  std::size_t bytes_ = 0;
  std::unordered_map<unsigned, std::uint32_t> cpus_;
  std::unordered_map<std::uint64_t, std::uint32_t> threads_;
  std::unordered_map<std::uint32_t, std::uint32_t> spans_;
  std::map<std::tuple<std::uint32_t, std::uint64_t, std::uint32_t>, std::uint32_t> counters_;
};

}  // namespace barefxt::report
