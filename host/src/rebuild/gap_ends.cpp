#include "gap_ends.h"

#include <algorithm>

namespace barefxt::host {

std::optional<uint64_t> GapEnds::end_of_gap(const RingCursor& cursor, uint64_t begin,
                                            const ArchiveThread& cpu_thread) {
  // The most records that an interrupt is expected to hold.
  static constexpr uint64_t kLookahead = 256;
  const uint64_t here = cursor.position();
  if (!ahead_ || ahead_->position() < here) {
    ahead_ = cursor;
    seen_.clear();
  }
  while (!seen_.empty() && seen_.front().position < here) seen_.pop_front();
  for (; !ahead_->is_over() && ahead_->position() - here < kLookahead; ahead_->step()) {
    if (!ahead_->record_has_time()) continue;
    TimedAhead& one = seen_.emplace_back();
    one.position = ahead_->position();
    one.time = ahead_->time();
    const std::optional<CompleteEvent> slice = complete_event(ahead_->record(), ahead_->order());
    if (!slice) continue;
    one.slice_begin = ahead_->clock()(slice->begin);
    one.thread.index = slice->thread_index;
    one.thread.thread = slice->thread_koid;
  }
  if (seen_.empty()) return {};
  const uint64_t first = std::max(seen_.front().time, begin);
  uint64_t end = first;
  for (const TimedAhead& one : seen_) {
    if (!one.slice_begin || *one.slice_begin < begin || *one.slice_begin >= first) continue;
    const bool of_this_cpu = one.thread.index != 0 ? one.thread.index == cpu_thread.index
                                                   : one.thread.thread == cpu_thread.thread;
    if (of_this_cpu) end = std::min(end, *one.slice_begin);
  }
  return end;
}

}  // namespace barefxt::host
