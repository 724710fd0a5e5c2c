// Numbers of heaps against a slow reference, in runs with planted leaks, with and without losses.

#include <algorithm>
#include <map>
#include <optional>
#include <random>

#include <barefxt/host/heap.h>

#include "heap_trace.h"

namespace barefxt::test::heap_statistics_test {
namespace {

constexpr unsigned kCpuCount = 2;
constexpr uint64_t kFirstCaller = 0x8000;

host::HeapStatistics collect(HeapTrace& trace, const host::HeapOptions& options = {}) {
  host::Source source = host::Source::of(trace.bytes(), "in memory");
  auto heap = host::collect_heap(source, host::Form{}, options);
  EXPECT_TRUE(heap.ok());
  return heap.ok() ? std::move(heap.value()) : host::HeapStatistics{};
}

struct TrueBlock {
  uint64_t address;
  uint64_t bytes;
  uint64_t caller;
  uint64_t thread;
  uint64_t since;
  std::optional<uint64_t> until = {};
  bool is_recorded = true;  // its allocation
  bool is_in = false;       // allocated in the stretch
  bool is_left = false;     // at its end
  bool is_freed = false;    // in the stretch, or resized
};

struct Stretch {
  uint64_t from;
  uint64_t to;
  bool touches(uint64_t begin, uint64_t end) const { return from <= end && to >= begin; }
};

// A run of a program whose blocks are known, as its trace has it.
class Program {
 public:
  Program(unsigned seed, bool has_losses, bool has_callers_apart)
      : random_(seed), has_losses_(has_losses), has_callers_apart_(has_callers_apart) {
    trace.mark(time_, "nothing");
    const unsigned steps = 20 + below(300);
    const unsigned first = below(steps);
    const unsigned last = first + 1 + below(steps - first);
    for (unsigned step = 0; step < steps; ++step) {
      time_ += below(4);
      if (step == first) begin();
      if (step == last) end();
      if (has_losses_ && below(25) == 0) is_losing_[below(kCpuCount)] = true;
      act();
      if (below(6) == 0) regain(below(kCpuCount));
    }
    for (unsigned cpu = 0; cpu < kCpuCount; ++cpu) regain(cpu);
    if (!has_ended_) end();
  }

  HeapTrace trace;
  std::vector<TrueBlock> blocks;
  std::vector<Stretch> losses;
  uint64_t from = 0;
  uint64_t to = 0;
  // In the stretch, if nothing was lost.
  uint64_t peak_bytes = 0;
  std::map<uint64_t, uint64_t> at_peak;  // by caller
  uint64_t frees = 0;
  uint64_t allocated = 0;

  bool is_doubtful(uint64_t begin, uint64_t until) const {
    return std::ranges::any_of(losses,
                               [&](const Stretch& one) { return one.touches(begin, until); });
  }

 private:
  unsigned below(unsigned end) { return static_cast<unsigned>(random_() % end); }
  bool is_in() const { return has_begun_ && !has_ended_; }

  void begin() {
    trace.mark(time_, "begin");
    from = time_;
    has_begun_ = true;
    look_for_peak(true);
  }
  void end() {
    trace.mark(time_, "end");
    to = time_;
    has_ended_ = true;
    for (const size_t number : live_) blocks[number].is_left = true;
  }

  void act() {
    const unsigned cpu = below(kCpuCount);
    if (live_.empty() || below(100) < 45) return allocate(cpu, free_address());
    const size_t place = below(static_cast<unsigned>(live_.size()));
    const TrueBlock& block = blocks[live_[place]];
    // Planted leaks: of one caller in four, hardly any is freed.
    if (block.thread == 14 && below(10) != 0) return;
    const uint64_t address = block.address;
    if (below(8) == 0) {
      end_block(place);
      return allocate(cpu, address, true);
    }
    end_block(place);
    if (is_in()) ++frees;
    if (!is_losing_[cpu]) trace.free(note(cpu), 11 + below(3), address);
  }
  uint64_t free_address() {
    while (true) {
      const uint64_t address = 0x1000 + 64 * uint64_t{below(400)};
      if (std::ranges::none_of(live_,
                               [&](size_t number) { return blocks[number].address == address; }))
        return address;
    }
  }
  void allocate(unsigned cpu, uint64_t address, bool is_resized = false) {
    const uint64_t caller =
        kFirstCaller + (has_callers_apart_ ? blocks.size() : uint64_t{below(8)});
    const uint64_t thread = 11 + below(4);
    TrueBlock block{address, 1 + below(64), caller, thread, time_};
    block.is_recorded = !is_losing_[cpu];
    block.is_in = is_in();
    if (is_in()) ++allocated;
    if (block.is_recorded) {
      if (is_resized)
        trace.resize(note(cpu), thread, address, block.bytes, caller);
      else
        trace.alloc(note(cpu), thread, address, block.bytes, caller);
    }
    live_.push_back(blocks.size());
    blocks.push_back(block);
    look_for_peak(false);
  }
  void end_block(size_t place) {
    blocks[live_[place]].until = time_;
    blocks[live_[place]].is_freed = is_in();
    live_.erase(live_.begin() + static_cast<ptrdiff_t>(place));
  }
  void look_for_peak(bool is_first) {
    if (!is_in()) return;
    uint64_t bytes = 0;
    for (const size_t number : live_) bytes += blocks[number].bytes;
    if (!is_first && bytes <= peak_bytes) return;
    peak_bytes = bytes;
    at_peak.clear();
    for (const size_t number : live_) at_peak[blocks[number].caller] += blocks[number].bytes;
  }

  // Time of a record on this CPU.
  uint64_t note(unsigned cpu) { return last_[cpu] = time_; }
  void regain(unsigned cpu) {
    if (!is_losing_[cpu]) return;
    is_losing_[cpu] = false;
    losses.push_back({last_[cpu], time_});
    trace.lose(last_[cpu], time_, cpu);
    last_[cpu] = time_;
  }

  std::mt19937_64 random_;
  bool has_losses_;
  bool has_callers_apart_;
  uint64_t time_ = 1;
  std::vector<size_t> live_;
  bool is_losing_[kCpuCount] = {};
  uint64_t last_[kCpuCount] = {1, 1};
  bool has_begun_ = false;
  bool has_ended_ = false;
};

host::HeapOptions between_marks() {
  host::HeapOptions options;
  options.from.marker = "begin";
  options.to.marker = "end";
  return options;
}

TEST(HeapStatistics, FindAllPlantedLeaksAndInventNoneInAThousandRuns) {
  uint64_t planted = 0;
  uint64_t found = 0;
  uint64_t unknown = 0;
  for (unsigned seed = 0; seed < 1000; ++seed) {
    Program run(seed, seed % 2 == 1, true);
    const host::HeapStatistics heap = collect(run.trace, between_marks());
    ASSERT_EQ(heap.from, run.from) << seed;
    ASSERT_EQ(heap.to, run.to) << seed;
    for (const TrueBlock& block : run.blocks) {
      const auto site = heap.sites.find(block.caller);
      const bool is_leak = block.is_in && block.is_left;
      const bool is_found = site != heap.sites.end() && site->second.leaked.blocks == 1;
      const bool is_unknown = site != heap.sites.end() && site->second.perhaps_leaked.blocks == 1;
      if (!is_leak) {
        ASSERT_FALSE(is_found) << seed;
        continue;
      }
      ++planted;
      found += is_found ? 1 : 0;
      unknown += is_unknown ? 1 : 0;
      ASSERT_TRUE(is_found || is_unknown || !block.is_recorded) << seed;
      ASSERT_EQ(is_found, block.is_recorded && !run.is_doubtful(block.since, run.to)) << seed;
      ASSERT_TRUE(!is_found || site->second.leaked.bytes == block.bytes) << seed;
    }
  }
  EXPECT_GT(found, 1000u);
  EXPECT_GT(unknown, 1000u);
  EXPECT_GT(planted, found + unknown);
}

TEST(HeapStatistics, AreThoseOfASlowReference) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    Program run(seed, false, false);
    const host::HeapStatistics heap = collect(run.trace, between_marks());
    std::map<uint64_t, host::HeapAmount> left;
    std::map<uint64_t, host::HeapAmount> freed;
    uint64_t lifetimes = 0;
    uint64_t ticks = 0;
    for (const TrueBlock& block : run.blocks) {
      if (block.is_left) {
        ++left[block.caller].blocks;
        left[block.caller].bytes += block.bytes;
      }
      if (block.is_freed) {
        ++freed[block.caller].blocks;
        freed[block.caller].bytes += block.bytes;
      }
    }
    ASSERT_EQ(heap.peak.bytes, run.peak_bytes) << seed;
    ASSERT_EQ(heap.frees, run.frees) << seed;
    ASSERT_EQ(heap.allocated.blocks, run.allocated) << seed;
    ASSERT_TRUE(heap.is_peak_known);
    ASSERT_FALSE(heap.has_lost_in_stretch);
    ASSERT_EQ(heap.missing_frees + heap.unknown_frees + heap.unknown.blocks, 0u) << seed;
    for (const auto& [caller, site] : heap.sites) {
      const auto peak = run.at_peak.find(caller);
      ASSERT_EQ(site.at_peak.bytes, peak == run.at_peak.end() ? 0 : peak->second) << seed;
      ASSERT_EQ(site.live.bytes, left[caller].bytes) << seed;
      ASSERT_EQ(site.live.blocks, left[caller].blocks) << seed;
      ASSERT_EQ(site.freed.blocks, freed[caller].blocks) << seed;
      ASSERT_EQ(site.freed.bytes, freed[caller].bytes) << seed;
      lifetimes += site.lifetimes.count();
      ticks += site.lifetimes.total();
    }
    ASSERT_EQ(heap.lifetimes.count(), lifetimes);
    ASSERT_EQ(heap.lifetimes.total(), ticks);
    uint64_t by_thread = 0;
    for (const auto& [koid, thread] : heap.threads) by_thread += thread.live.bytes;
    ASSERT_EQ(heap.live.bytes, by_thread);
  }
}

// Blocks that one CPU's records have, and another's, in an archive that is not in order of time.
TEST(HeapStatistics, DoNotDependOnTheOrderOfRecords) {
  HeapTrace trace;
  trace.alloc(10, 11, 0x1000, 8, 1);
  trace.alloc(30, 11, 0x2000, 8, 2);
  trace.free(20, 12, 0x1000);
  trace.free(40, 12, 0x2000);
  const host::HeapStatistics heap = collect(trace);
  EXPECT_EQ(heap.peak.bytes, 8u);
  EXPECT_EQ(heap.live.blocks, 0u);
  EXPECT_EQ(heap.lifetimes.count(), 2u);
  EXPECT_EQ(heap.lifetimes.longest(), 10u);
}

TEST(HeapStatistics, HaveWhatIsLiveInEachPartOfTheStretch) {
  HeapTrace trace;
  trace.mark(0, "first");
  trace.alloc(100, 11, 0x1000, 100, 1);
  trace.alloc(300, 11, 0x2000, 50, 1);
  trace.free(310, 11, 0x2000);
  trace.free(500, 11, 0x1000);
  trace.mark(600, "last");
  const host::HeapStatistics heap = collect(trace);
  ASSERT_EQ(heap.parts.size(), host::HeapStatistics::kParts);
  const auto part = [&](uint64_t time) {
    return *std::ranges::lower_bound(heap.parts, time, {}, &host::HeapPart::end);
  };
  EXPECT_EQ(part(90).live.bytes, 0u);
  EXPECT_EQ(part(100).live.bytes, 100u);
  EXPECT_EQ(part(100).allocations, 1u);
  EXPECT_EQ(part(200).live.bytes, 100u);
  EXPECT_EQ(part(200).most_bytes, 100u);
  EXPECT_EQ(part(310).live.bytes, 100u);
  EXPECT_EQ(part(310).most_bytes, 150u);
  EXPECT_EQ(part(500).most_bytes, 100u);
  EXPECT_EQ(part(600).live.blocks, 0u);
}

TEST(HeapStatistics, APoolIsFragmentedIfItsLargestHoleLacksFreeBytes) {
  HeapTrace trace;
  trace.pool(1, "dma", 0x1000, 1000, 0);
  for (uint64_t i = 0; i < 10; ++i) trace.alloc(2, 11, 0x1000 + 100 * i, 100, 1);
  for (const uint64_t i : {1u, 3u, 4u, 9u}) trace.free(3, 11, 0x1000 + 100 * i);
  trace.alloc(4, 11, 0x9000, 77, 1);  // outside
  const host::HeapStatistics heap = collect(trace);
  ASSERT_EQ(heap.pools.size(), 1u);
  const host::HeapPoolStatistics& pool = heap.pools[0];
  EXPECT_EQ(pool.name, "dma");
  EXPECT_EQ(pool.live.bytes, 600u);
  EXPECT_EQ(pool.peak_bytes, 1000u);
  EXPECT_EQ(pool.largest_hole, 200u);
  EXPECT_EQ(pool.fragmentation(), 0.5);
}

TEST(HeapStatistics, NothingIsSaidOfThePoolsThatAreNotKnownWhole) {
  HeapTrace used;
  used.pool(1, "dma", 0x1000, 1000, 16);
  EXPECT_EQ(collect(used).pools.at(0).fragmentation(), std::nullopt);
  HeapTrace lossy;
  lossy.pool(1, "dma", 0x1000, 1000, 0);
  lossy.lose(2, 3);
  EXPECT_EQ(collect(lossy).pools.at(0).fragmentation(), std::nullopt);
}

TEST(HeapStatistics, CountWhatDoesNotFitTogether) {
  HeapTrace trace;
  trace.free(1, 11, 0x1000);
  trace.alloc(2, 11, 0x2000, 8, 1);
  trace.alloc(3, 11, 0x2000, 9, 2);
  trace.alloc(4, 11, 0, 1000, 3);
  const host::HeapStatistics heap = collect(trace);
  EXPECT_EQ(heap.unknown_frees, 1u);
  EXPECT_EQ(heap.missing_frees, 1u);
  EXPECT_EQ(heap.live.bytes, 9u);
  EXPECT_EQ(heap.failed.bytes, 1000u);
  EXPECT_EQ(heap.sites.at(3).failed, 1u);
  EXPECT_EQ(heap.allocated.blocks, 2u);
}

}  // namespace
}  // namespace barefxt::test::heap_statistics_test
