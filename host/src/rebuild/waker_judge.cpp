#include "waker_judge.h"

namespace barefxt::host {

void WakerJudge::on_wakeup(uint64_t time, bool by_interrupt) {
  const bool is_in_interrupt = by_interrupt || open_interrupts_ != 0;
  if (!is_in_interrupt) undecided_.push_back(taken_ + wakeups_.size());
  wakeups_.push_back(
      {time, records_, is_in_interrupt ? cpu_thread_ : running_, {}, is_in_interrupt});
}

void WakerJudge::on_switch(const ArchiveThread& outgoing, const ArchiveThread& incoming) {
  for (auto at = wakeups_.rbegin(); at != wakeups_.rend() && !at->outgoing; ++at)
    at->outgoing = outgoing;
  running_ = incoming;
}

void WakerJudge::on_interrupt(uint64_t begin) {
  while (!undecided_.empty()) {
    // One that was decided by itself is still in the list.
    if (undecided_.back() >= taken_) {
      Wakeup& wakeup = wakeups_[undecided_.back() - taken_];
      if (wakeup.time < begin) return;
      if (!wakeup.is_decided) wakeup.waker = cpu_thread_;
      wakeup.is_decided = true;
    }
    undecided_.pop_back();
  }
}

void WakerJudge::on_interrupt_end() {
  if (open_interrupts_ == 0) return on_interrupt(0);
  --open_interrupts_;
}

void WakerJudge::on_loss() {
  for (Wakeup& wakeup : wakeups_) {
    if (!wakeup.is_decided && !wakeup.outgoing) wakeup.waker.reset();
    decide(wakeup);
  }
  undecided_.clear();
  running_.reset();
  open_interrupts_ = 0;
}

void WakerJudge::on_record() {
  ++records_;
  if (!wakeups_.empty() && records_ - wakeups_.front().record > kReach) decide(wakeups_.front());
}

std::optional<ArchiveThread> WakerJudge::take() {
  const Thread waker = wakeups_.front().waker;
  wakeups_.pop_front();
  ++taken_;
  if (!undecided_.empty() && undecided_.front() < taken_) undecided_.pop_front();
  return waker;
}

}  // namespace barefxt::host
