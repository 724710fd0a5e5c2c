// Counters: what values a series had, and for how long each stood.
//
// Invariant: a value stands until the next one of its series, a loss (which may have held a newer
// one), or the end.
#pragma once

#include <cstdint>
#include <vector>

#include "moment.h"
#include "names.h"
#include "window.h"

namespace barefxt::host {

class Values {
 public:
  Values(Statistics& statistics, const Names& names, const Window& window, const Epoch& epoch)
      : statistics_(statistics), names_(names), window_(window), epoch_(epoch) {}

  void add(const Moment& moment);
  void lose(uint64_t time);
  void finish(uint64_t end);

 private:
  struct Series {
    bool stands = false;
    uint64_t since = 0;
    double value = 0;
    CounterStatistics sum;
  };
  void weigh(Series& series, uint64_t now) const;

  Statistics& statistics_;
  const Names& names_;
  const Window& window_;
  const Epoch& epoch_;
  std::vector<Series> series_;
  // The numbers of those that stand: there may be many series, and many losses behind them.
  std::vector<uint32_t> standing_;
};

}  // namespace barefxt::host
