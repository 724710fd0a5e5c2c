// The stretch of time that a rule holds for: from a time or an event to a time or an event.
//
// Invariant: a loss makes it unknown whether the window is open, unless no event that may be lost
// could change it.
#pragma once

#include <algorithm>
#include <cstdint>

#include <barefxt/host/rules.h>

namespace barefxt::host {

enum class Known : uint8_t { kNo, kYes, kMaybe };

class RuleWindow {
 public:
  RuleWindow(const TraceRule& rule, uint64_t ticks_per_second, const Stretch& selected)
      : looks_back_(rule.form == RuleForm::kLasts || rule.form == RuleForm::kFlow ||
                    rule.done_within),
        has_from_event_(rule.from && rule.from->event),
        has_to_event_(rule.to && rule.to->event),
        from_(selected.from),
        end_(selected.to == ~uint64_t{0} ? selected.to : selected.to + 1) {
    if (rule.from && !has_from_event_)
      from_ = std::max(from_, ticks(rule.from->time, ticks_per_second));
    if (rule.to && !has_to_event_) end_ = std::min(end_, ticks(rule.to->time, ticks_per_second));
    open_ = has_from_event_ ? Known::kNo : Known::kYes;
  }

  Known at(uint64_t time) const { return time < from_ || time >= end_ ? Known::kNo : open_; }
  uint64_t from() const { return from_; }
  uint64_t end() const { return end_; }
  bool is_whole() const {
    return from_ == 0 && end_ == ~uint64_t{0} && !has_from_event_ && !has_to_event_;
  }

  // Each returns true if that changes the window.
  bool open(uint64_t time) {
    if (time < from_ || open_ == Known::kYes) return false;
    open_ = is_losing_ && has_to_event_ ? Known::kMaybe : Known::kYes;
    if (is_losing_) note_loss();
    return true;
  }
  bool close(uint64_t time) {
    if (time < from_ || open_ == Known::kNo) return false;
    open_ = is_losing_ && has_from_event_ ? Known::kMaybe : Known::kNo;
    return true;
  }

  // Some CPU loses records from here on.
  void lose(uint64_t time) {
    if (!is_losing_) lost_from_ = time;
    is_losing_ = true;
    note_loss();
    const bool may_change = open_ == Known::kNo ? has_from_event_ : has_to_event_;
    if (may_change && time < end_) open_ = Known::kMaybe;
    note_loss();
  }
  void regain(uint64_t time) {
    note_loss();
    is_losing_ = false;
    const bool is_before = looks_back_ && lost_from_ < end_;
    if (is_before || (lost_while_open_ && lost_from_ < end_ && time >= from_)) hides_ = true;
    lost_while_open_ = false;
  }
  void note_loss() { lost_while_open_ = lost_while_open_ || open_ != Known::kNo; }
  // True if what the rule is about may have been lost.
  bool hides() const { return hides_; }

 private:
  static uint64_t ticks(const TimeBound& time, uint64_t ticks_per_second) {
    return time.ticks(ticks_per_second);
  }

  bool looks_back_;  // what counts at its end may have lost its begin ahead of the window
  bool has_from_event_;
  bool has_to_event_;
  uint64_t from_;
  uint64_t end_;
  Known open_;
  bool is_losing_ = false;
  uint64_t lost_from_ = 0;
  bool lost_while_open_ = false;
  bool hides_ = false;
};

}  // namespace barefxt::host
