#include "arriving_pieces.h"

#include <algorithm>
#include <utility>

#include <barefxt/wire/frame.h>

namespace barefxt::host {
namespace {

// A piece that belongs further ahead than this in its ring is late. Segments are nearly in order.
constexpr size_t kMaxPiecesBehind = 256;

}  // namespace

bool ArrivingPieces::add(FrameEntry& piece, bool overwrites) {
  RingTotals& sent = ring_.behind_pieces;
  if ((piece.flags & wire::FrameFlags::kAsked) != 0 || piece.before.records < sent.records)
    return false;
  piece.missing_records = more_than(sent.records, piece.before.records);
  piece.missing_bytes = more_than(sent.bytes, piece.before.bytes);
  sent.records = piece.before.records + piece.records;
  sent.bytes = piece.before.bytes + piece.record_bytes;
  // Segments are sent as they are done, which need not be in order.
  const size_t read = merged_ ? merged_->cursor.pieces_entered() : 0;
  const size_t first = std::max(read, pieces_.size() - std::min(pieces_.size(), kMaxPiecesBehind));
  const auto is_behind = [&](size_t at) {
    return static_cast<int32_t>(pieces_[at - 1].segment - piece.segment) > 0;
  };
  size_t at = pieces_.size();
  while (at > first && is_behind(at)) --at;
  if (at == first && at != 0 && is_behind(at)) return false;
  pieces_.insert(pieces_.begin() + static_cast<ptrdiff_t>(at), piece);
  ring_.pieces = pieces_;
  sent.records_lost = pieces_.back().before.records_lost;
  sent.bytes_lost = pieces_.back().before.bytes_lost;
  ring_.overwrites = overwrites;
  is_given_up_ = false;
  return true;
}

void ArrivingPieces::open(const CaptureMerge& merge) {
  if (!merged_) {
    if (pieces_.empty() && !is_ended_) return;
    merged_ = std::make_unique<CaptureMerge::ArrivingRing>(merge.arriving(ring_));
  } else {
    merged_->gaps = {};  // it may have read ahead to where there was nothing yet
    if (!merged_->cursor.is_over()) return;
    merged_->cursor.resume();
  }
  has_news_ = true;
}

size_t ArrivingPieces::take_entered() {
  const size_t entered = merged_ ? merged_->cursor.pieces_entered() : 0;
  return entered - std::exchange(entered_, entered);
}

void ArrivingPieces::forget_read(const std::function<void(const FrameEntry&)>& forget) {
  constexpr size_t kMaxRead = 64;
  if (!merged_) return;
  const size_t read = merged_->cursor.pieces_read();
  if (read < kMaxRead) return;
  for (size_t i = 0; i < read; ++i) forget(pieces_[i]);
  pieces_.erase(pieces_.begin(), pieces_.begin() + static_cast<ptrdiff_t>(read));
  ring_.pieces = pieces_;
  merged_->cursor.forget_pieces(read);
  entered_ -= read;
  merged_->gaps = {};  // which has read ahead in the pieces as they were
}

}  // namespace barefxt::host
