// Stretches of interrupts within each other, made one after another.
#include "interrupt_fold.h"

#include <algorithm>
#include <tuple>

namespace barefxt::host {

void InterruptFold::began(uint32_t label, uint64_t time) {
  if (losing_) return;
  if (open_.size() == kMax) open_.clear();
  open_.push_back({time, time, label, true});
}

void InterruptFold::ended(uint32_t label, uint64_t begin, uint64_t end, bool whole) {
  const auto at = std::find_if(open_.rbegin(), open_.rend(), [&](const Stretch& one) {
    return one.label == label && one.begin == begin;
  });
  const bool was_open = at != open_.rend();
  if (was_open) open_.erase(std::next(at).base());
  if (losing_) return;
  // A stretch that is settled was without this one.
  if (!was_open && begin < from_ && certain_) wrong_until_ = from_;
  done_.push_back({std::max(begin, from_), end, label, whole});
  if (begin == end) mark(end);
}

void InterruptFold::ended_unbegun(uint32_t label, uint64_t time) {
  if (losing_) return;
  if (certain_) wrong_until_ = from_;
  done_.push_back({from_, time, label, !certain_});
}

void InterruptFold::mark(uint64_t time) {
  if (marks_.empty() || marks_.back() != time) marks_.push_back(time);
}

void InterruptFold::lose(Steps& steps, uint64_t time) {
  if (losing_) return;
  settle(steps, time, false);
  open_.clear();
  certain_ = false;
  losing_ = true;
  steps.add(track_, time, static_cast<uint8_t>(InterruptState::kMaybeAny));
}

void InterruptFold::regain(Steps&, uint64_t time) {
  losing_ = false;
  certain_ = false;
  from_ = time;
}

void InterruptFold::settle(Steps& steps, uint64_t now, bool proof) {
  if (losing_) return;
  const InterruptState gap = proof      ? InterruptState::kNone
                             : certain_ ? InterruptState::kMaybeLate
                                        : InterruptState::kMaybeAny;
  write(steps, pieces(now, gap), now);
  constexpr size_t kKept = 64;
  if (done_.capacity() > kKept) done_ = {};
  if (marks_.capacity() > kKept) marks_ = {};
  done_.clear();
  marks_.clear();
  from_ = now;
  certain_ = proof || certain_;
}

void InterruptFold::give_up(Steps& steps, uint64_t time) {
  if (pending() == 0) return;
  settle(steps, std::max(time, from_), false);
  if (open_.empty()) return;
  open_ = {};
  certain_ = false;
}

// The innermost interrupt of each stretch from from_ to `now`.
std::vector<InterruptFold::Piece> InterruptFold::pieces(uint64_t now, InterruptState gap) {
  // If two are at the same time, the one that ended later is around the other.
  std::vector<Stretch> all;
  for (const Stretch& one : open_)
    if (one.begin < now) all.push_back({std::max(one.begin, from_), now, one.label, one.known});
  for (auto at = done_.rbegin(); at != done_.rend(); ++at) {
    Stretch one = *at;
    one.end = std::min(one.end, now);
    if (one.begin < one.end) all.push_back(one);
  }
  std::vector<const Stretch*> order;
  order.reserve(all.size());
  for (const Stretch& one : all) order.push_back(&one);
  std::sort(order.begin(), order.end(), [](const Stretch* a, const Stretch* b) {
    return std::tie(a->begin, b->end, a) < std::tie(b->begin, a->end, b);
  });
  std::vector<Piece> made;
  std::vector<Stretch> around;
  const auto put = [&](uint64_t time) {
    Piece piece{time, gap, 0};
    if (!around.empty()) {
      const Stretch& inner = around.back();
      piece.state = inner.known ? InterruptState::kIn : InterruptState::kUnknown;
      piece.label = inner.label;
    }
    if (!made.empty() && made.back().begin == time) made.pop_back();
    made.push_back(piece);
  };
  const auto end_until = [&](uint64_t time) {
    while (!around.empty() && around.back().end <= time) {
      const uint64_t end = around.back().end;
      while (!around.empty() && around.back().end <= end) around.pop_back();
      put(end);
    }
  };
  put(from_);
  for (const Stretch* one : order) {
    end_until(one->begin);
    around.push_back(*one);
    put(one->begin);
  }
  end_until(now);
  return made;
}

// Records of the CPU cut the stretches within interrupts.
void InterruptFold::write(Steps& steps, const std::vector<Piece>& pieces, uint64_t now) {
  size_t mark = 0;
  for (size_t i = 0; i < pieces.size(); ++i) {
    const Piece& piece = pieces[i];
    const uint64_t end = i + 1 < pieces.size() ? pieces[i + 1].begin : now;
    uint64_t begin = piece.begin;
    while (begin < end) {
      while (mark < marks_.size() && marks_[mark] <= begin) ++mark;
      const bool cuts = piece.state == InterruptState::kIn && mark < marks_.size();
      const uint64_t until = cuts ? std::min(end, marks_[mark]) : end;
      steps.add(track_, begin, static_cast<uint8_t>(piece.state), until,
                static_cast<uint16_t>(piece.label));
      begin = until;
    }
  }
}

}  // namespace barefxt::host
