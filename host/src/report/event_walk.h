// Draws the parts of an archive that statistics lack: instants, logs, wakeups, values of counters,
// places of flows, asynchronous spans, and the arguments of everything.
//
// Invariant: the number of open spans and flows is bounded; the oldest are forgotten.
#pragma once

#include <functional>
#include <map>
#include <vector>

#include "../heap/heap_counter.h"
#include "lanes.h"
#include "texts.h"

namespace barefxt::report {

class EventWalk {
 public:
  using Put = std::function<void(const Item& item)>;

  EventWalk(Drawing& drawing, Texts& texts, Lanes& lanes, host::RecordFilter& filter,
            bool to_nanoseconds, Put put)
      : drawing_(drawing),
        texts_(texts),
        lanes_(lanes),
        filter_(filter),
        to_nanoseconds_(to_nanoseconds),
        put_(std::move(put)) {}

  // Records in file order.
  void see(const host::Record& record, const host::ProviderState& provider);
  void finish();
  bool has_heaps() const { return heaps_.has_events(); }

  // The arguments of the record at this offset, if it belongs to a duration or a switch.
  Texts::Details details_at(uint64_t offset) const;

 private:
  struct SpanKey {
    const host::ProviderState* provider;
    uint32_t label;
    uint64_t id;
    auto operator<=>(const SpanKey&) const = default;
  };
  struct OpenSpan {
    uint64_t begin;
    Texts::Details details;
  };
  struct FlowKey {
    const host::ProviderState* provider;
    uint64_t id;
    auto operator<=>(const FlowKey&) const = default;
  };
  struct FlowPlace {
    uint64_t time;
    uint32_t lane;
    uint32_t label;
  };
  struct DetailsAt {
    uint64_t offset;
    Texts::Details details;
  };
  static constexpr size_t kMaxOpen = size_t{1} << 16;

  void event(const host::Event& event, uint64_t offset, const host::ProviderState& provider);
  void counter(const host::Event& event, uint64_t offset, uint64_t time);
  void flow(const host::Event& event, uint64_t offset, uint64_t time,
            const host::ProviderState& provider);
  void span(const host::Event& event, uint64_t offset, uint64_t time,
            const host::ProviderState& provider);
  void place(ItemKind kind, uint32_t lane, uint64_t time, uint64_t offset, uint32_t label,
             const Texts::Details& details);
  void put(const Item& item);
  void remember(uint64_t offset, const Texts::Details& details);
  bool counts(uint64_t time) const {
    return drawing_.statistics.first <= time && time <= drawing_.statistics.last;
  }

  Drawing& drawing_;
  Texts& texts_;
  Lanes& lanes_;
  host::RecordFilter& filter_;
  bool to_nanoseconds_;
  Put put_;
  host::HeapCounter heaps_;
  std::map<SpanKey, OpenSpan> spans_;
  std::map<FlowKey, FlowPlace> flows_;
  std::vector<DetailsAt> details_;  // in order of offset
};

}  // namespace barefxt::report
