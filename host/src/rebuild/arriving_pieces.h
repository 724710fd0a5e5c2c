// One CPU's pieces while a capture arrives, and how far they are merged.
//
// Invariants: pieces are in the order of their segments, whatever order they come in; those that
// are read are forgotten.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "capture_merge.h"

namespace barefxt::host {

// 0 where it is no more.
inline uint64_t more_than(uint64_t before, uint64_t after) {
  return after > before ? after - before : 0;
}

class ArrivingPieces {
 public:
  explicit ArrivingPieces(uint16_t cpu) { ring_.cpu = cpu; }

  uint16_t cpu() const { return ring_.cpu; }
  // Takes in a piece, and fills in what is missing ahead of it. Returns false if it is late:
  // resent, or behind what has been read.
  bool add(FrameEntry& piece, bool overwrites);
  // No piece will come. `totals`: nothing if the capture has none.
  void end() { is_ended_ = true; }
  void end_with(const RingEnd& totals) { ring_.end = totals; }
  void set_may_miss_a_piece() { ring_.maybe_behind = Behind::kPiece; }
  // Until its next piece, unless it is taken back.
  void give_up(bool gives_up = true) { is_given_up_ = gives_up; }

  // Opens what came since.
  void open(const CaptureMerge& merge);
  bool is_open() const { return merged_ != nullptr; }
  // Once it is open.
  CaptureMerge::ArrivingRing& merged() { return *merged_; }
  const RingCursor& cursor() const { return merged_->cursor; }
  // Returns whether the cursor moved since the last call, so that losses may be ahead of it.
  bool take_news() { return std::exchange(has_news_, false); }
  // The cursor moved.
  void note_move() { has_news_ = true; }

  // Its next record can be merged as far as it is concerned. Asked ahead of each record.
  bool has_turn() const {
    if (!merged_) return false;
    const RingCursor& at = merged_->cursor;
    if (at.is_over()) return at.losses_ahead().any();
    // A loss that ends with the last record may go on behind it.
    const bool may_go_on = at.is_last() && at.time() <= lost_until_ && at.record_has_time();
    return !may_go_on || is_ended_ || is_given_up_;
  }
  // It may still have earlier records.
  bool is_waited_for() const { return !is_ended_ && !has_turn() && !is_given_up_; }
  // No record of it is earlier; 0: nobody knows.
  uint64_t frontier() const { return merged_ ? merged_->cursor.time() : 0; }
  // A loss is announced up to here.
  void announce_until(uint64_t time) { lost_until_ = std::max(lost_until_, time); }

  // How many pieces were entered since the last call.
  size_t take_entered();
  // Hands on the pieces that are read, once they are many, and forgets them.
  void forget_read(const std::function<void(const FrameEntry&)>& forget);

 private:
  Ring ring_;
  std::vector<FrameEntry> pieces_;
  std::unique_ptr<CaptureMerge::ArrivingRing> merged_;
  size_t entered_ = 0;  // pieces, of which no more waits
  bool is_ended_ = false;
  bool is_given_up_ = false;
  bool has_news_ = false;
  uint64_t lost_until_ = 0;
};

}  // namespace barefxt::host
