// A dump of a streaming session, ahead of the end of the stream or in the middle of it. Dump and
// stream each send what they would alone, and take nothing from each other.

#include <algorithm>

#include "session_fixture.h"

namespace barefxt::test::dump_of_stream_test {
namespace {

// Five segments' worth, and the one that was open.
constexpr uint32_t kRecords = 5 * (BAREFXT_SEGMENT_BYTES / 24) + 40;

class DumpOfStreamTest : public SessionTest {
 protected:
  void record_and_stop(size_t drains_before) {
    barefxt_config chosen = config(8);
    chosen.mode = BAREFXT_MODE_STREAMING;
    chosen.resend_segments = BAREFXT_RESEND_SEGMENTS;
    ASSERT_EQ(barefxt_start(&chosen), BAREFXT_OK);
    streamed_.clear();
    write_numbers(0, kRecords);
    for (size_t i = 0; i < drains_before; ++i) drain_once();
    const barefxt_stop_report report = barefxt_stop();
    ASSERT_EQ(report.recorded_records, kRecords);
    ASSERT_EQ(report.lost_records, 0u);
  }

  size_t drain_once() {
    uint8_t buffer[1500];
    const size_t bytes = barefxt_drain(buffer, sizeof buffer, BAREFXT_DUMP_BINARY);
    streamed_.insert(streamed_.end(), buffer, buffer + bytes);
    return bytes;
  }
  void drain() {
    while (drain_once() != 0) {
    }
  }

  // All of it, once, with any dumps meanwhile.
  void expect_whole_stream() {
    drain();
    ASSERT_TRUE(barefxt_drain_is_over());
    const std::vector<uint64_t> found = numbers(read(streamed_));
    ASSERT_EQ(found.size(), kRecords);
    for (size_t i = 0; i < found.size(); ++i) ASSERT_EQ(found[i], i);
    EXPECT_EQ(barefxt_stop().recorded_records, kRecords);
  }

  // Dumps, with a writer that drains all that there is, from its `from`-th call on.
  std::vector<uint8_t> dump_and_drain(size_t from, bool without_frames = false) {
    struct Line {
      DumpOfStreamTest* test;
      std::vector<uint8_t> dumped;
      size_t from;
      size_t calls;
    };
    Line line = {this, {}, from, 0};
    const barefxt_writer writer = {[](void* context, const uint8_t* bytes, size_t count) {
                                     Line& to = *static_cast<Line*>(context);
                                     // Before the bytes are looked at: they may be the segment's.
                                     if (to.calls++ >= to.from) to.test->drain();
                                     to.dumped.insert(to.dumped.end(), bytes, bytes + count);
                                   },
                                   &line};
    EXPECT_EQ(
        without_frames ? barefxt_dump_fxt(&writer) : barefxt_dump(&writer, BAREFXT_DUMP_BINARY),
        BAREFXT_OK);
    calls_ = line.calls;
    return line.dumped;
  }

  static void expect_ascending(const std::vector<uint64_t>& found) {
    EXPECT_EQ(std::adjacent_find(found.begin(), found.end(), std::greater_equal<>()), found.end());
  }

  static constexpr size_t kNever = ~size_t{0};
  std::vector<uint8_t> streamed_;
  size_t calls_ = 0;  // of a dump's writer
};

// The dump includes what was sent, since a dead line may have lost it.
TEST_F(DumpOfStreamTest, ItSendsWhatIsStillInMemory) {
  for (size_t drains = 0; drains < 20; drains += 2) {
    SCOPED_TRACE(drains);
    ASSERT_NO_FATAL_FAILURE(record_and_stop(drains));
    const std::vector<uint64_t> found = numbers(read(dump()));
    ASSERT_FALSE(found.empty());
    EXPECT_EQ(found.back(), kRecords - 1);
    EXPECT_EQ(found.back() - found.front() + 1, found.size());
    expect_ascending(found);
    EXPECT_EQ(numbers(read(dump())), found) << "it takes nothing";
    ASSERT_NO_FATAL_FAILURE(expect_whole_stream());
  }
}

TEST_F(DumpOfStreamTest, AStreamThatGoesOnBesideItIsWholeAndSoIsTheDump) {
  ASSERT_NO_FATAL_FAILURE(record_and_stop(0));
  dump_and_drain(kNever);
  const size_t calls = calls_;
  size_t left_meanwhile = 0;
  for (size_t from = 0; from < calls; from += std::max<size_t>(calls / 60, 1)) {
    SCOPED_TRACE(from);
    ASSERT_NO_FATAL_FAILURE(record_and_stop(3));
    const size_t streamed_before = streamed_.size();
    const std::vector<uint64_t> found = numbers(read(dump_and_drain(from)));
    expect_ascending(found);
    EXPECT_GT(streamed_.size(), streamed_before) << "the drain does not wait";
    left_meanwhile += found.size() < kRecords ? 1 : 0;
    ASSERT_NO_FATAL_FAILURE(expect_whole_stream());
  }
  EXPECT_GT(left_meanwhile, 0u);
}

TEST_F(DumpOfStreamTest, SoItIsWithoutFrames) {
  ASSERT_NO_FATAL_FAILURE(record_and_stop(0));
  dump_and_drain(kNever, true);
  const size_t calls = calls_;
  size_t with_records = 0;
  for (size_t from = 0; from < calls; from += std::max<size_t>(calls / 60, 1)) {
    SCOPED_TRACE(from);
    ASSERT_NO_FATAL_FAILURE(record_and_stop(3));
    // The magic number, which the target leaves to others.
    std::vector<uint8_t> bytes = {0x10, 0x00, 0x04, 0x46, 0x78, 0x54, 0x16, 0x00};
    const std::vector<uint8_t> dumped = dump_and_drain(from, true);
    bytes.insert(bytes.end(), dumped.begin(), dumped.end());
    const PlainArchive archive = decode_plainly(bytes);
    EXPECT_EQ(archive.problem_text(), "");
    expect_ascending(numbers(archive));
    with_records += numbers(archive).empty() ? 0 : 1;
    ASSERT_NO_FATAL_FAILURE(expect_whole_stream());
  }
  EXPECT_GT(with_records, 5u);
}

}  // namespace
}  // namespace barefxt::test::dump_of_stream_test
