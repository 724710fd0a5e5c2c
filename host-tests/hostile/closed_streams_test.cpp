// Standard streams that were closed before the command started.
#include <sys/resource.h>

#include "hostile/shell.h"
#include "rebuild/capture_builder.h"

namespace barefxt::test::closed_streams_test {
namespace {

class ClosedStreams : public Shell {
 protected:
  void SetUp() override {
    Shell::SetUp();
    write("in", binary_form(two_cpu_capture().frames()));
    ASSERT_EQ(run("BAREFXT rebuild in -o in.fxt"), 0) << messages();
  }
};

// The limit ends a copy of a file onto itself, which would fill the disk.
TEST_F(ClosedStreams, AnOutputToThemFailsAndFillsNoDisk) {
  for (const char* line :
       {"BAREFXT rebuild in -o -", "BAREFXT convert in.fxt --to perfetto -o -",
        "BAREFXT convert in.fxt --to fxt -o -", "BAREFXT report in.fxt -o -",
        "BAREFXT capture - -o - < in", "BAREFXT print in.fxt", "BAREFXT stats in.fxt",
        "BAREFXT lint in.fxt", "BAREFXT doctor in", "BAREFXT --help"}) {
    EXPECT_EQ(run("ulimit -f 20000; timeout 20 " + std::string(line) + " >&-"), 2) << line;
    EXPECT_TRUE(contains(messages(), "Bad file descriptor")) << line;
  }
}

TEST_F(ClosedStreams, AnInputFromThemFails) {
  EXPECT_EQ(run("BAREFXT print - <&-"), 2) << messages();
  EXPECT_EQ(run("BAREFXT rebuild - -o out <&-"), 2) << messages();
  EXPECT_EQ(entries(), "in in.fxt");
}

TEST_F(ClosedStreams, AFileIsWrittenAllTheSameAndIsNoStream) {
  ASSERT_EQ(run("BAREFXT convert in.fxt --to perfetto -o whole"), 0) << messages();
  for (const char* streams : {"2>&- <&- >&-", "2>&-", "<&-", ">&-"}) {
    const std::string closed = std::string(" ") + streams;
    EXPECT_EQ(run("BAREFXT convert in.fxt --to perfetto -o out" + closed), 0) << streams;
    EXPECT_EQ(read("out"), read("whole")) << streams;
    EXPECT_EQ(run("BAREFXT rebuild in -o out" + closed), 0) << streams;
    EXPECT_EQ(read("out"), read("in.fxt")) << streams;
  }
}

}  // namespace
}  // namespace barefxt::test::closed_streams_test
