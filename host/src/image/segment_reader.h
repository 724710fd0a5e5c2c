// One segment of a ring (barefxt/segment.h), out of an image of memory: its header and its records,
// in the target's byte order.
//
// Invariant: for any content of the memory, no byte outside the readable part of the segment is
// read, and walking ends.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include <barefxt/fxt/ring_record.h>
#include <barefxt/segment_header.h>

#include "descriptor_search.h"

namespace barefxt::host {

struct SegmentFacts {
  uint32_t state = 0;
  uint32_t capture = 0;
  uint32_t sequence = 0;
  uint32_t end = 0;
  uint64_t records_lost = 0;
  uint64_t bytes_lost = 0;
  uint32_t cpu = 0;
  bool checksum_is_right = false;
  Amount overwritten{};
  Amount overwritten_with_content{};
};

// fxt::ClockWords; nothing: the clock that recording started with.
using Clock = std::optional<std::array<uint64_t, fxt::ClockWords::kCount>>;

// Finished records that lie side by side.
struct RecordRun {
  Bytes words;
  uint64_t records = 0;
  Clock clock;
};

struct SegmentRecords {
  std::vector<RecordRun> runs;  // of the last segment read
  Amount unfinished{};
  bool is_damaged = false;  // a record runs past the end, or something lies where nothing can
};

class SegmentReader {
 public:
  SegmentReader(const TargetMemory& memory, uint32_t segment_bytes, ByteOrder order)
      : memory_(memory), order_(order), buffer_(segment_bytes) {}

  // Reads the segment at an address of the target. Returns how much of it is there: with less than
  // a header there is nothing to ask for.
  size_t read(uint64_t address);
  bool is_cut() const { return there_ < buffer_.size(); }

  SegmentFacts facts() const;
  // Nothing was ever reserved in the segment, as far as it shows. A segment is prepared with the
  // clock if that has changed.
  bool is_empty() const;
  SegmentRecords records(const SegmentFacts& facts) const;

 private:
  uint64_t word(size_t at) const;
  // At `at`, where a clock is there and whole.
  Clock clock_at(size_t at) const;

  TargetMemory memory_;
  ByteOrder order_;
  std::vector<uint8_t> buffer_;
  size_t there_ = 0;
};

}  // namespace barefxt::host
