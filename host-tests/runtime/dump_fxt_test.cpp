// The dump without frames: what a reader of the format makes of it, without the host's rebuild.

#include "former_search.h"
#include "record_time.h"
#include "session_fixture.h"

namespace barefxt::test::dump_fxt_test {
namespace {

BAREFXT_CATEGORY(work, 3);

class DumpFxtTest : public SessionTest {
 protected:
  static void append(void* context, const uint8_t* bytes, size_t count) {
    auto& all = *static_cast<std::vector<uint8_t>*>(context);
    all.insert(all.end(), bytes, bytes + count);
  }
  static PlainArchive stop_and_dump() {
    barefxt_stop();
    return dump_without_frames();
  }
};

// The words lie alone in their memory, which a sanitizer watches.
TEST(DamagedRecordTest, HasNoTimeAndNoThreadBehindItsEnd) {
  for (unsigned type = 0; type < 16; ++type)
    for (size_t size = 1; size <= 4; ++size)
      for (fxt::Word variant = 0; variant < 16; ++variant) {
        std::vector<fxt::Word> words(size, ~fxt::Word{0});
        words[0] = fxt::RecordHeader::make(static_cast<fxt::RecordType>(type), size) |
                   variant << 16 | variant << 36;
        SegmentWalker::Record record;
        record.words = words.data();
        record.bytes = static_cast<uint32_t>(size * fxt::kWordBytes);
        record.finished = true;
        threads_of(words.data(), size);
        size_t before = 0;
        TimePlaces places(record);
        for (size_t at = places.next(); at != 0; at = places.next()) {
          EXPECT_GT(at, before) << type << " " << size << " " << variant;
          EXPECT_LT(at, size) << type << " " << size << " " << variant;
          before = at;
        }
      }
}

TEST_F(DumpFxtTest, IsRefusedWhileRecording) {
  start();
  std::vector<uint8_t> bytes;
  const barefxt_writer writer = {append, &bytes};
  EXPECT_EQ(barefxt_dump_fxt(&writer), BAREFXT_ERROR_RUNNING);
  EXPECT_TRUE(bytes.empty());
}

TEST_F(DumpFxtTest, NamesThreadsBeforeTheRecordsAndHoldsThoseOfEachCpu) {
  barefxt_thread thread = {};
  barefxt_process_register(10, "proc");
  barefxt_thread_register(&thread, 10, 101, "alpha", 5);
  start();
  for (uint32_t cpu = 0; cpu < kCpus; ++cpu) {
    run_on_cpu(cpu);
    BAREFXT_EVENT(work, BAREFXT_EVENT_INSTANT, &thread, BAREFXT_TEXT("here"), 0,
                  BAREFXT_ARG_U32("cpu", cpu));
    BAREFXT_BLOB(work, BAREFXT_TEXT("blob"), BAREFXT_BLOB_DATA, "x", size_t{1});
  }
  run_on_cpu(0);
  const PlainArchive archive = stop_and_dump();
  EXPECT_EQ(archive.records.at(1).type, 1u) << "initialization comes first";
  const auto events = archive.events("here");
  ASSERT_EQ(events.size(), kCpus);
  for (uint32_t cpu = 0; cpu < kCpus; ++cpu) {
    EXPECT_EQ(events[cpu].argument("cpu")->bits, cpu);
    EXPECT_EQ(events[cpu].thread, 101u);
    EXPECT_EQ(events[cpu].process, 10u);
  }
  EXPECT_EQ(archive.of_type(5).size(), kCpus);
  bool named = false;
  for (const PlainRecord& object : archive.of_type(7))
    named = named || (object.value == 101 && object.name == "alpha");
  EXPECT_TRUE(named);
  barefxt_thread_unregister(&thread);
}

TEST_F(DumpFxtTest, NamesObjectsWithTheirTypes) {
  barefxt_object_register(501, BAREFXT_OBJECT_QUEUE, "jobs");
  start();
  std::vector<unsigned> types;
  const PlainArchive archive = stop_and_dump();
  for (const PlainRecord& object : archive.of_type(7))
    if (object.value == 501 && object.name == "jobs") types.push_back(object.subtype);
  EXPECT_EQ(types, std::vector<unsigned>{BAREFXT_OBJECT_QUEUE});
  EXPECT_EQ(archive.of_type(3).size(), size_t{kCpus}) << "objects have no thread index";
  barefxt_object_unregister(501);
}

TEST_F(DumpFxtTest, AThreadThatIsRenamedWhileItIsSentHasOneNameOrTheOther) {
  static barefxt_thread thread;
  static size_t left;
  static const char* name;
  barefxt_process_register(10, "proc");
  barefxt_thread_register(&thread, 10, 191, "alpha", 5);
  start();
  barefxt_stop();
  const auto write = [](void* context, const uint8_t* bytes, size_t count) {
    append(context, bytes, count);
    if (left-- == 0) barefxt_thread_rename(&thread, name);
  };
  size_t calls = 1;
  for (size_t at = 0; at < calls; ++at) {
    const bool grows = at % 2 == 0;
    const std::string before = grows ? "an" : "a name of 16 byt";
    const std::string after = grows ? "a name of 16 byt" : "an";
    barefxt_thread_rename(&thread, before.c_str());
    left = at;
    name = after.c_str();
    std::vector<uint8_t> bytes = {0x10, 0x00, 0x04, 0x46, 0x78, 0x54, 0x16, 0x00};
    const barefxt_writer writer = {write, &bytes};
    ASSERT_EQ(barefxt_dump_fxt(&writer), BAREFXT_OK);
    calls = at - left;
    const PlainArchive archive = decode_plainly(bytes);
    ASSERT_EQ(archive.problem_text(), "") << "renamed in call " << at;
    for (const PlainRecord& object : archive.of_type(7)) {
      if (object.value != 191) continue;
      ASSERT_TRUE(object.name == before || object.name == after)
          << object.name << ", renamed in call " << at;
    }
  }
  EXPECT_GT(calls, 10u);
  barefxt_thread_unregister(&thread);
}

TEST_F(DumpFxtTest, WhatAFullRingDroppedIsAnEventFromItsLastRecordOn) {
  start(2);
  for (uint32_t i = 0; i < 1000; ++i) BAREFXT_INSTANT(work, "n", BAREFXT_ARG_U32("i", i));
  const barefxt_stop_report report = barefxt_stop();
  const PlainArchive archive = stop_and_dump();
  const auto drops = archive.events("drop_stats");
  ASSERT_EQ(drops.size(), 1u);
  EXPECT_EQ(drops[0].argument("records")->bits, report.lost_records);
  EXPECT_EQ(drops[0].argument("bytes")->bits, report.lost_records * 24);
  EXPECT_EQ(drops[0].argument("where")->text, "ring");
  EXPECT_EQ(drops[0].thread, 0x7f000000u);
  EXPECT_EQ(drops[0].timestamp, archive.events("n").back().timestamp);
  EXPECT_GE(drops[0].value, drops[0].timestamp);
}

TEST_F(DumpFxtTest, ARecordThatWasNeverFinishedIsCountedAmongTheLost) {
  start();
  Reservation reservation;
  ASSERT_TRUE(reserve_slowly(Owner::kCpu, 32, reservation));
  BAREFXT_INSTANT(work, "after");
  const PlainArchive archive = stop_and_dump();
  EXPECT_EQ(archive.events("after").size(), 1u);
  ASSERT_EQ(archive.events("drop_stats").size(), 1u);
  EXPECT_EQ(archive.events("drop_stats")[0].argument("records")->bits, 1u);
  EXPECT_EQ(archive.events("drop_stats")[0].argument("bytes")->bits, 32u);
  RecordHeaderWord::commit(reservation.words, fxt::RecordHeader::make(fxt::RecordType::kLog, 4));
}

}  // namespace
}  // namespace barefxt::test::dump_fxt_test
