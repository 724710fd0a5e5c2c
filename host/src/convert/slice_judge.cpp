#include "slice_judge.h"

#include <algorithm>

#include "../reader/give_back.h"

namespace barefxt::host {

// Slices that were open at the first loss since the last look are in doubt since then.
void SliceJudge::doubt(Thread& thread, uint32_t losses) {
  if (thread.losses == losses) return;
  for (auto slice = thread.open.rbegin(); slice != thread.open.rend() && slice->doubt == 0; ++slice)
    slice->doubt = thread.losses + 1;
  thread.losses = losses;
}

SliceJudge::Thread* SliceJudge::look_at(const SliceThread& key, bool is_new) {
  auto found = threads_.find(key);
  const uint32_t losses = losses_[key.provider];
  if (found == threads_.end()) {
    if (!is_new) return nullptr;
    found = threads_.emplace(key, Thread{.open = {}, .losses = losses}).first;
  }
  doubt(found->second, losses);
  return &found->second;
}

void SliceJudge::cut(const SliceThread& key, uint32_t loss, size_t count) {
  if (loss == 0 || verdicts_.size() == kMaxVerdicts) return;
  verdicts_[{key.provider, loss, key.process, key.thread}] += count;
}

void SliceJudge::begin(const SliceThread& key, const SliceName& name) {
  if (is_full_) return;
  Thread& thread = *look_at(key, true);
  std::vector<Slice>& open = thread.open;
  const size_t height = height_of(open, name);
  // One that is open twice calls itself.
  const size_t first = open.size() - height;
  const auto outer = open.begin() + static_cast<ptrdiff_t>(first);
  const auto reach = outer - static_cast<ptrdiff_t>(std::min(first, kSliceReach));
  const bool is_one = height != 0 && std::none_of(reach, outer, [&](const Slice& slice) {
                        return slice.name == name;
                      });
  if (is_one && outer->doubt != 0) {
    const uint32_t loss = outer->doubt;
    const auto end =
        std::find_if(outer, open.end(), [loss](const Slice& slice) { return slice.doubt != loss; });
    const auto count = static_cast<size_t>(end - outer);
    cut(key, loss, count);
    open.erase(outer, end);
    open_ -= count;
    give_back_room(open);
  }
  if (open_ == kMaxOpenSlices || open.size() == kDeepestSlice) {
    is_full_ = true;
    return;
  }
  open.push_back({name, 0});
  ++open_;
}

void SliceJudge::end(const SliceThread& key, const SliceName& name) {
  if (is_full_) return;
  Thread* const thread = look_at(key, false);
  if (thread == nullptr) return;
  std::vector<Slice>& open = thread->open;
  size_t height = height_of(open, name);
  if (height == 0) return;
  open_ -= height;
  for (; height > 1; --height) {
    cut(key, open.back().doubt, 1);
    open.pop_back();
  }
  const uint32_t loss = open.back().doubt;
  open.pop_back();
  if (open.empty()) {
    threads_.erase(key);
    return;
  }
  give_back_room(open);
  if (loss == 0) return;
  for (auto slice = open.rbegin(); slice != open.rend() && slice->doubt == loss; ++slice)
    slice->doubt = 0;
}

void SliceJudge::finish() {
  for (auto& [key, thread] : threads_) {
    doubt(thread, losses_[key.provider]);
    for (const Slice& slice : thread.open) cut(key, slice.doubt, 1);
  }
  threads_.clear();
}

}  // namespace barefxt::host
