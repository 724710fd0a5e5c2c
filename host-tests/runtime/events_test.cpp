// Records of probes arrive in the archive. Every argument, from C and from C++, is in
// every_record_test.cpp.

#include <barefxt/ring.h>

#include "session_fixture.h"

namespace barefxt::test::events_test {
namespace {

BAREFXT_CATEGORY(net, 3);
BAREFXT_CATEGORY(disk, 4);

using EventsTest = SessionTest;

const PlainRecord& only(const std::vector<PlainRecord>& records) {
  EXPECT_EQ(records.size(), 1u);
  static const PlainRecord none;
  return records.empty() ? none : records.front();
}

TEST_F(EventsTest, EveryEventTypeArrivesWithItsTrailingWord) {
  start();
  const uint64_t begin = barefxt_ticks();
  BAREFXT_INSTANT(net, "e0");
  BAREFXT_COUNTER(net, "e1", 9, BAREFXT_ARG_U32("v", 1));
  BAREFXT_DURATION_BEGIN(net, "e2");
  BAREFXT_FLOW_BEGIN(net, "e8", 21);
  BAREFXT_FLOW_STEP(net, "e9", 21);
  BAREFXT_FLOW_END(net, "e10", 21);
  BAREFXT_DURATION_END(net, "e3");
  BAREFXT_DURATION_COMPLETE(net, "e4", begin);
  BAREFXT_ASYNC_BEGIN(net, "e5", 22);
  BAREFXT_ASYNC_INSTANT(net, "e6", 22);
  BAREFXT_ASYNC_END(net, "e7", 22);
  const PlainArchive archive = stop_and_read();
  for (unsigned type = 0; type <= 10; ++type) {
    const PlainRecord record = only(archive.events("e" + std::to_string(type)));
    EXPECT_EQ(record.subtype, type);
    if (type == 1) {
      EXPECT_EQ(record.value, 9u);
    }
    if (type == 4) {
      EXPECT_EQ(record.timestamp, begin);
      EXPECT_GT(record.value, begin);
    }
    if (type >= 5 && type <= 7) {
      EXPECT_EQ(record.value, 22u);
    }
    if (type >= 8) {
      EXPECT_EQ(record.value, 21u);
    }
  }
}

// An instant of category `net` with a koid, and the whole duration that ends with it.
void write_words(const barefxt_thread* thread, uint64_t begin) {
  const barefxt_argument koid = barefxt_arg_koid(BAREFXT_TEXT("object"), 77);
  const uint64_t instant[] = {BAREFXT_CATEGORY_AND_NAME("net", "words") | 1u << 20 |
                                  BAREFXT_EVENT_INSTANT << 16 | 4 << 4 | 4,
                              koid.header, koid.value};
  barefxt_write_event_words(thread, instant);
  const uint64_t complete[] = {BAREFXT_CATEGORY_AND_NAME("net", "words whole") | 1u << 20 |
                                   BAREFXT_EVENT_DURATION_COMPLETE << 16 | 5 << 4 | 4,
                               begin, koid.header, koid.value};
  barefxt_write_event_words(thread, complete);
}

void expect_words(const PlainArchive& archive, uint64_t thread, uint64_t begin) {
  const PlainRecord instant = only(archive.events("words"));
  EXPECT_EQ(instant.subtype, 0u);
  EXPECT_EQ(instant.category, "net");
  EXPECT_EQ(instant.thread, thread);
  EXPECT_GT(instant.timestamp, begin);
  ASSERT_NE(instant.argument("object"), nullptr);
  EXPECT_EQ(instant.argument("object")->bits, 77u);
  const PlainRecord whole = only(archive.events("words whole"));
  EXPECT_EQ(whole.subtype, 4u);
  EXPECT_EQ(whole.thread, thread);
  EXPECT_EQ(whole.timestamp, begin);
  EXPECT_GT(whole.value, instant.timestamp);
  ASSERT_NE(whole.argument("object"), nullptr);
  EXPECT_EQ(whole.argument("object")->bits, 77u);
}

// Only Debug builds look.
TEST_F(EventsTest, AReservationThatIsNeverCommittedEndsTheProgram) {
  if (BAREFXT_CHECKS < 2) GTEST_SKIP() << "a build that does not look";
  start();
  const auto reserve = [](bool commits) {
    Reservation reservation;
    const bool is_reserved = reserve_slowly(Owner::kNobody, 8, reservation);
    if (commits && is_reserved) reservation.commit(fxt::RingRecord::make_given_up(1));
    return is_reserved;
  };
  EXPECT_TRUE(reserve(true));
  EXPECT_DEATH(reserve(false), "");
  barefxt_stop();
  EXPECT_FALSE(reserve(false));  // what was refused has nothing to commit
}

TEST_F(EventsTest, AnEventOfWordsBelongsToTheThreadThatItNames) {
  barefxt_thread thread = {};
  barefxt_thread_register(&thread, 10, 103, "named", 5);
  start();
  const uint64_t begin = barefxt_ticks();
  write_words(&thread, begin);
  expect_words(stop_and_read(), 103, begin);
  barefxt_thread_unregister(&thread);
}

TEST_F(EventsTest, AnEventOfWordsIsTheRunningThreadsUnlessItNamesOne) {
  barefxt_thread thread = {};
  barefxt_thread_register(&thread, 10, 106, "running", 5);
  start();
  barefxt_context_switch(&thread, BAREFXT_STATE_RUNNABLE, &thread);
  const uint64_t begin = barefxt_ticks();
  write_words(nullptr, begin);
  expect_words(stop_and_read(), 106, begin);
  barefxt_thread_unregister(&thread);
}

TEST_F(EventsTest, AnEventOfWordsNamesAThreadWithoutAnEntryItself) {
  if (!kInlineThreads) GTEST_SKIP() << "a thread without an entry has no events";
  barefxt_thread thread = {};
  thread.process = 10;
  thread.koid = 104;
  start();
  const uint64_t begin = barefxt_ticks();
  write_words(&thread, begin);
  expect_words(stop_and_read(), 104, begin);
}

TEST_F(EventsTest, AnEventOfWordsThatFindsTheRingFullIsCountedAsLost) {
  barefxt_thread thread = {};
  barefxt_thread_register(&thread, 10, 105, "named", 5);
  start(2);
  constexpr uint32_t kCount = 2000;
  for (uint32_t i = 0; i < kCount; ++i) write_words(&thread, 1);
  const PlainArchive archive = stop_and_read();
  const size_t kept = archive.events("words").size() + archive.events("words whole").size();
  EXPECT_GT(kept, 0u);
  EXPECT_EQ(reported_lost(archive), 2 * kCount - kept);
  barefxt_thread_unregister(&thread);
}

TEST_F(EventsTest, ADisabledCategoryWritesNothingAndEvaluatesNoArgument) {
  start(16, BAREFXT_CATEGORY_BIT(disk));
  int evaluated = 0;
  BAREFXT_INSTANT(net, "off", BAREFXT_ARG_I32("n", ++evaluated));
  BAREFXT_INSTANT(disk, "on");
  barefxt_set_categories(BAREFXT_CATEGORY_BIT(net));
  BAREFXT_INSTANT(net, "now on", BAREFXT_ARG_I32("n", ++evaluated));
  BAREFXT_INSTANT(disk, "now off");
  const PlainArchive archive = stop_and_read();
  EXPECT_EQ(evaluated, 1);
  EXPECT_TRUE(archive.events("off").empty());
  EXPECT_EQ(archive.events("on").size(), 1u);
  EXPECT_EQ(archive.events("now on").size(), 1u);
  EXPECT_TRUE(archive.events("now off").empty());
}

TEST_F(EventsTest, TextIsCutAtACharactersBoundaryToWhatARecordHolds) {
  start();
  std::string text(kMaxTextBytes - 1, 'a');
  text += "\xc3\xa9tail";  // its first byte would be the last to fit
  BAREFXT_INSTANT(net, "long", BAREFXT_ARG_STRING("text", text.data(), text.size()));
  const PlainArchive archive = stop_and_read();
  EXPECT_EQ(only(archive.events("long")).argument("text")->text,
            std::string(kMaxTextBytes - 1, 'a'));
}

TEST_F(EventsTest, AnEmptyStringArrivesEmpty) {
  start();
  BAREFXT_INSTANT(net, "empty", BAREFXT_ARG_STRING("text", "", 0));
  EXPECT_EQ(only(stop_and_read().events("empty")).argument("text")->text, "");
}

TEST_F(EventsTest, AllFormsCarryTheSameArchive) {
  if (!kDumpsText || !kDumpsCoded) GTEST_SKIP() << "the image has one form";
  start();
  BAREFXT_INSTANT(net, "one", BAREFXT_ARG_U32("n", 1));
  write_numbers(0, 1000);
  barefxt_stop();
  const Rebuilt binary = rebuild(dump(BAREFXT_DUMP_BINARY));
  EXPECT_EQ(numbers(read(dump(BAREFXT_DUMP_BINARY))).size(), 1000u);
  for (const barefxt_dump_form form :
       {BAREFXT_DUMP_TEXT, BAREFXT_DUMP_BINARY_CODED, BAREFXT_DUMP_TEXT_CODED}) {
    const Rebuilt other = rebuild(dump(form));
    EXPECT_EQ(other.verdict, host::RebuildVerdict::kComplete) << other.messages;
    EXPECT_EQ(binary.archive, other.archive);
  }
}

}  // namespace
}  // namespace barefxt::test::events_test
