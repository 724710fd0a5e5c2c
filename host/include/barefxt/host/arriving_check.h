// Holds a capture to rules while it arrives, so that it can end at the first violation.
//
// Invariants: a rule that it calls violated is violated in the archive of what has arrived by then,
// as check() judges it. It finds no violation of a budget's line, or of a percentage, which need
// the whole trace. It finds a violation once every CPU has sent a record behind the tick at which
// the violation is certain; where the begins of durations count that one record holds, once they
// have sent one later than that by twice the longest of these. Memory does not grow with the
// records.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <barefxt/host/arriving_merge.h>
#include <barefxt/host/arriving_statistics.h>
#include <barefxt/host/check.h>
#include <barefxt/host/rebuild.h>

namespace barefxt::host {

class ArrivingRules;

class ArrivingCheck final : public ArrivalSink {
 public:
  // Takes the frames of `rebuild`, which has its names by now, and will write an archive.
  ArrivingCheck(Rebuild& rebuild, const std::vector<TraceRule>& rules);
  ~ArrivingCheck() override;

  // Judges what has come. Returns a rule that is violated; null if there is none for sure.
  const TraceRule* advance();
  // Its first violation, as far as it is known.
  RuleCase first_case() const;
  double seconds(uint64_t ticks) const;
  // No violation is found any more: the archive has what this does not see, or two captures at one
  // time.
  bool is_blind() const;

  void begin_capture(const std::string& target, uint64_t ticks_per_second) override;
  void skip_capture() override { is_blind_ = true; }
  void records(Bytes whole) override { statistics_->feed(whole); }
  void lose(unsigned cpu, uint64_t begin, uint64_t end) override;

 private:
  // The violation that the records up to there show.
  bool is_sure(uint64_t shown_at) const;

  const std::vector<TraceRule>& rules_;
  ArrivingMerge merge_{*this, MergeWait::kAlways};
  std::unique_ptr<ArrivingRules> judge_;
  std::unique_ptr<ArrivingStatistics> statistics_;
  uint64_t ticks_per_second_ = 0;
  uint64_t late_ = 0;  // pieces, records and tables
  uint64_t lost_from_ = ~uint64_t{0};
  uint64_t others_from_ = ~uint64_t{0};  // captures before this one, which the archive has as well
  bool is_blind_ = false;
};

}  // namespace barefxt::host
