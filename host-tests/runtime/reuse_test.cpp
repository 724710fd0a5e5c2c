// A table of 64 entries, and threads and processes without end: every name stays true.

#include <map>
#include <utility>
#include <vector>

#include "../build_kind.h"
#include "../doctor/doctored.h"
#include "lives.h"
#include "session_fixture.h"

namespace barefxt::test::reuse_test {
namespace {

// Per mode; by far most of them come and go.
constexpr uint64_t kSteps = 40'000;
constexpr uint64_t kFullSteps = 5'200'000;  // a million births
uint64_t steps() { return is_full_run() ? kFullSteps : kSteps; }

class ReuseTest : public SessionTest {
 protected:
  static constexpr unsigned kProcesses = 24;

  void go_on(Lives& lives, uint64_t count) {
    for (uint64_t i = 0; i < count; ++i) lives.step();
  }

  void expect_true_names(const Lives& lives, const PlainArchive& archive, uint64_t least_events) {
    const Lives::Verdict verdict = lives.judge(archive);
    EXPECT_EQ(verdict.wrong, "");
    EXPECT_GE(verdict.events, least_events);
    std::printf("%llu births, %llu events, %llu names unknown, %llu excused\n",
                static_cast<unsigned long long>(lives.births()),
                static_cast<unsigned long long>(verdict.events),
                static_cast<unsigned long long>(verdict.unknown),
                static_cast<unsigned long long>(verdict.excused));
    EXPECT_LE(verdict.unknown + verdict.excused, verdict.events / 10);
    if (lives.steps() == kFullSteps) {
      EXPECT_GE(lives.births(), 1'000'000u);
    }
  }

  void expect_true_names_of_a_stream(bool reuses_numbers);

  // Losses in the ring may make an archive incomplete, by a thread without a name.
  PlainArchive read_what_is_left() {
    barefxt_stop();
    rebuilt_ = rebuild(dump());
    return decode_plainly(rebuilt_.archive);
  }
};

TEST_F(ReuseTest, InOneShotModeNamesAreTrueUntilTheRingIsFull) {
  Lives lives(1, kProcesses, kCpus);
  start(512);
  go_on(lives, is_full_run() ? kFullSteps : kSteps / 4);
  expect_true_names(lives, stop_and_read(), 2'000);
}

TEST_F(ReuseTest, InCircularModeNamesAreTrueHoweverOldTheSessionIs) {
  Lives lives(2, kProcesses, kCpus);
  start(16, ~0u, BAREFXT_MODE_CIRCULAR);
  go_on(lives, steps());
  expect_true_names(lives, read_what_is_left(), 300);
}

TEST_F(ReuseTest, InStreamingModeNamesAreTrueOfAllThatWasEverSent) {
  expect_true_names_of_a_stream(false);
}

TEST_F(ReuseTest, InStreamingModeNumbersThatComeAgainNameWhoHadThemThen) {
  expect_true_names_of_a_stream(true);
}

void ReuseTest::expect_true_names_of_a_stream(bool reuses_numbers) {
  Lives lives(3, kProcesses, kCpus);
  if (reuses_numbers) lives.reuse_numbers();
  start(16, ~0u, BAREFXT_MODE_STREAMING);
  std::vector<uint8_t> buffer(BAREFXT_DRAIN_BYTES);
  std::vector<uint8_t> sent;
  const auto drain = [&] {
    while (const size_t bytes = barefxt_drain(buffer.data(), buffer.size(), BAREFXT_DUMP_BINARY))
      sent.insert(sent.end(), buffer.begin(), buffer.begin() + static_cast<ptrdiff_t>(bytes));
  };
  for (uint64_t i = 0; i < steps() / 50; ++i) {
    go_on(lives, 50);
    drain();
  }
  barefxt_stop();
  while (!barefxt_drain_is_over()) drain();
  expect_true_names(lives, read(sent), 10'000);
}

// A slow line: at each call a thread comes or goes, and the table takes many calls.
TEST_F(ReuseTest, ChangesFasterThanTheTableCanBeSentKeepNoDrainFromItsEnd) {
  constexpr size_t kRoom = 600;
  constexpr unsigned kCalls = 1000;  // the segments and their tables take about 140
  Lives lives(9, kProcesses, kCpus);
  start(16, ~0u, BAREFXT_MODE_STREAMING);
  go_on(lives, 200);
  std::vector<uint8_t> buffer(kRoom);
  std::vector<uint8_t> sent;
  barefxt_thread coming = {};
  unsigned calls = 0;
  const auto drain = [&](bool is_changing) {
    while (calls < kCalls) {
      const size_t bytes = barefxt_drain(buffer.data(), buffer.size(), BAREFXT_DUMP_BINARY);
      if (bytes == 0) break;
      sent.insert(sent.end(), buffer.begin(), buffer.begin() + static_cast<ptrdiff_t>(bytes));
      ++calls;
      if (!is_changing) continue;
      barefxt_thread_register(&coming, 77, 7700 + calls, "coming", 3);
      barefxt_thread_unregister(&coming);
    }
  };
  drain(true);
  std::printf("%u calls\n", calls);
  ASSERT_LT(calls, kCalls);
  calls = 0;
  barefxt_stop();
  while (!barefxt_drain_is_over() && calls < kCalls) drain(false);
  EXPECT_TRUE(barefxt_drain_is_over());
  expect_true_names(lives, read(sent), 50);
}

TEST_F(ReuseTest, NumbersOfProcessesThatComeAgainNameWhoHadThemThen) {
  for (const barefxt_mode mode : {BAREFXT_MODE_ONE_SHOT, BAREFXT_MODE_CIRCULAR}) {
    Lives lives(4, kProcesses, kCpus);
    lives.reuse_numbers();
    start(64, ~0u, mode);
    go_on(lives, steps() / 4);
    expect_true_names(lives, read_what_is_left(), 500);
  }
}

TEST_F(ReuseTest, MoreAtOnceThanTheTableHoldsHaveTheirNamesInTheRing) {
  Lives lives(7, 60, kCpus);
  start(512);
  go_on(lives, steps() / 4);
  expect_true_names(lives, read_what_is_left(), 2'000);
  start(32, ~0u, BAREFXT_MODE_CIRCULAR);
  go_on(lives, steps());
  const Lives::Verdict verdict = lives.judge(read_what_is_left());
  EXPECT_EQ(verdict.wrong, "");
  EXPECT_GE(verdict.events, 300u);
}

// The dump that no host puts in order: the same threads, event by event.
TEST_F(ReuseTest, ADumpInTheFormatItselfHasTheSameThreads) {
  for (const barefxt_mode mode : {BAREFXT_MODE_ONE_SHOT, BAREFXT_MODE_CIRCULAR}) {
    Lives lives(8, kProcesses, kCpus);
    start(mode == BAREFXT_MODE_ONE_SHOT ? 128 : 16, ~0u, mode);
    go_on(lives, 4000);
    const auto threads_of = [](const PlainArchive& archive) {
      std::map<uint64_t, std::pair<uint64_t, uint64_t>> threads;
      for (const PlainRecord& event : archive.events("said"))
        threads[event.argument("number")->bits] = {event.process, event.thread};
      return threads;
    };
    const auto left = threads_of(read_what_is_left());
    EXPECT_GT(left.size(), 200u);
    EXPECT_EQ(threads_of(dump_without_frames()), left);
  }
}

TEST_F(ReuseTest, ASnapshotIsDumpedWithTheNamesOfItsTime) {
  Lives lives(5, kProcesses, kCpus);
  start(32, ~0u, BAREFXT_MODE_CIRCULAR);
  go_on(lives, kSteps / 4);
  ASSERT_EQ(barefxt_snapshot(), BAREFXT_OK);
  // Entries whose owners the snapshot names stay theirs.
  go_on(lives, kSteps / 4);
  rebuilt_ = rebuild(dump());
  expect_true_names(lives, decode_plainly(rebuilt_.archive), 300);
  go_on(lives, kSteps / 4);
  expect_true_names(lives, read_what_is_left(), 300);
}

class EntryTest : public ReuseTest {
 protected:
  // All entries but a few are of threads that are gone.
  void fill_with_gone() {
    std::vector<barefxt_thread> threads(BAREFXT_MAX_THREADS);
    uint32_t koid = 5000;
    for (barefxt_thread& thread : threads) barefxt_thread_register(&thread, 10, koid++, "gone", 1);
    for (barefxt_thread& thread : threads) barefxt_thread_unregister(&thread);
  }
  static size_t objects_of(const PlainArchive& archive, uint64_t koid) {
    size_t count = 0;
    for (const PlainRecord& record : archive.of_type(7)) count += record.value == koid ? 1 : 0;
    return count;
  }
};

BAREFXT_CATEGORY(work, 3);

TEST_F(EntryTest, AThreadThatEndsWhileItRunsIsStillItselfAfterItsEntryIsAnothers) {
  start(64);
  fill_with_gone();
  barefxt_thread dying = {};
  barefxt_thread_register(&dying, 10, 101, "dying", 1);
  const uint32_t index = dying.reference;
  ASSERT_NE(index, 0u);
  barefxt_context_switch(BAREFXT_THIS_CPU, BAREFXT_STATE_RUNNABLE, &dying);
  BAREFXT_INSTANT(work, "event");
  barefxt_thread_unregister(&dying);
  std::vector<barefxt_thread> heirs(BAREFXT_MAX_THREADS);
  uint32_t koid = 200;
  bool is_taken = false;
  for (barefxt_thread& heir : heirs) {
    barefxt_thread_register(&heir, 10, koid++, "heir", 1);
    is_taken = is_taken || heir.reference == index;
  }
  EXPECT_TRUE(is_taken);
  BAREFXT_INSTANT(work, "event");
  barefxt_context_switch(&dying, BAREFXT_STATE_DEAD, BAREFXT_THIS_CPU);
  for (barefxt_thread& heir : heirs) barefxt_thread_unregister(&heir);
  const PlainArchive archive = stop_and_read();
  ASSERT_EQ(archive.events("event").size(), 2u);
  for (const PlainRecord& event : archive.events("event")) EXPECT_EQ(event.thread, 101u);
  EXPECT_EQ(archive.of_type(8).back().thread, 101u);
  EXPECT_EQ(name_of(archive, 101), "dying");
}

TEST_F(EntryTest, ASnapshotKeepsItsNamesWhileEntriesChangeHands) {
  start(16, ~0u, BAREFXT_MODE_CIRCULAR);
  fill_with_gone();
  barefxt_thread thread = {};
  barefxt_process_register(300, "shell");
  barefxt_thread_register(&thread, 300, 301, "shell", 1);
  const uint32_t index = thread.reference;
  ASSERT_NE(index, 0u);
  BAREFXT_EVENT(work, BAREFXT_EVENT_INSTANT, &thread, BAREFXT_TEXT("said"), 0);
  ASSERT_EQ(barefxt_snapshot(), BAREFXT_OK);
  barefxt_process_rename(300, "editor");
  barefxt_thread_rename(&thread, "editor");
  barefxt_thread_unregister(&thread);
  barefxt_process_unregister(300);
  std::vector<barefxt_thread> heirs(BAREFXT_MAX_THREADS);
  uint32_t koid = 400;
  bool is_taken = false;
  for (barefxt_thread& heir : heirs) {
    barefxt_thread_register(&heir, 10, koid++, "heir", 1);
    is_taken = is_taken || heir.reference == index;
  }
  EXPECT_TRUE(is_taken) << "entries change hands while a snapshot is held";
  const PlainArchive archive = decode_plainly(rebuild(dump()).archive);
  ASSERT_EQ(archive.events("said").size(), 1u);
  EXPECT_EQ(archive.events("said")[0].thread, 301u);
  EXPECT_EQ(archive.events("renamed").size(), 0u);
  EXPECT_EQ(name_of(archive, 301), "shell");
  EXPECT_EQ(name_of(archive, 300), "shell");
  const PlainArchive rest = stop_and_read();
  EXPECT_EQ(rest.events("renamed").size(), 2u);
  for (barefxt_thread& heir : heirs) barefxt_thread_unregister(&heir);
}

TEST_F(EntryTest, TheDoctorKnowsThreadsWhoseEntriesProcessesHave) {
  start(64);
  std::vector<barefxt_thread> threads(BAREFXT_MAX_THREADS);
  uint32_t koid = 5000;
  for (barefxt_thread& thread : threads) {
    barefxt_thread_register(&thread, 10, koid++, "gone", 1);
    BAREFXT_EVENT(work, BAREFXT_EVENT_INSTANT, &thread, BAREFXT_TEXT("said"), 0);
    barefxt_thread_unregister(&thread);
  }
  for (uint32_t i = 0; i < BAREFXT_MAX_THREADS; ++i) barefxt_process_register(6000 + i, "heir");
  for (uint32_t cpu = kCpus; cpu-- != 0;) {
    run_on_cpu(cpu);
    BAREFXT_INSTANT(work, "said");
  }
  barefxt_stop();
  EXPECT_EQ(doctor(dump()).text(), "");
  for (uint32_t i = 0; i < BAREFXT_MAX_THREADS; ++i) barefxt_process_unregister(6000 + i);
}

TEST_F(EntryTest, AThreadThatIsGoneGetsNoEntryByARename) {
  start(64);
  barefxt_thread gone = {};
  barefxt_thread_register(&gone, 10, 401, "gone", 1);
  barefxt_thread_unregister(&gone);
  barefxt_thread_set_priority(&gone, 7);
  barefxt_thread_rename(&gone, "risen");
  EXPECT_EQ(gone.reference, 0u);
  EXPECT_EQ(name_of(stop_and_read(), 401), "gone");
}

TEST_F(EntryTest, AProcessHasOneObjectWithItsLastNameAndEachRenameAtItsTime) {
  start(64);
  barefxt_process_register(500, "sh");
  barefxt_process_register(500, "cat");
  barefxt_process_rename(500, "grep");
  barefxt_process_rename(500, "grep");  // no other name
  barefxt_process_unregister(500);
  barefxt_process_register(500, "awk");  // the number again
  const PlainArchive archive = stop_and_read();
  EXPECT_EQ(objects_of(archive, 500), 1u);
  EXPECT_EQ(name_of(archive, 500), "awk");
  std::string renames;
  for (const PlainRecord& event : archive.events("renamed")) {
    EXPECT_EQ(event.category, "sched");
    EXPECT_EQ(event.argument("koid")->bits, 500u);
    renames += event.argument("old")->text + ">" + event.argument("new")->text + " ";
  }
  EXPECT_EQ(renames, "sh>cat cat>grep grep>awk ");
  barefxt_process_unregister(500);
}

// Another has its entry in between; and its last name is the one that it had then.
TEST_F(EntryTest, AProcessThatComesAgainAndEndsUpWithItsFormerNameHadAnotherMeanwhile) {
  start(64);
  barefxt_process_register(510, "shell");
  BAREFXT_INSTANT(work, "first");
  barefxt_process_unregister(510);
  fill_with_gone();
  fill_with_gone();
  barefxt_process_register(510, "child");
  BAREFXT_INSTANT(work, "second");
  barefxt_process_rename(510, "shell");
  const PlainArchive archive = stop_and_read();
  EXPECT_EQ(name_of(archive, 510), "shell");
  std::vector<const PlainRecord*> renames;
  const std::vector<PlainRecord> all = archive.events("renamed");
  for (const PlainRecord& event : all)
    if (event.argument("koid")->bits == 510) renames.push_back(&event);
  ASSERT_EQ(renames.size(), 2u);
  EXPECT_EQ(renames[0]->argument("old")->text, "shell");
  EXPECT_GT(renames[0]->timestamp, archive.events("first")[0].timestamp);
  EXPECT_LT(renames[0]->timestamp, archive.events("second")[0].timestamp);
  EXPECT_EQ(renames[1]->argument("old")->text, "child");
  barefxt_process_unregister(510);
}

TEST_F(EntryTest, ARenameIsDrawnOnTheThreadsOwnTrack) {
  barefxt_thread thread = {};
  barefxt_thread_register(&thread, 10, 601, "before", 1);
  start(64);
  barefxt_thread_rename(&thread, "after");
  const PlainArchive archive = stop_and_read();
  ASSERT_EQ(archive.events("renamed").size(), 1u);
  EXPECT_EQ(archive.events("renamed")[0].thread, 601u);
  EXPECT_EQ(objects_of(archive, 601), 1u);
  EXPECT_EQ(name_of(archive, 601), "after");
  barefxt_thread_unregister(&thread);
}

TEST_F(EntryTest, WithoutRoomForItsRecordNoEntryChangesHands) {
  start(2);
  fill_with_gone();
  for (int i = 0; i < 1000; ++i) BAREFXT_INSTANT(work, "full");
  barefxt_thread late = {};
  barefxt_thread_register(&late, 10, 701, "late", 1);
  EXPECT_EQ(late.reference, 0u);
  barefxt_thread_unregister(&late);
  const barefxt_stop_report report = barefxt_stop();
  EXPECT_GT(report.lost_records, 0u);
}

TEST_F(ReuseTest, ASessionBeginsWithEveryEntryThatIsFree) {
  Lives lives(6, kProcesses, kCpus);
  for (int i = 0; i < 5; ++i) {
    start(32, ~0u, BAREFXT_MODE_CIRCULAR);
    go_on(lives, kSteps / 10);
    expect_true_names(lives, read_what_is_left(), 300);
  }
}

}  // namespace
}  // namespace barefxt::test::reuse_test
