// Wakeups followed backwards, from the woken to the waker.
#include "partition.h"

namespace barefxt::host {
namespace {

constexpr size_t kMaxHops = 16;
constexpr unsigned kMaxLooks = 4096;

// The thread did not block, and is known, from its wakeup to a time.
bool was_awake(const History::Thread& thread, const Steps& steps, uint64_t from, uint64_t to) {
  if (to <= from) return true;
  uint32_t at = steps.find(thread.doing, to - 1);
  for (unsigned looks = 0; at != kNoStep && looks < kMaxLooks; ++looks) {
    const Step& step = steps[at];
    const auto doing = static_cast<Doing>(step.state);
    if (doing != Doing::kRunning && doing != Doing::kRunnable) return false;
    if (step.time <= from) return true;
    at = step.before;
  }
  return false;
}

}  // namespace

void find_chain(Explanation& one, const History& history, const Judge& judge) {
  const Steps& steps = history.steps();
  uint64_t koid = one.thread;
  uint64_t time = one.end;
  while (one.chain.size() < kMaxHops) {
    const History::Thread* const thread = history.thread(koid);
    const uint32_t at = thread == nullptr ? kNoStep : steps.find(thread->wakeups, time);
    if (at == kNoStep) return;
    const Step& wakeup = steps[at];
    if (!was_awake(*thread, steps, wakeup.time, time)) return;
    const Judge::WakerOf waker = judge.waker_of(wakeup);
    Wakening link{wakeup.time,       koid, std::nullopt, waker.thread, waker.interrupt,
                  waker.is_interrupt};
    if ((wakeup.flags & kHasCpu) != 0) link.cpu = wakeup.number;
    one.chain.push_back(std::move(link));
    one.chain_is_whole = waker.is_interrupt;
    if (!waker.thread || waker.thread == koid) return;
    koid = *waker.thread;
    time = wakeup.time;
  }
}

}  // namespace barefxt::host
