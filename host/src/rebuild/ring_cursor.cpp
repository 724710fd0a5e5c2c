#include "ring_cursor.h"

#include <algorithm>

#include <barefxt/wire/frame.h>

namespace barefxt::host {
namespace {

ByteOrder order_of(const FrameEntry& piece) {
  const bool big = (piece.flags & wire::FrameFlags::kBigEndianWords) != 0;
  return big ? ByteOrder::kBig : ByteOrder::kLittle;
}

uint64_t growth(uint64_t before, uint64_t after) { return after > before ? after - before : 0; }

Losses losses_of(const LostAmount& in_ring, const LostAmount& on_line) {
  Losses losses;
  if (in_ring.records != 0) losses.in_ring = in_ring;
  if (on_line.records != 0) losses.on_line = on_line;
  return losses;
}

LostAmount lost_between(const RingTotals& before, const RingTotals& after) {
  return {.records = growth(before.records_lost, after.records_lost),
          .bytes = growth(before.bytes_lost, after.bytes_lost)};
}

Losses losses_ahead_of(const FrameEntry& piece, const RingTotals& before) {
  return losses_of(lost_between(before, piece.before),
                   {.records = piece.missing_records, .bytes = piece.missing_bytes});
}

Losses losses_at_end(const Ring& ring) {
  const RingTotals& before = ring.behind_pieces;
  if (ring.end) {
    const RingTotals& after = ring.end->totals;
    return losses_of(lost_between(before, after), {.records = growth(before.records, after.records),
                                                   .bytes = growth(before.bytes, after.bytes)});
  }
  Losses losses;
  if (ring.may_go_on) losses.on_line = LostAmount{.known = false};
  return losses;
}

}  // namespace

bool has_losses(const Ring& ring) {
  RingTotals totals;
  for (const FrameEntry& piece : ring.pieces) {
    if (losses_ahead_of(piece, totals).any()) return true;
    totals = piece.before;
  }
  return losses_at_end(ring).any();
}

bool has_losses_inside(const Ring& ring) {
  if (ring.pieces.empty()) return false;
  RingTotals totals = ring.pieces.front().before;
  for (const FrameEntry& piece : ring.pieces.subspan(1)) {
    if (losses_ahead_of(piece, totals).any()) return true;
    totals = piece.before;
  }
  return losses_at_end(ring).any();
}

RingCursor::RingCursor(const Capture& capture, const Ring& ring)
    : capture_(&capture), ring_(&ring) {
  if (const auto& hello = capture.hello()) time_before_ = hello->start_ticks;
  load();
}

void RingCursor::step() {
  if (record_has_time_) time_before_ = time_;
  run_ = run_.subspan(bytes_in_run_);
  if (losses_.any()) losses_ = {};
  load();
}

void RingCursor::load_clocks() {
  // More pieces than fit into the call that announces a change.
  static constexpr size_t kLookahead = 64;
  const std::span<const FrameEntry> pieces = ring_->pieces;
  const FrameEntry& piece = pieces[next_piece_ - 1];
  clock_ = capture_->clock_map(piece);
  const size_t end = std::min(pieces.size(), next_piece_ + kLookahead);
  size_t& next = piece_of_next_clock_;
  next = std::max(next, next_piece_);
  while (next < end && pieces[next].clock_since <= piece.clock_since) ++next;
  next_clock_ = next < end ? capture_->clock_map(pieces[next]) : ClockMap();
}

void RingCursor::load() {
  while (run_.empty()) {
    if (next_piece_ == ring_->pieces.size()) {
      losses_ = losses_at_end(*ring_);
      is_over_ = true;
      record_has_time_ = false;
      return;
    }
    const FrameEntry& piece = ring_->pieces[next_piece_++];
    run_ = capture_->words(piece);
    order_ = order_of(piece);
    if (run_.empty()) continue;
    losses_ = losses_ahead_of(piece, totals_);
    totals_ = piece.before;
    if (piece.segment != segment_ || piece.missing_records != 0) calls_.begin_anew();
    segment_ = piece.segment;
    load_clocks();
  }
  // The index counted whole records only: there is always one.
  record_ = first_record(run_, order_).value_or(RecordView{run_, 0});
  bytes_in_run_ = record_.bytes.size();
  std::optional<uint64_t> time;
  if (const std::optional<TimedRecord> timed = unwrap(record_, order_)) {
    record_ = timed->record;
    time = timed->ticks;
  } else {
    time = record_time(record_, order_);
  }
  call_ = calls_.see(record_, order_);
  if (call_) time = call_->ticks;
  record_has_time_ = time.has_value();
  is_by_next_clock_ = time && next_clock_.is_since_change(*time);
  if (time) time_ = clock()(*time);
}

}  // namespace barefxt::host
