#include "ring_cursor.h"

#include <algorithm>
#include <utility>

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

// A ring that overwrites passes over a segment with an unfinished record. Behind that one segments
// are missing then. The target counts them with what it overwrote ahead of the oldest segment.
bool is_behind_hole(const Ring& ring, const FrameEntry& before, const FrameEntry& piece) {
  return ring.overwrites && piece.missing_records == 0 &&
         static_cast<int32_t>(piece.segment - before.segment) > 1;
}
bool has_hole(const Ring& ring) {
  for (size_t i = 1; i < ring.pieces.size(); ++i)
    if (is_behind_hole(ring, ring.pieces[i - 1], ring.pieces[i])) return true;
  return false;
}

Losses losses_at_end(const Ring& ring) {
  const RingTotals& before = ring.behind_pieces;
  if (ring.end) {
    const RingTotals& after = ring.end->totals;
    return losses_of(lost_between(before, after), {.records = growth(before.records, after.records),
                                                   .bytes = growth(before.bytes, after.bytes)});
  }
  Losses losses;
  constexpr LostAmount kUnknown{.known = false};
  if (ring.maybe_behind == Behind::kPiece) losses.on_line = kUnknown;
  // A ring that overwrites drops its oldest records.
  if (ring.maybe_behind == Behind::kDropped && !ring.overwrites) losses.in_ring = kUnknown;
  return losses;
}

}  // namespace

bool has_losses(const Ring& ring) {
  RingTotals totals;
  for (const FrameEntry& piece : ring.pieces) {
    if (losses_ahead_of(piece, totals).any()) return true;
    totals = piece.before;
  }
  return has_hole(ring) || losses_at_end(ring).any();
}

bool has_losses_inside(const Ring& ring) {
  if (ring.pieces.empty()) return false;
  RingTotals totals = ring.pieces.front().before;
  for (const FrameEntry& piece : ring.pieces.subspan(1)) {
    if (losses_ahead_of(piece, totals).any()) return true;
    totals = piece.before;
  }
  return has_hole(ring) || losses_at_end(ring).any();
}

RingCursor::RingCursor(const CaptureContent& capture, const Ring& ring)
    : capture_(&capture), ring_(&ring) {
  if (const auto& hello = capture.hello()) time_before_ = hello->start_ticks;
  load();
}

void RingCursor::resume() {
  if (!is_over_) return;
  is_over_ = false;
  load();
}

void RingCursor::forget_pieces(size_t count) {
  next_piece_ -= count;
  piece_of_next_clock_ -= std::min(piece_of_next_clock_, count);
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

void RingCursor::find_losses(const FrameEntry& piece) {
  losses_ = losses_ahead_of(piece, totals_);
  if (next_piece_ == 1) {
    // The first segment of a session is there: what is missing is behind it.
    if (ring_->overwrites && piece.segment == 0 && has_hole(*ring_))
      overwritten_behind_ = std::exchange(losses_.in_ring, std::nullopt);
    return;
  }
  const FrameEntry& before = ring_->pieces[next_piece_ - 2];
  if (!is_behind_hole(*ring_, before, piece)) return;
  if (overwritten_behind_) {
    LostAmount& here = losses_.in_ring ? *losses_.in_ring : losses_.in_ring.emplace();
    here.records += overwritten_behind_->records;
    here.bytes += overwritten_behind_->bytes;
    overwritten_behind_.reset();
  } else if (!losses_.in_ring) {
    losses_.in_ring = LostAmount{.counted_elsewhere = true};
  }
}

// Returns false behind the last piece.
bool RingCursor::enter_piece() {
  while (run_.empty()) {
    if (next_piece_ == ring_->pieces.size()) {
      losses_ = losses_at_end(*ring_);
      is_over_ = true;
      record_has_time_ = false;
      return false;
    }
    const FrameEntry& piece = ring_->pieces[next_piece_++];
    if (next_piece_ != ring_->pieces.size()) capture_->prefetch(ring_->pieces[next_piece_]);
    run_ = capture_->words(piece);
    order_ = order_of(piece);
    if (run_.empty()) continue;
    find_losses(piece);
    totals_ = piece.before;
    if (piece.segment != segment_ || piece.missing_records != 0) calls_.begin_anew();
    segment_ = piece.segment;
    load_clocks();
  }
  return true;
}

void RingCursor::load() {
  if (run_.empty() && !enter_piece()) return;
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
  if (call_) call_.reset();
  if (calls_.sees_call(record_, order_)) {
    call_ = calls_.see_call(record_, order_);
    if (call_) time = call_->ticks;
  }
  record_has_time_ = time.has_value();
  is_by_next_clock_ = time && next_clock_.is_since_change(*time);
  if (time) time_ = clock()(*time);
}

}  // namespace barefxt::host
