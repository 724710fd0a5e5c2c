#include "rule_observer.h"

#include <algorithm>

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
  to_nanoseconds_ = to_nanoseconds;
  longest_ = to_nanoseconds ? preview_.longest_nanoseconds : preview_.longest_ticks;
  const auto selected = stretch_of(selection_, statistics.ticks_per_second, {});
  status_ = selected.ok() ? Status() : selected.error();
  judge_.begin(rules_, statistics, selected.ok() ? selected.value() : Stretch());
}

void RuleObserver::know(const Names& names) {
  names_ = &names;
  judge_.know(names);
}

void RuleObserver::foresee(const LossTimes& losses) {
  // An end in doubt is a loss that begins one tick earlier.
  if (!losses.edges().empty() && judge_.matcher().has_ends())
    longest_ = std::max<uint64_t>(longest_, 1);
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
    judge_.run_first(cpu, is_hidden ? std::nullopt : std::optional(first.outgoing));
  }
  // All of its switches may be what is lost.
  for (const auto& [cpu, time] : lost_from)
    if (cpu && !preview_.switches.contains(*cpu)) judge_.run_first(*cpu, std::nullopt);
}

void RuleObserver::come_to(const Moment& moment) {
  offset_ = moment.offset;
  if (longest_ == 0) return judge_.advance(moment.time);
  const uint64_t certain = moment.time > longest_ ? moment.time - longest_ : 0;
  if (!judge_.has_begun()) judge_.start(moment.time);
  while (!held_back_.empty() &&
         (held_back_.top().time < certain || held_back_.size() > kMaxHeldBack)) {
    if (held_back_.top().time >= certain) judge_.overflow();
    const Fact fact = held_back_.top();
    held_back_.pop();
    judge_.process(fact);
  }
  judge_.advance(std::max(judge_.tick(), certain));
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
      if (judge_.matcher().label(moment.label).has_begins()) add(fact_of(FactKind::kBegin, moment));
      return;
    case MomentKind::kComplete:
      if (!judge_.matcher().label(moment.label).has_begins()) return;
      add({moment.b, moment.offset, moment.a, 0, moment.label, moment.cpu, FactKind::kBegin, 0});
      return;
    case MomentKind::kInstant:
      if (!judge_.matcher().label(moment.label).instants.empty())
        add(fact_of(FactKind::kInstant, moment));
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
      if (judge_.matcher().has_locks()) add(fact_of(FactKind::kHold, moment));
      return;
    case MomentKind::kRelease:
      if (judge_.matcher().has_locks()) add(fact_of(FactKind::kRelease, moment));
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
  const LabelMatch& match = judge_.matcher().label(number);
  if (match.irq_ends.empty() && match.irq_states.empty() && match.irq_lengths.empty()) return;
  const auto doubted = doubted_at_.find(thread);
  const bool is_doubted = begin_offset != kNoRecord && doubted != doubted_at_.end() &&
                          std::pair(when.begin, begin_offset) < doubted->second;
  DurationEnd end = whole && !is_doubted ? DurationEnd::kWhole : DurationEnd::kInDoubt;
  if (when.offset == kNoRecord && !judge_.is_ending()) end = DurationEnd::kMissing;
  if (judge_.is_ending()) {
    // It is open: what was lost may have ended it, or begun what it lay within.
    end = judge_.has_loss() ? DurationEnd::kInDoubt : DurationEnd::kWhole;
  }
  const uint64_t offset = end == DurationEnd::kMissing ? offset_ : when.offset;
  add({when.end, offset, thread, when.begin, number, kNoCpu, FactKind::kEnd,
       static_cast<uint8_t>(end)});
  if (end == DurationEnd::kInDoubt && !judge_.is_ending()) doubt_end(thread, number, when.end, end);
}

// Its begin may be what was lost, and what the thread began since may have lain within.
void RuleObserver::ended_unbegun(uint64_t thread, unsigned, uint32_t label, uint64_t time) {
  if (!has_lost_) return;
  if (doubted_at_.size() < kMaxRuleInstances || doubted_at_.contains(thread))
    doubted_at_[thread] = {time, offset_};
  else
    judge_.overflow();
  doubt_end(thread, label, time, DurationEnd::kMissing);
}

void RuleObserver::doubt_end(uint64_t thread, uint32_t label, uint64_t time, DurationEnd end) {
  if (!judge_.matcher().has_ends()) return;
  const auto state = static_cast<uint8_t>(end);
  add({std::max<uint64_t>(time, 1) - 1, 0, thread, 0, label, kNoCpu, FactKind::kLoseEnd, state});
  add({time + 1, 0, thread, 0, label, kNoCpu, FactKind::kRegainEnd, state});
}

void RuleObserver::flowed(uint32_t label, uint64_t, uint64_t last_thread, const Extent& when,
                          bool whole) {
  if (judge_.matcher().label(label).flow_lengths.empty()) return;
  const DurationEnd end = whole ? DurationEnd::kWhole : DurationEnd::kInDoubt;
  add({when.end, when.offset, last_thread, when.begin, label, kNoCpu, FactKind::kFlowed,
       static_cast<uint8_t>(end)});
}

void RuleObserver::add(const Fact& fact) {
  if (longest_ == 0)
    judge_.process(fact);
  else
    held_back_.push(fact);
}

void RuleObserver::finishing(uint64_t end) {
  while (!held_back_.empty()) {
    Fact fact = held_back_.top();
    held_back_.pop();
    fact.time = std::min(fact.time, end);
    judge_.process(fact);
  }
  longest_ = 0;
  judge_.begin_ending();
}

uint32_t RuleObserver::number_of(const ProbeName& label) const {
  return static_cast<uint32_t>(&label - &names_->labels[0]);
}

}  // namespace barefxt::host
