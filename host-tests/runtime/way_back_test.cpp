// A host's request over the line is carried out once and answered. Requests that are broken, or
// meant for another target, change nothing.

#include <optional>

#include <barefxt/host/capture_index.h>
#include <barefxt/wire/request.h>

#include "rebuild/documented_frames.h"
#include "session_fixture.h"

namespace barefxt::test::way_back_test {
namespace {

using wire::AnswerStatus;
using wire::RequestKind;

// Made by docs/reference/wire-format.md.
Bytes request_frame(RequestKind kind, uint32_t number, uint32_t capture = 0,
                    uint32_t categories = 0, unsigned mode = 0) {
  const Bytes payload =
      ByteBuilder().u8(static_cast<uint8_t>(kind)).u8(mode).u16(0).u32(categories).u64(0).bytes();
  return make_frame(7, 0, capture, number, payload, 3);
}

class WayBackTest : public SessionTest {
 protected:
  void TearDown() override {
    // Requests of other tests must not be answered.
    serve();
    SessionTest::TearDown();
  }

  static void receive(const Bytes& bytes) {
    for (const uint8_t byte : bytes) barefxt_receive(byte);
  }
  // The answer, and all that was sent for it; nothing without a request.
  std::optional<Bytes> serve(const barefxt_config* start = nullptr) {
    Bytes sent;
    const auto append = [](void* context, const uint8_t* bytes, size_t count) {
      auto& all = *static_cast<Bytes*>(context);
      all.insert(all.end(), bytes, bytes + count);
    };
    const barefxt_writer writer = {append, &sent};
    if (!barefxt_serve(&writer, form_, start)) return {};
    return sent;
  }
  // The answer among what was sent.
  static host::Answer answer_in(const Bytes& sent) {
    host::Rebuild reader([](const std::string&) {});
    EXPECT_TRUE(reader.feed(sent).ok());
    EXPECT_TRUE(reader.end_input("line").ok());
    EXPECT_TRUE(reader.arrival().answer.has_value());
    return reader.arrival().answer.value_or(host::Answer{});
  }
  // Asks, and returns the answer; what was sent for it is in `sent_`.
  host::Answer ask(RequestKind kind, uint32_t categories = 0, unsigned mode = 0,
                   uint32_t capture = 0, const barefxt_config* start = nullptr) {
    receive(binary_form({request_frame(kind, ++number_, capture, categories, mode)}));
    const std::optional<Bytes> sent = serve(start);
    EXPECT_TRUE(sent.has_value());
    sent_ = sent.value_or(Bytes{});
    const host::Answer answer = answer_in(sent_);
    EXPECT_EQ(answer.number, number_);
    EXPECT_EQ(answer.kind, static_cast<uint8_t>(kind));
    return answer;
  }
  AnswerStatus status(RequestKind kind, uint32_t categories = 0, unsigned mode = 0,
                      uint32_t capture = 0, const barefxt_config* start = nullptr) {
    return static_cast<AnswerStatus>(ask(kind, categories, mode, capture, start).status);
  }

  static uint32_t number_;
  barefxt_dump_form form_ = BAREFXT_DUMP_BINARY;
  Bytes sent_;
};
uint32_t WayBackTest::number_ = 1000;

TEST_F(WayBackTest, NothingIsDoneWhereNothingIsAsked) {
  start();
  EXPECT_FALSE(serve().has_value());
  receive({'l', 's', '\n', 0, 0, 0, 'x', 0});
  EXPECT_FALSE(serve().has_value());
}

TEST_F(WayBackTest, AHelloMendsACaptureWhoseTablesWereLost) {
  start();
  barefxt_thread thread = {};
  barefxt_thread_register(&thread, 0, 77, "worker", 3);
  write_numbers(0, 10);
  const host::Answer answer = ask(RequestKind::kHello);
  EXPECT_EQ(answer.status, 0);
  EXPECT_EQ(answer.state, wire::TargetState::kRecording | wire::TargetState::kHasRecorded);
  EXPECT_EQ(answer.categories, ~0u);
  const Bytes tables = sent_;
  barefxt_stop();
  const Bytes dumped = dump();
  EXPECT_EQ(answer.capture, barefxt_descriptor.capture);

  // Only the dump's records frames and the end arrive.
  std::vector<Bytes> inputs = {tables};
  Bytes rest;
  Bytes frame = {0};
  for (size_t at = 1; at < dumped.size(); ++at) {
    frame.push_back(dumped[at]);
    if (dumped[at] != 0) continue;
    // Behind the code byte: version, type.
    if (frame.size() > 3 && (frame[3] == 4 || frame[3] == 5))
      rest.insert(rest.end(), frame.begin(), frame.end());
    frame = {0};
  }
  inputs.push_back(rest);
  const Rebuilt repaired = rebuild(inputs);
  EXPECT_EQ(repaired.verdict, host::RebuildVerdict::kComplete) << repaired.messages;
  expect_sound(repaired);
  EXPECT_EQ(numbers(decode_plainly(repaired.archive)).size(), 10u);
  EXPECT_TRUE(lacks(repaired.messages, "twice"));

  // And where nothing was lost it adds nothing.
  EXPECT_EQ(rebuild({tables, dumped}).archive, rebuild(dumped).archive);
  EXPECT_EQ(rebuild({dumped, tables}).archive, rebuild(dumped).archive);
}

TEST_F(WayBackTest, AnswersComeInEveryForm) {
  start();
  for (const barefxt_dump_form form : {BAREFXT_DUMP_BINARY, BAREFXT_DUMP_TEXT,
                                       BAREFXT_DUMP_BINARY_CODED, BAREFXT_DUMP_TEXT_CODED}) {
    form_ = form;
    EXPECT_EQ(status(RequestKind::kHello), AnswerStatus::kDone);
  }
}

TEST_F(WayBackTest, ANumberIsPerformedOnceAndAnsweredAsOftenAsItComes) {
  start();
  const Bytes request = binary_form({request_frame(RequestKind::kStop, ++number_)});
  receive(request);
  const std::optional<Bytes> first = serve();
  ASSERT_TRUE(first);
  EXPECT_EQ(answer_in(*first).status, 0);
  start();
  receive(request);
  const std::optional<Bytes> second = serve();
  ASSERT_TRUE(second);
  EXPECT_EQ(answer_in(*second).status, 0);
  EXPECT_TRUE(barefxt_running()) << "the next session is not the one it meant";
  EXPECT_EQ(status(RequestKind::kStop), AnswerStatus::kDone) << "another number is another request";
  EXPECT_FALSE(barefxt_running());
}

TEST_F(WayBackTest, ARequestForAnotherCaptureIsRefused) {
  start();
  const uint32_t capture = barefxt_descriptor.capture;
  EXPECT_EQ(status(RequestKind::kStop, 0, 0, capture + 1), AnswerStatus::kOtherCapture);
  EXPECT_TRUE(barefxt_running());
  EXPECT_EQ(status(RequestKind::kStop, 0, 0, capture), AnswerStatus::kDone);
  EXPECT_FALSE(barefxt_running());
}

TEST_F(WayBackTest, RecordingIsStoppedDumpedAndStartedAsAsked) {
  start();
  write_numbers(0, 5);
  EXPECT_EQ(status(RequestKind::kDump), AnswerStatus::kRecording);
  EXPECT_EQ(status(RequestKind::kStop), AnswerStatus::kDone);
  EXPECT_EQ(status(RequestKind::kStop), AnswerStatus::kNotRecording);
  EXPECT_EQ(status(RequestKind::kDump), AnswerStatus::kDone);
  EXPECT_EQ(numbers(read(sent_)).size(), 5u);

  EXPECT_EQ(status(RequestKind::kStart), AnswerStatus::kNotOffered);
  const barefxt_config offered = config(16, 1u << 7);
  EXPECT_EQ(status(RequestKind::kStart, 0, 9, 0, &offered), AnswerStatus::kUnknown);
  EXPECT_FALSE(barefxt_running());
  const host::Answer answer = ask(RequestKind::kStart, 0, 0, 0, &offered);
  EXPECT_EQ(answer.status, 0);
  EXPECT_EQ(answer.categories, 1u << 7);
  EXPECT_TRUE(barefxt_running());
  EXPECT_EQ(barefxt_descriptor.mode, static_cast<uint8_t>(wire::Mode::kOneShot));
  EXPECT_EQ(status(RequestKind::kStart, 0, 0, 0, &offered), AnswerStatus::kRecording);

  barefxt_stop();
  EXPECT_EQ(ask(RequestKind::kStart, 3, 2, 0, &offered).categories, 3u);
  EXPECT_EQ(barefxt_descriptor.mode, static_cast<uint8_t>(wire::Mode::kCircular));
}

TEST_F(WayBackTest, ASnapshotIsTakenAndSentWhileRecordingGoesOn) {
  start(16, ~0u, BAREFXT_MODE_CIRCULAR);
  write_numbers(0, 5);
  EXPECT_EQ(status(RequestKind::kSnapshot), AnswerStatus::kDone);
  EXPECT_EQ(status(RequestKind::kSnapshot), AnswerStatus::kHeld);
  write_numbers(5, 9);
  EXPECT_EQ(status(RequestKind::kDump), AnswerStatus::kDone);
  EXPECT_TRUE(barefxt_running());
  EXPECT_EQ(numbers(read(sent_)).size(), 5u);
  barefxt_stop();
  EXPECT_EQ(status(RequestKind::kSnapshot), AnswerStatus::kNotRecording);
}

TEST_F(WayBackTest, CategoriesAreEnabledAsAsked) {
  start();
  EXPECT_EQ(ask(RequestKind::kCategories, 0).categories, 0u);
  write_numbers(0, 5);
  EXPECT_EQ(ask(RequestKind::kCategories, 1u << 7).categories, 1u << 7);
  write_numbers(5, 9);
  EXPECT_EQ(numbers(stop_and_read()), (std::vector<uint64_t>{5, 6, 7, 8}));
  EXPECT_EQ(status(RequestKind::kCategories, ~0u), AnswerStatus::kNotRecording);
  EXPECT_EQ(barefxt_enabled_categories, 0u);
}

TEST_F(WayBackTest, AStreamLeavesByTheDrainAlone) {
  start(16, ~0u, BAREFXT_MODE_STREAMING);
  EXPECT_EQ(status(RequestKind::kStop), AnswerStatus::kDone);
  EXPECT_EQ(status(RequestKind::kDump), AnswerStatus::kMode);
  EXPECT_EQ(status(RequestKind::kHello), AnswerStatus::kDone);
}

TEST_F(WayBackTest, WhatIsUnknownIsRefused) {
  start();
  for (const unsigned kind : {0u, 8u, 255u})
    EXPECT_EQ(status(static_cast<RequestKind>(kind)), AnswerStatus::kUnknown);
  // Something where zero belongs: what it asks is more than this target understands.
  for (size_t byte : {2, 3, 8 + 12 + 2, 15 + 12}) {
    Bytes frame = request_frame(RequestKind::kStop, ++number_);
    frame[byte] = 1;
    frame.resize(frame.size() - 4);
    const uint32_t crc = plain_crc32c(frame);
    for (unsigned shift = 0; shift < 32; shift += 8)
      frame.push_back(static_cast<uint8_t>(crc >> shift));
    receive(binary_form({frame}));
    const std::optional<Bytes> sent = serve();
    ASSERT_TRUE(sent) << byte;
    EXPECT_EQ(answer_in(*sent).status, static_cast<uint8_t>(AnswerStatus::kUnknown)) << byte;
    EXPECT_TRUE(barefxt_running());
  }
}

TEST_F(WayBackTest, ABrokenRequestChangesNothingAndTheNextIsHeard) {
  start();
  const auto expect_deaf = [&](const Bytes& bytes) {
    receive(bytes);
    ASSERT_FALSE(serve().has_value());
    ASSERT_TRUE(barefxt_running());
    // The reader's place is found again at the next zero byte, which any request brings.
    receive(binary_form({request_frame(RequestKind::kHello, ++number_)}));
    const std::optional<Bytes> sent = serve();
    ASSERT_TRUE(sent.has_value());
    ASSERT_EQ(answer_in(*sent).number, number_);
  };
  const Bytes whole = binary_form({request_frame(RequestKind::kStop, ++number_, 0, 0x12345678)});
  for (size_t at = 0; at < whole.size(); ++at) {
    for (unsigned bit = 0; bit < 8; ++bit) {
      Bytes flipped = whole;
      flipped[at] = static_cast<uint8_t>(flipped[at] ^ 1u << bit);
      // The zero bytes around it: what is left may be whole behind another zero.
      if (at == 0 || at + 1 == whole.size()) continue;
      SCOPED_TRACE(testing::Message() << "byte " << at << " bit " << bit);
      expect_deaf(flipped);
    }
    SCOPED_TRACE(at);
    if (at == 0 || at + 1 == whole.size()) continue;
    Bytes cut = whole;
    cut.erase(cut.begin() + static_cast<ptrdiff_t>(at));
    expect_deaf(cut);
    Bytes doubled = whole;
    doubled.insert(doubled.begin() + static_cast<ptrdiff_t>(at), uint8_t{0x5a});
    expect_deaf(doubled);
    expect_deaf({whole.begin(), whole.begin() + static_cast<ptrdiff_t>(at)});
  }
  // Whole, and something behind it.
  Bytes longer = request_frame(RequestKind::kStop, ++number_);
  longer.push_back(0x5a);
  expect_deaf(binary_form({longer}));
  // Whole frames that are no requests, or of another version, or longer than any.
  expect_deaf(binary_form({make_frame(7, 0, 0, ++number_, Bytes(16, 3), 2)}));
  expect_deaf(binary_form({make_frame(7, 0, 0, ++number_, Bytes(16, 3), 4)}));
  expect_deaf(binary_form({make_frame(8, 0, 0, ++number_, Bytes(16, 3), 3)}));
  for (size_t bytes = 0; bytes < 600; ++bytes)
    if (bytes != 16) expect_deaf(binary_form({make_frame(7, 0, 0, ++number_, Bytes(bytes, 3), 3)}));
}

TEST_F(WayBackTest, ResendsAreRefusedWhereNothingIsKept) {
  start(16, ~0u, BAREFXT_MODE_STREAMING);
  EXPECT_EQ(status(RequestKind::kResend, 1), AnswerStatus::kLeftOut);
}

TEST_F(WayBackTest, TheDocumentsExamplesAreARequestAndItsAnswer) {
  start();
  const Bytes request = from_hex(documented_frames("hex request").at(0));
  const Bytes expected = from_hex(documented_frames("hex answer").at(0));
  receive(binary_form({request}));
  std::optional<Bytes> sent = serve();
  ASSERT_TRUE(sent);
  EXPECT_EQ(answer_in(*sent).number, 42u);
  EXPECT_EQ(answer_in(*sent).status, static_cast<uint8_t>(AnswerStatus::kOtherCapture));
  // The capture that it means.
  receive(binary_form({request_frame(RequestKind::kHello, ++number_)}));
  serve();
  barefxt_descriptor.capture = 0x0badcafe;
  receive(binary_form({request}));
  sent = serve();
  ASSERT_TRUE(sent);
  EXPECT_EQ(barefxt_enabled_categories, 0xc0000080);
  EXPECT_EQ(*sent, binary_form({expected}));
}

TEST_F(WayBackTest, ARequestIsHeardAmongConsoleTextAndWhileAnotherWaits) {
  start();
  receive({'r', 'u', 'n', '\r', '\n'});
  receive(binary_form({request_frame(RequestKind::kHello, ++number_)}));
  receive({'r', 'u', 'n', '\r', '\n'});
  // There is one place: a host that finds it taken asks again.
  receive(binary_form({request_frame(RequestKind::kStop, ++number_)}));
  const std::optional<Bytes> sent = serve();
  ASSERT_TRUE(sent);
  EXPECT_EQ(answer_in(*sent).number, number_ - 1);
  EXPECT_FALSE(serve());
  EXPECT_TRUE(barefxt_running());
}

}  // namespace
}  // namespace barefxt::test::way_back_test
