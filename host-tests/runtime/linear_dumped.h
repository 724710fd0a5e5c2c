// The dump of a ring without segments, taken apart with nothing but the runtime, for tests that are
// built alone: its records, in their order, and the thread that each names.
#pragma once

#include <gtest/gtest.h>
#include <vector>

#include <barefxt/barefxt.h>
#include <barefxt/fxt/event.h>
#include <barefxt/fxt/scheduling.h>

#include "linear.h"
#include "torture/frame_reader.h"

namespace barefxt::test {

struct DumpedRecord {
  std::vector<fxt::Word> words;

  fxt::Word header() const { return words[0]; }
  uint64_t ticks() const { return words[1]; }
  bool is_switch() const {
    return fxt::RecordHeader::type(header()) == fxt::RecordType::kScheduling;
  }
  // The index of the thread that the record names; of a switch, of the one that comes in.
  uint32_t thread() const {
    return static_cast<uint32_t>(is_switch()
                                     ? fxt::LegacyContextSwitch::IncomingThread::in(header())
                                     : fxt::Event::Thread::in(header()));
  }
};

class DumpedRecords : public torture::RecordSink {
 public:
  void segment(uint32_t, uint32_t sequence) override { EXPECT_EQ(sequence, 0u); }
  void record(const fxt::Word* words, uint32_t count) override {
    records.push_back({{words, words + count}});
  }

  // Dumps, and compares the records with the numbers in the end and in the report.
  static DumpedRecords of_dump(const barefxt_stop_report& report) {
    DumpedRecords dumped;
    torture::FrameReader reader(dumped);
    const barefxt_writer writer = {&torture::FrameReader::write, &reader};
    EXPECT_EQ(barefxt_dump(&writer, BAREFXT_DUMP_BINARY), BAREFXT_OK);
    EXPECT_STREQ(reader.problem(), nullptr);
    dumped.end = reader.totals();
    EXPECT_TRUE(dumped.end.came);
    EXPECT_EQ(dumped.end.records, dumped.records.size());
    EXPECT_EQ(dumped.end.lost, report.lost_records);
    EXPECT_EQ(dumped.end.records, report.recorded_records);
    EXPECT_EQ(dumped.end.unfinished, report.unfinished_records);
    return dumped;
  }

  uint64_t bytes() const {
    uint64_t bytes = 0;
    for (const DumpedRecord& record : records) bytes += record.words.size() * sizeof(fxt::Word);
    return bytes;
  }
  // Times never fall, and each event names the thread that the last switch brought in.
  void expect_in_order(uint32_t first_thread = linear::kCpuThreadIndex) const {
    uint64_t ticks = 0;
    uint32_t running = first_thread;
    for (const DumpedRecord& record : records) {
      EXPECT_GT(record.ticks(), ticks);
      ticks = record.ticks();
      if (record.is_switch())
        running = record.thread();
      else
        EXPECT_EQ(record.thread(), running);
    }
  }

  std::vector<DumpedRecord> records;
  torture::EndTotals end;
};

}  // namespace barefxt::test
