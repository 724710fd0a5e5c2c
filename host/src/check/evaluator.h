// One rule against the facts of a trace, as they come.
//
// Invariants: facts come in order of time. settle() comes once all records of a tick are there, and
// pass() before the first fact behind a deadline, so that each obligation is judged by the records
// up to its deadline and no others.
#pragma once

#include <memory>

#include <barefxt/host/check.h>

#include "fact.h"
#include "rule_window.h"
#include "state_tracker.h"

namespace barefxt::host {

inline constexpr uint64_t kNoDeadline = ~uint64_t{0};

// The whole, as evaluators know it.
struct CheckMoment {
  uint64_t ticks_per_second = ProviderState::kDefaultTicksPerSecond;
  bool is_losing = false;
  uint64_t unknown_cpus = 0;         // whose thread is not known
  bool has_new_deadline = false;     // some deadline came nearer
  uint64_t violations = 0;           // of all rules
  std::vector<Evaluator*> settling;  // at the end of this tick
};

class Evaluator {
 public:
  Evaluator(const TraceRule& rule, CheckMoment& now, const Stretch& selected);
  Evaluator(const Evaluator&) = delete;
  Evaluator& operator=(const Evaluator&) = delete;
  virtual ~Evaluator() = default;

  static std::unique_ptr<Evaluator> make(const TraceRule& rule, CheckMoment& now,
                                         const Stretch& selected);

  const TraceRule& rule() const { return rule_; }
  // The trace begins.
  virtual void begin(uint64_t first) { (void)first; }
  // Events of one record come by precedence, the highest first: Atom in matcher.h.
  virtual void happen(size_t event, const Fact& fact) { (void)event, (void)fact; }
  // A duration or flow that ended: `begin` to fact.time.
  virtual void measure(uint64_t begin, const Fact& fact, DurationEnd end) {
    (void)begin, (void)fact, (void)end;
  }
  virtual void sample(long double value, const Fact& fact) { (void)value, (void)fact; }
  void open_window(const Fact& fact);
  void close_window(const Fact& fact);
  void settle(uint64_t tick);
  virtual void pass(uint64_t now) { (void)now; }
  void lose(uint64_t time);
  void regain(uint64_t time);
  // From here on one of its events may have happened, which is to it as if records were lost.
  void lose_end(uint64_t time) {
    ++lost_ends_;
    lose(time);
  }
  void regain_end(uint64_t time) {
    --lost_ends_;
    regain(time);
  }
  // Nothing of the last tick is complete.
  virtual void finish(uint64_t last) { (void)last; }

  uint64_t deadline() const { return deadline_; }
  void overflow() { has_overflown_ = true; }
  bool hides() const { return window_.hides(); }
  bool has_overflown() const { return has_overflown_; }
  void use(StateTracker* state) { states_.push_back(state); }
  void request_settling();
  RuleVerdict& verdict() { return verdict_; }

 protected:
  virtual void settled(uint64_t tick) { (void)tick; }
  virtual void lost(uint64_t time) { (void)time; }
  virtual void regained(uint64_t time) { (void)time; }
  virtual void window_changed(uint64_t time) { (void)time; }
  // For sure, though a loss may hide that it opened again.
  virtual void window_closed() {}
  void set_deadline(uint64_t deadline);

  bool is_losing() const { return now_.is_losing || lost_ends_ > 0; }
  Lasting state(size_t number) const { return states_[number]->value(now_.unknown_cpus); }
  void keep(uint64_t count = 1) { verdict_.kept += count; }
  void doubt(uint64_t count = 1) { verdict_.unknown += count; }
  void leave_out(uint64_t count = 1) { verdict_.left_out += count; }
  // Violated, or unknown if it may not be the rule's.
  template <typename Text>
  void violate(Known is_of_rule, uint64_t begin, uint64_t end, std::optional<uint64_t> thread,
               const Text& text) {
    if (is_of_rule == Known::kMaybe) return doubt();
    ++verdict_.violated;
    ++now_.violations;
    if (!verdict_.first) verdict_.first = RuleCase{begin, end, thread, text()};
  }
  std::string time_text(uint64_t ticks) const;
  std::string length_text(uint64_t ticks) const;
  uint64_t whole_ticks(const TimeBound& time) const {
    return time.whole_ticks(now_.ticks_per_second);
  }
  long double exact_ticks(const TimeBound& time) const;

  const TraceRule& rule_;
  CheckMoment& now_;
  RuleWindow window_;
  std::vector<StateTracker*> states_;

 private:
  RuleVerdict verdict_;
  uint64_t deadline_ = kNoDeadline;
  uint64_t lost_ends_ = 0;
  bool has_overflown_ = false;
  bool is_settling_ = false;
};

inline uint64_t later(uint64_t time, uint64_t ticks) {
  return ticks > kNoDeadline - 1 - time ? kNoDeadline - 1 : time + ticks;
}

std::string_view symbol_of(BudgetLine::Bound bound);

// Each form in a file of its own.
std::unique_ptr<Evaluator> make_after(const TraceRule& rule, CheckMoment& now,
                                      const Stretch& selected);
std::unique_ptr<Evaluator> make_never(const TraceRule& rule, CheckMoment& now,
                                      const Stretch& selected);
std::unique_ptr<Evaluator> make_every(const TraceRule& rule, CheckMoment& now,
                                      const Stretch& selected);
std::unique_ptr<Evaluator> make_lasts(const TraceRule& rule, CheckMoment& now,
                                      const Stretch& selected);
std::unique_ptr<Evaluator> make_flow(const TraceRule& rule, CheckMoment& now,
                                     const Stretch& selected);
std::unique_ptr<Evaluator> make_counter(const TraceRule& rule, CheckMoment& now,
                                        const Stretch& selected);
std::unique_ptr<Evaluator> make_stack(const TraceRule& rule, CheckMoment& now,
                                      const Stretch& selected);
std::unique_ptr<Evaluator> make_between(const TraceRule& rule, CheckMoment& now,
                                        const Stretch& selected);
std::unique_ptr<Evaluator> make_order(const TraceRule& rule, CheckMoment& now,
                                      const Stretch& selected);

}  // namespace barefxt::host
