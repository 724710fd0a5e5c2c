#include "recurrence.h"

#include <algorithm>
#include <bit>

namespace barefxt::host {

std::string rule_name(std::string_view name) {
  std::string text = "\"";
  for (const char c : name) {
    if (c == '"' || c == '\\') text += '\\';
    text += c;
  }
  return text + '"';
}

void Recurrence::begin(const Statistics& statistics, bool) { statistics_ = &statistics; }

void Recurrence::Lengths::add(uint64_t length) {
  ++cases;
  least = std::min(least, length);
  most = std::max(most, length);
}

bool Recurrence::is_interrupt(uint64_t thread) {
  const auto known = interrupts_.find(thread);
  if (known != interrupts_.end()) return known->second;
  const bool is_it = cpu_of_name(statistics_->name_of(thread)).has_value();
  if (interrupts_.size() < kMaxNamed) interrupts_.emplace(thread, is_it);
  return is_it;
}

Recurrence::Lengths& Recurrence::lengths_of(LearnedKind kind, uint64_t number,
                                            const std::string& name) {
  auto& numbers = by_number_[static_cast<size_t>(kind)];
  const auto known = numbers.find(number);
  if (known != numbers.end()) return *known->second;
  Lengths& lengths = lengths_[{kind, name}];
  if (numbers.size() < kMaxNamed) numbers.emplace(number, &lengths);
  return lengths;
}

void Recurrence::recur(LearnedKind kind, uint64_t number, const std::string& name, uint64_t time) {
  Lengths& lengths = lengths_of(kind, number, name);
  if (sees_all_since(lengths.last)) {
    if (time < lengths.last.time)
      lengths.is_in_order = false;
    else
      lengths.add(time - lengths.last.time);
  }
  lengths.last = mark(time);
}

std::optional<size_t> Recurrence::event_of(uint32_t label, bool is_instant) {
  const uint64_t key = uint64_t{label} << 1 | (is_instant ? 1 : 0);
  const auto known = numbers_.find(key);
  if (known != numbers_.end()) return known->second;
  const std::string event = (is_instant ? "" : "slice ") + rule_name(names_->labels[label].name);
  const auto same = std::ranges::find(events_, event, &Event::text);
  std::optional<size_t> number;
  if (same != events_.end() || events_.size() < kMaxInOrder)
    number = static_cast<size_t>(same - events_.begin());
  if (number == events_.size()) events_.push_back({event});
  numbers_.emplace(key, number);
  return number;
}

void Recurrence::follow(uint64_t thread, size_t event) {
  Event& here = events_[event];
  ++here.cases;
  const auto last = last_of_.find(thread);
  if (last == last_of_.end()) {
    here.was_first = true;
    if (last_of_.size() < kMaxRuleInstances) last_of_[thread] = {event, mark(0)};
    return;
  }
  if (sees_all_since(last->second.when)) here.before |= uint64_t{1} << last->second.event;
  last->second = {event, mark(0)};
}

void Recurrence::hold(const Moment& moment) {
  const LockId lock{moment.cpu, moment.b};
  if (held_.size() == kMaxRuleInstances && !held_.contains(lock)) return;
  const auto known = statistics_->object_names.find(moment.b);
  if (known != statistics_->object_names.end())
    held_[lock] = {mark(moment.time), &lengths_of(LearnedKind::kHold, moment.b, known->second)};
  else if (moment.label != Labels::kNone)
    held_[lock] = {mark(moment.time),
                   &lengths_[{LearnedKind::kHold, names_->labels[moment.label].name}]};
}

void Recurrence::release(const Moment& moment) {
  const auto held = held_.find({moment.cpu, moment.b});
  if (held == held_.end()) return;
  const Mark& begin = held->second.begin;
  if (sees_all_since(begin)) held->second.lengths->add(moment.time - begin.time);
  held_.erase(held);
}

void Recurrence::see(const Moment& moment) {
  switch (moment.kind) {
    case MomentKind::kWakeup: {
      const auto name = statistics_->names.find(moment.a);
      if (name == statistics_->names.end() || statistics_->is_idle(moment.a)) return;
      return recur(LearnedKind::kWakeupPeriod, moment.a, name->second.name, moment.time);
    }
    case MomentKind::kBegin:
    case MomentKind::kComplete:
    case MomentKind::kInstant: {
      const std::string& name = names_->labels[moment.label].name;
      const bool is_complete = moment.kind == MomentKind::kComplete;
      const bool is_instant = moment.kind == MomentKind::kInstant;
      const bool is_irq = is_interrupt(moment.a);
      const LearnedKind kind = is_instant ? LearnedKind::kInstantPeriod
                               : is_irq   ? LearnedKind::kIrqPeriod
                                          : LearnedKind::kSlicePeriod;
      recur(kind, moment.label, name, is_complete ? moment.b : moment.time);
      // Complete durations come at their ends.
      if (is_irq || is_complete) return;
      if (const auto event = event_of(moment.label, is_instant)) follow(moment.a, *event);
      return;
    }
    case MomentKind::kHold:
      return hold(moment);
    case MomentKind::kRelease:
      return release(moment);
    default:
      return;
  }
}

void Recurrence::add_to(LearnedSet& learned, uint64_t ticks_per_second) const {
  const auto nanoseconds = [&](uint64_t ticks) {
    return static_cast<long double>(ticks) * 1e9L / static_cast<long double>(ticks_per_second);
  };
  for (const auto& [what, lengths] : lengths_) {
    if (lengths.cases == 0 || !lengths.is_in_order) continue;
    Evidence evidence;
    evidence.cases = lengths.cases;
    evidence.least = nanoseconds(lengths.least);
    evidence.most = nanoseconds(lengths.most);
    learned[what].add(evidence);
  }
  for (size_t number = 0; number < events_.size(); ++number) {
    const Event& here = events_[number];
    if (here.was_first || std::popcount(here.before) != 1) continue;
    const auto before = static_cast<size_t>(std::countr_zero(here.before));
    if (before == number) continue;
    Evidence evidence;
    evidence.cases = here.cases;
    learned[{LearnedKind::kOrder, events_[before].text, here.text}].add(evidence);
  }
}

}  // namespace barefxt::host
