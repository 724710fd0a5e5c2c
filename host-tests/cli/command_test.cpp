// The command itself: its exit statuses and where its output goes.
#include <gtest/gtest.h>
#include <regex>

#include "goldens/goldens.h"
#include "hostile/shell.h"

namespace barefxt::test::command_test {
namespace {

using U = uint64_t;

struct CommandResult {
  int status;
  std::string output;
};

class Command : public Shell {
 protected:
  void SetUp() override {
    Shell::SetUp();
    write("good", little_endian({W(kMagic), W(U{1} << 0 | U{2} << 4, 9)}));
    write("cut", little_endian({W(kMagic), W(U{1} << 0 | U{2} << 4)}));
    write("empty", "");
    write("noise", "this is no archive at all, is it now?");
  }

  // Behind `feeder` where it reads from a pipe.
  CommandResult run(const std::string& arguments, const std::string& feeder = {}) {
    const int status = Shell::run(feeder + "BAREFXT " + arguments);
    return {status, printed()};
  }
};

TEST_F(Command, AWholeArchiveIsDone) {
  for (const char* verb : {"print", "print --json", "lint", "stats", "stats --json"}) {
    EXPECT_EQ(run(std::string(verb) + " " + path("good")).status, 0) << verb;
  }
}

TEST_F(Command, AMalformedPlaceIsIncompleteAndAFindingOfLint) {
  EXPECT_EQ(run("print " + path("cut") + " 2>&1").status, 3);
  EXPECT_EQ(run("print --json " + path("cut") + " 2>/dev/null").status, 3);
  EXPECT_EQ(run("stats " + path("cut") + " 2>/dev/null").status, 3);
  EXPECT_EQ(run("lint " + path("cut") + " 2>/dev/null").status, 1);
}

TEST_F(Command, NothingReadableIsNothing) {
  for (const char* verb : {"print", "lint", "stats"}) {
    for (const char* file : {"empty", "noise"}) {
      EXPECT_EQ(run(std::string(verb) + " " + path(file) + " 2>/dev/null").status, 4)
          << verb << " " << file;
    }
  }
}

TEST_F(Command, BadUsageAndFilesThatCannotBeOpenedAreUsage) {
  for (const char* arguments :
       {"nonsense", "print", "print --nonsense x", "print --dialect 1999 x",
        "print /nowhere/at/all", "lint /nowhere/at/all", "stats /nowhere/at/all", "print /tmp"}) {
    const CommandResult ran = run(std::string(arguments) + " 2>/dev/null");
    EXPECT_EQ(ran.status, 2) << arguments;
    EXPECT_EQ(ran.output, "") << arguments;
  }
}

TEST_F(Command, HelpAndVersionAreEverywhere) {
  for (const char* verb : {"", "print ", "lint ", "stats ", "rebuild ", "convert ", "doctor "}) {
    EXPECT_EQ(run(std::string(verb) + "--help").status, 0) << verb;
    const CommandResult version = run(std::string(verb) + "--version");
    EXPECT_EQ(version.status, 0) << verb;
    // With the commit, except in builds outside a clone.
    EXPECT_TRUE(std::regex_match(
        version.output,
        std::regex("barefxt [0-9]+\\.[0-9]+\\.[0-9]+( \\([0-9a-f]{12}(-dirty)?\\))?\n")))
        << version.output;
  }
  EXPECT_TRUE(contains(run("").output, "print"));
}

TEST_F(Command, StandardInputIsReadLikeAFile) {
  const CommandResult from_file = run("print --json " + path("good"));
  EXPECT_EQ(run("print --json - <" + path("good")).output, from_file.output);
  EXPECT_EQ(run("print --json - </dev/null 2>/dev/null").status, 4);

  // A pipe cannot be mapped, and gives what it has bit by bit, here torn within a word.
  const std::string slowly =
      "(head -c 13 " + path("good") + "; sleep 0.1; tail -c +14 " + path("good") + ") | ";
  EXPECT_EQ(run("print --json -", slowly).output, from_file.output);
  for (const char* verb : {"lint", "stats"})
    EXPECT_EQ(run(std::string(verb) + " -", slowly).status, 0);
}

TEST_F(Command, OutputThatCannotBeWrittenIsUsage) {
  for (const char* verb : {"print", "print --json", "stats", "stats --json"}) {
    EXPECT_EQ(run(std::string(verb) + " " + path("good") + " 2>/dev/null >/dev/full").status, 2)
        << verb;
  }
}

TEST_F(Command, DialectAndByteOrderCanBeOverruled) {
  // Event type 4 of an archive without a magic number.
  write("old", little_endian(golden("the 2017 dialect").pieces));
  const std::string old = "print --json " + path("old") + " 2>&1";
  EXPECT_TRUE(contains(run(old).output, "read in the 2017 dialect"));
  EXPECT_TRUE(contains(run(old).output, R"("event":"async_begin","timestamp":2)"));
  EXPECT_TRUE(contains(run(old + " --dialect today").output,
                       R"("event":"duration_complete","timestamp":2)"));
  // Big-endian: an option agrees, or contradicts the magic number.
  write("big", big_endian({W(kMagic), W(U{1} << 0 | U{2} << 4, 9)}));
  const std::string big = "print --json " + path("big") + " 2>/dev/null";
  EXPECT_EQ(run(big).status, 0);
  EXPECT_EQ(run(big + " --input-byte-order big").output, run(big).output);
  EXPECT_EQ(run(big + " --input-byte-order little").status, 4);
}

}  // namespace
}  // namespace barefxt::test::command_test
