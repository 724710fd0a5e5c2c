// The times of losses, by CPU. They are known before the second pass begins, so that it meets a
// loss where the loss begins, not at the record that reports it.
//
// Invariants, once finished: the intervals of a CPU are in order and do not touch. Memory is
// bounded. Beyond the limit of intervals the closest are joined; beyond the limit of threads that
// report losses, a loss counts for every CPU. Both call more time unknown, and never less.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include <barefxt/host/stats.h>

namespace barefxt::host {

struct Loss {
  uint64_t begin;
  uint64_t end;
};

class LossTimes {
 public:
  // Null: of any CPU.
  using CpuOrAll = std::optional<unsigned>;

  // A loss reported on this thread, whose name identifies the CPU.
  void add(uint64_t thread, Loss loss);
  // A loss of every CPU.
  void add_for_all(Loss loss);
  void finish(const std::function<CpuOrAll(uint64_t thread)>& cpu_of);
  // One more loss, of records that are still to come. `next_edge`: the first edge that time has not
  // passed; returns where it is now, since some before it are forgotten.
  size_t add_ahead(unsigned cpu, Loss loss, size_t next_edge);

  // Beginnings and ends of all losses, in order of time, ends first. A record at the tick of a
  // beginning came before the loss; one at the tick of an end came behind it.
  struct Edge {
    uint64_t time;
    bool begins;
    CpuOrAll cpu;
  };
  const std::vector<Edge>& edges() const { return edges_; }
  const std::map<CpuOrAll, std::vector<Loss>>& by_cpu() const { return by_cpu_; }

  // Ticks within [from, to] in which something was lost: of any CPU, or of this one.
  uint64_t covered(uint64_t from, uint64_t to) const;
  uint64_t covered(unsigned cpu, uint64_t from, uint64_t to) const;

 private:
  static constexpr size_t kMax = size_t{1} << 12;
  static constexpr size_t kMaxThreads = size_t{1} << 10;
  static void add_to(std::vector<Loss>& losses, Loss loss);
  static void join(std::vector<Loss>& losses);
  // Ticks of losses of any CPU in [from, to], by binary search: every CPU asks for each of its own.
  uint64_t lost_everywhere(uint64_t from, uint64_t to) const;
  uint64_t lost_everywhere_until(uint64_t time) const;

  std::map<uint64_t, std::vector<Loss>> by_thread_;
  std::vector<Loss> of_the_rest_;
  std::map<CpuOrAll, std::vector<Loss>> by_cpu_;
  std::vector<uint64_t> lost_before_;  // each loss of any CPU, in ticks
  std::vector<Edge> edges_;
};

}  // namespace barefxt::host
