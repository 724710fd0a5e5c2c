// Maps the counter of one CPU to the clock of its capture: ticks at the rate in the hello, by CPU
// 0's counter, with no time left out.
//
// Invariants: a later counter value never maps to an earlier time; any words that describe a clock
// give some time.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace barefxt::host {

// A change of the counter's rate, or a time in which it stood still: fxt::ClockWords.
struct ClockChange {
  uint64_t since = 0;
  uint64_t ticks_per_second = 1;
  uint64_t nominal = 0;
  uint64_t ticks_per_second_before = 1;
  uint64_t gone_by = 0;
};

// How a CPU's clock differs from CPU 0's.
struct ClockOffset {
  int64_t ticks = 0;
  std::optional<uint64_t> error;  // nothing: it was never measured
};

class ClockMap {
 public:
  // As the counter is.
  ClockMap() = default;
  // `ticks_per_second` is the capture's rate, 0 where it is unknown.
  ClockMap(const std::optional<ClockChange>& change, uint64_t ticks_per_second, int64_t offset)
      : change_(change), ticks_per_second_(ticks_per_second), offset_(offset) {}

  uint64_t operator()(uint64_t ticks) const {
    return !change_ && offset_ == 0 ? ticks : mapped(ticks);
  }
  bool changes() const { return change_.has_value(); }
  // Returns true if a record with this counter value was written after the change. A record of the
  // same tick may be either; before is far more common, so it counts as that.
  bool is_since_change(uint64_t ticks) const { return change_ && ticks > change_->since; }

 private:
  uint64_t mapped(uint64_t ticks) const;

  std::optional<ClockChange> change_;
  uint64_t ticks_per_second_ = 0;
  int64_t offset_ = 0;
};

}  // namespace barefxt::host
