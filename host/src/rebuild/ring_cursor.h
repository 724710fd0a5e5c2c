// Goes through the records of one CPU, piece by piece, and knows what was lost in between.
//
// Invariant: records come in the order in which the ring holds them; nothing is sorted here.
#pragma once

#include <cstdint>
#include <optional>

#include "call_reader.h"
#include "capture_content.h"
#include "record_walk.h"

namespace barefxt::host {

struct LostAmount {
  bool known = true;
  bool counted_elsewhere = false;  // with what was lost at an earlier place
  uint64_t records = 0;
  uint64_t bytes = 0;
};

// The losses at one place of a ring: dropped or overwritten on the target, or lost on the line.
struct Losses {
  std::optional<LostAmount> in_ring;
  std::optional<LostAmount> on_line;
  bool any() const { return in_ring || on_line; }
};

// Returns true if records are missing anywhere in a ring.
bool has_losses(const Ring& ring);
// The same behind its first record.
bool has_losses_inside(const Ring& ring);

class RingCursor {
 public:
  RingCursor(const CaptureContent& capture, const Ring& ring);

  uint16_t cpu() const { return ring_->cpu; }
  // No record is left. Losses at the end are losses_ahead() even then.
  bool is_over() const { return is_over_; }
  const RecordView& record() const { return record_; }
  // How many records of the ring are before it.
  uint64_t position() const { return position_; }
  ByteOrder order() const { return order_; }
  // The merge's sort key: the record's time by the capture's clock, or that of the last record that
  // had one.
  uint64_t time() const { return time_; }
  bool record_has_time() const { return record_has_time_; }
  // For every time in record().
  const ClockMap& clock() const { return is_by_next_clock_ ? next_clock_ : clock_; }

  // record() as a call of a function, unless the call refers to missing records.
  const std::optional<FunctionCall>& call() const { return call_; }

  // Lost right before record().
  const Losses& losses_ahead() const { return losses_; }
  // When the last record before bore its time; before the first, when the capture started.
  std::optional<uint64_t> time_before() const { return time_before_; }

  [[gnu::always_inline]] void step() {
    if (record_has_time_) time_before_ = time_;
    run_ = run_.subspan(bytes_in_run_);
    if (losses_.any()) losses_ = {};
    ++position_;
    if (!load_plain()) load();
  }

  // The rest of the piece, from record() on, if others may read events and records of scheduling
  // there by themselves; else nothing. Afterwards pass() takes the rest behind those, their number
  // and the time of the last.
  std::span<const uint8_t> plain_run() const {
    const bool is_plain = order_ == kOwnByteOrder && !losses_.any() && !call_ &&
                          !next_clock_.changes() && !calls_.has_base();
    return is_plain ? run_ : std::span<const uint8_t>();
  }
  void pass(std::span<const uint8_t> left, uint64_t records, uint64_t time_of_last) {
    run_ = left;
    position_ += records;
    time_ = time_of_last;
    time_before_ = time_of_last;
    load();
  }

  // For a ring that is arriving: pieces have come, or its end.
  void resume();
  // The losses at the end are written.
  void pass_end() { losses_ = {}; }
  size_t pieces_entered() const { return next_piece_; }
  size_t record_bytes() const { return bytes_in_run_; }
  // None has come yet behind record().
  bool is_last() const {
    return run_.size() == bytes_in_run_ && next_piece_ == ring_->pieces.size();
  }
  // The pieces that are not needed any more. If they are forgotten, the first `count` go.
  size_t pieces_read() const { return next_piece_ < 2 ? 0 : next_piece_ - 2; }
  void forget_pieces(size_t count);

 private:
  void load();
  // As load() does, for the records that most are: with their time as their second word, in the
  // middle of a piece, and nothing changes.
  bool load_plain() {
    constexpr size_t kTimedWords = fxt::Event::kFixedWords;
    if (call_ || run_.size() < kTimedWords * fxt::kWordBytes) return false;
    const uint64_t header = load_word(run_.data(), order_);
    const size_t words = fxt::RecordHeader::SizeWords::in(header);
    if (words < kTimedWords || words > run_.size() / fxt::kWordBytes) return false;
    const RecordView record{run_.first(words * fxt::kWordBytes), header};
    if (!has_plain_time(record) || next_clock_.changes() || calls_.needs(record)) return false;
    record_ = record;
    bytes_in_run_ = record.bytes.size();
    record_has_time_ = true;
    is_by_next_clock_ = false;
    time_ = clock_(word_at(record, 1, order_));
    return true;
  }
  [[gnu::noinline]] bool enter_piece();
  void load_clocks();
  void find_losses(const FrameEntry& piece);

  const CaptureContent* capture_;
  const Ring* ring_;
  size_t next_piece_ = 0;
  std::span<const uint8_t> run_;  // what is left of the current piece
  ByteOrder order_ = ByteOrder::kLittle;
  RingTotals totals_;  // ahead of the current piece
  // The clock of the current piece, and the next one. A record that was written while its CPU was
  // about to record the change already counts by the next.
  ClockMap clock_;
  ClockMap next_clock_;
  size_t piece_of_next_clock_ = 0;
  bool is_by_next_clock_ = false;
  RecordView record_;
  CallReader calls_;
  uint32_t segment_ = 0;  // of the current piece
  std::optional<FunctionCall> call_;
  size_t bytes_in_run_ = 0;  // of the record and what it is wrapped in
  uint64_t position_ = 0;
  bool is_over_ = false;
  bool record_has_time_ = false;
  uint64_t time_ = 0;
  std::optional<uint64_t> time_before_;
  Losses losses_;
  // Overwritten, as the first piece counts it, though nothing can be missing ahead of that.
  std::optional<LostAmount> overwritten_behind_;
};

}  // namespace barefxt::host
