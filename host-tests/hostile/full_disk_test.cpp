// A disk without room: the command says so with status 2, leaves nothing of its own there, and an
// older output stays as it was. The disk is a real one of 64 KiB, in memory, which each line has to
// itself.
#include "hostile/mutations.h"
#include "hostile/shell.h"
#include "rebuild/capture_builder.h"
#include "speed/sample_archive.h"

namespace barefxt::test::full_disk_test {
namespace {

class FullDisk : public Shell {
 protected:
  void SetUp() override {
    Shell::SetUp();
    std::filesystem::create_directory(path("disk"));
    if (run("unshare -rm mount -t tmpfs none disk") != 0)
      GTEST_SKIP() << "no disk can be mounted: " << messages();
    const std::string archive = sample(Mix::kDemo, 1 << 18).archive(1);
    write("in.fxt", archive);
    write("in.fxt.gz", packed_by_gzip({archive.begin(), archive.end()}));
    write("in", binary_form(two_cpu_capture(100, 100).frames()));
  }

  void expect_no_room(const std::string& line) {
    SCOPED_TRACE(line);
    EXPECT_EQ(run("unshare -rm sh -s <<'END'\n"
                  "mount -t tmpfs -o size=64k none disk || exit 99\n"
                  "mkdir disk/temporary\n"
                  "echo OLDER >disk/out\n" +
                  line +
                  "\nstatus=$?\n"
                  "find disk -type f >_left\n"
                  "cat disk/out >_older\n"
                  "exit $status\nEND\n"),
              2);
    EXPECT_TRUE(contains(messages(), "No space left"));
    EXPECT_EQ(read("_left"), "disk/out\n");
    EXPECT_EQ(read("_older"), "OLDER\n");
    EXPECT_EQ(entries(), "disk in in.fxt in.fxt.gz");
  }
};

TEST_F(FullDisk, HasNoRoomForAnOutput) {
  for (const char* line :
       {"rebuild in -o ", "capture - <in -o ", "capture - <in --raw raw -o ", "report in.fxt -o ",
        "convert in.fxt --to fxt -o ", "convert in.fxt --to perfetto -o ",
        "convert in.fxt --to chrome-json -o ", "top - --batch <in >_top -o "})
    expect_no_room(std::string("BAREFXT ") + line +
                   "disk/out; status=$?; rm -f raw; (exit $status)");
}

TEST_F(FullDisk, HasNoRoomForTemporaryFiles) {
  for (const char* line : {"print - <in.fxt", "print in.fxt.gz", "stats in.fxt.gz",
                           "report - -o out <in.fxt", "convert - --to fxt -o out <in.fxt"}) {
    expect_no_room(std::string("TMPDIR=disk/temporary BAREFXT ") + line);
    EXPECT_TRUE(contains(messages(), "set TMPDIR"));
  }
}

}  // namespace
}  // namespace barefxt::test::full_disk_test
