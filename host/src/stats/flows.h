// Flows: from their begin to their end, however many steps lie between.
//
// Invariants: an id is its provider's own, and free again when the flow has ended. So many flows
// are open at a time; those that begin beyond are left out.
#pragma once

#include <deque>
#include <unordered_map>
#include <vector>

#include "moment.h"
#include "names.h"
#include "observer.h"
#include "window.h"

namespace barefxt::host {

class Flows {
 public:
  Flows(Statistics& statistics, const Names& names, const Window& window, const Epoch& epoch,
        TimelineObserver* observer)
      : statistics_(statistics),
        names_(names),
        window_(window),
        epoch_(epoch),
        observer_(observer) {}

  void add(const Moment& moment);
  void finish();

 private:
  struct Id {
    uint64_t id;
    uint32_t provider;
    bool operator==(const Id&) const = default;
  };
  struct Hash {
    size_t operator()(const Id& id) const {
      return (id.id ^ uint64_t{id.provider} << 32) * 0x9E3779B97F4A7C15U >> 20;
    }
  };
  struct Open {
    uint64_t begin;
    uint32_t label;
    uint32_t epoch;
    uint64_t thread;
  };
  static constexpr size_t kMaxLater = size_t{1} << 16;

  void begin(const Id& id, const Moment& moment);
  FlowStatistics& sum_of(uint32_t label);

  Statistics& statistics_;
  const Names& names_;
  const Window& window_;
  const Epoch& epoch_;
  TimelineObserver* observer_;        // may be null
  std::vector<FlowStatistics> sums_;  // by label
  std::unordered_map<Id, Open, Hash> open_;
  std::deque<std::pair<Id, uint64_t>> begun_;  // the last ones, and when
};

}  // namespace barefxt::host
