// The records of an undisturbed path, learned by letting it write: two runs that differ in their
// times alone also reveal which word is the time. Other tests show that the content of these
// records is right; a sweep checks that interrupts in between do not change them.
#pragma once

#include <barefxt/ring.h>

#include "sweep/paths.h"

namespace kernel::sweep {

struct ReferenceRecord {
  const barefxt::fxt::Word* words;
  uint32_t bytes;
  uint32_t time_word;
};

class Reference {
 public:
  void learn(const Path& path);

  static constexpr uint32_t kMaxRecords = 8;
  uint32_t records() const { return records_; }
  const ReferenceRecord& record(uint32_t i) const { return record_[i]; }
  uint32_t bytes() const { return bytes_; }
  // Including what is lost however much room there is.
  const barefxt::Amount& attempted() const { return attempted_; }
  bool loses() const { return loses_; }

  // Returns true if that is record `i`, except for its time.
  bool is_record(uint32_t i, const barefxt::SegmentWalker::Record& found) const;

 private:
  static constexpr uint32_t kMaxWords = 400;
  barefxt::fxt::Word words_[kMaxWords] = {};
  ReferenceRecord record_[kMaxRecords] = {};
  uint32_t records_ = 0;
  uint32_t bytes_ = 0;
  barefxt::Amount attempted_ = {};
  bool loses_ = false;
};

}  // namespace kernel::sweep
