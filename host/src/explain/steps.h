// What is known of many subjects over time: of each one a list of steps, from each of which on
// something holds, until the next. All steps lie in one array that may grow beyond memory.
//
// Invariants: steps of a track are added in order of their times. Finding the step that holds at a
// time takes logarithmic time: each step leads to the one before and to one far before (a skew
// binary list). Beyond kMost steps, or if the disk is full, nothing is added and status() has why.
#pragma once

#include <algorithm>
#include <cstdint>

#include <barefxt/host/spooled_array.h>
#include <barefxt/host/status.h>

namespace barefxt::host {

struct Step {
  uint64_t time;
  uint64_t value;
  uint32_t before;  // the step before, kNoStep if this is the first
  uint32_t far_before;
  uint32_t depth;  // steps before it
  uint16_t number;
  uint8_t state;
  uint8_t flags;
};

inline constexpr uint32_t kNoStep = ~uint32_t{0};

struct Track {
  uint32_t last = kNoStep;
};

class Steps {
 public:
  // Times that fall are taken for the last one.
  void add(Track& track, uint64_t time, uint8_t state, uint64_t value = 0, uint16_t number = 0,
           uint8_t flags = 0) {
    if (!status_.ok()) return;
    if (array_.size() == kMost) {
      status_ = Error{"holds more than can be explained at once", "", "select a shorter time"};
      return;
    }
    Step step{time, value, track.last, 0, 0, number, state, flags};
    const auto self = static_cast<uint32_t>(array_.size());
    if (track.last == kNoStep) {
      step.far_before = self;
    } else {
      const Step& before = (*this)[track.last];
      step.time = std::max(time, before.time);
      step.depth = before.depth + 1;
      const Step& far = (*this)[before.far_before];
      const bool is_even = before.depth - far.depth == far.depth - (*this)[far.far_before].depth;
      step.far_before = is_even ? far.far_before : track.last;
    }
    status_ = array_.push_back(step);
    if (status_.ok()) track.last = self;
    if (self % kReleasedAtOnce == kReleasedAtOnce - 1) array_.release_memory();
  }

  // The last step no later than `time`; kNoStep if there is none.
  uint32_t find(const Track& track, uint64_t time) const {
    uint32_t at = track.last;
    while (at != kNoStep && (*this)[at].time > time) {
      const Step& step = (*this)[at];
      at = step.before != kNoStep && (*this)[step.far_before].time > time ? step.far_before
                                                                          : step.before;
    }
    return at;
  }
  const Step& operator[](uint32_t at) const { return array_.all()[at]; }
  Step& operator[](uint32_t at) { return array_.all()[at]; }

  const Status& status() const { return status_; }
  void release_memory() { array_.release_memory(); }

 private:
  static constexpr size_t kMost = kNoStep - 1;
  static constexpr uint32_t kReleasedAtOnce = uint32_t{1} << 18;  // 8 MiB

  SpooledArray<Step> array_;
  Status status_;
};

}  // namespace barefxt::host
