// The records that a ring has next, as long as they are plain: events and records of scheduling,
// and nothing changes with them. Most of a capture is that, and the merge takes it from here in
// a few instructions a record.
//
// Invariant: a lane that has left its cursor behind holds only records of the cursor's piece.
// leave() brings the cursor to the lane's record; until then only the lane knows the place.
#pragma once

#include <cstdint>
#include <span>

#include "ring_cursor.h"

namespace barefxt::host {

class PlainLane {
 public:
  // From the cursor's record on.
  void begin(const RingCursor& cursor) {
    const std::span<const uint8_t> run = cursor.plain_run();
    at_ = run.data();
    left_ = run.size();
    clock_ = &cursor.clock();
    is_plain_ = load();
  }
  // False: the cursor has to read what comes next.
  bool is_plain() const { return is_plain_; }
  RecordView record() const { return {{at_, record_bytes()}, header_}; }
  uint64_t time() const { return time_; }
  const ClockMap& clock() const { return *clock_; }

  // Behind the record. Returns is_plain().
  [[gnu::always_inline]] bool step() {
    at_ += record_bytes();
    left_ -= record_bytes();
    time_before_ = time_;
    ++passed_;
    return is_plain_ = load();
  }
  void leave(RingCursor& cursor) {
    if (passed_ != 0) cursor.pass({at_, left_}, passed_, time_before_);
    passed_ = 0;
    is_plain_ = false;
  }

 private:
  size_t record_bytes() const { return fxt::RecordHeader::SizeWords::in(header_)*fxt::kWordBytes; }
  [[gnu::always_inline]] bool load() {
    constexpr size_t kMinBytes = fxt::Event::kFixedWords * fxt::kWordBytes;
    constexpr unsigned kTypes = 1U << static_cast<unsigned>(fxt::RecordType::kEvent) |
                                1U << static_cast<unsigned>(fxt::RecordType::kScheduling);
    if (left_ < kMinBytes) return false;
    const uint64_t header = load_word(at_, kOwnByteOrder);
    const size_t bytes = fxt::RecordHeader::SizeWords::in(header)*fxt::kWordBytes;
    if (bytes < kMinBytes || bytes > left_ ||
        (kTypes >> static_cast<unsigned>(fxt::RecordHeader::type(header)) & 1) == 0)
      return false;
    header_ = header;
    time_ = (*clock_)(record_time({{at_, bytes}, header}, kOwnByteOrder).value_or(0));
    return true;
  }

  const uint8_t* at_ = nullptr;  // the record
  size_t left_ = 0;              // bytes of the piece, from the record on
  uint64_t header_ = 0;
  uint64_t time_ = 0;
  const ClockMap* clock_ = nullptr;
  uint64_t time_before_ = 0;  // of the last that was passed
  uint64_t passed_ = 0;       // records, since the cursor stood here
  bool is_plain_ = false;
};

}  // namespace barefxt::host
