// Facts in order, and the ticks between them.
#include "rule_observer.h"

#include <algorithm>
#include <bit>

#include "../stats/loss_times.h"

namespace barefxt::host {
namespace {

Fact fact_of(FactKind kind, const Moment& moment) {
  return {moment.time,  moment.offset, moment.a, moment.b,
          moment.label, moment.cpu,    kind,     moment.state};
}

// The order of one record: a duration's begin, those within that have no end, then its end.
int part_of(const Fact& fact) {
  if (fact.kind == FactKind::kFlowed) return 2;
  if (fact.kind != FactKind::kEnd) return 0;
  return static_cast<DurationEnd>(fact.state) == DurationEnd::kMissing ? 1 : 2;
}

}  // namespace

bool RuleObserver::Later::operator()(const Fact& a, const Fact& b) const {
  return std::tuple(a.time, a.rank(), a.offset, part_of(a)) >
         std::tuple(b.time, b.rank(), b.offset, part_of(b));
}

void RuleObserver::begin(const Statistics& statistics, bool to_nanoseconds) {
  statistics_ = &statistics;
  now_.ticks_per_second = statistics.ticks_per_second;
  to_nanoseconds_ = to_nanoseconds;
  longest_ = to_nanoseconds ? preview_.longest_nanoseconds : preview_.longest_ticks;
  const auto selected = stretch_of(selection_, statistics.ticks_per_second, {});
  status_ = selected.ok() ? Status() : selected.error();
  const Stretch stretch = selected.ok() ? selected.value() : Stretch();
  for (const TraceRule& rule : rules_) {
    evaluators_.push_back(Evaluator::make(rule, now_, stretch));
    if (evaluators_.back() != nullptr) judging_.push_back(evaluators_.back().get());
  }
  matcher_.begin(statistics, selection_, evaluators_);
}

void RuleObserver::know(const Names& names) {
  names_ = &names;
  matcher_.know(names);
}

void RuleObserver::foresee(const LossTimes& losses) {
  // An end in doubt is a loss that begins one tick earlier.
  if (!losses.edges().empty() && matcher_.has_ends()) longest_ = std::max<uint64_t>(longest_, 1);
  std::map<LossTimes::CpuOrAll, uint64_t> lost_from;
  for (const LossTimes::Edge& edge : losses.edges())
    if (edge.begins) lost_from.emplace(edge.cpu, edge.time);
  const auto begins_before = [&](LossTimes::CpuOrAll cpu, uint64_t time) {
    const auto found = lost_from.find(cpu);
    return found != lost_from.end() && found->second < time;
  };
  for (const auto& [cpu, first] : preview_.switches) {
    const uint64_t time = to_nanoseconds_ ? first.nanoseconds : first.ticks;
    const bool is_hidden = begins_before(cpu, time) || begins_before(std::nullopt, time);
    first_threads_[cpu] = is_hidden ? std::nullopt : std::optional(first.outgoing);
  }
}

RuleObserver::Cpu& RuleObserver::cpu_of(unsigned number) {
  if (number >= cpus_.size()) cpus_.resize(std::min<size_t>(number, Preview::kMaxCpus) + 1);
  return cpus_[std::min<size_t>(number, Preview::kMaxCpus)];
}

void RuleObserver::start(uint64_t first) {
  has_begun_ = true;
  tick_ = first;
  for (const auto& [cpu, thread] : first_threads_) run(cpu_of(cpu), thread);
  for (const auto& state : matcher_.states()) settle_users(*state);
  for (Evaluator* const one : judging_) one->begin(first);
  now_.has_new_deadline = true;
}

void RuleObserver::come_to(const Moment& moment) {
  offset_ = moment.offset;
  if (longest_ == 0) return advance(moment.time);
  const uint64_t certain = moment.time > longest_ ? moment.time - longest_ : 0;
  if (!has_begun_) start(moment.time);
  while (!held_back_.empty() &&
         (held_back_.top().time < certain || held_back_.size() > kMaxHeldBack)) {
    if (held_back_.top().time >= certain)
      for (Evaluator* const one : judging_) one->overflow();
    const Fact fact = held_back_.top();
    held_back_.pop();
    process(fact);
  }
  advance(std::max(tick_, certain));
}

void RuleObserver::see(const Moment& moment) {
  come_to(moment);
  switch (moment.kind) {
    case MomentKind::kSwitch:
      return add({moment.time, moment.offset, moment.a, moment.b, moment.label, moment.cpu,
                  FactKind::kSwitch, 0});
    case MomentKind::kWakeup:
      return add(fact_of(FactKind::kWakeup, moment));
    case MomentKind::kBegin:
      if (matcher_.label(moment.label).has_begins()) add(fact_of(FactKind::kBegin, moment));
      return;
    case MomentKind::kComplete:
      if (!matcher_.label(moment.label).has_begins()) return;
      add({moment.b, moment.offset, moment.a, 0, moment.label, moment.cpu, FactKind::kBegin, 0});
      return;
    case MomentKind::kInstant:
      if (!matcher_.label(moment.label).instants.empty()) add(fact_of(FactKind::kInstant, moment));
      return;
    case MomentKind::kFlowBegin:
    case MomentKind::kFlowEnd: {
      Fact fact =
          fact_of(moment.kind == MomentKind::kFlowBegin ? FactKind::kFlowBegin : FactKind::kFlowEnd,
                  moment);
      fact.thread = moment.b;
      return add(fact);
    }
    case MomentKind::kHold:
      if (matcher_.has_locks()) add(fact_of(FactKind::kHold, moment));
      return;
    case MomentKind::kRelease:
      if (matcher_.has_locks()) add(fact_of(FactKind::kRelease, moment));
      return;
    case MomentKind::kCounter:
      return add(fact_of(FactKind::kSample, moment));
    default:
      return;
  }
}

void RuleObserver::lose(std::optional<unsigned> cpu, uint64_t time) {
  has_lost_ = true;
  add({time, 0, 0, 0, 0, cpu.value_or(kNoCpu), FactKind::kLose, 0});
}

void RuleObserver::regain(std::optional<unsigned> cpu, uint64_t time) {
  add({time, 0, 0, 0, 0, cpu.value_or(kNoCpu), FactKind::kRegain, 0});
}

void RuleObserver::lasted(uint64_t thread, const ProbeName& label, const Extent& when,
                          uint64_t begin_offset, bool whole) {
  const uint32_t number = number_of(label);
  const LabelMatch& match = matcher_.label(number);
  if (match.irq_ends.empty() && match.irq_states.empty() && match.irq_lengths.empty()) return;
  const auto doubted = doubted_at_.find(thread);
  const bool is_doubted = begin_offset != kNoRecord && doubted != doubted_at_.end() &&
                          std::pair(when.begin, begin_offset) < doubted->second;
  DurationEnd end = whole && !is_doubted ? DurationEnd::kWhole : DurationEnd::kInDoubt;
  if (when.offset == kNoRecord && !is_finishing_) end = DurationEnd::kMissing;
  if (is_finishing_) {
    // It is open: what was lost may have ended it, or begun what it lay within.
    const bool may_have_ended = losses_ > 0 || has_regained_;
    end = may_have_ended ? DurationEnd::kInDoubt : DurationEnd::kWhole;
  }
  const uint64_t offset = end == DurationEnd::kMissing ? offset_ : when.offset;
  add({when.end, offset, thread, when.begin, number, kNoCpu, FactKind::kEnd,
       static_cast<uint8_t>(end)});
  if (end == DurationEnd::kInDoubt && !is_finishing_) doubt_end(thread, number, when.end, end);
}

// Its begin may be what was lost, and what the thread began since may have lain within.
void RuleObserver::ended_unbegun(uint64_t thread, unsigned, uint32_t label, uint64_t time) {
  if (!has_lost_) return;
  if (doubted_at_.size() < kMaxRuleInstances || doubted_at_.contains(thread))
    doubted_at_[thread] = {time, offset_};
  else
    for (Evaluator* const one : judging_) one->overflow();
  doubt_end(thread, label, time, DurationEnd::kMissing);
}

void RuleObserver::doubt_end(uint64_t thread, uint32_t label, uint64_t time, DurationEnd end) {
  if (!matcher_.has_ends()) return;
  const auto state = static_cast<uint8_t>(end);
  add({std::max<uint64_t>(time, 1) - 1, 0, thread, 0, label, kNoCpu, FactKind::kLoseEnd, state});
  add({time + 1, 0, thread, 0, label, kNoCpu, FactKind::kRegainEnd, state});
}

void RuleObserver::flowed(uint32_t label, uint64_t, uint64_t last_thread, const Extent& when,
                          bool whole) {
  if (matcher_.label(label).flow_lengths.empty()) return;
  const DurationEnd end = whole ? DurationEnd::kWhole : DurationEnd::kInDoubt;
  add({when.end, when.offset, last_thread, when.begin, label, kNoCpu, FactKind::kFlowed,
       static_cast<uint8_t>(end)});
}

void RuleObserver::add(const Fact& fact) {
  if (longest_ == 0)
    process(fact);
  else
    held_back_.push(fact);
}

void RuleObserver::finishing(uint64_t end) {
  while (!held_back_.empty()) {
    Fact fact = held_back_.top();
    held_back_.pop();
    fact.time = std::min(fact.time, end);
    process(fact);
  }
  longest_ = 0;
  is_finishing_ = true;
}

void RuleObserver::finish(const Statistics& statistics) {
  if (has_begun_) advance(statistics.last);
  for (Evaluator* const one : judging_) one->finish(statistics.last);
  now_.is_losing = false;
  if (losses_ > 0)
    for (Evaluator* const one : judging_) one->regain(statistics.last);
}

void RuleObserver::advance(uint64_t time) {
  if (!has_begun_) start(time);
  if (time > tick_) {
    if (!now_.settling.empty()) end_tick();
    tick_ = time;
  }
  if (now_.has_new_deadline || next_deadline_ < time) pass(time);
}

void RuleObserver::end_tick() {
  std::vector<Evaluator*> settling;
  // Settling may ask for a response that is there already.
  while (!now_.settling.empty()) {
    settling.swap(now_.settling);
    for (Evaluator* const one : settling) one->settle(tick_);
    settling.clear();
  }
}

void RuleObserver::pass(uint64_t now) {
  now_.has_new_deadline = false;
  next_deadline_ = kNoDeadline;
  for (Evaluator* const one : judging_) {
    if (one->deadline() < now) one->pass(now);
    next_deadline_ = std::min(next_deadline_, one->deadline());
  }
  now_.has_new_deadline = false;
}

void RuleObserver::process(const Fact& fact) {
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
    case FactKind::kSample: {
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
      return;
    }
    case FactKind::kLose:
    case FactKind::kRegain:
      return edge(fact);
    case FactKind::kLoseEnd:
    case FactKind::kRegainEnd:
      return edge_of_end(fact);
  }
}

void RuleObserver::happen(const Atoms& atoms, const Fact& fact) {
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

uint32_t RuleObserver::number_of(const ProbeName& label) const {
  return static_cast<uint32_t>(&label - &names_->labels[0]);
}

bool RuleObserver::has_met(uint64_t koid) const {
  const auto is_it = [&](const auto& lock) { return lock.first.number == koid; };
  return matcher_.knows_thread(koid) || std::ranges::any_of(locks_, is_it);
}

void RuleObserver::match_anew() {
  matcher_.forget_threads();
  locks_.clear();
}

void RuleObserver::settle_users(StateTracker& state) {
  for (Evaluator* const user : state.users()) user->request_settling();
}

// Null: nobody knows.
void RuleObserver::run(Cpu& cpu, std::optional<uint64_t> thread) {
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
void RuleObserver::forget_elsewhere(const ThreadMatch& thread, const Cpu& here) {
  if (thread.running.empty() || thread.is_idle) return;
  for (Cpu& cpu : cpus_)
    if (&cpu != &here && cpu.is_known && cpu.thread == thread.koid) run(cpu, std::nullopt);
}

void RuleObserver::change_thread(const Fact& fact) {
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

void RuleObserver::begin_duration(const Fact& fact) {
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

void RuleObserver::end_duration(const Fact& fact) {
  const ThreadMatch& thread = matcher_.thread(fact.thread);
  const LabelMatch& label = matcher_.label(fact.label);
  const auto end = static_cast<DurationEnd>(fact.state);
  if (!is_finishing_) {
    for (StateTracker* const state : thread.cpu ? label.irq_states : label.states) {
      settle_users(*state);
      state->end(fact.thread, fact.label, fact.other, now_.is_losing || doubts_ > 0, false);
    }
  }
  if (!thread.is_selected || (thread.cpu && !selection_.has_cpu(*thread.cpu))) return;
  // Windows close first.
  if (end == DurationEnd::kWhole && !is_finishing_)
    happen(thread.cpu ? label.irq_ends : label.ends, fact);
  for (Evaluator* const one : thread.cpu ? label.irq_lengths : label.lengths)
    one->measure(fact.other, fact, end);
}

void RuleObserver::edge_of_end(const Fact& fact) {
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

void RuleObserver::hold(const Fact& fact) {
  const LockId id{fact.cpu, fact.other};
  const bool is_full = locks_.size() == kMaxRuleInstances && !locks_.contains(id);
  if (is_full) {
    for (Evaluator* const one : judging_) one->overflow();
    return;
  }
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

void RuleObserver::edge(const Fact& fact) {
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
