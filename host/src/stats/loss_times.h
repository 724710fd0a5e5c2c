// When records were lost, and of which CPU: known before the second look begins, so that a loss is
// met where it begins, not where the record stands that tells of it.
//
// Invariants, once finished: the intervals of a CPU are in order and do not touch. Memory is
// bounded: of too many intervals the closest are joined, and of too many threads that tell of
// losses, what the rest lost is lost of every CPU. Both call more unknown and nothing less.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <vector>

#include <barefxt/host/stats.h>

namespace barefxt::host {

struct Loss {
  std::uint64_t begin;
  std::uint64_t end;
};

class LossTimes {
 public:
  // Null: of any CPU.
  using CpuOrAll = std::optional<unsigned>;

  // As told on this thread, whose name says which CPU it is about.
  void add(std::uint64_t thread, Loss loss);
  void finish(const std::function<CpuOrAll(std::uint64_t thread)>& cpu_of);

  // Beginnings and ends of all losses, in order of time, ends first. What is recorded at the tick
  // of a beginning came before it, at that of an end behind it.
  struct Edge {
    std::uint64_t time;
    bool begins;
    CpuOrAll cpu;
  };
  const std::vector<Edge>& edges() const { return edges_; }
  const std::map<CpuOrAll, std::vector<Loss>>& by_cpu() const { return by_cpu_; }

  // Ticks within [from, to] in which something was lost: of any CPU, or of this one.
  std::uint64_t covered(std::uint64_t from, std::uint64_t to) const;
  std::uint64_t covered(unsigned cpu, std::uint64_t from, std::uint64_t to) const;

 private:
  static constexpr std::size_t kMost = std::size_t{1} << 12;
  static constexpr std::size_t kMostThreads = std::size_t{1} << 10;
  static void join(std::vector<Loss>& losses);

  std::map<std::uint64_t, std::vector<Loss>> by_thread_;
  std::vector<Loss> of_the_rest_;
  std::map<CpuOrAll, std::vector<Loss>> by_cpu_;
  std::vector<Edge> edges_;
};

}  // namespace barefxt::host
