#include "fact_judge.h"

#include <algorithm>
#include <bit>

#include "preview.h"

namespace barefxt::host {

void FactJudge::begin(const std::vector<TraceRule>& rules, const Statistics& statistics,
                      const Stretch& selected) {
  now_.ticks_per_second = statistics.ticks_per_second;
  for (const TraceRule& rule : rules) {
    evaluators_.push_back(Evaluator::make(rule, now_, selected));
    if (evaluators_.back() != nullptr) judging_.push_back(evaluators_.back().get());
  }
  matcher_.begin(statistics, selection_, evaluators_);
}

void FactJudge::know(const Names& names) {
  names_ = &names;
  matcher_.know(names);
}

void FactJudge::overflow() {
  for (Evaluator* const one : judging_) one->overflow();
}

void FactJudge::finish(uint64_t last) {
  if (has_begun_) advance(last);
  for (Evaluator* const one : judging_) one->finish(last);
  now_.is_losing = false;
  if (losses_ > 0)
    for (Evaluator* const one : judging_) one->regain(last);
}

FactJudge::Cpu& FactJudge::cpu_of(unsigned number) {
  if (number >= cpus_.size()) cpus_.resize(std::min<size_t>(number, Preview::kMaxCpus) + 1);
  return cpus_[std::min<size_t>(number, Preview::kMaxCpus)];
}

void FactJudge::start(uint64_t first) {
  has_begun_ = true;
  tick_ = first;
  for (const auto& [cpu, thread] : first_threads_) run(cpu_of(cpu), thread);
  for (const auto& state : matcher_.states()) settle_users(*state);
  for (Evaluator* const one : judging_) one->begin(first);
  now_.has_new_deadline = true;
}

void FactJudge::advance(uint64_t time) {
  if (!has_begun_) start(time);
  if (time > tick_) {
    if (!now_.settling.empty()) end_tick();
    tick_ = time;
  }
  if (now_.has_new_deadline || next_deadline_ < time) pass(time);
}

void FactJudge::end_tick() {
  std::vector<Evaluator*> settling;
  // Settling may ask for a response that is there already.
  while (!now_.settling.empty()) {
    settling.swap(now_.settling);
    for (Evaluator* const one : settling) one->settle(tick_);
    settling.clear();
  }
}

void FactJudge::pass(uint64_t now) {
  now_.has_new_deadline = false;
  next_deadline_ = kNoDeadline;
  for (Evaluator* const one : judging_) {
    if (one->deadline() < now) one->pass(now);
    next_deadline_ = std::min(next_deadline_, one->deadline());
  }
  now_.has_new_deadline = false;
}

void FactJudge::process(const Fact& fact) {
  advance(std::max(fact.time, tick_));
  seen_ |= uint64_t{1} << static_cast<unsigned>(fact.kind);
  switch (fact.kind) {
    case FactKind::kSwitch:
      return change_thread(fact);
    case FactKind::kWakeup:
      return happen(matcher_.thread(fact.thread).wakes, fact);
    case FactKind::kInstant:
      if (matcher_.thread(fact.thread).is_selected)
        happen(matcher_.label(fact.label).instants, fact);
      return;
    case FactKind::kBegin:
      return begin_duration(fact);
    case FactKind::kEnd:
      return end_duration(fact);
    case FactKind::kFlowBegin:
    case FactKind::kFlowEnd: {
      if (!matcher_.thread(fact.thread).is_selected) return;
      const LabelMatch& label = matcher_.label(fact.label);
      return happen(fact.kind == FactKind::kFlowBegin ? label.flow_begins : label.flow_ends, fact);
    }
    case FactKind::kFlowed:
      for (Evaluator* const one : matcher_.label(fact.label).flow_lengths)
        one->measure(fact.other, fact, static_cast<DurationEnd>(fact.state));
      return;
    case FactKind::kHold:
    case FactKind::kRelease:
      return hold(fact);
    case FactKind::kSample:
      return sample(fact);
    case FactKind::kLose:
    case FactKind::kRegain:
      return edge(fact);
    case FactKind::kLoseEnd:
    case FactKind::kRegainEnd:
      return edge_of_end(fact);
  }
}

void FactJudge::sample(const Fact& fact) {
  if (series_.size() <= fact.label) series_.resize(names_->series.size());
  auto& users = series_[fact.label];
  if (users == nullptr)
    users = std::make_unique<std::vector<Evaluator*>>(matcher_.counter(fact.label));
  if (users->empty()) return;
  const auto kind = static_cast<ValueKind>(fact.state);
  const long double value = kind == ValueKind::kReal     ? std::bit_cast<double>(fact.other)
                            : kind == ValueKind::kSigned ? static_cast<int64_t>(fact.other)
                                                         : static_cast<long double>(fact.other);
  for (Evaluator* const one : *users) one->sample(value, fact);
}

void FactJudge::happen(const Atoms& atoms, const Fact& fact) {
  for (const Atom* const atom : atoms) {
    switch (atom->use) {
      case Atom::Use::kCloseWindow:
        atom->evaluator->close_window(fact);
        break;
      case Atom::Use::kOpenWindow:
        atom->evaluator->open_window(fact);
        break;
      case Atom::Use::kHappen:
        atom->evaluator->happen(atom->number, fact);
        break;
    }
  }
}

bool FactJudge::has_met(uint64_t koid) const {
  const auto is_it = [&](const auto& lock) { return lock.first.number == koid; };
  return matcher_.knows_thread(koid) || std::ranges::any_of(locks_, is_it);
}

void FactJudge::match_anew() {
  matcher_.forget_threads();
  locks_.clear();
  series_.clear();
}

void FactJudge::settle_users(StateTracker& state) {
  for (Evaluator* const user : state.users()) user->request_settling();
}

void FactJudge::run(Cpu& cpu, std::optional<uint64_t> thread) {
  if (cpu.is_known) {
    for (StateTracker* const state : matcher_.thread(cpu.thread).running) {
      state->run(-1);
      settle_users(*state);
    }
  }
  if (cpu.is_unknown == thread.has_value()) {
    thread ? --now_.unknown_cpus : ++now_.unknown_cpus;
    cpu.is_unknown = !thread;
    for (const auto& state : matcher_.states())
      if (state->what().kind == RuleStateKind::kRuns) settle_users(*state);
  }
  cpu.is_known = thread.has_value();
  cpu.thread = thread.value_or(0);
  if (!thread) return;
  for (StateTracker* const state : matcher_.thread(*thread).running) {
    state->run(1);
    settle_users(*state);
  }
}

// A thread that seems to run elsewhere does not: a switch is missing there.
void FactJudge::forget_elsewhere(const ThreadMatch& thread, const Cpu& here) {
  if (thread.running.empty() || thread.is_idle) return;
  for (Cpu& cpu : cpus_)
    if (&cpu != &here && cpu.is_known && cpu.thread == thread.koid) run(cpu, std::nullopt);
}

void FactJudge::change_thread(const Fact& fact) {
  const ThreadMatch& out = matcher_.thread(fact.thread);
  const ThreadMatch& in = matcher_.thread(fact.other);
  Cpu& cpu = cpu_of(fact.cpu);
  forget_elsewhere(out, cpu);
  forget_elsewhere(in, cpu);
  if (all_losing_ > 0)
    run(cpu, std::nullopt);
  else if (!cpu.is_losing)
    run(cpu, fact.other);
  if (!selection_.has_cpu(fact.cpu)) return;
  if (!out.stops.empty()) happen(out.stops, fact);
  if (in.runs.empty()) return;
  Fact comes = fact;
  comes.state = 1;
  happen(in.runs, comes);
}

void FactJudge::begin_duration(const Fact& fact) {
  const ThreadMatch& thread = matcher_.thread(fact.thread);
  const LabelMatch& label = matcher_.label(fact.label);
  for (StateTracker* const state : thread.cpu ? label.irq_states : label.states) {
    settle_users(*state);
    if (state->begin(fact.thread, fact.label, now_.is_losing || doubts_ > 0)) continue;
    for (Evaluator* const user : state->users()) user->overflow();
  }
  const bool is_selected = thread.is_selected && (!thread.cpu || selection_.has_cpu(*thread.cpu));
  if (is_selected) happen(thread.cpu ? label.irq_begins : label.begins, fact);
}

void FactJudge::end_duration(const Fact& fact) {
  const ThreadMatch& thread = matcher_.thread(fact.thread);
  const LabelMatch& label = matcher_.label(fact.label);
  const auto end = static_cast<DurationEnd>(fact.state);
  if (!is_ending_) {
    for (StateTracker* const state : thread.cpu ? label.irq_states : label.states) {
      settle_users(*state);
      state->end(fact.thread, fact.label, fact.other, now_.is_losing || doubts_ > 0, false);
    }
  }
  if (!thread.is_selected || (thread.cpu && !selection_.has_cpu(*thread.cpu))) return;
  // Windows close first.
  if (end == DurationEnd::kWhole && !is_ending_)
    happen(thread.cpu ? label.irq_ends : label.ends, fact);
  for (Evaluator* const one : thread.cpu ? label.irq_lengths : label.lengths)
    one->measure(fact.other, fact, end);
}

void FactJudge::edge_of_end(const Fact& fact) {
  const bool begins = fact.kind == FactKind::kLoseEnd;
  if (static_cast<DurationEnd>(fact.state) == DurationEnd::kMissing) {
    begins ? ++doubts_ : --doubts_;
    for (const auto& state : matcher_.states()) {
      if (!is_duration(state->what().kind)) continue;
      begins ? state->lose() : state->regain(fact.time);
      settle_users(*state);
    }
  }
  const ThreadMatch& thread = matcher_.thread(fact.thread);
  const LabelMatch& label = matcher_.label(fact.label);
  if (!thread.is_selected || (thread.cpu && !selection_.has_cpu(*thread.cpu))) return;
  for (const Atom* const atom : thread.cpu ? label.irq_ends : label.ends)
    begins ? atom->evaluator->lose_end(fact.time) : atom->evaluator->regain_end(fact.time);
}

void FactJudge::hold(const Fact& fact) {
  const LockId id{fact.cpu, fact.other};
  const bool is_full = locks_.size() == kMaxRuleInstances && !locks_.contains(id);
  if (is_full) return overflow();
  auto known = locks_.find(id);
  if (known == locks_.end())
    known = locks_.emplace(id, matcher_.lock(fact.other, fact.label)).first;
  const LockMatch& lock = known->second;
  const bool is_held = fact.kind == FactKind::kHold;
  for (StateTracker* const state : lock.held) {
    settle_users(*state);
    // One holder at a time: whoever takes it, the one before has lost it.
    state->end(fact.cpu, fact.other, 0, now_.is_losing, true);
    const std::string& by = state->what().by;
    if (is_held && (by.empty() || matcher_.is_thread(by, fact.thread)))
      if (!state->begin(fact.cpu, fact.other, now_.is_losing))
        for (Evaluator* const user : state->users()) user->overflow();
  }
  const ThreadMatch& thread = matcher_.thread(fact.thread);
  if (!thread.is_selected) return;
  for (const Atom* const atom : is_held ? lock.taken : lock.released)
    if (atom->event->by.empty() || matcher_.is_thread(atom->event->by, fact.thread))
      happen({atom}, fact);
}

void FactJudge::edge(const Fact& fact) {
  const bool begins = fact.kind == FactKind::kLose;
  const bool is_of_all = fact.cpu == kNoCpu;
  if (begins) {
    if (is_of_all) ++all_losing_;
    if (!is_of_all) cpu_of(fact.cpu).is_losing = true;
    if (!is_of_all) run(cpu_of(fact.cpu), std::nullopt);
    for (Cpu& cpu : cpus_)
      if (is_of_all && cpu.is_known) run(cpu, std::nullopt);
    ++losses_;
    now_.is_losing = true;
    if (!first_loss_) first_loss_ = Extent{fact.time, fact.time, kNoRecord};
    for (const auto& state : matcher_.states()) {
      if (state->what().kind == RuleStateKind::kRuns) continue;
      state->lose();
      settle_users(*state);
    }
    for (Evaluator* const one : judging_) one->lose(fact.time);
    return;
  }
  if (is_of_all) --all_losing_;
  if (!is_of_all) cpu_of(fact.cpu).is_losing = false;
  --losses_;
  now_.is_losing = losses_ > 0;
  has_regained_ = true;
  if (first_loss_ && first_loss_->end == first_loss_->begin && losses_ == 0)
    first_loss_->end = fact.time;
  // Those who know of a loss as a whole learn its end once no CPU loses.
  if (losses_ > 0) return;
  for (const auto& state : matcher_.states()) state->regain(fact.time);
  for (Evaluator* const one : judging_) one->regain(fact.time);
}

}  // namespace barefxt::host
