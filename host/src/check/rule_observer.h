// Turns the steps of the fold of statistics into facts in order of time, and hands them to rules.
//
// Invariants: a complete duration is recorded at its end, so facts wait until no longer one can
// have begun before them. If more than kMaxHeldBack wait, rules that are not violated are unknown.
#pragma once

#include <queue>
#include <unordered_map>
#include <vector>

#include "../stats/observer.h"
#include "fact_judge.h"
#include "preview.h"

namespace barefxt::host {

class RuleObserver : public TimelineObserver {
 public:
  RuleObserver(const std::vector<TraceRule>& rules, const Selection& selection,
               const Preview& preview)
      : rules_(rules), selection_(selection), preview_(preview), judge_(selection) {}

  void begin(const Statistics& statistics, bool to_nanoseconds) override;
  void know(const Names& names) override;
  void foresee(const LossTimes& losses) override;
  bool wants_moments() const override { return true; }
  void see(const Moment& moment) override;
  void lose(std::optional<unsigned> cpu, uint64_t time) override;
  void regain(std::optional<unsigned> cpu, uint64_t time) override;
  void lasted(uint64_t thread, const ProbeName& label, const Extent& when, uint64_t begin_offset,
              bool whole) override;
  void ended_unbegun(uint64_t thread, unsigned cpu, uint32_t label, uint64_t time) override;
  void flowed(uint32_t label, uint64_t first_thread, uint64_t last_thread, const Extent& when,
              bool whole) override;
  void finishing(uint64_t end) override;
  void ran(unsigned, uint64_t, const Extent&) override {}
  void thread_time(uint64_t, ThreadTime, const Extent&) override {}
  void cpu_unknown(unsigned, const Extent&) override {}
  void lost(std::optional<unsigned>, const Extent&) override {}

  // To be called once the fold has ended.
  void finish(const Statistics& statistics) { judge_.finish(statistics.last); }
  const Status& status() const { return status_; }
  const FactJudge& judge() const { return judge_; }

 protected:
  FactJudge& judging() { return judge_; }
  // The facts ahead of this moment, as far as none can come before them.
  void come_to(const Moment& moment);
  // Processes it once no fact can come before it.
  void add(const Fact& fact);
  uint32_t number_of(const ProbeName& label) const;
  bool has_lost() const { return has_lost_; }
  // Complete durations are this long at most, so facts wait for as long.
  uint64_t longest() const { return longest_; }
  void expect_length(uint64_t ticks) { longest_ = std::max(longest_, ticks); }

 private:
  struct Later {
    bool operator()(const Fact& a, const Fact& b) const;
  };

  void doubt_end(uint64_t thread, uint32_t label, uint64_t time, DurationEnd end);

  const std::vector<TraceRule>& rules_;
  const Selection& selection_;
  const Preview& preview_;
  Status status_;
  const Names* names_ = nullptr;
  FactJudge judge_;
  std::priority_queue<Fact, std::vector<Fact>, Later> held_back_;
  bool to_nanoseconds_ = false;
  uint64_t longest_ = 0;
  // So far as the fold is: something is lost, and where a thread ended a duration whose begin may
  // be. What it began since may have ended with that.
  bool has_lost_ = false;
  std::unordered_map<uint64_t, std::pair<uint64_t, uint64_t>> doubted_at_;  // time and offset
  uint64_t offset_ = 0;  // of the record that is folded
};

}  // namespace barefxt::host
