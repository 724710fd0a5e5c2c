#include "lanes.h"

#include <algorithm>
#include <numeric>

#include <barefxt/host/json.h>
#include <barefxt/host/stacks.h>

namespace barefxt::report {

uint32_t Lanes::add(Lane lane) {
  if (drawing_.lanes.size() >= kMax) {
    ++left_out_;
    return kNone;
  }
  bytes_ += lane.name.size();
  drawing_.lanes.push_back(std::move(lane));
  return static_cast<uint32_t>(drawing_.lanes.size() - 1);
}

uint32_t Lanes::of_cpu(unsigned cpu) {
  const auto found = cpus_.find(cpu);
  if (found != cpus_.end()) return found->second;
  const uint32_t lane = add({LaneKind::kCpu, cpu, host::formatted("CPU {}", cpu), {}});
  if (lane != kNone) cpus_.emplace(cpu, lane);
  return lane;
}

uint32_t Lanes::of_thread(uint64_t koid) {
  const auto found = threads_.find(koid);
  if (found != threads_.end()) return found->second;
  const host::Statistics& statistics = drawing_.statistics;
  const auto known = statistics.names.find(koid);
  uint32_t lane = kNone;
  if (known == statistics.names.end()) {
    lane = add({LaneKind::kThread,
                koid,
                host::formatted("thread {}", koid),
                {},
                statistics.is_idle(koid)});
  } else if (const auto cpu = host::cpu_of_name(known->second.name)) {
    lane = of_cpu(*cpu);
  } else {
    lane = add({LaneKind::kThread, koid, host::valid_utf8(known->second.name),
                known->second.process, statistics.is_idle(koid)});
  }
  if (lane != kNone) threads_.emplace(koid, lane);
  return lane;
}

uint32_t Lanes::of_spans(uint32_t label) {
  const auto found = spans_.find(label);
  if (found != spans_.end()) return found->second;
  const uint32_t lane = add({LaneKind::kAsync, label, drawing_.labels[label].name, {}});
  if (lane != kNone) spans_.emplace(label, lane);
  return lane;
}

uint32_t Lanes::of_counter(uint32_t label, uint64_t id, uint32_t argument) {
  const auto key = std::tuple(label, id, argument);
  const auto found = counters_.find(key);
  if (found != counters_.end()) return found->second;
  std::string name = drawing_.labels[label].name + ": " + drawing_.labels[argument].name;
  const std::string of =
      host::is_stack(drawing_.labels[label].category, drawing_.labels[label].name)
          ? host::name_of_stack(drawing_.statistics, id)
          : std::string();
  if (!of.empty())
    host::append(name, " ({})", host::valid_utf8(of));
  else if (id != 0)
    host::append(name, " ({})", id);
  const uint32_t lane = add({LaneKind::kCounter, id, std::move(name), {}});
  if (lane != kNone) counters_.emplace(key, lane);
  return lane;
}

void Lanes::put_in_order() {
  std::vector<uint32_t> order(drawing_.lanes.size());
  std::iota(order.begin(), order.end(), 0);
  const auto rank = [&](uint32_t number) {
    const Lane& lane = drawing_.lanes[number];
    const bool by_number = lane.kind == LaneKind::kCpu || lane.kind == LaneKind::kThread;
    return std::tuple(lane.kind, lane.idle, lane.process.value_or(0), by_number ? lane.id : 0,
                      lane.name, number);
  };
  std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return rank(a) < rank(b); });
  std::vector<Lane> sorted;
  std::vector<uint32_t> now(order.size());
  for (const uint32_t number : order) {
    now[number] = static_cast<uint32_t>(sorted.size());
    sorted.push_back(std::move(drawing_.lanes[number]));
  }
  drawing_.lanes = std::move(sorted);
  for (Item& item : drawing_.items) {
    item.lane = now[item.lane];
    if (item.kind == ItemKind::kRun || item.kind == ItemKind::kArrow) item.other = now[item.other];
  }
}

}  // namespace barefxt::report
