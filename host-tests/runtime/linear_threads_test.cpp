// Threads and their names, where no entry is used again.

#include "linear_fixture.h"

namespace barefxt::test::linear_threads_test {
namespace {

BAREFXT_CATEGORY(work, 3);

using LinearThreadsTest = LinearTest;

constexpr int kSwitch = 8;

TEST_F(LinearThreadsTest, NamesAreCutAt16BytesBetweenTwoCharactersAndThoseThatWereAreCounted) {
  struct Case {
    std::string given;
    std::string stored;
  };
  const Case cases[] = {
      {"", ""},
      {"fifteen letters", "fifteen letters"},
      {"sixteen letters!", "sixteen letters!"},
      {"seventeen letters", "seventeen letter"},
      {"many more letters than there is room for", "many more letter"},
      {"fourteen bytes\xc3\xa9", "fourteen bytes\xc3\xa9"},
      {"fifteen letters\xc3\xa9", "fifteen letters"},
      {"fourteen bytes\xe2\x82\xac", "fourteen bytes"},
      {"fifteen letters\xe2\x82\xac and more", "fifteen letters"},
      {"twelve bytes\xf0\x9f\x98\x80", "twelve bytes\xf0\x9f\x98\x80"},
      {"thirteen byte\xf0\x9f\x98\x80", "thirteen byte"},
      {"sixteen letters!\xf0\x9f\x98\x80", "sixteen letters!"},
  };
  std::vector<barefxt_thread> threads(std::size(cases));
  uint32_t koid = 1000;
  for (const Case& each : cases)
    barefxt_thread_register(&threads[koid - 1000], 10, koid, each.given.c_str(), 1), ++koid;
  start(1);
  EXPECT_EQ(barefxt_stop().cut_texts, 7u);
  const PlainArchive archive = read(dump());
  koid = 1000;
  for (const Case& each : cases) EXPECT_EQ(name_of(archive, koid++), each.stored) << each.given;
}

TEST_F(LinearThreadsTest, AThreadHasTheNameItWasLastGivenWhateverItsLength) {
  const std::pair<const char*, const char*> cases[] = {
      {"longer than its entry", "short"},
      {"short", "longer than its entry"},
      {"sixteen letters!", "sixteen letterS!"},
      {"seventeen letters", "fifteen letters\xc3\xa9"}};
  const char* const stored[] = {"short", "longer than its ", "sixteen letterS!", "fifteen letters"};
  barefxt_thread threads[4] = {};
  for (uint32_t i = 0; i < 4; ++i) {
    barefxt_thread_register(&threads[i], 10, 1000 + i, cases[i].first, 1);
    barefxt_thread_rename(&threads[i], cases[i].second);
  }
  start(1);
  const PlainArchive archive = stop_and_read();
  for (uint32_t i = 0; i < 4; ++i) EXPECT_EQ(name_of(archive, 1000 + i), stored[i]);
}

TEST_F(LinearThreadsTest, AThreadForWhichTheTableHasNoRoomIsLikeOneThatIsNotRegistered) {
  std::vector<barefxt_thread> threads(BAREFXT_MAX_THREADS);
  // A control block that held something else before.
  for (barefxt_thread& thread : threads) thread = {0x03000000, 0x80000030, 7, 7};
  for (uint32_t i = 0; i < threads.size(); ++i)
    barefxt_thread_register(&threads[i], 10, 1000 + i, "one of a crowd", 1);
  const uint32_t fit = BAREFXT_MAX_THREADS - 3;  // beside proc, alpha and beta
  barefxt_process_register(11, "no room");
  barefxt_object_register(12, BAREFXT_OBJECT_TIMER, "no room");
  start(4);
  for (uint32_t i = 0; i < threads.size(); ++i) {
    barefxt_context_switch(&a_, BAREFXT_STATE_BLOCKED, &threads[i]);
    BAREFXT_INSTANT(work, "ran", BAREFXT_ARG_U32("i", i));
    barefxt_thread_set_priority(&threads[i], 3);
    barefxt_thread_rename(&threads[i], "renamed");
    barefxt_context_switch(&threads[i], BAREFXT_STATE_BLOCKED, &a_);
  }
  const PlainArchive archive = stop_and_read();
  EXPECT_EQ(archive.of_type(kSwitch).size(), 2 * fit);
  ASSERT_EQ(archive.events("ran").size(), fit);
  for (uint32_t i = 0; i < fit; ++i) {
    EXPECT_EQ(archive.events("ran")[i].thread, 1000 + i);
    EXPECT_EQ(name_of(archive, 1000 + i), "renamed");
  }
  EXPECT_EQ(name_of(archive, 1000 + fit), "(none)");
  EXPECT_EQ(name_of(archive, 11), "(none)");
  EXPECT_EQ(name_of(archive, 12), "(none)");
  EXPECT_EQ(reported_lost(archive), 3u * 3);
}

TEST_F(LinearThreadsTest, AThreadThatIsGoneIsNamedAndItsEntryIsNobodyElses) {
  start(1);
  barefxt_context_switch(&b_, BAREFXT_STATE_BLOCKED, &a_);
  BAREFXT_INSTANT(work, "alpha's");
  barefxt_context_switch(&a_, BAREFXT_STATE_DEAD, &b_);
  barefxt_thread_unregister(&a_);
  barefxt_thread_unregister(&a_);
  barefxt_thread_set_priority(&a_, 9);
  barefxt_thread_rename(&a_, "gone");
  barefxt_thread next = {};
  barefxt_thread_register(&next, 10, 103, "next", 1);
  barefxt_context_switch(&b_, BAREFXT_STATE_BLOCKED, &next);
  barefxt_context_switch(&next, BAREFXT_STATE_BLOCKED, &a_);  // about which nothing is known
  const PlainArchive archive = stop_and_read();
  EXPECT_EQ(archive.events("alpha's").at(0).thread, 101u);
  EXPECT_EQ(name_of(archive, 101), "alpha");
  EXPECT_EQ(name_of(archive, 103), "next");
  ASSERT_EQ(archive.of_type(kSwitch).size(), 3u);
  EXPECT_EQ(archive.of_type(kSwitch)[2].other_thread, 103u);
  EXPECT_EQ(reported_lost(archive), 1u);
}

}  // namespace
}  // namespace barefxt::test::linear_threads_test
