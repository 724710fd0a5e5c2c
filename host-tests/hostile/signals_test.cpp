// Signals while an output is written: nothing is left aside, and no capture is lost.
#include <csignal>
#include <fcntl.h>
#include <sys/wait.h>

#include <barefxt/host/archive_writer.h>

#include "hostile/shell.h"
#include "rebuild/capture_builder.h"
#include "speed/sample_archive.h"

namespace barefxt::test::signals_test {
namespace {

class Signals : public Shell {
 protected:
  void write_archive(const std::string& name, size_t bytes) const {
    const Sample one = sample(Mix::kDemo, 1 << 16);
    write(name, one.archive(bytes / one.body.size() + 1));
  }
};

// The signal comes when the file aside exists. Other verbs are in stored_outputs_test.cpp.
TEST_F(Signals, LeaveNothingAside) {
  write_archive("big.fxt", 20 << 20);
  for (const char* to : {"perfetto", "ctf", "parquet", "fxt"})
    for (const int signal :
         {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGALRM, SIGUSR1, SIGABRT, SIGSEGV}) {
      // A sanitizer would end the command itself at SIGSEGV.
      start(std::string("export ASAN_OPTIONS=\"$ASAN_OPTIONS:handle_segv=0\"; "
                        "exec BAREFXT convert big.fxt -o out --to ") +
            to);
      ASSERT_TRUE(comes_true_soon([&] { return entries().find(".barefxt-") != std::string::npos; }))
          << to << messages();
      ::kill(child(), signal);
      EXPECT_EQ(wait(), 128 + signal) << to;
      EXPECT_EQ(entries(), "big.fxt") << to << " " << signal;
    }
}

TEST_F(Signals, ThatAreIgnoredStayIgnored) {
  write_archive("some.fxt", 8 << 20);
  start("trap '' HUP; exec BAREFXT convert some.fxt --to perfetto -o out");
  ASSERT_TRUE(comes_true_soon([&] { return entries().find(".barefxt-") != std::string::npos; }));
  ::kill(child(), SIGHUP);
  EXPECT_EQ(wait(), 0) << messages();
  EXPECT_EQ(entries(), "out some.fxt");
}

// A second Ctrl-C comes while the archive is written, which is the only copy of the capture.
TEST_F(Signals, ASecondOneLosesNoCapture) {
  Bytes capture;
  for (uint32_t id = 1; id <= 60; ++id) {
    TestCapture one = two_cpu_capture(40, 8);
    one.id = id;
    const Bytes bytes = binary_form(one.frames());
    capture.insert(capture.end(), bytes.begin(), bytes.end());
  }
  write("in", capture);
  ASSERT_EQ(run("BAREFXT rebuild in -o whole"), 0) << messages();
  for (int round = 0; round < 12; ++round) {
    start(std::string("exec BAREFXT ") + (round % 2 == 0 ? "capture" : "top --batch") +
          " --follow in --dumps 0 -o out");
    ASSERT_TRUE(comes_true_soon([&] { return entries().find(".barefxt-") != std::string::npos; }));
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    // At every moment, up to the last one.
    siginfo_t ended{};
    while (ended.si_pid == 0) {
      ::kill(child(), SIGINT);
      ASSERT_EQ(::waitid(P_PID, static_cast<id_t>(child()), &ended, WEXITED | WNOHANG | WNOWAIT),
                0);
    }
    const int status = wait();
    EXPECT_TRUE(status == 0 || status == 3) << status << messages();
    EXPECT_EQ(entries(), "in out whole");
    std::filesystem::remove(path("out"));
  }
}

}  // namespace
}  // namespace barefxt::test::signals_test
