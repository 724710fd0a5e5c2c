#include "sweep/reference.h"

#include "kernel/panic.h"
#include "sweep/place.h"

namespace kernel::sweep {

using barefxt::SegmentWalker;
using barefxt::fxt::Word;

void Reference::learn(const Path& path) {
  records_ = 0;
  for (unsigned round = 0; round < 2; ++round) {
    go_to(kModes[0], kOpen, path.runs, 0);
    path.write();
    barefxt_stop();
    attempted_ = {barefxt::rings[0].records_lost.value(), barefxt::rings[0].bytes_lost.value()};
    loses_ = attempted_.records != 0;

    SegmentWalker walker(barefxt::rings[0].segment(0));
    SegmentWalker::Record found;
    uint32_t count = 0;
    uint32_t words = 0;
    while (walker.next(found)) {
      if (round == 0) {
        KERNEL_ASSERT(count < kMaxRecords && words + found.bytes / sizeof(Word) <= kMaxWords);
        record_[count] = {&words_[words], found.bytes, 0};
        for (uint32_t i = 0; i < found.bytes / sizeof(Word); ++i)
          words_[words + i] = found.words[i];
      } else {
        ReferenceRecord& record = record_[count];
        KERNEL_ASSERT(count < records_ && record.bytes == found.bytes);
        for (uint32_t i = 0; i < found.bytes / sizeof(Word); ++i) {
          if (found.words[i] == record.words[i]) continue;
          KERNEL_ASSERT(record.time_word == 0);  // nothing else may differ
          record.time_word = i;
        }
        KERNEL_ASSERT(record.time_word != 0);
      }
      ++count;
      words += found.bytes / static_cast<uint32_t>(sizeof(Word));
    }
    records_ = count;
    bytes_ = words * static_cast<uint32_t>(sizeof(Word));
    attempted_.records += records_;
    attempted_.bytes += bytes_;
  }
}

bool Reference::is_record(uint32_t i, const SegmentWalker::Record& found) const {
  const ReferenceRecord& record = record_[i];
  if (record.bytes != found.bytes) return false;
  for (uint32_t word = 0; word < record.bytes / sizeof(Word); ++word)
    if (word != record.time_word && record.words[word] != found.words[word]) return false;
  return true;
}

}  // namespace kernel::sweep
