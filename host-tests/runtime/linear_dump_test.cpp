// Every byte that a ring without segments sends, and what a stop and a dump make of writers that
// are in the middle.

#include <barefxt/fxt/event.h>
#include <barefxt/intern.h>

#include "linear_fixture.h"
#include "string_table.h"

namespace barefxt::test::linear_dump_test {
namespace {

BAREFXT_CATEGORY(work, 3);

using LinearDumpTest = LinearTest;
using LinearStopTest = LinearTest;

TEST_F(LinearDumpTest, ADumpIsTheseFrames) {
  static const uint8_t build_id[] = {0xb1, 0xb2, 0xb3};
  barefxt_object_register(501, BAREFXT_OBJECT_QUEUE, "jobs");
  barefxt_config chosen = config(8);
  chosen.wall_clock_ns = 1'700'000'000'000'000'000;
  chosen.build_id = build_id;
  chosen.build_id_bytes = sizeof build_id;
  set_time(0x1'8000'0000);
  ASSERT_EQ(barefxt_start(&chosen), BAREFXT_OK);
  const uint64_t started = rings[0].start_ticks;
  EXPECT_GT(started, 0x1'8000'0000u);
  set_time(0x2'0000'0000);
  std::vector<Words> records;
  barefxt_context_switch(&a_, BAREFXT_STATE_BLOCKED, &b_);
  // States as the format numbers them.
  records.push_back(context_switch(0x2'0000'0001, 0, 3, 2, 3, 5, 6));
  const uint32_t category = BAREFXT_STRING("work");
  const uint32_t name = BAREFXT_STRING("numbered");
  const uint32_t argument = BAREFXT_STRING("n");
  for (uint32_t n = 0; n < 100; ++n) {
    BAREFXT_INSTANT(work, "numbered", BAREFXT_ARG_U32("n", n));
    records.push_back(instant(0x2'0000'0002 + n, 3, category, name, argument, n));
  }
  barefxt_context_switch(&b_, BAREFXT_STATE_BLOCKED, &a_);
  records.push_back(context_switch(0x2'0000'0066, 0, 3, 3, 2, 6, 5));
  barefxt_thread none = {};
  barefxt_context_switch(&a_, BAREFXT_STATE_BLOCKED, &none);  // reads the counter, or not
  Reservation unfinished;
  ASSERT_TRUE(reserve_slowly(Owner::kNobody, 40, unfinished));
  barefxt_stop();
  const uint64_t stopped = linear::stop_ticks(rings[0]);
  EXPECT_GT(stopped, 0x2'0000'0066u);

  std::vector<Bytes> frames;
  const auto frame = [&](wire::FrameType type, unsigned flags, const ByteBuilder& payload) {
    frames.push_back(make_frame(static_cast<unsigned>(type), flags, static_cast<uint32_t>(started),
                                static_cast<uint32_t>(frames.size()), payload.bytes()));
  };
  const auto tables = [&](unsigned flags) {
    ByteBuilder hello;
    hello.u64(1000000000).u64(started).u64(chosen.wall_clock_ns).u32(kSegmentBytes);
    hello.u16(5).u16(string_count()).u16(1).u8(1).u8(7).u8(64);
    hello.u8(4).u8(3).u8(0).raw("host").u8(0xb1).u8(0xb2).u8(0xb3);
    frame(wire::FrameType::kHello, flags, hello);
    for (uint32_t index = 1; index <= string_count(); ++index) {
      const std::string text = string_text(index);
      frame(wire::FrameType::kStrings, flags, ByteBuilder().u16(index).u16(text.size()).raw(text));
    }
    const auto thread = [&](unsigned place, unsigned kind, unsigned index, uint32_t koid,
                            uint32_t process, const std::string& named) {
      ByteBuilder payload;
      payload.u16(place).u8(kind).u8(index).u8(named.size()).u32(koid).u32(process).raw(named);
      frame(wire::FrameType::kThreads, flags, payload);
    };
    thread(254, 3, 255, 0x7f000000, 0x7e000000, "cpu-0");
    thread(0, 1, 0, 10, 10, "proc");
    thread(1, 2, 2, 101, 10, "alpha");
    thread(2, 2, 3, 102, 10, "beta");
    thread(3, 4, 0, 501, BAREFXT_OBJECT_QUEUE, "jobs");
  };
  tables(0);
  uint64_t before = 0;
  uint64_t bytes_before = 0;
  for (size_t at = 0; at < records.size();) {
    Bytes run;
    uint64_t in_run = 0;
    while (at < records.size() && run.size() + 8 * records[at].size() <= 1024 - 40) {
      const Bytes bytes = words_to_bytes(records[at++]);
      run.insert(run.end(), bytes.begin(), bytes.end());
      ++in_run;
    }
    ByteBuilder payload;
    payload.u16(0).u8(0).u8(0).u32(0).u64(before).u64(bytes_before).u64(0).u64(0).raw(run);
    frame(wire::FrameType::kRecords, 0, payload);
    before += in_run;
    bytes_before += run.size();
  }
  EXPECT_EQ(before, 102u);
  tables(2);
  ByteBuilder end;
  end.u64(stopped).u16(1).u64(before).u64(bytes_before).u64(1).u64(16).u32(1).u32(40).u32(0);
  frame(wire::FrameType::kEnd, 0, end);
  // Frame by frame first, for a better message of a failure.
  const std::vector<Bytes> sent = on_the_line(dump());
  const std::vector<Bytes> expected = on_the_line(binary_form(frames));
  ASSERT_EQ(sent.size(), expected.size());
  for (size_t i = 0; i < sent.size(); ++i) ASSERT_EQ(sent[i], expected[i]) << "frame " << i;
}

TEST_F(LinearDumpTest, ATargetsNameAndABuildIdAreCutToWhatTheHelloHolds) {
  std::string target(Descriptor::kTargetBytes - 1, 't');
  target += "\xc3\xa9";
  const std::vector<uint8_t> build_id(200, 0xab);
  barefxt_config chosen = config(8);
  chosen.target = target.c_str();
  chosen.build_id = build_id.data();
  chosen.build_id_bytes = 200;
  ASSERT_EQ(barefxt_start(&chosen), BAREFXT_OK);
  stop_and_read();
  EXPECT_TRUE(rebuilt_.reports(target.substr(0, target.size() - 2) + " (capture"))
      << rebuilt_.messages;
}

TEST_F(LinearStopTest, AStopCountsThoseThatAreInTheMiddleAndADumpLeavesThemOut) {
  start(2);
  BAREFXT_INSTANT(work, "first");
  Reservation slow[3];
  for (uint32_t i = 0; i < 3; ++i) {
    ASSERT_TRUE(reserve_slowly(Owner::kCpu, 16 + 8 * i, slow[i]));
    BAREFXT_INSTANT(work, "between");
  }
  *slow[1].words = 0;  // as between the swap and the first store
  barefxt_stop_report report = barefxt_stop();
  EXPECT_EQ(report.unfinished_records, 3u);
  EXPECT_EQ(report.recorded_records, 4u);
  EXPECT_EQ(barefxt_unfinished(), 3u);
  EXPECT_EQ(barefxt_wait_unfinished(10), 3u);
  rebuilt_ = rebuild(dump());
  EXPECT_TRUE(rebuilt_.reports("3 records")) << rebuilt_.messages;
  PlainArchive archive = decode_plainly(rebuilt_.archive);
  EXPECT_EQ(archive.problem_text(), "");
  EXPECT_EQ(archive.events("between").size(), 3u);

  for (uint32_t i : {1u, 0u, 2u}) {
    for (uint32_t word = 1; word < slow[i].bytes / 8; ++word) slow[i].words[word] = slow[i].ticks;
    const fxt::Word header =
        fxt::Event::make(fxt::EventType::kInstant, slow[i].bytes / 8, 0,
                         fxt::ThreadRef::index(linear::kCpuThreadIndex), fxt::StringRef::empty(),
                         fxt::StringRef{static_cast<uint16_t>(BAREFXT_STRING("first"))});
    if (i == 0) {
      // Stored, but not counted as done yet: so it counts as at work.
      RecordHeaderWord::store_committed(slow[i].words, header);
      EXPECT_EQ(barefxt_unfinished(), 2u);
      EXPECT_EQ(barefxt_stop().unfinished_records, 2u);
      EXPECT_EQ(barefxt_stop().recorded_records, 5u);
      count_finished();
    } else if (i == 1) {
      RecordHeaderWord::commit(slow[i].words, header);
    }
  }
  EXPECT_EQ(barefxt_unfinished(), 1u);
  report = barefxt_stop();
  EXPECT_EQ(report.unfinished_records, 1u);
  EXPECT_EQ(report.recorded_records, 6u);
}

TEST_F(LinearStopTest, ABlobThatAStopInterruptsLosesNothingThatCounts) {
  start(8);
  set_time(1000);
  static unsigned chunks;
  chunks = 0;
  // At the third chunk's look at the counter, ahead of its swap.
  barefxt_host_counter = [] {
    static uint64_t ticks = 1'000'000;
    if (++chunks == 3) barefxt_stop();
    return ++ticks;
  };
  const std::string bytes(10 * kSegmentBytes / 4, 'b');
  BAREFXT_BLOB(work, BAREFXT_TEXT("blob"), BAREFXT_BLOB_DATA, bytes.data(), bytes.size());
  const barefxt_stop_report report = barefxt_stop();
  EXPECT_EQ(report.recorded_records, 2u);
  EXPECT_EQ(report.lost_records, 0u);
}

}  // namespace
}  // namespace barefxt::test::linear_dump_test
