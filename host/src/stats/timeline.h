// Adds up what needs order: who ran where, how long after its wakeup, which durations.
//
// Invariant: moments come in order of time.
#pragma once

#include <map>
#include <unordered_map>
#include <vector>

#include "moment.h"

namespace barefxt::host {

class Timeline {
 public:
  Timeline(const Labels& labels, Statistics& statistics)
      : labels_(labels), statistics_(statistics) {}

  void add(const Moment& moment);
  void finish();

 private:
  struct Cpu {
    bool known = false;  // who runs; else the next switch tells who did
    std::uint64_t running = 0;
    std::uint64_t since = 0;
  };
  struct Open {
    std::uint64_t since;
    std::uint32_t label;
  };

  void change(const Moment& moment);
  void wake(const Moment& moment);
  void lose(const Moment& moment);
  void end(const Moment& moment);
  void slice(std::uint64_t thread, std::uint32_t label, std::uint64_t begin, std::uint64_t end,
             bool outermost);
  bool runs_somewhere(std::uint64_t thread) const;

  const Labels& labels_;
  Statistics& statistics_;
  std::map<unsigned, Cpu> cpus_;
  std::unordered_map<std::uint64_t, std::uint64_t> woken_;
  std::unordered_map<std::uint64_t, std::vector<Open>> open_;
  std::unordered_map<std::uint32_t, Durations> durations_;
};

}  // namespace barefxt::host
