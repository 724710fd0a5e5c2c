#include "weak_memory.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "schedule.h"

namespace barefxt::test {
namespace {

// For each shared location the oldest store that a load may still return.
using View = std::array<uint16_t, kMaxShared>;

struct Store {
  uint64_t value;
  uint32_t view;  // what comes before it, for threads that acquire it
};
struct Processor {
  View now;            // what its loads may return
  View acquired;       // and behind an acquiring fence
  uint32_t published;  // view that its relaxed stores pass to acquirers
};

unsigned location_count;
std::vector<Store> stores[kMaxShared];
std::vector<View> views;
Processor processors[kMaxThreads];
View fenced;        // by sequentially consistent fences
bool keeps_stores;  // where no load is late, the last one is in memory
unsigned late_loads_left;

Processor& processor() { return processors[current_processor()]; }

void join(View& view, const View& other) {
  for (unsigned i = 0; i < location_count; ++i) view[i] = std::max(view[i], other[i]);
}
uint32_t keep(const View& view) {
  views.push_back(view);
  return static_cast<uint32_t>(views.size() - 1);
}

bool acquires(int order) { return order != __ATOMIC_RELAXED && order != __ATOMIC_RELEASE; }
bool releases(int order) { return order >= __ATOMIC_RELEASE; }

std::vector<Store>& stores_to(const Location& location) {
  std::vector<Store>& all = stores[location.shared];
  if (all.empty()) all.push_back({peek(location.address, location.bytes), 0});
  return all;
}

void see(const Location& location, size_t store, int order) {
  Processor& mine = processor();
  auto& seen = mine.now[static_cast<size_t>(location.shared)];
  seen = std::max(seen, static_cast<uint16_t>(store));
  const uint32_t view = stores[location.shared][store].view;
  if (view == 0) return;
  const View& with_it = views[view];
  join(mine.acquired, with_it);
  if (acquires(order)) join(mine.now, with_it);
}

}  // namespace

uint64_t peek(uintptr_t address, unsigned bytes) {
  uint64_t value = 0;
  std::memcpy(&value, reinterpret_cast<const void*>(address), bytes);
  return value;
}
void poke(uintptr_t address, unsigned bytes, uint64_t value) {
  std::memcpy(reinterpret_cast<void*>(address), &value, bytes);
}

void forget_stores(unsigned shared, unsigned late_loads) {
  location_count = shared;
  for (unsigned i = 0; i < location_count; ++i) stores[i].clear();
  views.resize(1);
  views[0].fill(0);
  for (Processor& each : processors) {
    each.now.fill(0);
    each.acquired.fill(0);
    each.published = 0;
  }
  fenced.fill(0);
  late_loads_left = late_loads;
  keeps_stores = late_loads != 0;
}

Loaded load(const Location& location, int order, const uint64_t* expected) {
  if (!keeps_stores) return {peek(location.address, location.bytes), 0};
  const std::vector<Store>& all = stores_to(location);
  const size_t oldest = processor().now[static_cast<size_t>(location.shared)];
  size_t found = all.size() - 1;
  if (late_loads_left != 0 && oldest < found) {
    std::vector<size_t> options = {found};
    for (size_t i = found; i-- > oldest;)
      if (expected == nullptr || all[i].value != *expected) options.push_back(i);
    found = options[choose(static_cast<unsigned>(options.size()))];
    if (found != all.size() - 1) --late_loads_left;
  }
  see(location, found, order);
  return {all[found].value, static_cast<unsigned>(all.size() - 1 - found)};
}

void store(const Location& location, int order, bool continues) {
  if (!keeps_stores) return;
  const uint64_t value = peek(location.address, location.bytes);
  Processor& mine = processor();
  std::vector<Store>& all = stores_to(location);
  mine.now[static_cast<size_t>(location.shared)] = static_cast<uint16_t>(all.size());
  uint32_t view = releases(order) ? keep(mine.now) : mine.published;
  if (continues && all.back().view != 0) {
    View both = views[view];
    join(both, views[all.back().view]);
    view = keep(both);
  }
  all.push_back({value, view});
}

void see_last(const Location& location, int order) {
  if (keeps_stores) see(location, stores_to(location).size() - 1, order);
}

void keep_first(const Location& location) {
  if (keeps_stores) stores_to(location);
}

void acquire_all(int order) {
  if (acquires(order)) join(processor().now, processor().acquired);
}
void meet_fences() {
  join(processor().now, fenced);
  fenced = processor().now;
}
void release_all(int order) {
  if (releases(order)) processor().published = keep(processor().now);
}

}  // namespace barefxt::test
