// Rules against a trace that arrives: what a trace that ends here violates for sure.
//
// A whole trace shows ahead which thread each CPU runs first, when a duration of one record begins,
// and what everything is called. Here such knowledge comes late. Until it comes, the trace is
// judged as one that ends here. When it comes, it may change what was judged: all violations so far
// are dropped, and the rules go on as if records of that tick were lost.
#pragma once

#include <set>

#include "rule_observer.h"

namespace barefxt::host {

class ArrivingRules final : public RuleObserver {
 public:
  explicit ArrivingRules(const std::vector<TraceRule>& rules)
      : RuleObserver(rules, everything_, nothing_ahead_),
        needs_begins_(host::needs_begins(rules)) {}

  void begin(const Statistics& statistics, bool to_nanoseconds) override;
  void see(const Moment& moment) override;
  void lasted(uint64_t thread, const ProbeName& label, const Extent& when, uint64_t begin_offset,
              bool whole) override;
  void renamed(uint64_t koid) override;

  // Something has come that changes what was judged.
  void doubt();
  // The first rule that is violated, and when records showed it; nothing if none is.
  struct Violation {
    size_t rule;
    uint64_t shown_at;
  };
  std::optional<Violation> violated() const;
  // Returns false if a duration that began then would change what was judged.
  bool may_begin_at(uint64_t time) const { return !needs_begins_ || time >= judge().tick(); }
  // The archive ends in a loss of each CPU: it may hide the first switch, and so who ran before.
  bool may_run_any(unsigned cpu) const {
    return judge().matcher().has_running() && !switched_.contains(cpu);
  }
  // When the last CPU had its first switch. A loss ahead of that would hide what it ran before.
  uint64_t last_first_switch() const { return last_first_switch_; }

 private:
  void find_violated(uint64_t now);
  void foresee_begin(const Moment& moment);
  void meet_cpu(const Moment& first_switch);

  const Selection everything_;
  const Preview nothing_ahead_;
  const bool needs_begins_;
  std::vector<uint64_t> doubted_;  // violations of each rule
  uint64_t looked_at_ = 0;         // violations of all rules
  std::optional<Violation> violated_;
  std::set<unsigned> switched_;
  uint64_t latest_ = 0;  // moment
  uint64_t last_first_switch_ = 0;
};

}  // namespace barefxt::host
