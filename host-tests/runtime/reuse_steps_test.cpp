// Entries that change hands, interrupted before each instruction by others that take, give back or
// rename theirs: in the archive, each event's thread has the name that it had then.

#include <map>

#include "at_every_instruction.h"
#include "session_fixture.h"

namespace barefxt::test::reuse_steps_test {
namespace {

BAREFXT_CATEGORY(work, 3);

// A thread and its name, as the kernel knows them.
struct Known {
  uint32_t koid;
  const char* name;
  barefxt_thread thread;
};

constexpr uint32_t kProcess = 10;
Known gone[] = {{201, "gone", {}}, {202, "gone", {}}, {203, "gone", {}}, {204, "gone", {}}};
Known live = {205, "live", {}};
Known newcomer = {301, "newcomer", {}};
Known interrupting = {302, "interrupting", {}};

void say(const Known& known) {
  BAREFXT_EVENT(work, BAREFXT_EVENT_INSTANT, &known.thread, BAREFXT_TEXT("said"), 0,
                BAREFXT_ARG_U32("koid", known.koid),
                BAREFXT_ARG_STRING("name", known.name, static_cast<uint32_t>(strlen(known.name))));
}

void come(Known& known) {
  barefxt_thread_register(&known.thread, kProcess, known.koid, known.name, 1);
}
void come_as(Known& known, const char* name) {
  known.name = name;
  come(known);
}
// Whosever entry is about to be taken.
void come_back(const char* name) {
  for (Known& each : gone) come_as(each, name);
}
void rename(Known& known, const char* name) {
  known.name = name;
  barefxt_thread_rename(&known.thread, name);
}
void go(Known& known) { barefxt_thread_unregister(&known.thread); }

class ReuseStepsTest : public SessionTest {
 protected:
  // A table that is full, half of it with the gone.
  void SetUp() override {
    SessionTest::SetUp();
    start(16);
    come(live);
    for (Known& each : gone) come(each);
    uint32_t koid = 401;
    for (barefxt_thread& other : others_)
      barefxt_thread_register(&other, kProcess, koid++, "other", 1);
    ASSERT_EQ(others_[BAREFXT_MAX_THREADS - 1].reference, 0u) << "the table is full";
    say(live);
    for (Known& each : gone) {
      say(each);
      go(each);
    }
  }

  void TearDown() override {
    for (Known* known : {&live, &newcomer, &interrupting, &gone[0], &gone[1], &gone[2], &gone[3]})
      go(*known);
    for (barefxt_thread& other : others_) barefxt_thread_unregister(&other);
    live.name = "live";
    for (Known& each : gone) each.name = "gone";
    newcomer.thread = interrupting.thread = {};
    SessionTest::TearDown();
  }

  static void judge_all() {
    judge({&live, &newcomer, &interrupting, &gone[0], &gone[1], &gone[2], &gone[3]});
  }

  // Checks the last records of those alive, and the records of all.
  static void judge(std::initializer_list<const Known*> alive) {
    for (const Known* known : alive)
      if (known->thread.koid != 0) say(*known);
    const barefxt_stop_report report = barefxt_stop();
    EXPECT_EQ(report.unfinished_records, 0u);
    const Rebuilt rebuilt = rebuild(dump());
    EXPECT_EQ(rebuilt.verdict, host::RebuildVerdict::kComplete) << rebuilt.messages;
    const PlainArchive archive = decode_plainly(rebuilt.archive);
    std::map<uint64_t, std::string> last;
    for (const PlainRecord& object : archive.of_type(7)) last[object.value] = object.name;
    const std::vector<PlainRecord> renames = archive.events("renamed");
    for (const PlainRecord& event : archive.events("said")) {
      const uint64_t koid = event.argument("koid")->bits;
      EXPECT_EQ(event.thread, koid);
      std::string name = last[koid];
      for (const PlainRecord& rename : renames)
        if (rename.argument("koid")->bits == koid && rename.timestamp > event.timestamp) {
          name = rename.argument("old")->text;
          break;
        }
      EXPECT_EQ(name, event.argument("name")->text) << "of koid " << koid;
    }
  }

  barefxt_thread others_[BAREFXT_MAX_THREADS] = {};
};

TEST_F(ReuseStepsTest, ANewcomerInterruptedByAnother) {
  at_every_instruction([] { come(newcomer); }, [] { come(interrupting); }, &judge_all);
}

TEST_F(ReuseStepsTest, ANewcomerInterruptedByTheOwnerWhoComesBack) {
  at_every_instruction([] { come(newcomer); }, [] { come_back("gone"); }, &judge_all);
}

TEST_F(ReuseStepsTest, ANewcomerInterruptedByTheOwnerWhoComesBackUnderAnotherName) {
  at_every_instruction([] { come(newcomer); }, [] { come_back("risen"); }, &judge_all);
}

TEST_F(ReuseStepsTest, ANewcomerInterruptedByOwnersWhoComeBackAndGoAndByAnother) {
  at_every_instruction([] { come(newcomer); },
                       [] {
                         come_back("risen");
                         for (const Known& each : gone) say(each);
                         for (Known& each : gone) go(each);
                         come(interrupting);
                         say(interrupting);
                       },
                       &judge_all);
}

TEST_F(ReuseStepsTest, AnOwnerWhoComesBackInterruptedByANewcomer) {
  at_every_instruction([] { come_as(gone[0], "risen"); }, [] { come(interrupting); }, &judge_all);
}

TEST_F(ReuseStepsTest, ANewcomerInterruptedByOneWhoGoesAndOneWhoComes) {
  at_every_instruction([] { come(newcomer); },
                       [] {
                         go(live);
                         come(interrupting);
                       },
                       &judge_all);
}

TEST_F(ReuseStepsTest, ARenameInterruptedByANewcomer) {
  at_every_instruction([] { rename(live, "renamed"); }, [] { come(interrupting); }, &judge_all);
}

// As many newcomers as have places, so that one has the entry that is being renamed.
TEST_F(ReuseStepsTest, ARenameInterruptedByTheEndOfItsThreadAndByNewcomers) {
  static Known newcomers[] = {{501, "first", {}},
                              {502, "second", {}},
                              {503, "third", {}},
                              {504, "fourth", {}},
                              {505, "fifth", {}}};
  at_every_instruction([] { barefxt_thread_rename(&live.thread, "renamed"); },
                       [] {
                         go(live);
                         for (Known& each : newcomers) come(each);
                       },
                       [] {
                         live.thread.koid = 0;
                         for (const Known& each : newcomers) say(each);
                         judge_all();
                       });
  for (Known& each : newcomers) go(each);
}

// The one that comes in between is left out, and counted as lost.
TEST_F(ReuseStepsTest, ARenameInterruptedByAnotherOfTheSameThread) {
  at_every_instruction([] { barefxt_thread_rename(&live.thread, "renamed"); },
                       [] { barefxt_thread_rename(&live.thread, "again"); },
                       [] {
                         say(live);
                         const uint64_t lost = barefxt_stop().lost_records;
                         const PlainArchive archive = decode_plainly(rebuild(dump()).archive);
                         std::string name = "live";
                         uint64_t renames = 0;
                         for (const PlainRecord& rename : archive.events("renamed")) {
                           ++renames;
                           EXPECT_EQ(rename.argument("koid")->bits, live.koid);
                           EXPECT_EQ(rename.argument("old")->text, name);
                           name = rename.argument("new")->text;
                         }
                         EXPECT_EQ(renames + lost, 2u);
                         EXPECT_TRUE(name == "renamed" || name == "again") << name;
                         for (const PlainRecord& object : archive.of_type(7)) {
                           if (object.value == live.koid) {
                             EXPECT_EQ(object.name, name);
                           }
                         }
                       });
}

TEST_F(ReuseStepsTest, OneWhoGoesInterruptedByANewcomer) {
  at_every_instruction([] { go(live); }, [] { come(interrupting); }, &judge_all);
}

TEST_F(ReuseStepsTest, ANewcomerInterruptedByARename) {
  at_every_instruction([] { come(newcomer); }, [] { rename(live, "renamed"); }, &judge_all);
}

TEST_F(ReuseStepsTest, ANewcomerInterruptedByASnapshot) {
  barefxt_stop();
  start(16, ~0u, BAREFXT_MODE_CIRCULAR);
  for (Known& each : gone) {
    come(each);
    say(each);
    go(each);
  }
  at_every_instruction([] { come(newcomer); }, [] { EXPECT_EQ(barefxt_snapshot(), BAREFXT_OK); },
                       [] {
                         say(newcomer);
                         const PlainArchive archive = decode_plainly(rebuild(dump()).archive);
                         EXPECT_EQ(archive.events("said").size(), 4u);
                         for (const PlainRecord& event : archive.events("said"))
                           EXPECT_EQ(event.thread, event.argument("koid")->bits);
                       });
}

}  // namespace
}  // namespace barefxt::test::reuse_steps_test
