// Checks that the records read of a torture are whole and in order.
//
// Per ring: times never fall, and each writer's numbers rise. A segment that is read later than its
// successor (a drain passes over one with an unfinished record) is checked by itself.
#pragma once

#include <stdint.h>

#include <barefxt/fxt/field.h>

#include "torture/record_sink.h"
#include "torture/records.h"

namespace barefxt::torture {

class Checker final : public RecordSink {
 public:
  static constexpr uint32_t kMaxRings = 8;

  // Restores the state after construction.
  void clear();
  void segment(uint32_t ring, uint32_t sequence) override;
  void record(const fxt::Word* words, uint32_t count) override;

  uint64_t records() const { return records_; }
  // Those that a torture wrote.
  uint64_t written() const { return written_; }
  // Returns true if the segments read so far are all there are: no number is left out.
  bool no_segment_is_missing() const;
  // Returns the problem, or null.
  const char* problem() const { return problem_; }

  // Gets each record of a torture, unless it is null.
  void (*each)(void* context, uint32_t writer, uint32_t number) = nullptr;
  void* context = nullptr;

 private:
  struct Order {
    uint64_t ticks = 0;
    uint32_t sequence = 0;  // the highest
    uint32_t segments = 0;  // how many
    uint32_t next[kMaxWriters] = {};
  };

  void fail(const char* problem) {
    if (problem_ == nullptr) problem_ = problem;
  }
  void own(const fxt::Word* arguments, uint32_t words, bool has_text);

  Order order_[kMaxRings];
  Order late_;
  uint32_t late_ring_ = 0;
  Order* now_ = &late_;
  uint64_t records_ = 0;
  uint64_t written_ = 0;
  const char* problem_ = nullptr;
};

}  // namespace barefxt::torture
