// The known states of many subjects over time: for each one a list of steps, from each of which on
// something holds, until the next. All steps lie in one array that may grow beyond memory.
//
// Invariants: steps of a track are added in order of their times. Finding the step that holds at a
// time takes logarithmic time: each step leads to the one before and to one far before (a skew
// binary list). Whoever goes back in time starts where the last look ended, and stays on few pages.
// Only the block that was touched last is resident. Beyond kMax steps, or if the disk is full,
// nothing is added and status() has why.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include <barefxt/host/spooled_array.h>
#include <barefxt/host/status.h>

namespace barefxt::host {

struct Step {
  uint64_t time;
  uint64_t value;
  uint32_t before;  // the step before, kNoStep if this is the first
  uint32_t far_before;
  uint16_t number;
  uint8_t state;
  uint8_t flags;
};

inline constexpr uint32_t kNoStep = ~uint32_t{0};

// The end of a list, with what adding to it needs: steps far before are not touched.
struct Track {
  // A tree of a skew binary list: a step, and those before it up to the next tree.
  struct Tree {
    uint32_t steps;
    uint32_t last;
  };
  uint32_t first = kNoStep;
  uint32_t last = kNoStep;
  uint64_t time = 0;  // of the last step
  // The last look since it grew, and its step: an earlier time has that one, or one before.
  mutable uint64_t looked_at = 0;
  mutable uint32_t found = kNoStep;
  std::vector<Tree> trees;
};

class Steps {
 public:
  // Times that fall are taken for the last one.
  void add(Track& track, uint64_t time, uint8_t state, uint64_t value = 0, uint16_t number = 0,
           uint8_t flags = 0) {
    if (!status_.ok()) return;
    if (array_.size() == kMax) {
      status_ = Error{"holds more than can be explained at once", "", "select a shorter time"};
      return;
    }
    const auto self = static_cast<uint32_t>(array_.size());
    track.time = std::max(time, track.time);
    if (track.last == kNoStep) track.first = self;
    const uint32_t far = put_into_trees(track, self);
    status_ = array_.push_back({track.time, value, track.last, far, number, state, flags});
    if (!status_.ok()) return;
    track.last = self;
    track.found = kNoStep;
    touch(self);
  }

  // The last step no later than `time`; kNoStep if there is none.
  uint32_t find(const Track& track, uint64_t time) const {
    uint32_t at = track.found != kNoStep && time <= track.looked_at ? track.found : track.last;
    while (at != kNoStep && (*this)[at].time > time) {
      const Step& step = (*this)[at];
      at = step.before != kNoStep && (*this)[step.far_before].time > time ? step.far_before
                                                                          : step.before;
    }
    track.looked_at = time;
    track.found = at;
    return at;
  }
  const Step& operator[](uint32_t at) const {
    touch(at);
    return array_.all()[at];
  }

  size_t size() const { return array_.size(); }
  const Status& status() const { return status_; }

 private:
  static constexpr size_t kMax = kNoStep - 1;
  // A system may bring in so much for one step: 2 MiB.
  static constexpr uint32_t kStepsInBlock = uint32_t{1} << 16;

  void touch(uint32_t at) const {
    if (at / kStepsInBlock == block_) return;
    block_ = at / kStepsInBlock;
    array_.release_memory();
  }

  // Returns the step far before the new one: of the first step, itself.
  static uint32_t put_into_trees(Track& track, uint32_t self) {
    std::vector<Track::Tree>& trees = track.trees;
    const size_t count = trees.size();
    if (count >= 2 && trees[count - 1].steps == trees[count - 2].steps) {
      const uint32_t steps = 1 + 2 * trees[count - 1].steps;
      trees.resize(count - 2);
      const uint32_t far = trees.empty() ? track.first : trees.back().last;
      trees.push_back({steps, self});
      return far;
    }
    const uint32_t far = trees.empty() ? track.first : trees.back().last;
    trees.push_back({1, self});
    return far;
  }

  mutable SpooledArray<Step> array_;
  mutable uint32_t block_ = 0;  // that was touched last
  Status status_;
};

}  // namespace barefxt::host
