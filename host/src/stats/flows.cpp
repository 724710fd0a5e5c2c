// Flows that are on their way.
#include "flows.h"

namespace barefxt::host {

FlowStatistics& Flows::sum_of(uint32_t label) {
  if (sums_.size() <= label) sums_.resize(names_.labels.size());
  return sums_[label];
}

void Flows::begin(const Id& id, const Moment& moment) {
  const uint64_t counted = window_.counts(moment.time) ? 1 : 0;
  sum_of(moment.label).begun += counted;
  const auto [entry, added] = open_.try_emplace(id);
  if (!added) sum_of(entry->second.label).unfinished += counted;
  entry->second = {moment.time, moment.label, epoch_.number, moment.b};
  begun_.emplace_back(id, moment.time);
  if (begun_.size() <= kMaxLater) return;
  const auto oldest = open_.find(begun_.front().first);
  if (oldest != open_.end() && oldest->second.begin == begun_.front().second) {
    sum_of(oldest->second.label).unfinished += counted;
    open_.erase(oldest);
  }
  begun_.pop_front();
}

void Flows::add(const Moment& moment) {
  const Id id{moment.a, moment.cpu};
  if (moment.kind == MomentKind::kFlowBegin) return begin(id, moment);
  const bool counts = window_.counts(moment.time);
  const auto found = open_.find(id);
  // Steps and ends count under the name that the flow began with, if that is known.
  FlowStatistics& sum = sum_of(found == open_.end() ? moment.label : found->second.label);
  if (moment.kind == MomentKind::kFlowStep) {
    if (counts) ++sum.steps;
    return;
  }
  if (counts) ++sum.ended;
  if (found == open_.end()) return;
  const Open open = found->second;
  open_.erase(found);
  if (observer_ != nullptr)
    observer_->flowed(open.label, open.thread, moment.b, {open.begin, moment.time, moment.offset},
                      epoch_.whole_since(open.epoch));
  if (epoch_.whole_since(open.epoch)) {
    window_.add(sum.end_to_end, {open.begin, moment.time, moment.offset});
  } else if (counts) {
    ++sum.in_doubt;
  }
}

void Flows::finish() {
  for (const auto& [id, open] : open_) ++sum_of(open.label).unfinished;
  for (size_t label = 0; label < sums_.size(); ++label) {
    FlowStatistics& sum = sums_[label];
    if (sum.begun + sum.steps + sum.ended + sum.unfinished > 0)
      statistics_.flows.emplace(names_.labels[label], std::move(sum));
  }
}

}  // namespace barefxt::host
