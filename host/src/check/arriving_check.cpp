#include <algorithm>

#include <barefxt/host/arriving_check.h>

#include "arriving_rules.h"

namespace barefxt::host {

ArrivingCheck::ArrivingCheck(Rebuild& rebuild, const std::vector<TraceRule>& rules)
    : rules_(rules) {
  rebuild.hand_on(merge_, true);
  merge_.name_by(rebuild.function_names(), rebuild.interrupt_names(), rebuild.program_strings());
}

ArrivingCheck::~ArrivingCheck() = default;

// Times of several captures are in one archive, whatever came first. Up to the first of the others
// it has only those of this one.
void ArrivingCheck::begin_capture(const std::string& /*target*/, uint64_t ticks_per_second) {
  if (statistics_ != nullptr) {
    others_from_ = std::min({others_from_, lost_from_, statistics_->first()});
    is_blind_ = is_blind_ || ticks_per_second != ticks_per_second_;
  }
  ticks_per_second_ = ticks_per_second;
  lost_from_ = ~uint64_t{0};
  statistics_.reset();
  judge_ = std::make_unique<ArrivingRules>(rules_);
  statistics_ = std::make_unique<ArrivingStatistics>(*judge_, ticks_per_second);
}

// An interrupt that is recorded later may show that the loss ends where it begins. One within a
// tick begins in the tick before.
void ArrivingCheck::lose(unsigned cpu, uint64_t begin, uint64_t end) {
  begin = std::max<uint64_t>(begin, 1) - 1;
  lost_from_ = std::min(lost_from_, begin);
  const bool is_behind_judged_records = begin < statistics_->last();
  if (is_behind_judged_records) judge_->doubt();
  statistics_->lose(cpu, begin, end);
}

const TraceRule* ArrivingCheck::advance() {
  if (is_blind_) return nullptr;
  merge_.advance(false);
  if (judge_ == nullptr) return nullptr;
  const MergeState state = merge_.state();
  const uint64_t late = state.late_pieces + state.late_records + state.late_tables;
  if (std::exchange(late_, late) < late) judge_->doubt();
  const auto violated = judge_->violated();
  return violated && is_sure(violated->shown_at) ? &rules_[violated->rule] : nullptr;
}

// The archive of what has come counts records as lost from the last one of each CPU on. A loss
// within one tick begins in the tick before. The archive also has the records that wait to be
// merged.
bool ArrivingCheck::is_sure(uint64_t shown_at) const {
  constexpr uint64_t kTicksToALoss = 2;
  const uint64_t since = std::max(shown_at, judge_->last_first_switch());
  const bool may_be_lost = statistics_->last() < later(since, kTicksToALoss);
  if (may_be_lost || is_blind()) return false;
  const UnmergedFacts ahead = merge_.unmerged();
  return !ahead.has_names && judge_->may_begin_at(ahead.earliest_begin) &&
         std::ranges::none_of(ahead.cpus, [&](unsigned cpu) { return judge_->may_run_any(cpu); });
}

bool ArrivingCheck::is_blind() const {
  return is_blind_ || (statistics_ != nullptr && statistics_->last() >= others_from_);
}

RuleCase ArrivingCheck::first_case() const {
  const auto violated = judge_->violated();
  if (!violated) return {};
  return judge_->judge().evaluators()[violated->rule]->verdict().first.value_or(RuleCase{});
}

double ArrivingCheck::seconds(uint64_t ticks) const {
  return static_cast<double>(ticks) / static_cast<double>(ticks_per_second_);
}

}  // namespace barefxt::host
