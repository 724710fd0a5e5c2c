// Turns the steps of the fold of statistics into facts in order of time, and hands them to rules.
//
// Invariants: a complete duration is recorded at its end, so facts wait until no longer one can
// have begun before them. If more than kMaxHeldBack wait, rules that are not violated are unknown.
#pragma once

#include <map>
#include <memory>
#include <queue>
#include <unordered_map>
#include <vector>

#include "../stats/observer.h"
#include "matcher.h"
#include "preview.h"

namespace barefxt::host {

class RuleObserver : public TimelineObserver {
 public:
  RuleObserver(const std::vector<TraceRule>& rules, const Selection& selection,
               const Preview& preview)
      : rules_(rules), selection_(selection), preview_(preview) {}

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
  void finish(const Statistics& statistics);
  const Status& status() const { return status_; }
  // By the number of the rule; null for a line of a budget.
  const std::vector<std::unique_ptr<Evaluator>>& evaluators() const { return evaluators_; }
  // True if any rule of this kind can be judged: there is such a record.
  bool has_seen(FactKind kind) const { return (seen_ >> static_cast<unsigned>(kind) & 1) != 0; }
  // The first stretch of time in which records of some CPU were lost.
  const std::optional<Extent>& first_loss() const { return first_loss_; }

 protected:
  // The facts ahead of this moment, as far as none can come before them.
  void come_to(const Moment& moment);
  void process(const Fact& fact);
  // The same, once no fact can come before it.
  void add(const Fact& fact);
  // Null: nobody knows.
  void run_on(unsigned cpu, std::optional<uint64_t> thread) { run(cpu_of(cpu), thread); }
  // To be called once all states are unknown.
  void match_anew();
  bool has_met(uint64_t koid) const;
  uint32_t number_of(const ProbeName& label) const;
  Matcher& matcher() { return matcher_; }
  bool has_begun() const { return has_begun_; }
  bool has_lost() const { return has_lost_; }
  uint64_t violations() const { return now_.violations; }
  // All facts of earlier ticks are judged.
  uint64_t tick() const { return tick_; }
  // Complete durations are this long at most, so facts wait for as long.
  uint64_t longest() const { return longest_; }
  void expect_length(uint64_t ticks) { longest_ = std::max(longest_, ticks); }

 private:
  struct Later {
    bool operator()(const Fact& a, const Fact& b) const;
  };
  struct Cpu {
    uint64_t thread = 0;
    bool is_known = false;
    bool is_unknown = false;  // it may run any thread
    bool is_losing = false;
  };

  void advance(uint64_t time);
  void end_tick();
  void pass(uint64_t now);
  void change_thread(const Fact& fact);
  void run(Cpu& cpu, std::optional<uint64_t> thread);
  void forget_elsewhere(const ThreadMatch& thread, const Cpu& here);
  void begin_duration(const Fact& fact);
  void end_duration(const Fact& fact);
  void doubt_end(uint64_t thread, uint32_t label, uint64_t time, DurationEnd end);
  void edge_of_end(const Fact& fact);
  void hold(const Fact& fact);
  void edge(const Fact& fact);
  void happen(const Atoms& atoms, const Fact& fact);
  void settle_users(StateTracker& state);
  // `first`: the time of the first record.
  void start(uint64_t first);
  Cpu& cpu_of(unsigned number);

  const std::vector<TraceRule>& rules_;
  const Selection& selection_;
  const Preview& preview_;
  Status status_;
  const Statistics* statistics_ = nullptr;
  const Names* names_ = nullptr;
  CheckMoment now_;
  std::vector<std::unique_ptr<Evaluator>> evaluators_;
  std::vector<Evaluator*> judging_;  // those that there are
  Matcher matcher_;
  std::priority_queue<Fact, std::vector<Fact>, Later> held_back_;
  bool to_nanoseconds_ = false;
  uint64_t longest_ = 0;
  bool has_begun_ = false;
  bool is_finishing_ = false;
  uint64_t tick_ = 0;
  uint64_t next_deadline_ = kNoDeadline;
  std::vector<Cpu> cpus_;
  std::map<unsigned, std::optional<uint64_t>> first_threads_;  // null: not known
  // So far as the fold is: something is lost, and where a thread ended a duration whose begin may
  // be. What it began since may have ended with that.
  bool has_lost_ = false;
  std::unordered_map<uint64_t, std::pair<uint64_t, uint64_t>> doubted_at_;  // time and offset
  unsigned doubts_ = 0;                                                     // of what is open
  unsigned losses_ = 0;  // CPUs that lose, and all as one
  unsigned all_losing_ = 0;
  bool has_regained_ = false;
  uint64_t offset_ = 0;  // of the record that is folded
  uint64_t seen_ = 0;
  std::optional<Extent> first_loss_;
  std::unordered_map<LockId, LockMatch, LockIdHash> locks_;
  std::unordered_map<LockId, uint64_t, LockIdHash> holders_;
  std::vector<std::unique_ptr<std::vector<Evaluator*>>> series_;
};

}  // namespace barefxt::host
