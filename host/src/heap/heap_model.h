// Blocks that are live at the moment, by the events of heaps in order of time.
//
// Invariants: the work for an event grows with the logarithm of the live blocks. Memory is bounded;
// blocks beyond the limit are counted, and unknown. Losses are up to the caller: a difference from
// what a program may do is a fault only if nothing was lost since the time that it comes with.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "heap_event.h"

namespace barefxt::host {

// An address of a provider's.
struct HeapPlace {
  uint64_t provider = 0;
  uint64_t address = 0;
  auto operator<=>(const HeapPlace&) const = default;
};

struct LiveBlock {
  uint64_t since = 0;
  uint64_t bytes = 0;
  uint64_t caller = 0;
  uint64_t thread = 0;
  uint64_t number = 0;  // of all allocations
};

// The change that an event makes to the blocks.
struct HeapStep {
  enum class Fault : uint8_t {
    kNone,
    kLive,         // allocated while it is live: its free is missing
    kFreedTwice,   // freed, and not allocated since
    kUnknownFree,  // a free of no block, though all blocks of its pool are known
  };
  Fault fault = Fault::kNone;
  uint64_t since = 0;  // the fault is none if something was lost from here on
  std::optional<LiveBlock> ended;
  const LiveBlock* begun = nullptr;  // valid until the next event
  bool is_left_out = false;          // too many are live
  bool is_unknown = false;           // a free of a block whose allocation is not recorded
};

class HeapModel {
 public:
  static constexpr size_t kMaxBlocks = size_t{1} << 20;
  static constexpr size_t kMaxPools = 256;

  struct Pool {
    uint64_t provider;
    uint64_t begin;
    uint64_t bytes;
    uint64_t used;  // when it was recorded
    uint64_t since;
    bool has(const HeapPlace& place) const {
      return provider == place.provider && place.address - begin < bytes;
    }
  };

  HeapStep see(const HeapEvent& event, uint64_t provider, uint64_t thread, uint64_t time);

  const std::map<HeapPlace, LiveBlock>& live() const { return live_; }
  const std::vector<Pool>& pools() const { return pools_; }  // the last of each place
  // The number of the pool around a place.
  std::optional<size_t> pool_of(const HeapPlace& place) const;
  uint64_t left_out() const { return left_out_; }
  uint64_t allocations() const { return allocations_; }

 private:
  void begin(const HeapPlace& place, const HeapEvent& event, uint64_t thread, uint64_t time,
             HeapStep& step);
  void end(const HeapPlace& place, uint64_t time, HeapStep& step);
  void add_pool(const HeapEvent& event, uint64_t provider, uint64_t time);

  struct Hash {
    size_t operator()(const HeapPlace& place) const {
      constexpr uint64_t kOdd = 0x9E3779B97F4A7C15;
      return (place.address ^ place.provider << 48) * kOdd >> 16;
    }
  };

  std::map<HeapPlace, LiveBlock> live_;
  std::unordered_map<HeapPlace, uint64_t, Hash> freed_;  // when, and not allocated since
  std::vector<Pool> pools_;
  uint64_t left_out_ = 0;
  uint64_t allocations_ = 0;
};

}  // namespace barefxt::host
