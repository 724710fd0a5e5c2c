// The events and states of rules that a record is about, looked up once for each name and thread.
//
// Invariant: memory grows with the names and threads of a trace, which statistics bound, and not
// with its records.
#pragma once

#include <memory>
#include <vector>

#include "../stats/koid_index.h"
#include "../stats/names.h"
#include "evaluator.h"

namespace barefxt::host {

// An event of a rule.
struct Atom {
  enum class Use : uint8_t { kCloseWindow, kOpenWindow, kHappen };
  Evaluator* evaluator;
  const RuleEvent* event;
  Use use;
  size_t number;  // of the event in its rule
};
using Atoms = std::vector<const Atom*>;

struct LabelMatch {
  Atoms begins;
  Atoms ends;
  Atoms irq_begins;
  Atoms irq_ends;
  Atoms instants;
  Atoms flow_begins;
  Atoms flow_ends;
  std::vector<StateTracker*> states;
  std::vector<StateTracker*> irq_states;
  std::vector<Evaluator*> lengths;  // of durations
  std::vector<Evaluator*> irq_lengths;
  std::vector<Evaluator*> flow_lengths;

  bool has_begins() const {
    return !begins.empty() || !irq_begins.empty() || !states.empty() || !irq_states.empty();
  }
};

struct ThreadMatch {
  uint64_t koid = 0;
  std::optional<unsigned> cpu;  // of a pseudo-thread, whose durations are interrupts
  bool is_idle = false;
  bool is_selected = true;
  Atoms runs;
  Atoms stops;
  Atoms wakes;
  std::vector<StateTracker*> running;
};

struct LockMatch {
  Atoms taken;
  Atoms released;
  std::vector<StateTracker*> held;
};

class Matcher {
 public:
  void begin(const Statistics& statistics, const Selection& selection,
             const std::vector<std::unique_ptr<Evaluator>>& evaluators);
  void know(const Names& names) { names_ = &names; }

  const LabelMatch& label(uint32_t number);
  const ThreadMatch& thread(uint64_t koid);
  bool knows_thread(uint64_t koid) const { return index_.find(koid) != KoidIndex::kNone; }
  // They have other names now.
  void forget_threads() {
    index_ = {};
    threads_.clear();
  }
  // Named by `label`, unless that is Labels::kNone.
  LockMatch lock(uint64_t number, uint32_t label) const;
  // A stack is one as well.
  std::vector<Evaluator*> counter(uint32_t series);

  bool is_thread(const std::string& pattern, uint64_t koid) const;
  bool has(RuleEventKind kind) const { return has_[static_cast<size_t>(kind)]; }
  // True if a rule is about where durations end.
  bool has_ends() const {
    return has_slices_ || has(RuleEventKind::kSliceEnds) || has(RuleEventKind::kIrqEnds);
  }
  bool has_locks() const { return has_locks_; }
  bool has_running() const { return has_running_; }
  const std::vector<std::unique_ptr<StateTracker>>& states() const { return states_; }

 private:
  StateTracker* state_of(const RuleState& what, Evaluator* user);
  void add(Evaluator* evaluator, const RuleEvent& event, Atom::Use use, size_t number);
  bool is_selected(uint32_t label) const;

  const Statistics* statistics_ = nullptr;
  const Selection* selection_ = nullptr;
  const Names* names_ = nullptr;
  std::vector<std::unique_ptr<Atom>> atoms_;  // in the order in which one record makes them happen
  std::vector<std::unique_ptr<StateTracker>> states_;
  std::vector<Evaluator*> measured_;
  std::vector<std::unique_ptr<LabelMatch>> labels_;
  KoidIndex index_;
  std::vector<std::unique_ptr<ThreadMatch>> threads_;
  ThreadMatch nobody_;
  bool has_[12] = {};
  bool has_locks_ = false;
  bool has_running_ = false;  // a thread that runs, as a state
  bool has_slices_ = false;   // as states
};

}  // namespace barefxt::host
