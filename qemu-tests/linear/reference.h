// The records of an undisturbed writer, learned by letting it write: two runs that differ in their
// times alone also reveal which word is the time. The demo shows that the content of these records
// is right; a sweep checks that interrupts in between do not change them.
#pragma once

#include <barefxt/ring.h>
#include <barefxt/segment.h>

namespace kernel::linear {

struct Amount {
  uint64_t records = 0;
  uint64_t bytes = 0;

  void add(const Amount& more) {
    records += more.records;
    bytes += more.bytes;
  }
  bool operator==(const Amount& other) const {
    return records == other.records && bytes == other.bytes;
  }
};

class Reference {
 public:
  // `begin` is called ahead of `write`, twice.
  void learn(void (*begin)(), void (*write)());

  static constexpr uint32_t kMaxRecords = 4;
  uint32_t records() const { return records_; }
  uint32_t bytes() const { return bytes_; }
  // Including what is lost however much room there is.
  const Amount& attempted() const { return attempted_; }

  // Returns true if that is record `i`, except for its time.
  bool is_record(uint32_t i, const barefxt::SegmentWalker::Record& found) const;
  uint64_t time_in(uint32_t i, const barefxt::SegmentWalker::Record& found) const {
    return found.words[record_[i].time_word];
  }

 private:
  static constexpr uint32_t kMaxWords = 8;
  struct Record {
    barefxt::fxt::Word words[kMaxWords];
    uint32_t bytes;
    uint32_t time_word;
  };
  Record record_[kMaxRecords] = {};
  uint32_t records_ = 0;
  uint32_t bytes_ = 0;
  Amount attempted_;
};

// Walks all that is reserved in the ring.
barefxt::SegmentWalker walk_ring();

}  // namespace kernel::linear
