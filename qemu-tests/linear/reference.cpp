#include "linear/reference.h"

#include <barefxt/barefxt.h>

#include "kernel/panic.h"
#include "linear.h"

namespace kernel::linear {

using barefxt::SegmentWalker;
using barefxt::fxt::Word;

SegmentWalker walk_ring() {
  using barefxt::linear::Place;
  const barefxt::Ring& ring = barefxt::rings[0];
  return {ring.memory, Place::kFirst, Place::offset_when_closed(ring.position.load_relaxed())};
}

void Reference::learn(void (*begin)(), void (*write)()) {
  for (unsigned round = 0; round < 2; ++round) {
    begin();
    write();
    barefxt_stop();
    attempted_ = {barefxt::rings[0].records_lost.value(), barefxt::rings[0].bytes_lost.value()};
    records_ = 0;
    bytes_ = 0;
    SegmentWalker walker = walk_ring();
    SegmentWalker::Record found;
    while (walker.next(found)) {
      KERNEL_ASSERT(found.finished && records_ < kMaxRecords &&
                    found.bytes <= sizeof(Record::words));
      Record& record = record_[records_++];
      bytes_ += found.bytes;
      KERNEL_ASSERT(round == 0 || record.bytes == found.bytes);
      record.bytes = found.bytes;
      for (uint32_t i = 0; i < found.bytes / sizeof(Word); ++i) {
        // Nothing but the time differs.
        if (round != 0 && found.words[i] != record.words[i]) {
          KERNEL_ASSERT(record.time_word == 0);
          record.time_word = i;
        }
        if (round == 0) record.words[i] = found.words[i];
      }
      KERNEL_ASSERT(round == 0 || record.time_word != 0);
    }
    attempted_.add({records_, bytes_});
  }
}

bool Reference::is_record(uint32_t i, const SegmentWalker::Record& found) const {
  const Record& record = record_[i];
  if (record.bytes != found.bytes) return false;
  for (uint32_t word = 0; word < record.bytes / sizeof(Word); ++word)
    if (word != record.time_word && record.words[word] != found.words[word]) return false;
  return true;
}

}  // namespace kernel::linear
