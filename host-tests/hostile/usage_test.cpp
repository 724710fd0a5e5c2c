// Options that select nothing, a reader that closes its end, a serial port in use.
#include <pty.h>
#include <sys/file.h>
#include <unistd.h>

#include "hostile/shell.h"
#include "rebuild/capture_builder.h"
#include "speed/sample_archive.h"

namespace barefxt::test::usage_test {
namespace {

class HostileUsage : public Shell {
 protected:
  void SetUp() override {
    Shell::SetUp();
    write("in.fxt", sample(Mix::kDemo, 1 << 16).archive(20));
  }
};

TEST_F(HostileUsage, AChoiceThatCanChooseNothingIsAnError) {
  for (const char* line :
       {"stats in.fxt --thread ''", "stats in.fxt --cpu 4294967295", "stats in.fxt --cpu 65536",
        "stats in.fxt --from 5 --to 1", "report in.fxt -o out --from 5s --to 1s",
        "stats in.fxt --from 5ticks --to 1ticks"})
    EXPECT_EQ(run("BAREFXT " + std::string(line)), 2) << line << messages();
  EXPECT_EQ(run("BAREFXT stats in.fxt --from 1 --to 1"), 0) << messages();
  EXPECT_EQ(run("BAREFXT stats in.fxt --thread nobody"), 0);
  EXPECT_TRUE(contains(messages(), "--thread"));
  EXPECT_EQ(run("BAREFXT stats in.fxt --cpu 65535"), 0);
  EXPECT_TRUE(contains(messages(), "--cpu"));
}

TEST_F(HostileUsage, AWrongWordIsNamedFirstWithTheOneThatWasMeant) {
  const std::pair<const char*, const char*> lines[] = {
      {"stat a.fxt", "stat: no such verb. Hint: did you mean stats? barefxt --help lists all"},
      {"pirnt", "pirnt: no such verb. Hint: did you mean print? barefxt --help lists all"},
      {"frobnicate", "frobnicate: no such verb. Hint: barefxt --help lists all"},
      {"help convrt", "convrt: no such verb. Hint: did you mean convert? barefxt --help lists all"},
      {"lint --jsno x",
       "--jsno: no such option of lint. Hint: did you mean --json? barefxt lint --help"},
      {"stats x --bdget=y",
       "--bdget: no such option of stats. Hint: did you mean --budget? barefxt stats --help"},
      {"print --colr x",
       "--colr: no such option of print. Hint: did you mean --color? barefxt print --help"},
      {"lint -q x", "-q: no such option of lint. Hint: barefxt lint --help"},
      {"rebuild x", "rebuild: --output is required. Hint: barefxt rebuild --help"},
  };
  for (const auto& [line, text] : lines) {
    EXPECT_EQ(run(std::string("BAREFXT ") + line), 2) << line;
    EXPECT_EQ(messages(), std::string("barefxt: ") + text + "\n");
    EXPECT_EQ(printed(), "");
  }
}

TEST_F(HostileUsage, HelpFitsATerminalAndSaysWhatIsRequired) {
  for (const char* verb : {"", "rebuild", "capture", "print", "lint", "stats", "report", "open",
                           "convert", "doctor", "top", "explain", "check", "learn", "profile"}) {
    ASSERT_EQ(run(std::string("BAREFXT help ") + verb), 0) << verb;
    const std::string help = printed();
    ASSERT_EQ(run(std::string("BAREFXT ") + verb + " --help"), 0) << verb;
    EXPECT_EQ(printed(), help);
    size_t examples = 0;
    for (size_t at = 0; at < help.size();) {
      const size_t end = help.find('\n', at);
      EXPECT_LE(end - at, 80u) << help.substr(at, end - at);
      examples += help.compare(at, 10, "  barefxt ") == 0 ? 1 : 0;
      at = end + 1;
    }
    EXPECT_TRUE(contains(help, "Exit status: 0 done, 1 findings")) << verb;
    if (*verb == 0) continue;
    EXPECT_GE(examples, 2u) << verb;
    for (const char* type : {" TEXT", " UINT", " INT", "FLOAT", "REQUIRED"})
      EXPECT_TRUE(lacks(help, type)) << verb;
  }
  ASSERT_EQ(run("BAREFXT help rebuild"), 0);
  EXPECT_TRUE(contains(printed(), "Usage: barefxt rebuild --output OUT [OPTIONS] IN...\n"));
  EXPECT_TRUE(contains(printed(), "The archive; - is standard output (required)\n"));
}

TEST_F(HostileUsage, AReaderThatHasEnoughIsNoError) {
  for (const char* line : {"print in.fxt", "print --json in.fxt", "stats --json in.fxt", "--help",
                           "--man", "convert in.fxt --to fxt -o -",
                           "convert in.fxt --to fxt -o /dev/stdout", "lint --json in.fxt"}) {
    EXPECT_EQ(
        run("{ { sleep 0.3; BAREFXT " + std::string(line) + "; echo $? >status; } | true; } "), 0);
    EXPECT_EQ(read("status"), "0\n") << line << messages();
    EXPECT_EQ(messages(), "") << line;
  }
}

class Terminal {
 public:
  Terminal() {
    char name[128] = {};
    EXPECT_EQ(::openpty(&target_, &port_, name, nullptr, nullptr), 0);
    name_ = name;
  }
  ~Terminal() {
    ::close(target_);
    ::close(port_);
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;
  const std::string& name() const { return name_; }
  int port() const { return port_; }
  void send(const Bytes& bytes) const {
    for (size_t at = 0; at < bytes.size();) {
      const ssize_t count = ::write(target_, bytes.data() + at, bytes.size() - at);
      ASSERT_GT(count, 0);
      at += static_cast<size_t>(count);
    }
  }

 private:
  int target_ = -1;
  int port_ = -1;
  std::string name_;
};

TEST_F(HostileUsage, APortIsOneCapturesAtATime) {
  const Terminal terminal;
  const Bytes whole = binary_form(two_cpu_capture().frames());
  start("exec BAREFXT capture --serial " + terminal.name() + " --baud 921600 -o first");
  // Wait until the first capture holds the lock.
  ASSERT_TRUE(comes_true_soon([&] {
    if (::flock(terminal.port(), LOCK_EX | LOCK_NB) != 0) return true;
    ::flock(terminal.port(), LOCK_UN);
    return false;
  }));
  const std::string second = "cd '" + path("") + "' && '" BAREFXT_COMMAND "' capture --serial " +
                             terminal.name() + " -o second --seconds 5 2>refused";
  const int status = std::system(second.c_str());  // NOLINT(cert-env33-c)
  EXPECT_EQ(WEXITSTATUS(status), 2);
  EXPECT_TRUE(contains(read("refused"), "in use by another program"));
  // The refused one did not disturb the first.
  terminal.send(whole);
  EXPECT_EQ(wait(), 0) << messages();
  EXPECT_FALSE(read("first").empty());
  start("exec BAREFXT capture --serial " + terminal.name() + " -o third --seconds 1");
  EXPECT_EQ(wait(), 4) << "the lock ends with the capture: " << messages();
}

}  // namespace
}  // namespace barefxt::test::usage_test
