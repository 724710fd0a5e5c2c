// Hands facts to the rules that they concern, and knows what is so meanwhile: which thread each CPU
// runs, what is held, where records are lost.
//
// Invariant: facts come in order of time. Those of one tick are judged when time goes on.
#pragma once

#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

#include "../stats/moment.h"
#include "../stats/observer.h"
#include "matcher.h"

namespace barefxt::host {

class FactJudge {
 public:
  explicit FactJudge(const Selection& selection) : selection_(selection) {}

  void begin(const std::vector<TraceRule>& rules, const Statistics& statistics,
             const Stretch& selected);
  void know(const Names& names);
  // The CPU runs it when the trace begins; null: not known.
  void run_first(unsigned cpu, std::optional<uint64_t> thread) { first_threads_[cpu] = thread; }

  // `first`: the time of the first record.
  void start(uint64_t first);
  void advance(uint64_t time);
  void process(const Fact& fact);
  // All that comes is what is still open at the end of the trace.
  void begin_ending() { is_ending_ = true; }
  void finish(uint64_t last);

  // More waits than is kept.
  void overflow();
  // Null: nobody knows.
  void run_on(unsigned cpu, std::optional<uint64_t> thread) { run(cpu_of(cpu), thread); }
  // To be called once all states are unknown.
  void match_anew();

  Matcher& matcher() { return matcher_; }
  const Matcher& matcher() const { return matcher_; }
  // By the number of the rule; null for a line of a budget.
  const std::vector<std::unique_ptr<Evaluator>>& evaluators() const { return evaluators_; }
  // True if any rule of this kind can be judged: there is such a record.
  bool has_seen(FactKind kind) const { return (seen_ >> static_cast<unsigned>(kind) & 1) != 0; }
  bool has_met(uint64_t koid) const;
  // The first stretch of time in which records of some CPU were lost.
  const std::optional<Extent>& first_loss() const { return first_loss_; }
  bool has_loss() const { return losses_ > 0 || has_regained_; }
  bool has_begun() const { return has_begun_; }
  bool is_ending() const { return is_ending_; }
  uint64_t violations() const { return now_.violations; }
  // All facts of earlier ticks are judged.
  uint64_t tick() const { return tick_; }

 private:
  struct Cpu {
    uint64_t thread = 0;
    bool is_known = false;
    bool is_unknown = false;  // it may run any thread
    bool is_losing = false;
  };

  void end_tick();
  void pass(uint64_t now);
  void change_thread(const Fact& fact);
  void run(Cpu& cpu, std::optional<uint64_t> thread);
  void forget_elsewhere(const ThreadMatch& thread, const Cpu& here);
  void begin_duration(const Fact& fact);
  void end_duration(const Fact& fact);
  void edge_of_end(const Fact& fact);
  void hold(const Fact& fact);
  void edge(const Fact& fact);
  void sample(const Fact& fact);
  void happen(const Atoms& atoms, const Fact& fact);
  void settle_users(StateTracker& state);
  Cpu& cpu_of(unsigned number);

  const Selection& selection_;
  const Names* names_ = nullptr;
  CheckMoment now_;
  std::vector<std::unique_ptr<Evaluator>> evaluators_;
  std::vector<Evaluator*> judging_;  // those that there are
  Matcher matcher_;
  bool has_begun_ = false;
  bool is_ending_ = false;
  uint64_t tick_ = 0;
  uint64_t next_deadline_ = kNoDeadline;
  std::vector<Cpu> cpus_;
  std::map<unsigned, std::optional<uint64_t>> first_threads_;
  unsigned doubts_ = 0;  // of what is open
  unsigned losses_ = 0;  // CPUs that lose, and all as one
  unsigned all_losing_ = 0;
  bool has_regained_ = false;
  uint64_t seen_ = 0;
  std::optional<Extent> first_loss_;
  std::unordered_map<LockId, LockMatch, LockIdHash> locks_;
  std::vector<std::unique_ptr<std::vector<Evaluator*>>> series_;
};

}  // namespace barefxt::host
