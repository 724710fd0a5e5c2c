// Streaming: a drain makes room while writers go on; what it could not take in time is counted.

#include <thread>

#include "session_fixture.h"

namespace barefxt::test::streaming_test {
namespace {

constexpr uint64_t kPartialAfter = 500;

BAREFXT_CATEGORY(large, 8);

class StreamingTest : public SessionTest {
 protected:
  void stream(unsigned segments) {
    chosen_ = config(segments);
    chosen_.mode = BAREFXT_MODE_STREAMING;
    chosen_.partial_after_ticks = kPartialAfter;
    ASSERT_EQ(barefxt_start(&chosen_), BAREFXT_OK);
    sent_.clear();
  }

  // Takes what there is now; returns how many bytes that was.
  size_t drain(size_t room = BAREFXT_DRAIN_BYTES, barefxt_dump_form form = BAREFXT_DUMP_BINARY) {
    std::vector<uint8_t> buffer(room);
    size_t all = 0;
    while (const size_t bytes = barefxt_drain(buffer.data(), room, form)) {
      EXPECT_LE(bytes, room);
      sent_.insert(sent_.end(), buffer.begin(), buffer.begin() + static_cast<ptrdiff_t>(bytes));
      all += bytes;
    }
    return all;
  }

  // Stops, takes the rest and reads all that was sent.
  PlainArchive finish(size_t room = BAREFXT_DRAIN_BYTES,
                      barefxt_dump_form form = BAREFXT_DUMP_BINARY) {
    barefxt_stop();
    for (int i = 0; i < 1000 && !barefxt_drain_is_over(); ++i) drain(room, form);
    EXPECT_TRUE(barefxt_drain_is_over());
    return read(sent_);
  }

  static void expect_all(const std::vector<uint64_t>& found, uint64_t count) {
    ASSERT_EQ(found.size(), count);
    for (size_t i = 0; i < found.size(); ++i) ASSERT_EQ(found[i], i);
  }

  static void finish_record(const Reservation& reservation) {
    reservation.words[1] = reservation.ticks;
    RecordHeaderWord::commit(
        reservation.words,
        fxt::Event::make(fxt::EventType::kInstant, 2, 0, fxt::ThreadRef::index(1),
                         fxt::StringRef::empty(), fxt::StringRef::empty()));
  }

  barefxt_config chosen_ = {};
  std::vector<uint8_t> sent_;
};

TEST_F(StreamingTest, RecordsManyTimesWhatTheRingHoldsAndLosesNothing) {
  stream(4);
  constexpr uint32_t kRecords = 20000;
  for (uint32_t i = 0; i < kRecords; i += 100) {
    write_numbers(i, i + 100);
    drain();
  }
  const barefxt_stop_report report = barefxt_stop();
  EXPECT_EQ(report.recorded_records, kRecords);
  EXPECT_EQ(report.lost_records, 0u);
  const PlainArchive archive = finish();
  expect_all(numbers(archive), kRecords);
  EXPECT_EQ(reported_lost(archive), 0u);
}

TEST_F(StreamingTest, TheTextFormAndSmallBuffersSayTheSame) {
  for (const size_t room : {size_t{BAREFXT_DRAIN_BYTES}, size_t{1400}, size_t{600}}) {
    stream(4);
    for (uint32_t i = 0; i < 1000; i += 100) {
      write_numbers(i, i + 100);
      drain(room, BAREFXT_DUMP_TEXT);
    }
    expect_all(numbers(finish(BAREFXT_DRAIN_BYTES, BAREFXT_DUMP_TEXT)), 1000);
  }
}

TEST_F(StreamingTest, CodedFormsAndSmallBuffersSayTheSame) {
  for (const barefxt_dump_form form : {BAREFXT_DUMP_BINARY_CODED, BAREFXT_DUMP_TEXT_CODED}) {
    for (const size_t room : {size_t{BAREFXT_DRAIN_BYTES}, size_t{1400}, size_t{600}}) {
      stream(4);
      for (uint32_t i = 0; i < 1000; i += 100) {
        write_numbers(i, i + 100);
        drain(room, form);
      }
      expect_all(numbers(finish(BAREFXT_DRAIN_BYTES, form)), 1000);
    }
  }
}

TEST_F(StreamingTest, CodedRecordsTakeAThirdOfTheLine) {
  constexpr uint32_t kRecords = 4000;
  size_t bytes[2] = {};
  for (const bool coded : {false, true}) {
    const barefxt_dump_form form = coded ? BAREFXT_DUMP_BINARY_CODED : BAREFXT_DUMP_BINARY;
    stream(4);
    for (uint32_t i = 0; i < kRecords; i += 100) {
      write_numbers(i, i + 100);
      bytes[coded ? 1 : 0] += drain(BAREFXT_DRAIN_BYTES, form);
    }
    expect_all(numbers(finish(BAREFXT_DRAIN_BYTES, form)), kRecords);
  }
  EXPECT_LT(3 * bytes[1], bytes[0]);
}

// Records that might not fit in code are sent raw.
TEST_F(StreamingTest, ARecordThatFillsASegmentLeavesInEveryForm) {
  const std::string text(BAREFXT_SEGMENT_BYTES / 4, 'x');
  for (const barefxt_dump_form form : {BAREFXT_DUMP_BINARY, BAREFXT_DUMP_TEXT,
                                       BAREFXT_DUMP_BINARY_CODED, BAREFXT_DUMP_TEXT_CODED}) {
    stream(4);
    BAREFXT_EVENT(large, BAREFXT_EVENT_INSTANT, nullptr, BAREFXT_TEXT("long"), 0,
                  BAREFXT_ARG_STRING("a", text.data(), text.size()),
                  BAREFXT_ARG_STRING("b", text.data(), text.size()),
                  BAREFXT_ARG_STRING("c", text.data(), text.size() - 200));
    const PlainArchive archive = finish(BAREFXT_DRAIN_BYTES, form);
    const auto events = archive.events("long");
    ASSERT_EQ(events.size(), 1u);
    EXPECT_EQ(events[0].argument("b")->text, text);
  }
}

TEST_F(StreamingTest, WhatTheDrainDoesNotTakeInTimeIsCountedAndRecordingGoesOn) {
  stream(4);
  write_numbers(0, 5000);
  const uint64_t lost = rings[0].records_lost.value();
  ASSERT_GT(lost, 0u);
  drain();
  write_numbers(5000, 5100);
  EXPECT_EQ(rings[0].records_lost.value(), lost) << "there is room again";
  const PlainArchive archive = finish();
  const std::vector<uint64_t> found = numbers(archive);
  EXPECT_EQ(found.size() + lost, 5100u);
  EXPECT_EQ(found.back(), 5099u);
  // One gap, between the last record before and the first after.
  const auto drops = archive.events("drop_stats");
  ASSERT_EQ(drops.size(), 1u);
  EXPECT_EQ(drops[0].argument("records")->bits, lost);
  EXPECT_EQ(drops[0].argument("bytes")->bits, lost * kNumberBytes);
}

TEST_F(StreamingTest, APartialSegmentLeavesAfterATime) {
  stream(4);
  drain();
  write_numbers(0, 5);
  EXPECT_EQ(drain(), 0u) << "its time has not come";
  set_time(100'000);
  EXPECT_GT(drain(), 0u);
  // Records that are not there need not be sent again and again.
  set_time(200'000);
  EXPECT_EQ(drain(), 0u);
  write_numbers(5, 7);
  expect_all(numbers(finish()), 7);
}

TEST_F(StreamingTest, AnUnfinishedRecordHoldsBackNothingButItsSegment) {
  stream(4);
  write_numbers(0, 10);
  Reservation sleeper;
  ASSERT_TRUE(reserve_slowly(Owner::kCpu, 16, sleeper));
  for (uint32_t i = 10; i < 2000; i += 50) {
    write_numbers(i, i + 50);
    drain();
  }
  EXPECT_EQ(rings[0].records_lost.value(), 0u);
  EXPECT_EQ(segment_of(sleeper).sequence, 0u) << "not taken from its writer";
  EXPECT_GT(sent_.size(), 1500 * kNumberBytes) << "later segments were sent";
  finish_record(sleeper);
  drain();
  EXPECT_NE(static_cast<SegmentState>(segment_of(sleeper).state.load_acquire()),
            SegmentState::kLive)
      << "sent as soon as it is whole";
  // And all are in order, though its segment was sent last.
  expect_all(numbers(finish()), 2010);
}

TEST_F(StreamingTest, ARecordThatIsNeverFinishedIsReported) {
  stream(4);
  write_numbers(0, 10);
  Reservation sleeper;
  ASSERT_TRUE(reserve_slowly(Owner::kCpu, 16, sleeper));
  write_numbers(10, 20);
  EXPECT_EQ(barefxt_stop().unfinished_records, 1u);
  drain();
  EXPECT_FALSE(barefxt_drain_is_over()) << "its writer has some time after the stop";
  set_time(10'000);
  expect_all(numbers(finish()), 20);
  EXPECT_TRUE(rebuilt_.reports("1 record (16 bytes) reserved on the target and never finished"))
      << rebuilt_.messages;
  // Its segment is not used by the next session: the writer may still store.
  ASSERT_EQ(barefxt_start(&chosen_), BAREFXT_OK);
  EXPECT_NE(&rings[0].open_segment(rings[0].position.load_acquire()), &segment_of(sleeper));
}

TEST_F(StreamingTest, ARecordThatIsFinishedSoonAfterTheStopArrives) {
  stream(4);
  Reservation sleeper;
  ASSERT_TRUE(reserve_slowly(Owner::kCpu, 16, sleeper));
  write_numbers(0, 10);
  barefxt_stop();
  drain();
  finish_record(sleeper);
  expect_all(numbers(finish()), 10);
  EXPECT_FALSE(rebuilt_.reports("never finished")) << rebuilt_.messages;
}

TEST_F(StreamingTest, ThreadsThatComeWhileItStreamsHaveTheirNames) {
  static barefxt_thread early;
  static barefxt_thread late;
  barefxt_thread_register(&early, 10, 301, "early", 1);
  stream(4);
  BAREFXT_CATEGORY(work, 3);
  const auto write_as = [](const barefxt_thread& thread) {
    BAREFXT_EVENT(work, BAREFXT_EVENT_INSTANT, &thread, BAREFXT_TEXT("mine"), 0);
    set_time(barefxt_ticks() + 2 * kPartialAfter);
  };
  write_as(early);
  drain();
  set_time(barefxt_ticks() + 2 * kPartialAfter);
  drain();
  barefxt_thread_register(&late, 10, 302, "late", 1);
  write_as(late);
  drain();
  set_time(barefxt_ticks() + 2 * kPartialAfter);
  drain();
  // Cut here: what was sent so far explains itself.
  rebuilt_ = rebuild(sent_);
  const PlainArchive archive = decode_plainly(rebuilt_.archive);
  const auto events = archive.events("mine");
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].thread, 301u);
  EXPECT_EQ(events[1].thread, 302u);
  std::vector<std::string> names;
  for (const PlainRecord& object : archive.of_type(7)) names.push_back(object.name);
  EXPECT_NE(std::find(names.begin(), names.end(), "late"), names.end());
  EXPECT_TRUE(rebuilt_.reports("the end frame is missing")) << rebuilt_.messages;
  barefxt_thread_unregister(&early);
  barefxt_thread_unregister(&late);
}

TEST_F(StreamingTest, FramesLostOnTheWayAreCounted) {
  stream(8);
  write_numbers(0, 300);
  set_time(10'000);
  drain();
  const size_t before = sent_.size();
  write_numbers(300, 320);
  set_time(20'000);
  drain();
  set_time(30'000);
  drain();
  ASSERT_GT(sent_.size(), before);
  sent_.resize(before);  // the second part does not arrive
  write_numbers(320, 400);
  barefxt_stop();
  for (int i = 0; i < 1000 && !barefxt_drain_is_over(); ++i) drain();
  rebuilt_ = rebuild(sent_);
  EXPECT_EQ(rebuilt_.verdict, host::RebuildVerdict::kIncomplete);
  const PlainArchive archive = decode_plainly(rebuilt_.archive);
  EXPECT_EQ(numbers(archive).size() + reported_lost(archive), 400u) << rebuilt_.messages;
}

TEST_F(StreamingTest, WritersOnThreadsAndADrainAtOnceLoseNothingInSilence) {
  stream(8);
  std::vector<uint8_t> buffer(BAREFXT_DRAIN_BYTES);
  bool stop = false;
  std::thread drainer([&] {
    while (!__atomic_load_n(&stop, __ATOMIC_ACQUIRE)) {
      const size_t bytes = barefxt_drain(buffer.data(), buffer.size(), BAREFXT_DUMP_BINARY);
      sent_.insert(sent_.end(), buffer.begin(), buffer.begin() + static_cast<ptrdiff_t>(bytes));
    }
  });
  constexpr uint32_t kEach = 20000;
  write_from_threads(kEach);
  __atomic_store_n(&stop, true, __ATOMIC_RELEASE);
  drainer.join();
  const barefxt_stop_report report = barefxt_stop();
  EXPECT_EQ(report.recorded_records + report.lost_records, kWriters * kEach);
  const PlainArchive archive = finish();
  const auto events = archive.events("shared");
  EXPECT_EQ(events.size(), report.recorded_records);
  EXPECT_EQ(reported_lost(archive), report.lost_records);
  expect_intact(events);
}

TEST_F(StreamingTest, OtherModesHaveNothingToDrain) {
  start(4);
  write_numbers(0, 1000);
  EXPECT_EQ(drain(), 0u);
  EXPECT_TRUE(barefxt_drain_is_over());
  barefxt_config two = config(2);
  two.mode = BAREFXT_MODE_STREAMING;
  barefxt_stop();
  EXPECT_EQ(barefxt_start(&two), BAREFXT_ERROR_MEMORY_TOO_SMALL);
}

TEST_F(StreamingTest, AStopWhileTheRingIsFullIsAStop) {
  stream(3);
  write_numbers(0, 2000);
  barefxt_stop();
  drain();
  const uint64_t lost = rings[0].records_lost.value();
  Reservation reservation;
  EXPECT_FALSE(reserve_slowly(Owner::kCpu, 16, reservation)) << "the drain does not open it again";
  EXPECT_EQ(rings[0].records_lost.value(), lost);
}

}  // namespace
}  // namespace barefxt::test::streaming_test
