// Names against the patterns of rules.
#include "matcher.h"

#include <algorithm>
#include <charconv>

#include <barefxt/host/stacks.h>

namespace barefxt::host {
namespace {

// The order in which events of a rule happen at one record. A response comes before the trigger, so
// that no record answers itself, and what ends an interval before what begins or counts.
std::vector<size_t> precedence(const TraceRule& rule) {
  std::vector<size_t> order(rule.events.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  if (rule.form == RuleForm::kAfter) std::reverse(order.begin(), order.end());
  if (rule.form == RuleForm::kBetween) order = {1, 2, 0};
  return order;
}

bool is_measured(const TraceRule& rule) {
  return rule.form == RuleForm::kLasts || rule.done_within;
}

}  // namespace

void Matcher::begin(const Statistics& statistics, const Selection& selection,
                    const std::vector<std::unique_ptr<Evaluator>>& evaluators) {
  statistics_ = &statistics;
  selection_ = &selection;
  for (const auto& evaluator : evaluators) {
    if (evaluator == nullptr) continue;
    const TraceRule& rule = evaluator->rule();
    if (rule.to && rule.to->event)
      add(evaluator.get(), *rule.to->event, Atom::Use::kCloseWindow, 0);
    if (rule.from && rule.from->event)
      add(evaluator.get(), *rule.from->event, Atom::Use::kOpenWindow, 0);
    if (rule.form != RuleForm::kLasts)
      for (const size_t number : precedence(rule))
        add(evaluator.get(), rule.events[number], Atom::Use::kHappen, number);
    if (is_measured(rule) || rule.form == RuleForm::kFlow || rule.form == RuleForm::kCounter ||
        rule.form == RuleForm::kStack)
      measured_.push_back(evaluator.get());
    if (rule.form == RuleForm::kAfter)
      for (size_t i = 1; i < rule.events.size(); ++i)
        if (rule.events[i].kind == RuleEventKind::kRuns)
          evaluator->use(
              state_of({RuleStateKind::kRuns, rule.events[i].name, {}}, evaluator.get()));
    if (rule.state) evaluator->use(state_of(*rule.state, evaluator.get()));
    if (rule.during) evaluator->use(state_of(*rule.during, evaluator.get()));
  }
}

StateTracker* Matcher::state_of(const RuleState& what, Evaluator* user) {
  has_locks_ = has_locks_ || what.kind == RuleStateKind::kHeld;
  has_slices_ = has_slices_ || is_duration(what.kind);
  has_running_ = has_running_ || what.kind == RuleStateKind::kRuns;
  const auto known = std::ranges::find_if(states_, [&](const auto& state) {
    const RuleState& one = state->what();
    return one.kind == what.kind && one.name == what.name && one.by == what.by;
  });
  StateTracker* const state = known == states_.end()
                                  ? states_.emplace_back(std::make_unique<StateTracker>(what)).get()
                                  : known->get();
  if (std::ranges::find(state->users(), user) == state->users().end())
    state->users().push_back(user);
  return state;
}

void Matcher::add(Evaluator* evaluator, const RuleEvent& event, Atom::Use use, size_t number) {
  atoms_.push_back(std::make_unique<Atom>(Atom{evaluator, &event, use, number}));
  has_[static_cast<size_t>(event.kind)] = true;
  has_locks_ =
      has_locks_ || event.kind == RuleEventKind::kTaken || event.kind == RuleEventKind::kReleased;
}

bool Matcher::is_selected(uint32_t label) const {
  const ProbeName& name = names_->labels[label];
  return selection_->has_label(name.category, name.name);
}

const LabelMatch& Matcher::label(uint32_t number) {
  if (labels_.size() <= number) labels_.resize(names_->labels.size());
  if (labels_[number] != nullptr) return *labels_[number];
  labels_[number] = std::make_unique<LabelMatch>();
  LabelMatch& match = *labels_[number];
  const std::string& name = names_->labels[number].name;
  for (const auto& state : states_) {
    const RuleStateKind kind = state->what().kind;
    if (!matches(state->pattern(), name)) continue;
    if (kind == RuleStateKind::kSlice) match.states.push_back(state.get());
    if (is_duration(kind)) match.irq_states.push_back(state.get());
  }
  if (!is_selected(number)) return match;
  for (const auto& atom : atoms_) {
    if (!matches(atom->event->name, name)) continue;
    const Atom* const one = atom.get();
    switch (one->event->kind) {
      case RuleEventKind::kNamed:
        match.instants.push_back(one);
        [[fallthrough]];
      case RuleEventKind::kSliceBegins:
        match.begins.push_back(one);
        [[fallthrough]];
      case RuleEventKind::kIrqBegins:
        match.irq_begins.push_back(one);
        break;
      case RuleEventKind::kSliceEnds:
        match.ends.push_back(one);
        [[fallthrough]];
      case RuleEventKind::kIrqEnds:
        match.irq_ends.push_back(one);
        break;
      case RuleEventKind::kFlowBegins:
        match.flow_begins.push_back(one);
        break;
      case RuleEventKind::kFlowEnds:
        match.flow_ends.push_back(one);
        break;
      default:
        break;
    }
  }
  for (Evaluator* const evaluator : measured_) {
    const TraceRule& rule = evaluator->rule();
    if (rule.form == RuleForm::kFlow) {
      if (matches(rule.flow, name)) match.flow_lengths.push_back(evaluator);
    } else if (is_measured(rule) && matches(rule.events[0].name, name)) {
      match.irq_lengths.push_back(evaluator);
      if (rule.events[0].kind == RuleEventKind::kSliceBegins) match.lengths.push_back(evaluator);
    }
  }
  return match;
}

const ThreadMatch& Matcher::thread(uint64_t koid) {
  const uint32_t number = index_.number_of(koid);
  if (number == KoidIndex::kNone) return nobody_;
  if (number < threads_.size()) return *threads_[number];
  ThreadMatch& match = *threads_.emplace_back(std::make_unique<ThreadMatch>());
  match.koid = koid;
  const std::string name = statistics_->name_of(koid);
  match.cpu = cpu_of_name(name);
  match.is_idle = statistics_->is_idle(koid);
  match.is_selected = selection_->has_thread(koid, name);
  for (const auto& state : states_)
    if (state->what().kind == RuleStateKind::kRuns && is_thread(state->pattern(), koid))
      match.running.push_back(state.get());
  if (!match.is_selected || selection_->is_by_label()) return match;
  for (const auto& atom : atoms_) {
    const RuleEventKind kind = atom->event->kind;
    Atoms* const atoms = kind == RuleEventKind::kRuns    ? &match.runs
                         : kind == RuleEventKind::kStops ? &match.stops
                         : kind == RuleEventKind::kWakes ? &match.wakes
                                                         : nullptr;
    if (atoms != nullptr && is_thread(atom->event->name, koid)) atoms->push_back(atom.get());
  }
  return match;
}

bool Matcher::is_thread(const std::string& pattern, uint64_t koid) const {
  if (matches(pattern, statistics_->name_of(koid))) return true;
  uint64_t number = 0;
  const auto [end, error] =
      std::from_chars(pattern.data(), pattern.data() + pattern.size(), number);
  return error == std::errc{} && end == pattern.data() + pattern.size() && number == koid;
}

LockMatch Matcher::lock(uint64_t number, uint32_t label) const {
  LockMatch match;
  const auto known = statistics_->object_names.find(number);
  const auto is_it = [&](const std::string& pattern) {
    return pattern == std::to_string(number) ||
           (known != statistics_->object_names.end() && matches(pattern, known->second)) ||
           (label != Labels::kNone && matches(pattern, names_->labels[label].name));
  };
  for (const auto& state : states_)
    if (state->what().kind == RuleStateKind::kHeld && is_it(state->pattern()))
      match.held.push_back(state.get());
  if (label != Labels::kNone && !is_selected(label)) return match;
  for (const auto& atom : atoms_) {
    const RuleEventKind kind = atom->event->kind;
    if (kind == RuleEventKind::kTaken && is_it(atom->event->name))
      match.taken.push_back(atom.get());
    if (kind == RuleEventKind::kReleased && is_it(atom->event->name))
      match.released.push_back(atom.get());
  }
  return match;
}

std::vector<Evaluator*> Matcher::counter(uint32_t series) {
  std::vector<Evaluator*> found;
  const Keys::Key& key = names_->series[series];
  if (!is_selected(key.label)) return found;
  const ProbeName& label = names_->labels[key.label];
  const std::string& argument = names_->arguments[key.second].name;
  const uint64_t koid = key.number.value_or(0);
  const bool is_left = is_stack(label.category, label.name) && argument == kStackLeft;
  for (Evaluator* const evaluator : measured_) {
    const TraceRule& rule = evaluator->rule();
    const bool is_of_counter = rule.form == RuleForm::kCounter &&
                               matches(rule.counter, label.name) &&
                               (rule.argument.empty() || matches(rule.argument, argument));
    const bool is_of_stack =
        rule.form == RuleForm::kStack && is_left &&
        (is_thread(rule.counter, koid) || matches(rule.counter, name_of_stack(*statistics_, koid)));
    if (is_of_counter || is_of_stack) found.push_back(evaluator);
  }
  // Its name has decided: see knows_thread().
  if (is_left) (void)thread(koid);
  return found;
}

}  // namespace barefxt::host
