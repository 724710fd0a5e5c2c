// Decides which durations of threads end at a loss, from all that comes behind it.
//
// A duration whose end survives went on: it is matched by name and category, innermost first.
// Around it went on what was open before the same loss. A duration does not go on if an outer one
// ends first, if another one of its name begins, or if the archive ends. Such a duration ends at
// the first loss behind its begin, or behind the last end that shows that it was still open.
//
// Invariants: what ends at one loss is the innermost of a thread. Memory is bounded: where more
// than kMaxOpenSlices durations are open, kDeepestSlice of one thread, or kMaxVerdicts are
// needed, nothing more ends at losses.
#pragma once

#include <cstdint>
#include <map>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace barefxt::host {

struct SliceName {
  std::string_view category;
  std::string_view name;
  bool operator==(const SliceName&) const = default;
  // Some writers leave the names out where a duration ends.
  bool is_empty() const { return category.empty() && name.empty(); }
};

struct SliceThread {
  uint64_t provider;
  uint64_t process;
  uint64_t thread;
  bool operator==(const SliceThread&) const = default;

  struct Hash {
    size_t operator()(const SliceThread& key) const {
      uint64_t hash = key.thread * 0x9E3779B97F4A7C15U;
      hash = (hash ^ (hash >> 29) ^ key.process) * 0xBF58476D1CE4E5B9U;
      return hash ^ (hash >> 31) ^ key.provider;
    }
  };
};

// How many open durations an end's search passes at most.
inline constexpr size_t kSliceReach = 64;
inline constexpr size_t kMaxOpenSlices = size_t{1} << 18;
inline constexpr size_t kDeepestSlice = 4096;

// How many durations lie on the innermost one that this end is for, itself included; 0 where none
// is. T has a member `name`.
template <typename T>
size_t height_of(const std::vector<T>& open, const SliceName& end) {
  if (end.is_empty()) return open.empty() ? 0 : 1;
  for (size_t height = 1; height <= open.size() && height <= kSliceReach; ++height)
    if (open[open.size() - height].name == end) return height;
  return 0;
}

class SliceJudge {
 public:
  static constexpr size_t kMaxVerdicts = size_t{1} << 18;

  // A provider's next loss, and the durations of its threads, in order of time.
  void lose(uint64_t provider) { ++losses_[provider]; }
  void begin(const SliceThread& key, const SliceName& name);
  void end(const SliceThread& key, const SliceName& name);
  void finish();

  // After finish(): calls `see` with each thread whose durations end at a provider's loss (`loss`,
  // counted from 1), and with the number of those durations.
  template <typename See>
  void for_each_at(uint64_t provider, uint32_t loss, const See& see) const {
    for (auto at = verdicts_.lower_bound({provider, loss, 0, 0});
         at != verdicts_.end() && std::get<0>(at->first) == provider &&
         std::get<1>(at->first) == loss;
         ++at)
      see(SliceThread{provider, std::get<2>(at->first), std::get<3>(at->first)}, at->second);
  }

 private:
  struct Slice {
    SliceName name;
    // The loss at which it ends unless its end comes: the first behind its begin, or behind what
    // last showed that it was open. 0: none.
    uint32_t doubt;
  };
  struct Thread {
    std::vector<Slice> open;
    uint32_t losses = 0;  // that were there when it was last looked at
  };

  Thread* look_at(const SliceThread& key, bool is_new);
  static void doubt(Thread& thread, uint32_t losses);
  void cut(const SliceThread& key, uint32_t loss, size_t count);

  std::unordered_map<uint64_t, uint32_t> losses_;  // so far, by provider
  std::unordered_map<SliceThread, Thread, SliceThread::Hash> threads_;
  // By provider, loss, process and thread: how many end.
  std::map<std::tuple<uint64_t, uint32_t, uint64_t, uint64_t>, size_t> verdicts_;
  size_t open_ = 0;
  bool is_full_ = false;
};

}  // namespace barefxt::host
