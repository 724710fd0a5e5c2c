// Frames that a stream has sent and the line has lost are sent once more, as long as they are kept.

#include <algorithm>

#include "session_fixture.h"
#include "target_line.h"

namespace barefxt::test::resend_test {
namespace {

// Two segments' worth, as this runtime is built, and the one that is open.
constexpr uint32_t kRecords = 3 * (BAREFXT_SEGMENT_BYTES / 24);
constexpr uint8_t kRecordsType = 4;

class ResendTest : public SessionTest {
 protected:
  static void append(void* context, const uint8_t* bytes, size_t count) {
    auto& all = *static_cast<Bytes*>(context);
    all.insert(all.end(), bytes, bytes + count);
  }
  static std::vector<Bytes> drain(barefxt_dump_form form = BAREFXT_DUMP_BINARY) {
    Bytes sent;
    std::vector<uint8_t> buffer(BAREFXT_DRAIN_BYTES);
    while (const size_t bytes = barefxt_drain(buffer.data(), buffer.size(), form))
      sent.insert(sent.end(), buffer.begin(), buffer.begin() + static_cast<ptrdiff_t>(bytes));
    return frames_of(sent);
  }
  // The frames on the line, each between its zero bytes.
  static std::vector<Bytes> frames_of(const Bytes& sent) {
    std::vector<Bytes> frames;
    Bytes frame;
    for (const uint8_t byte : sent) {
      frame.push_back(byte);
      if (byte != 0 || frame.size() == 1) continue;
      frames.push_back(frame);
      frame.clear();
    }
    return frames;
  }
  // Behind the zero and the code byte: version, type.
  static uint8_t type_of(const Bytes& frame) { return frame[3]; }

  // Status of the answer; what was sent is in `resent_`.
  unsigned ask(uint16_t cpu, uint64_t first, uint32_t count) {
    const Bytes payload = ByteBuilder().u8(7).u8(0).u16(cpu).u32(count).u64(first).bytes();
    for (const uint8_t byte : binary_form({make_frame(7, 0, 0, ++number_, payload, 3)}))
      barefxt_receive(byte);
    resent_.clear();
    const barefxt_writer writer = {&append, &resent_};
    EXPECT_TRUE(barefxt_serve(&writer, BAREFXT_DUMP_BINARY_CODED, nullptr));
    host::Rebuild reader([](const std::string&) {});
    EXPECT_TRUE(reader.feed(resent_).ok());
    EXPECT_TRUE(reader.arrival().answer.has_value());
    return reader.arrival().answer.value_or(host::Answer{}).status;
  }

  void start_streaming() {
    barefxt_config chosen = config(8);
    chosen.mode = BAREFXT_MODE_STREAMING;
    chosen.resend_segments = BAREFXT_RESEND_SEGMENTS;
    ASSERT_EQ(barefxt_start(&chosen), BAREFXT_OK);
  }
  // Streams kRecords records to the end. The third segment is not full.
  std::vector<Bytes> stream_all() {
    start_streaming();
    std::vector<Bytes> frames;
    const auto take = [&] {
      for (Bytes& frame : drain()) frames.push_back(std::move(frame));
    };
    for (uint32_t i = 0; i < kRecords; i += 50) {
      write_numbers(i, std::min(i + 50, kRecords));
      take();
    }
    report_ = barefxt_stop();
    for (int i = 0; i < 1000 && !barefxt_drain_is_over(); ++i) take();
    EXPECT_TRUE(barefxt_drain_is_over());
    return frames;
  }

  static uint32_t number_;
  Bytes resent_;
  barefxt_stop_report report_ = {};
};
uint32_t ResendTest::number_ = 5000;

TEST_F(ResendTest, EachFrameThatIsLostAndKeptIsMendedToTheBit) {
  const std::vector<Bytes> frames = stream_all();
  EXPECT_EQ(report_.recorded_records, kRecords);
  const Rebuilt whole = rebuild(frames);
  ASSERT_EQ(whole.verdict, host::RebuildVerdict::kComplete) << whole.messages;
  uint64_t first = 0;
  unsigned repaired = 0;
  unsigned gone = 0;
  for (size_t lost = 0; lost < frames.size(); ++lost) {
    if (type_of(frames[lost]) != kRecordsType) continue;
    SCOPED_TRACE(lost);
    host::Rebuild alone([](const std::string&) {});
    ASSERT_TRUE(alone.feed(frames[lost]).ok());
    const auto count = static_cast<uint32_t>(alone.arrival().records);
    const unsigned status = ask(0, first, count);
    first += count;
    if (status == 12) {
      EXPECT_EQ(repaired, 0u) << "the oldest are gone first";
      ++gone;
      continue;
    }
    ASSERT_EQ(status, 0u);
    ++repaired;
    std::vector<Bytes> arrived = frames;
    arrived.erase(arrived.begin() + static_cast<ptrdiff_t>(lost));
    EXPECT_EQ(rebuild(arrived).verdict, host::RebuildVerdict::kIncomplete);
    arrived.push_back(resent_);
    const Rebuilt rebuilt = rebuild(arrived);
    EXPECT_EQ(rebuilt.verdict, host::RebuildVerdict::kComplete) << rebuilt.messages;
    EXPECT_EQ(rebuilt.archive, whole.archive);
  }
  EXPECT_EQ(first, kRecords);
  EXPECT_GT(repaired, 4u);
  EXPECT_GT(gone, 0u);
}

TEST_F(ResendTest, OnlyWhatWasAskedForIsSent) {
  const std::vector<Bytes> frames = stream_all();
  ASSERT_EQ(ask(0, kRecords - 7, 3), 0u);
  host::Rebuild reader([](const std::string&) {});
  ASSERT_TRUE(reader.feed(resent_).ok());
  EXPECT_EQ(reader.arrival().records, 3u);
  EXPECT_EQ(ask(0, kRecords, 1), 12u);
  EXPECT_EQ(ask(1, 0, 1), 12u);
  EXPECT_EQ(ask(0xffff, 0, 1), 12u);
  EXPECT_EQ(ask(0, ~0ull, 0xffffffff), 12u);
  EXPECT_EQ(ask(0, kRecords - 7, 0), 12u);
}

TEST_F(ResendTest, OfASegmentThatIsLeavingWhatHasLeftIsSentAgain) {
  start(8, ~0u, BAREFXT_MODE_STREAMING);
  write_numbers(0, kRecords);
  std::vector<uint8_t> buffer(600);
  host::Rebuild line([](const std::string&) {});
  while (line.arrival().records == 0) {
    const size_t bytes = barefxt_drain(buffer.data(), buffer.size(), BAREFXT_DUMP_BINARY);
    ASSERT_TRUE(line.feed({buffer.data(), bytes}).ok());
  }
  const uint64_t left = line.arrival().records;
  ASSERT_LT(left, kRecords / 3);
  ASSERT_EQ(ask(0, 0, kRecords), 0u);
  host::Rebuild again([](const std::string&) {});
  ASSERT_TRUE(again.feed(resent_).ok());
  EXPECT_EQ(again.arrival().records, left) << "the rest will be sent";
  EXPECT_EQ(ask(0, left, 1), 12u);
}

TEST_F(ResendTest, ARecordThatIsFinishedBehindItsSegmentIsInNoResend) {
  start_streaming();
  write_numbers(0, 3);
  Reservation late;
  ASSERT_TRUE(reserve_slowly(Owner::kCpu, 16, late));
  write_numbers(3, 40);
  barefxt_stop();
  set_time(uint64_t{1} << 40);  // it waits for the record no longer
  std::vector<uint8_t> buffer(600);
  host::Rebuild line([](const std::string&) {});
  while (line.arrival().records == 0) {
    const size_t bytes = barefxt_drain(buffer.data(), buffer.size(), BAREFXT_DUMP_BINARY);
    ASSERT_TRUE(line.feed({buffer.data(), bytes}).ok());
  }
  late.words[1] = late.ticks;
  RecordHeaderWord::commit(late.words, fxt::Event::make(fxt::EventType::kInstant, 2, 0,
                                                        fxt::ThreadRef::index(1), {}, {}));
  for (int i = 0; i < 1000 && !barefxt_drain_is_over(); ++i) drain();
  EXPECT_EQ(ask(0, 0, 40), 12u) << "its records would have other numbers";
}

TEST_F(ResendTest, TheCommandAsksForWhatTheLineLost) {
  const std::vector<Bytes> frames = stream_all();
  // The last two frames of records, and one that is long gone.
  std::vector<size_t> lost;
  for (size_t i = 0; i < frames.size(); ++i)
    if (type_of(frames[i]) == kRecordsType) lost.push_back(i);
  ASSERT_GT(lost.size(), 4u);
  for (const bool with_the_oldest : {false, true}) {
    unsigned resends_to_lose = 1;
    std::vector<Bytes> arrived;
    for (size_t i = 0; i < frames.size(); ++i)
      if (i != lost.back() && i != lost[lost.size() - 2] && !(with_the_oldest && i == lost[0]))
        arrived.push_back(frames[i]);
    const TargetLine line;
    bool is_first = true;
    const int status = line.capture("--resends", [&](int handle) {
      if (is_first) {
        is_first = false;
        for (const Bytes& frame : arrived) TargetLine::send(handle, frame);
        return true;
      }
      const Bytes bytes = TargetLine::receive(handle);
      for (const uint8_t byte : bytes) barefxt_receive(byte);
      Bytes sent;
      const barefxt_writer writer = {&append, &sent};
      if (barefxt_serve(&writer, BAREFXT_DUMP_BINARY, nullptr)) {
        // Resent frames are lost again, all but the answer.
        if (resends_to_lose != 0 && frames_of(sent).size() > 1) {
          --resends_to_lose;
          sent = frames_of(sent).back();
        }
        TargetLine::send(handle, sent);
      }
      return !bytes.empty();
    });
    EXPECT_EQ(status, with_the_oldest ? 3 : 0) << line.messages();
    if (!with_the_oldest) {
      EXPECT_EQ(line.archive(), rebuild(frames).archive);
    }
    EXPECT_TRUE(contains(line.messages(), "resent on request"));
    EXPECT_EQ(line.messages().find("lost on the line") != std::string::npos, with_the_oldest)
        << line.messages();
  }
}

TEST_F(ResendTest, WhatIsKeptIsGivenBackAndCountedOnce) {
  for (int session = 0; session < 3; ++session) {
    stream_all();
    EXPECT_EQ(report_.recorded_records, kRecords);
    EXPECT_EQ(report_.lost_records, 0u);
    EXPECT_EQ(barefxt_stop().recorded_records, kRecords);
  }
  start();
  EXPECT_EQ(ask(0, 0, 1), 7u) << "another mode";
}

TEST_F(ResendTest, ARingTooSmallToKeepAnyIsRefused) {
  barefxt_config chosen = config(3 + BAREFXT_RESEND_SEGMENTS - 1);
  chosen.mode = BAREFXT_MODE_STREAMING;
  chosen.resend_segments = BAREFXT_RESEND_SEGMENTS;
  EXPECT_EQ(barefxt_start(&chosen), BAREFXT_ERROR_MEMORY_TOO_SMALL);
  chosen = config(3 + BAREFXT_RESEND_SEGMENTS);
  chosen.mode = BAREFXT_MODE_STREAMING;
  chosen.resend_segments = BAREFXT_RESEND_SEGMENTS;
  EXPECT_EQ(barefxt_start(&chosen), BAREFXT_OK);
}

TEST_F(ResendTest, MoreThanTheImageCanKeepIsRefused) {
  barefxt_config chosen = config(16);
  chosen.mode = BAREFXT_MODE_STREAMING;
  chosen.resend_segments = BAREFXT_RESEND_SEGMENTS + 1;
  EXPECT_EQ(barefxt_start(&chosen), BAREFXT_ERROR_LEFT_OUT);
}

TEST_F(ResendTest, ASessionThatKeepsNoneHasNoneToSendAgain) {
  start(8, ~0u, BAREFXT_MODE_STREAMING);
  write_numbers(0, kRecords);
  drain();
  EXPECT_EQ(ask(0, 0, 1), 12u);
  EXPECT_TRUE(frames_of(resent_).size() == 1) << "the answer alone";
}

}  // namespace
}  // namespace barefxt::test::resend_test
