// Segments that a drain has sent and keeps for a while, the last few of each CPU, so that what was
// lost on the line can be sent once more.
//
// A kept segment is held: no writer looks at it, and it is given back when enough others were sent.
// So keeping costs the writers nothing but the room.
#pragma once

#include "trace_frames.h"

namespace barefxt {

inline constexpr uint32_t kResendSegments = BAREFXT_RESEND_SEGMENTS;
static_assert(kResendSegments == 0 || kWayBack,
              "BAREFXT_RESEND_SEGMENTS requires BAREFXT_WAY_BACK");

struct SentSegment {
  SegmentHeader* segment = nullptr;
  Amount before = {0, 0};  // sent of this CPU ahead of it
};

// Segments of one CPU.
class SentSegments {
 public:
  // Returns the segment that has to be given back so that this one is kept: itself if none is kept,
  // or null.
  SegmentHeader* leaves_for(SegmentHeader& segment) const {
    return most_ == 0 ? &segment : entries_[next_].segment;
  }
  // After that was given back.
  void keep(SegmentHeader& segment, const Amount& before) {
    if (most_ == 0) return;
    SentSegment& entry = entries_[next_];
    next_ = next_ + 1 < most_ ? next_ + 1 : 0;
    entry.segment = &segment;
    entry.before.records = before.records;
    entry.before.bytes = before.bytes;
  }
  // Another session has their memory, and wants the last `most` kept.
  void begin(uint32_t most) {
    for (SentSegment& entry : entries_) entry.segment = nullptr;
    next_ = 0;
    most_ = most;
  }

  const SentSegment* begin() const { return entries_; }
  const SentSegment* end() const { return entries_ + kEntries; }

 private:
  static constexpr uint32_t kEntries = kResendSegments == 0 ? 1 : kResendSegments;
  SentSegment entries_[kEntries];
  uint32_t most_ = 0;
  uint32_t next_ = 0;
};

// Records of a CPU by their numbers in the order of sending.
struct SentRecords {
  uint16_t cpu;
  uint32_t count;
  uint64_t first;
};

// Sends the records of a segment whose numbers are at least `first` and below `end`. `before`: sent
// of the ring ahead of this segment. False: there is none.
bool resend_of(TraceFrames& frames, const SegmentHeader& segment, const Amount& before,
               uint64_t first, uint64_t end);

// The drain sends those of them that are still kept; false if none is.
bool resend_records(TraceFrames& frames, const SentRecords& records);

}  // namespace barefxt
