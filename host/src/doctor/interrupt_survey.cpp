#include "interrupt_survey.h"

#include <algorithm>

namespace barefxt::host {

void InterruptSurvey::count(uint64_t& faults, const std::string& name) {
  ++faults;
  if (example.empty()) example = name;
}

void InterruptSurvey::enter(const std::string& name) {
  // So deep only where ends are missing: those below were found to be, and are forgotten.
  if (open_.size() == kDeepest) {
    count(never_left, open_.front().name);
    open_.erase(open_.begin());
  }
  open_.push_back({name});
}

void InterruptSurvey::leave(const std::string& name) {
  const auto same = [&](const Open& open) { return open.name == name; };
  const auto found = std::find_if(open_.rbegin(), open_.rend(), same);
  if (found == open_.rend()) {
    if (++ends_without_begin_ > kAtAnEdge) count(never_entered, name);
    return;
  }
  // Every interrupt inside it is over.
  const auto begin = found.base() - 1;
  for (auto inner = begin + 1; inner != open_.end(); ++inner) count(never_left, inner->name);
  open_.erase(begin, open_.end());
  for (Open& outer : open_)
    if (outer.name == name) outer.came_again = true;
}

void InterruptSurvey::end_stretch() {
  uint64_t at_the_edge = 0;
  for (const Open& open : open_)
    if (open.came_again || ++at_the_edge > kAtAnEdge) count(never_left, open.name);
  open_.clear();
  ends_without_begin_ = 0;
}

}  // namespace barefxt::host
