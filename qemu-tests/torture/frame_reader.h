// Takes binary frames apart as they come, and gives their records to a sink.
//
// For a line that loses nothing: what is not as it must be is a problem, nothing is repaired.
#pragma once

#include <stddef.h>

#include <barefxt/config.h>
#include <barefxt/wire/frame.h>

#include "torture/record_sink.h"

namespace barefxt::torture {

// The totals in a dump's end, over all CPUs.
struct EndTotals {
  bool came = false;
  uint64_t stop_ticks = 0;
  uint64_t records = 0;
  uint64_t lost = 0;
  uint64_t lost_bytes = 0;
  uint64_t unfinished = 0;
};

class FrameReader {
 public:
  explicit constexpr FrameReader(RecordSink& sink) : sink_(sink) {}

  // Restores the state after construction.
  void clear();
  void take(const uint8_t* bytes, size_t count);
  // For barefxt_writer, with the reader as its context.
  static void write(void* context, const uint8_t* bytes, size_t count) {
    static_cast<FrameReader*>(context)->take(bytes, count);
  }

  const EndTotals& totals() const { return totals_; }
  const char* problem() const { return problem_; }

 private:
  static constexpr size_t kMax = BAREFXT_SEGMENT_BYTES + 256;
  // Words of records lie aligned in the buffer.
  static constexpr size_t kShift =
      (wire::FrameHeader::kBytes + wire::Records::kWords) % fxt::kWordBytes;

  void put(uint8_t byte);
  void frame();
  void records(const uint8_t* payload, size_t bytes);
  void end(const uint8_t* payload);
  void fail(const char* problem) {
    if (problem_ == nullptr) problem_ = problem;
  }

  RecordSink& sink_;
  EndTotals totals_;
  const char* problem_ = nullptr;
  uint32_t next_sequence_ = 0;
  // COBS: bytes left of a block, and whether a zero follows it.
  unsigned left_ = 0;
  bool zero_follows_ = false;
  size_t used_ = 0;
  alignas(8) uint8_t buffer_[kShift + kMax] = {};
};

}  // namespace barefxt::torture
