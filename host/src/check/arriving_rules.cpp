#include "arriving_rules.h"

namespace barefxt::host {

void ArrivingRules::begin(const Statistics& statistics, bool to_nanoseconds) {
  RuleObserver::begin(statistics, to_nanoseconds);
  doubted_.assign(judge().evaluators().size(), 0);
  // Losses may come, which put the ends of durations in doubt: RuleObserver::foresee().
  if (judging().matcher().has_ends()) expect_length(1);
}

void ArrivingRules::see(const Moment& moment) {
  if (moment.kind == MomentKind::kSwitch && switched_.size() <= Preview::kMaxCpus &&
      switched_.insert(moment.cpu).second)
    meet_cpu(moment);
  if (moment.kind == MomentKind::kComplete &&
      judging().matcher().label(moment.label).has_begins()) {
    foresee_begin(moment);
    if (judge().has_begun() && moment.b < judge().tick())
      return come_to(moment);  // its begin is too late
  }
  RuleObserver::see(moment);
  latest_ = moment.time;
  if (judge().violations() != looked_at_) find_violated(moment.time);
}

// Its first thread ran since the trace began, as far as nothing is lost.
void ArrivingRules::meet_cpu(const Moment& first_switch) {
  last_first_switch_ = first_switch.time;
  if (!has_lost() && judging().matcher().thread(first_switch.a).running.empty()) return;
  doubt();
  if (judge().has_begun()) judging().run_on(first_switch.cpu, std::nullopt);
}

// Facts wait for durations of up to twice the length, so that few come too late.
void ArrivingRules::foresee_begin(const Moment& moment) {
  const uint64_t length = moment.time - std::min(moment.b, moment.time);
  if (length <= longest()) return;
  expect_length(later(length, length));
  if (judge().has_begun() && moment.b < judge().tick()) doubt();
}

// In the archive a loss ends what is open, so that an end behind it has no begin.
void ArrivingRules::lasted(uint64_t thread, const ProbeName& label, const Extent& when,
                           uint64_t begin_offset, bool whole) {
  RuleObserver::lasted(thread, label, when, begin_offset, whole);
  if (!whole) ended_unbegun(thread, kNoCpu, number_of(label), when.end);
}

void ArrivingRules::renamed(uint64_t koid) {
  if (!judge().has_met(koid)) return;
  doubt();
  judging().match_anew();
}

void ArrivingRules::doubt() {
  for (size_t i = 0; i < doubted_.size(); ++i) {
    if (judge().evaluators()[i] == nullptr) continue;
    doubted_[i] = judge().evaluators()[i]->verdict().violated;
    judge().evaluators()[i]->verdict().first.reset();
  }
  violated_.reset();
  if (!judge().has_begun()) return;
  // Facts that wait are in doubt as well.
  judging().process({judge().tick(), 0, 0, 0, 0, kNoCpu, FactKind::kLose, 0});
  const uint64_t end = longest() == 0 ? judge().tick() : latest_ + 1;
  add({end, 0, 0, 0, 0, kNoCpu, FactKind::kRegain, 0});
}

void ArrivingRules::find_violated(uint64_t now) {
  looked_at_ = judge().violations();
  for (size_t i = 0; i < doubted_.size() && !violated_; ++i)
    if (judge().evaluators()[i] != nullptr &&
        judge().evaluators()[i]->verdict().violated > doubted_[i])
      violated_ = Violation{i, now};
}

std::optional<ArrivingRules::Violation> ArrivingRules::violated() const {
  const bool is_one = violated_ && !judge().evaluators()[violated_->rule]->has_overflown();
  return is_one ? violated_ : std::nullopt;
}

}  // namespace barefxt::host
