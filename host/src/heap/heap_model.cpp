#include "heap_model.h"

#include <algorithm>

namespace barefxt::host {

HeapStep HeapModel::see(const HeapEvent& event, uint64_t provider, uint64_t thread, uint64_t time) {
  HeapStep step;
  const HeapPlace place{provider, event.address};
  switch (event.kind) {
    case HeapEventKind::kPool:
      add_pool(event, provider, time);
      break;
    case HeapEventKind::kFree:
      end(place, time, step);
      break;
    case HeapEventKind::kAlloc:
    case HeapEventKind::kResize:
      // An allocation that failed.
      if (event.address != 0) begin(place, event, thread, time, step);
      break;
  }
  return step;
}

void HeapModel::begin(const HeapPlace& place, const HeapEvent& event, uint64_t thread,
                      uint64_t time, HeapStep& step) {
  freed_.erase(place);
  auto at = live_.find(place);
  if (at != live_.end()) {
    step.ended = at->second;
    if (event.kind == HeapEventKind::kAlloc) {
      step.fault = HeapStep::Fault::kLive;
      step.since = at->second.since;
    }
  } else if (live_.size() == kMaxBlocks) {
    ++left_out_;
    step.is_left_out = true;
    return;
  } else {
    at = live_.try_emplace(place).first;
  }
  at->second = {time, event.bytes, event.caller, thread, allocations_++};
  step.begun = &at->second;
}

void HeapModel::end(const HeapPlace& place, uint64_t time, HeapStep& step) {
  const auto at = live_.find(place);
  if (at != live_.end()) {
    step.ended = at->second;
    live_.erase(at);
    // One that is not remembered is only not known for freed.
    if (freed_.size() < kMaxBlocks) freed_[place] = time;
    return;
  }
  step.is_unknown = true;
  if (const auto before = freed_.find(place); before != freed_.end()) {
    step.fault = HeapStep::Fault::kFreedTwice;
    step.since = before->second;
    before->second = time;
    return;
  }
  const std::optional<size_t> pool = pool_of(place);
  if (pool && pools_[*pool].used == 0 && left_out_ == 0) {
    step.fault = HeapStep::Fault::kUnknownFree;
    step.since = pools_[*pool].since;
  }
  if (freed_.size() < kMaxBlocks) freed_[place] = time;
}

std::optional<size_t> HeapModel::pool_of(const HeapPlace& place) const {
  // The last one: pools may be made of parts of others.
  for (size_t i = pools_.size(); i-- != 0;)
    if (pools_[i].has(place)) return i;
  return {};
}

void HeapModel::add_pool(const HeapEvent& event, uint64_t provider, uint64_t time) {
  const Pool pool{provider, event.address, event.bytes, event.used, time};
  const auto same = std::ranges::find_if(
      pools_, [&](const Pool& one) { return one.provider == provider && one.begin == pool.begin; });
  if (same != pools_.end())
    *same = pool;
  else if (pools_.size() < kMaxPools)
    pools_.push_back(pool);
}

}  // namespace barefxt::host
