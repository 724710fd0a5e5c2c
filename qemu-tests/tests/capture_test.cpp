// `barefxt capture` on the serial line of a machine that runs.

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <future>
#include <gtest/gtest.h>
#include <iomanip>
#include <netinet/in.h>
#include <regex>
#include <sstream>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

#include "comparison.h"
#include "line_between.h"
#include "qemu.h"

namespace barefxt::test {
namespace {

class CaptureTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = std::filesystem::temp_directory_path() / "barefxt-XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    directory_ = name;
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  std::string file(const std::string& name) const { return directory_ + "/" + name; }

  static std::future<Booted> boot_with(const std::string& serial, const std::string& arguments,
                                       unsigned seconds = 120, const std::string& extra = {}) {
    const Boot options = {
        .arguments = arguments, .timeout_seconds = seconds, .serial = serial, .extra = extra};
    return std::async(std::launch::async, [=] { return boot(options); });
  }
  // Boots it with its line at a socket, which the caller has to come to.
  std::future<Booted> boot_at_socket(const std::string& arguments, unsigned seconds = 120) {
    return boot_with("unix:" + file("line") + ",server=on,wait=on", arguments, seconds);
  }
  // Boots it with its line at a socket, and captures there.
  void run(const std::string& arguments, unsigned seconds = 120) {
    std::future<Booted> machine = boot_at_socket(arguments, seconds);
    captured_ = barefxt("capture --unix " + file("line") + " --wait 30 --dumps 0 --raw " +
                        file("raw") + " -o " + file("trace.fxt"));
    booted_ = machine.get();
  }

  void start_look_and_stop(const std::string& line, std::future<Booted>& machine) {
    const std::string capture = "capture " + line + " --wait 30 ";
    const Output started = barefxt(capture + "--ask start --mode circular");
    EXPECT_EQ(started.status, 0) << started.err;
    EXPECT_TRUE(contains(started.err, "start: done: capture 0x"));
    // So short a time may record little, at first.
    constexpr uint64_t kWanted = 100;
    uint64_t recorded = 0;
    for (int tries = 0; recorded <= kWanted && tries < 50; ++tries) {
      const Output moment = barefxt(capture + "--ask snapshot,dump -o " + file("moment.fxt"));
      ASSERT_EQ(moment.status, 0) << moment.err;
      recorded = count_records(read_archive(file("moment.fxt"))).recorded;
    }
    const Output all = barefxt(capture + "--ask stop,dump -o " + file("all.fxt"));
    EXPECT_EQ(all.status, 0) << all.err;
    booted_ = machine.get();
    EXPECT_EQ(booted_.status, 0) << read_file(booted_.file("qemu.log"));
    for (const char* name : {"moment.fxt", "all.fxt"}) {
      // Durations that began before the start end without a beginning: warnings, and no errors.
      const Output checked = barefxt("lint " + file(name));
      EXPECT_TRUE(lacks(checked.out, "error:")) << name;
      EXPECT_GT(count_records(read_archive(file(name))).recorded, kWanted) << name;
    }
  }

  // The whole of a stream, as the kernel counted.
  void expect_whole_stream() const {
    EXPECT_EQ(booted_.status, 0) << read_file(booted_.file("qemu.log"));
    EXPECT_EQ(captured_.status, 0) << captured_.err;
    const Tally tally = read_tally(read_file(file("raw")));
    ASSERT_TRUE(tally.complete);
    EXPECT_GT(tally.records, 1000u);
    const std::vector<std::string> differences = compare(tally, read_archive(file("trace.fxt")));
    EXPECT_TRUE(differences.empty()) << join(differences);
  }

  static std::string free_port() {
    const int handle = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    socklen_t bytes = sizeof address;
    EXPECT_EQ(bind(handle, reinterpret_cast<sockaddr*>(&address), bytes), 0);
    EXPECT_EQ(getsockname(handle, reinterpret_cast<sockaddr*>(&address), &bytes), 0);
    close(handle);
    return std::to_string(ntohs(address.sin_port));
  }
  static void wait_for_listener(const std::string& port) {
    std::ostringstream entry;  // the port, no other side, the state
    entry << ':' << std::hex << std::uppercase << std::setw(4) << std::setfill('0')
          << std::stoul(port) << " 0+:0000 0A ";
    const std::regex listening(entry.str());
    for (int tries = 0; tries < 3000; ++tries) {
      const std::string sockets = read_file("/proc/net/tcp") + read_file("/proc/net/tcp6");
      if (std::regex_search(sockets, listening)) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    ADD_FAILURE() << "nobody listens";
  }
  // QEMU names it in its log: "char device redirected to /dev/pts/3 (label serial0)".
  std::string pseudo_terminal() const {
    static const std::regex kName("/dev/pts/[0-9]+");
    for (int tries = 0; tries < 3000; ++tries) {
      std::string pid = read_file(file("pid"));
      pid.resize(std::min(pid.find('\n'), pid.size()));
      const std::string log = pid.empty() ? "" : read_file("/proc/" + pid + "/cwd/qemu.log");
      std::smatch name;
      if (std::regex_search(log, name, kName)) return name.str();
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    ADD_FAILURE() << "QEMU names no terminal";
    return "none";
  }

  std::string directory_;
  Output captured_;
  Booted booted_;
};

TEST_F(CaptureTest, AStreamIsCapturedLiveAndSaysWhatTheKernelCounted) {
  run("mode=streaming seconds=1 dump=uart");
  expect_whole_stream();
}

TEST_F(CaptureTest, AMachineThatIsCutOffInTheMiddleLeavesAnArchiveOfWhatCame) {
  // A minute of it is more than the machine is given.
  run("mode=streaming seconds=60 dump=uart", 6);
  EXPECT_EQ(booted_.status, 124);
  EXPECT_EQ(captured_.status, 3) << captured_.err;
  EXPECT_TRUE(contains(captured_.err, "closed the line"));
  EXPECT_GT(read_archive(file("trace.fxt")).size(), 1000u);
  // The same bytes give the same archive afterwards.
  EXPECT_EQ(barefxt("rebuild " + file("raw") + " -o " + file("again.fxt")).status, 3);
  EXPECT_TRUE(read_file(file("again.fxt")) == read_file(file("trace.fxt")));
}

TEST_F(CaptureTest, WhatALineLosesOfAStreamIsSentAgainAndNothingIsMissing) {
  std::future<Booted> machine =
      boot_at_socket("mode=streaming seconds=1 resend=48 ring=524288 dump=uart");
  {
    LineBetween line(file("line"), 300000, file("raw"));
    captured_ = barefxt("capture --serial " + line.terminal() + " --resends --dumps 0 --raw " +
                        file("raw") + " -o " + file("trace.fxt"));
    booted_ = machine.get();
    EXPECT_GE(line.lost_bytes(), 25u);
    EXPECT_GT(line.asked_bytes(), 0u);
  }
  expect_whole_stream();
}

TEST_F(CaptureTest, AKernelIsStartedLookedAtAndStoppedOverASocket) {
  std::future<Booted> machine = boot_at_socket("mode=asked");
  start_look_and_stop("--unix " + file("line"), machine);
}

TEST_F(CaptureTest, AKernelIsStartedLookedAtAndStoppedOverATcpPort) {
  const std::string port = free_port();
  std::future<Booted> machine = boot_with("tcp::" + port + ",server=on,wait=off", "mode=asked");
  start_look_and_stop("--tcp localhost:" + port, machine);
}

TEST_F(CaptureTest, AKernelIsStartedLookedAtAndStoppedOverAPseudoTerminal) {
  std::future<Booted> machine = boot_with("pty", "mode=asked", 120, "-pidfile " + file("pid"));
  start_look_and_stop("--serial " + pseudo_terminal(), machine);
}

// QEMU connects to the command, as a board does that has the address of the host.
TEST_F(CaptureTest, AStreamComesFromAMachineThatConnects) {
  const std::string port = free_port();
  std::future<Output> capture = std::async(std::launch::async, [&] {
    return barefxt("capture --listen " + port + " --wait 60 --dumps 0 --raw " + file("raw") +
                   " -o " + file("trace.fxt"));
  });
  wait_for_listener(port);
  booted_ = boot_with("tcp:127.0.0.1:" + port, "mode=streaming seconds=1 dump=uart").get();
  captured_ = capture.get();
  expect_whole_stream();
}

}  // namespace
}  // namespace barefxt::test
