// `barefxt capture` on the serial line of a machine that runs.

#include <filesystem>
#include <future>
#include <gtest/gtest.h>

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

  // Boots it with its line at a socket, which the caller has to come to.
  std::future<Booted> boot_at_socket(const std::string& arguments, unsigned seconds = 120) {
    Boot options;
    options.arguments = arguments;
    options.serial = "unix:" + file("line") + ",server=on,wait=on";
    options.timeout_seconds = seconds;
    return std::async(std::launch::async, [=] { return boot(options); });
  }
  // Boots it with its line at a socket, and captures there.
  void run(const std::string& arguments, unsigned seconds = 120) {
    std::future<Booted> machine = boot_at_socket(arguments, seconds);
    captured_ = barefxt("capture --unix " + file("line") + " --wait 30 --dumps 0 --raw " +
                        file("raw") + " -o " + file("trace.fxt"));
    booted_ = machine.get();
  }

  std::string directory_;
  Output captured_;
  Booted booted_;
};

TEST_F(CaptureTest, AStreamIsCapturedLiveAndSaysWhatTheKernelCounted) {
  run("mode=streaming seconds=1 dump=uart");
  EXPECT_EQ(booted_.status, 0) << read_file(booted_.file("qemu.log"));
  EXPECT_EQ(captured_.status, 0) << captured_.err;
  const Tally tally = read_tally(read_file(file("raw")));
  ASSERT_TRUE(tally.complete);
  EXPECT_GT(tally.records, 1000u);
  const std::vector<std::string> differences = compare(tally, read_archive(file("trace.fxt")));
  EXPECT_TRUE(differences.empty()) << join(differences);
}

TEST_F(CaptureTest, AMachineThatIsCutOffInTheMiddleLeavesAnArchiveOfWhatCame) {
  // A minute of it is more than the machine is given.
  run("mode=streaming seconds=60 dump=uart", 6);
  EXPECT_EQ(booted_.status, 124);
  EXPECT_EQ(captured_.status, 3) << captured_.err;
  EXPECT_NE(captured_.err.find("closed the line"), std::string::npos) << captured_.err;
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
  EXPECT_EQ(booted_.status, 0) << read_file(booted_.file("qemu.log"));
  EXPECT_EQ(captured_.status, 0) << captured_.err;
  const Tally tally = read_tally(read_file(file("raw")));
  ASSERT_TRUE(tally.complete);
  const std::vector<std::string> differences = compare(tally, read_archive(file("trace.fxt")));
  EXPECT_TRUE(differences.empty()) << join(differences);
}

TEST_F(CaptureTest, AKernelIsStartedLookedAtAndStoppedOverTheLine) {
  std::future<Booted> machine = boot_at_socket("mode=asked");
  const std::string capture = "capture --unix " + file("line") + " --wait 30 ";
  const Output started = barefxt(capture + "--ask start --mode circular");
  EXPECT_EQ(started.status, 0) << started.err;
  EXPECT_NE(started.err.find("start: done: capture 0x"), std::string::npos) << started.err;
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
    EXPECT_EQ(checked.out.find("error:"), std::string::npos) << name << "\n" << checked.out;
    EXPECT_GT(count_records(read_archive(file(name))).recorded, kWanted) << name;
  }
}

}  // namespace
}  // namespace barefxt::test
