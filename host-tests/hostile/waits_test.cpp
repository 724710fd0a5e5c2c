// Waits for a peer that never answers end at a signal and at a deadline.
#include <atomic>
#include <csignal>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "deadline.h"
#include "hostile/shell.h"
#include "hostile/terminal.h"
#include "rebuild/capture_builder.h"

namespace barefxt::test::waits_test {
namespace {

// A socket that listens and accepts no connection: its queue is full.
class Deaf {
 public:
  Deaf() {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    fill(AF_INET, reinterpret_cast<sockaddr*>(&address), sizeof address);
    port_ = ntohs(address.sin_port);
  }
  explicit Deaf(const std::string& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path.copy(address.sun_path, path.size());
    fill(AF_UNIX, reinterpret_cast<sockaddr*>(&address), sizeof address);
  }
  ~Deaf() {
    for (const int handle : handles_) ::close(handle);
  }
  Deaf(const Deaf&) = delete;
  Deaf& operator=(const Deaf&) = delete;
  int port() const { return port_; }

 private:
  void fill(int family, sockaddr* address, socklen_t bytes) {
    handles_.push_back(::socket(family, SOCK_STREAM, 0));
    EXPECT_EQ(::bind(handles_[0], address, bytes), 0);
    EXPECT_EQ(::listen(handles_[0], 0), 0);
    EXPECT_EQ(::getsockname(handles_[0], address, &bytes), 0);
    for (int i = 0; i < 8; ++i) {
      handles_.push_back(::socket(family, SOCK_STREAM | SOCK_NONBLOCK, 0));
      (void)::connect(handles_.back(), address, bytes);
    }
  }
  std::vector<int> handles_;
  int port_ = 0;
};

using Seconds = std::chrono::duration<double>;

class Waits : public Shell {
 protected:
  void SetUp() override {
    Shell::SetUp();
    ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
    write("in", binary_form(two_cpu_capture().frames()));
  }
  // Returns the wall time until the line ends; `signal`, if not 0, is sent when it waits for it.
  // Without timeout(1): that sends SIGCONT behind a signal, which keeps a leak check at exit from
  // ever stopping the process that it looks at.
  double seconds_of(const std::string& line, int signal) {
    const auto begin = std::chrono::steady_clock::now();
    start("exec " + line);
    const pid_t command = child();
    std::atomic<bool> has_ended = false;
    std::thread watch([&] {
      if (signal != 0) {
        std::this_thread::sleep_for(std::chrono::milliseconds(300));
        ::kill(command, signal);
      }
      if (!comes_true_soon([&] { return has_ended.load(); })) ::kill(command, SIGKILL);
    });
    siginfo_t ended{};
    EXPECT_EQ(::waitid(P_PID, static_cast<id_t>(command), &ended, WEXITED | WNOWAIT), 0);
    has_ended = true;
    watch.join();
    status_ = wait();
    return Seconds(std::chrono::steady_clock::now() - begin).count();
  }
  int status_ = 0;
  // Seconds: far more than it takes, far less than the command's own limit of 30.
  static constexpr double kSoon = 12;
};

TEST_F(Waits, ForAnotherSideEndAtASignalOrInTime) {
  const Deaf tcp;
  const Deaf local(path("socket"));
  // The system's choice, given back: nobody comes there.
  const std::string port = std::to_string(Deaf().port());
  const std::vector<std::string> sources = {"--tcp 127.0.0.1:" + std::to_string(tcp.port()),
                                            "--listen " + port,
                                            "--udp " + port,
                                            "--unix socket",
                                            "--follow pipe",
                                            "- --raw pipe <in"};
  for (const std::string& source : sources)
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
      EXPECT_LT(seconds_of("BAREFXT capture -o out " + source, signal), kSoon) << source;
      EXPECT_NE(status_, 137) << source;
      EXPECT_EQ(entries(), "in pipe socket") << source;
    }
  for (const std::string& source : sources) {
    EXPECT_LT(seconds_of("BAREFXT capture --seconds 1 -o out " + source, 0), kSoon) << source;
    EXPECT_NE(status_, 137) << source;
    EXPECT_LT(seconds_of("BAREFXT capture --wait 1 --seconds 1 -o out " + source, 0), kSoon);
    EXPECT_NE(status_, 137) << source;
    EXPECT_LT(seconds_of("BAREFXT top --batch -o out " + source, SIGTERM), kSoon) << source;
    EXPECT_NE(status_, 137) << source;
    EXPECT_LT(seconds_of("BAREFXT top --batch --seconds 0.3 -o out " + source, 0), kSoon) << source;
    EXPECT_NE(status_, 137) << source;
  }
}

// The look-up of a name takes no deadline, and no signal ends it.
TEST_F(Waits, ForANameServerEndAtASignalOrInTime) {
  ::setenv("BAREFXT_SILENT_NAMES", "1", 1);
  const std::string capture =
      "env LD_PRELOAD='" BAREFXT_PRELOADED
      "' ASAN_OPTIONS=\"$ASAN_OPTIONS:verify_asan_link_order=0\" BAREFXT capture "
      "--tcp target.example:5000 -o out";
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    EXPECT_LT(seconds_of(capture, signal), kSoon) << messages();
    EXPECT_NE(status_, 137);
    EXPECT_EQ(entries(), "in pipe");
  }
  for (const char* limit : {" --seconds 1", " --wait 1 --seconds 1"}) {
    EXPECT_LT(seconds_of(capture + limit, 0), kSoon) << limit;
    EXPECT_NE(status_, 137) << limit;
    EXPECT_TRUE(contains(messages(), "target.example"));
  }
  ::unsetenv("BAREFXT_SILENT_NAMES");
}

TEST_F(Waits, ForWhoReadsAnOutputEndAtASignal) {
  for (const char* line : {"BAREFXT rebuild in -o pipe", "BAREFXT capture - -o pipe <in",
                           "BAREFXT top - --batch -o pipe <in"})
    for (const int signal : {SIGINT, SIGTERM}) {
      EXPECT_LT(seconds_of(line, signal), kSoon) << line;
      // The signal ended it, and nothing before: it had waited until then.
      EXPECT_EQ(status_, 128 + signal) << line << messages();
      EXPECT_EQ(entries(), "in pipe");
    }
}

// Its archive is not read again for the last figures: that would wait for another writer.
TEST_F(Waits, AnArchiveIntoAPipeEnds) {
  EXPECT_LT(seconds_of("sh -c 'cat pipe >piped & exec BAREFXT top - --batch -o pipe <in'", 0),
            kSoon);
  EXPECT_EQ(status_, 0) << messages();
  ASSERT_EQ(run("BAREFXT rebuild in -o whole"), 0);
  EXPECT_TRUE(comes_true_soon([&] { return read("piped") == read("whole"); }));
}

// A pipe that is full, as standard output or standard error.
TEST_F(Waits, ForAStalledReaderOfMessagesAndFiguresEnd) {
  const auto stalled = [](const std::string& line) {
    return "sh -c 'exec 3<>pipe; head -c 65536 /dev/zero >&3; exec BAREFXT " + line + "'";
  };
  ASSERT_EQ(run("BAREFXT rebuild in -o whole"), 0);
  const std::string top = "top --follow in --dumps 0 --batch --interval 0.02 -o out >&3";
  for (const int signal : {SIGINT, SIGTERM, 0}) {
    EXPECT_LT(seconds_of(stalled(top + (signal == 0 ? " --seconds 0.3" : "")), signal), kSoon);
    EXPECT_EQ(status_, 2);
    EXPECT_TRUE(contains(messages(), "its reader takes no bytes"));
    EXPECT_EQ(read("out"), read("whole"));
  }
  EXPECT_LT(seconds_of(stalled("capture --follow in --dumps 0 -o out 2>&3"), SIGHUP), kSoon);
  EXPECT_EQ(status_, 0);
  EXPECT_EQ(read("out"), read("whole"));
}

constexpr const char* kStop = "\x13";  // Ctrl-S
constexpr const char* kLeave = "\x1b[?1049l";

TEST_F(Waits, ForATerminalThatIsStoppedEnd) {
  for (const int signal : {SIGINT, SIGTERM, 0}) {
    OpenTerminal terminal("exec '" BAREFXT_COMMAND "' top --dumps 0 --follow " + path("in") +
                          (signal == 0 ? " --seconds 1" : ""));
    ASSERT_TRUE(terminal.comes(signal == 0 ? "CPU" : "nothing has come"));
    terminal.type(kStop);
    std::this_thread::sleep_for(std::chrono::milliseconds(400));
    if (signal != 0) ::kill(terminal.child(), signal);
    EXPECT_EQ(terminal.wait(false), 2) << signal;
  }
}

// The screen as it was, and a mode in which a shell reads lines.
TEST_F(Waits, LeaveATerminalAsItWas) {
  for (const int signal : {SIGTERM, SIGQUIT, SIGABRT}) {
    OpenTerminal terminal("ulimit -c 0; exec '" BAREFXT_COMMAND "' top --dumps 0 --follow " +
                          path("in"));
    termios before{};
    ::tcgetattr(terminal.handle(), &before);
    ASSERT_TRUE(terminal.comes("CPU"));
    ::kill(terminal.child(), signal);
    EXPECT_TRUE(terminal.comes(kLeave)) << signal;
    EXPECT_EQ(terminal.wait(true), signal == SIGTERM ? 0 : 128 + signal);
    termios after{};
    ::tcgetattr(terminal.handle(), &after);
    EXPECT_EQ(after.c_lflag, before.c_lflag);
    EXPECT_EQ(after.c_iflag, before.c_iflag);
    EXPECT_EQ(after.c_oflag, before.c_oflag);
  }
}

// All waits for a child: popen(), system(), a test's own wait.
TEST_F(Waits, ForAChildEndWithTheTest) {
  const Deadline deadline(std::chrono::milliseconds(200));
  EXPECT_EQ(run("sleep 300 & wait"), 128 + SIGKILL);
  EXPECT_TRUE(deadline.has_passed());
}

// A reader of --raw that stops reading: the copy ends, the archive does not miss anything.
TEST_F(Waits, ForTheReaderOfARawCopyEndInTime) {
  std::string many;
  while (many.size() < 300'000) many += read("in");
  write("many", many);
  ASSERT_EQ(run("BAREFXT rebuild many -o whole"), 0) << messages();
  EXPECT_LT(seconds_of("sh -c 'sleep 20 <pipe & BAREFXT capture - --dumps 0 --raw pipe --seconds 2 "
                       "-o out <many; status=$?; kill $!; exit $status'",
                       0),
            kSoon);
  EXPECT_EQ(status_, 2) << messages();
  EXPECT_TRUE(contains(messages(), "its reader takes no bytes"));
  EXPECT_EQ(read("out"), read("whole"));
}

TEST_F(Waits, AFollowedPipeMayBeWrittenByOneAfterAnother) {
  const std::string all = read("in");
  write("first", all.substr(0, all.size() / 2));
  write("second", all.substr(all.size() / 2));
  EXPECT_EQ(run("(sleep 0.3; cat first >pipe; sleep 0.3; cat second >pipe) & "
                "timeout 60 BAREFXT capture --follow pipe -o out"),
            0)
      << messages();
}

}  // namespace
}  // namespace barefxt::test::waits_test
