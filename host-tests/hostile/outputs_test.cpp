// Outputs onto older files, links and devices; their modes and names; inputs named as outputs.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hostile/shell.h"
#include "rebuild/capture_builder.h"

namespace barefxt::test::outputs_test {
namespace {

namespace fs = std::filesystem;

class Outputs : public Shell {
 protected:
  void SetUp() override {
    Shell::SetUp();
    write("in", binary_form(two_cpu_capture().frames()));
    ASSERT_EQ(run("BAREFXT rebuild in -o in.fxt"), 0) << messages();
  }
  unsigned mode(const std::string& name) const {
    struct stat status{};
    EXPECT_EQ(::stat(path(name).c_str(), &status), 0);
    return status.st_mode & 07777U;
  }
  // Each makes an archive equal to in.fxt.
  const std::vector<std::string> lines_ = {"BAREFXT rebuild in -o ", "BAREFXT capture - <in -o ",
                                           "BAREFXT convert in.fxt --to fxt -o "};
};

TEST_F(Outputs, AnOlderRawCopyStaysUntilSomethingComes) {
  write("old.raw", "PRECIOUS");
  EXPECT_EQ(run("BAREFXT capture --serial /dev/nonexistent --raw old.raw -o out"), 2);
  EXPECT_EQ(read("old.raw"), "PRECIOUS");
  EXPECT_EQ(run("BAREFXT capture - --raw old.raw -o out </dev/null"), 4);
  EXPECT_EQ(read("old.raw"), "PRECIOUS");
  EXPECT_EQ(run("BAREFXT capture - --raw new.raw -o out </dev/null"), 4);
  EXPECT_EQ(entries(), "in in.fxt old.raw");
  EXPECT_EQ(run("BAREFXT capture - --raw old.raw -o out <in"), 0) << messages();
  EXPECT_EQ(read("old.raw"), read("in"));
  EXPECT_EQ(entries(), "in in.fxt old.raw out");
}

TEST_F(Outputs, NoInputIsAnOutputAndNoTwoOutputsAreOne) {
  fs::create_symlink("in.fxt", path("link"));
  fs::create_hard_link(path("in.fxt"), path("hard"));
  fs::create_symlink("new", path("to-new"));
  write("budget", "wakeup_latency p99 <= 50us\n");
  const std::string archive = read("in.fxt");
  const std::string capture = read("in");
  for (const char* line : {"capture --follow in --raw in -o out",
                           "capture - --raw same -o same <in.fxt",
                           "capture - --raw new -o to-new <in.fxt",
                           "capture --follow in -o in",
                           "capture - -o in <in",
                           "rebuild in -o in",
                           "rebuild - -o in <in",
                           "rebuild in --elf in.fxt -o in.fxt",
                           "rebuild in -o - >>in",
                           "convert in.fxt --to fxt -o in.fxt",
                           "convert in.fxt --to perfetto -o ./in.fxt",
                           "convert link --to chrome-json -o in.fxt",
                           "convert in.fxt --to parquet -o link",
                           "convert hard --to fxt -o in.fxt",
                           "convert in.fxt --elf in --to fdr -o in",
                           "report in.fxt -o in.fxt",
                           "report in.fxt --elf in -o in",
                           "stats in.fxt --elf in --budget budget --junit in",
                           "top --follow in --batch -o in",
                           "stats in.fxt --budget budget --junit budget",
                           "check budget in.fxt --junit budget",
                           "check budget in.fxt --junit in.fxt",
                           "learn hard in.fxt -o link",
                           "profile hard --to folded -o link",
                           "profile in.fxt --elf in --to pprof -o in",
                           "rebuild in --interrupts budget -o budget",
                           "capture - --interrupts budget -o budget <in",
                           "top - --batch --interrupts budget -o budget <in",
                           "stats in.fxt --baseline hard --budget budget --junit link",
                           "stats in.fxt --budget budget --junit in.fxt"}) {
    EXPECT_EQ(run("BAREFXT " + std::string(line)), 2) << line;
    EXPECT_TRUE(messages().find("is read and written") != std::string::npos ||
                messages().find("named as two outputs") != std::string::npos)
        << line << "\n"
        << messages();
    EXPECT_EQ(read("in.fxt"), archive) << line;
    EXPECT_EQ(read("in"), capture) << line;
    EXPECT_EQ(entries(), "budget hard in in.fxt link to-new") << line;
  }
}

TEST_F(Outputs, AnOlderFileKeepsItsMode) {
  for (const std::string& line : lines_) {
    for (const unsigned mode_of_old : {0600U, 0640U, 0666U, 0755U}) {
      write("old", "older");
      ASSERT_EQ(::chmod(path("old").c_str(), mode_of_old), 0);
      EXPECT_EQ(run(line + "old"), 0) << messages();
      EXPECT_EQ(mode("old"), mode_of_old) << line;
      EXPECT_EQ(read("old"), read("in.fxt"));
    }
    fs::remove(path("old"));
    EXPECT_EQ(run("umask 027; " + line + "old"), 0) << messages();
    EXPECT_EQ(mode("old"), 0640U);
    fs::remove(path("old"));
  }
}

TEST_F(Outputs, SymbolicLinksAreFollowed) {
  fs::create_directory(path("far"));
  for (const std::string& line : lines_) {
    write("far/real", "older");
    fs::create_symlink("far/real", path("link"));
    fs::create_symlink("link", path("link-to-link"));
    fs::create_symlink("far/nowhere", path("dangling"));
    EXPECT_EQ(run(line + "link-to-link"), 0) << messages();
    EXPECT_EQ(read("far/real"), read("in.fxt"));
    EXPECT_EQ(run(line + "dangling"), 0) << messages();
    EXPECT_EQ(read("far/nowhere"), read("in.fxt"));
    for (const char* name : {"link", "link-to-link", "dangling"}) {
      EXPECT_TRUE(fs::is_symlink(path(name))) << name;
      fs::remove(path(name));
    }
    fs::remove(path("far/real"));
    fs::remove(path("far/nowhere"));
  }
  fs::create_symlink("b", path("a"));
  fs::create_symlink("a", path("b"));
  EXPECT_EQ(run("BAREFXT rebuild in -o a"), 2);
}

TEST_F(Outputs, AHardLinkIsBroken) {
  write("one", "older");
  fs::create_hard_link(path("one"), path("other"));
  EXPECT_EQ(run("BAREFXT rebuild in -o one"), 0) << messages();
  EXPECT_EQ(read("other"), "older");
  EXPECT_EQ(read("one"), read("in.fxt"));
}

TEST_F(Outputs, ANameMayBeAsLongAsTheFileSystemHasIt) {
  const std::string name(255, 'y');
  for (const std::string& line : lines_) {
    EXPECT_EQ(run(line + name), 0) << messages();
    EXPECT_EQ(read(name), read("in.fxt"));
    fs::remove(path(name));
  }
  EXPECT_EQ(run("BAREFXT convert in.fxt --to ctf -o " + name), 0) << messages();
  EXPECT_TRUE(fs::is_directory(path(name)));
}

TEST_F(Outputs, WhatIsNoRegularFileIsWrittenAsItIs) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  for (const std::string& line : lines_) {
    EXPECT_EQ(run("cat pipe >piped & " + line + "pipe; status=$?; wait; exit $status"), 0)
        << messages();
    EXPECT_EQ(read("piped"), read("in.fxt"));
    EXPECT_TRUE(fs::is_fifo(path("pipe")));
    EXPECT_EQ(run(line + "/dev/null"), 0) << messages();
    EXPECT_EQ(run(line + "/dev/full"), 2) << messages();
    EXPECT_EQ(run(line + "/dev/stdout | cat >piped"), 0) << messages();
    EXPECT_EQ(read("piped"), read("in.fxt"));
    // A file that the shell writes is not replaced.
    EXPECT_EQ(run("{ echo before; " + line + "/dev/stdout; echo after; } >shared"), 0)
        << messages();
    EXPECT_EQ(read("shared"), "before\n" + read("in.fxt") + "after\n");
  }
  EXPECT_EQ(run("cat pipe >piped & BAREFXT capture - --raw pipe -o out <in; status=$?; wait; "
                "exit $status"),
            0)
      << messages();
  EXPECT_EQ(read("piped"), read("in"));
}

TEST_F(Outputs, WhatAnotherUserPutIntoASharedFolderIsNotFollowed) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can make files of another user";
  constexpr uid_t kOther = 65534;
  fs::create_directory(path("shared"));
  ASSERT_EQ(::chmod(path("shared").c_str(), 01777), 0);
  write("victim", "victim");
  fs::create_symlink(path("victim"), path("shared/link"));
  ASSERT_EQ(::lchown(path("shared/link").c_str(), kOther, kOther), 0);
  write("shared/file", "planted");
  ASSERT_EQ(::chown(path("shared/file").c_str(), kOther, kOther), 0);
  ASSERT_EQ(::mkfifo(path("shared/pipe").c_str(), 0666), 0);
  ASSERT_EQ(::chown(path("shared/pipe").c_str(), kOther, kOther), 0);
  for (const std::string& line : lines_)
    for (const char* name : {"link", "file", "pipe"}) {
      EXPECT_EQ(run("timeout 20 " + line + "shared/" + name), 2) << line << name;
      EXPECT_TRUE(contains(messages(), "another user"));
    }
  EXPECT_EQ(run("BAREFXT capture - --raw shared/link -o out <in"), 2) << messages();
  EXPECT_EQ(read("victim"), "victim");
  EXPECT_EQ(read("shared/file"), "planted");
  // The user's own link is followed there as well.
  fs::create_symlink(path("own"), path("shared/own"));
  EXPECT_EQ(run("BAREFXT rebuild in -o shared/own"), 0) << messages();
  EXPECT_EQ(read("own"), read("in.fxt"));
}

}  // namespace
}  // namespace barefxt::test::outputs_test
