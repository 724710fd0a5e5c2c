#include "switch_survey.h"

namespace barefxt::host {

void SwitchSurvey::see(uint64_t time, uint64_t outgoing, uint64_t incoming, bool is_idle) {
  ++count;
  const bool was_running = running_.erase(outgoing) != 0;
  if (last_in_ && *last_in_ != outgoing) {
    if (broken++ == 0) first_broken = time;
    if (was_running) ++of_another_chain;
  }
  if (running_.contains(incoming)) {
    if (!is_idle) ++came_in_twice;
  } else if (running_.size() < kMaxRunning) {
    running_.insert(incoming);
  }
  last_in_ = incoming;
}

void SwitchSurvey::end_stretch() {
  last_in_.reset();
  running_.clear();
}

}  // namespace barefxt::host
