// `barefxt capture` as people and scripts use it: every kind of line, live, with its ends.
#include <arpa/inet.h>
#include <array>
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <netinet/in.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "rebuild/capture_builder.h"
#include "start_program.h"

namespace barefxt::test::capture_command_test {
namespace {

using std::chrono::milliseconds;

// Waits for what happens in another process.
template <typename Condition>
bool comes_true(Condition condition) {
  for (int tries = 0; tries < 6000; ++tries) {
    if (condition()) return true;
    std::this_thread::sleep_for(milliseconds(10));
  }
  return false;
}

void send(int handle, const Bytes& bytes) {
  for (size_t at = 0; at < bytes.size();) {
    const ssize_t count = ::write(handle, bytes.data() + at, bytes.size() - at);
    ASSERT_GT(count, 0);
    at += static_cast<size_t>(count);
  }
}

class CaptureCommand : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "barefxt-capture-XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override {
    if (child_ > 0) {
      kill(child_, SIGKILL);
      waitpid(child_, nullptr, 0);
    }
    std::filesystem::remove_all(folder_);
  }

  std::string path(const std::string& name) const { return folder_ / name; }
  Bytes read(const std::string& name) const {
    std::ifstream file(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  std::string messages() const {
    const Bytes text = read("stderr");
    return {text.begin(), text.end()};
  }

  // `input` becomes its standard input.
  void start(std::vector<std::string> arguments, int input = -1) {
    arguments.insert(arguments.begin(), {BAREFXT_COMMAND, "capture"});
    // The other ends of lines are the test's alone.
    Spawn spawn;
    if (input >= 0)
      spawn.takes(STDIN_FILENO, input);
    else
      spawn.opens(STDIN_FILENO, "/dev/null", O_RDONLY);
    constexpr int kAnew = O_WRONLY | O_CREAT | O_TRUNC;
    child_ = spawn.opens(STDOUT_FILENO, path("stdout"), kAnew)
                 .opens(STDERR_FILENO, path("stderr"), kAnew)
                 .start(arguments);
  }
  // A line for the shell, in the test's folder.
  void start_line(const std::string& line) {
    const std::string there = "cd '" + folder_.string() + "' && " + line + " 2>stderr";
    child_ = Spawn().opens(STDIN_FILENO, "/dev/null", O_RDONLY).start({"/bin/sh", "-c", there});
  }
  int wait() {
    int status = 0;
    EXPECT_EQ(waitpid(child_, &status, 0), child_);
    child_ = -1;
    EXPECT_TRUE(WIFEXITED(status));
    return WEXITSTATUS(status);
  }
  std::string text(const std::string& name) const {
    const Bytes bytes = read(name);
    return {bytes.begin(), bytes.end()};
  }
  void write_rules(const std::string& rules) const { std::ofstream(path("rules")) << rules; }
  // As `check` prints them about the archive.
  std::string verdicts() const {
    const std::string line = "'" BAREFXT_COMMAND "' check " + path("rules") + " " +
                             path("out.fxt") + " >" + path("verdicts") + " 2>/dev/null";
    EXPECT_GE(std::system(line.c_str()), 0);
    return text("verdicts");
  }
  void wait_for_raw(size_t bytes) {
    EXPECT_TRUE(comes_true([&] { return read("raw").size() >= bytes; })) << messages();
  }

  // The archive that `rebuild` makes of the same bytes.
  Bytes rebuilt(const Bytes& bytes) {
    std::ofstream(path("file"), std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
    const std::string line = "'" BAREFXT_COMMAND "' rebuild " + path("file") + " -o " +
                             path("rebuilt.fxt") + " 2>/dev/null";
    EXPECT_GE(std::system(line.c_str()), 0);
    return read("rebuilt.fxt");
  }

  std::filesystem::path folder_;
  const std::vector<Bytes> frames_ = two_cpu_capture().frames();
  const Bytes whole_ = binary_form(frames_);
  pid_t child_ = -1;
};

struct Terminal {
  Terminal() {
    std::array<char, 128> text = {};
    EXPECT_EQ(openpty(&target, &port, text.data(), nullptr, nullptr), 0);
    name = text.data();
  }
  ~Terminal() {
    close(target);
    close(port);
  }
  termios settings() const {
    termios now = {};
    tcgetattr(port, &now);
    return now;
  }
  // In words of the kernel's, which knows more rates than the standard.
  unsigned baud() const {
    std::array<uint32_t, 11> words = {};
    EXPECT_EQ(ioctl(port, 0x802c542a /* TCGETS2 */, words.data()), 0);
    return words[10];
  }
  int target = -1;  // the end that the target has
  int port = -1;    // kept open, or the terminal forgets what it was set to
  std::string name;
};

TEST_F(CaptureCommand, TakesATraceFromASerialPortUntilItsEnd) {
  Terminal terminal;
  const termios before = terminal.settings();
  ASSERT_NE(before.c_lflag & ICANON, 0u) << "a fresh terminal is not raw";
  start(
      {"--serial", terminal.name, "--baud", "921600", "--raw", path("raw"), "-o", path("out.fxt")});
  ASSERT_TRUE(comes_true([&] { return terminal.baud() == 921600; }));
  EXPECT_EQ(terminal.settings().c_lflag & (ICANON | ECHO), 0u);
  send(terminal.target, whole_);
  EXPECT_EQ(wait(), 0) << messages();
  EXPECT_EQ(read("raw"), whole_);
  EXPECT_EQ(read("out.fxt"), rebuilt(whole_));

  const termios after = terminal.settings();
  EXPECT_EQ(after.c_lflag, before.c_lflag);
  EXPECT_EQ(after.c_iflag, before.c_iflag);
  EXPECT_EQ(after.c_oflag, before.c_oflag);
  EXPECT_EQ(cfgetispeed(&after), cfgetispeed(&before));
}

TEST_F(CaptureCommand, SetsRatesThatNoStandardNames) {
  Terminal terminal;
  start({"--serial", terminal.name, "--baud", "1234567", "-o", path("out.fxt")});
  ASSERT_TRUE(comes_true([&] { return (terminal.settings().c_lflag & ICANON) == 0; }));
  EXPECT_EQ(terminal.baud(), 1234567u);
  kill(child_, SIGINT);
  EXPECT_EQ(wait(), 4) << messages();
}

TEST_F(CaptureCommand, SaysThatTheCableWasPulledAndKeepsWhatCame) {
  const Bytes half = binary_form({frames_.begin(), frames_.begin() + 6});
  {
    Terminal terminal;
    start({"--serial", terminal.name, "--raw", path("raw"), "-o", path("out.fxt")});
    ASSERT_TRUE(comes_true([&] { return (terminal.settings().c_lflag & ICANON) == 0; }));
    send(terminal.target, half);
    wait_for_raw(half.size());
  }
  EXPECT_EQ(wait(), 3);
  EXPECT_NE(messages().find("gone"), std::string::npos) << messages();
  EXPECT_EQ(read("out.fxt"), rebuilt(half));
}

// A listening socket that takes one caller.
struct Listener {
  explicit Listener(const std::string& path) : handle(socket(AF_UNIX, SOCK_STREAM, 0)) {
    sockaddr_un address = {};
    address.sun_family = AF_UNIX;
    path.copy(address.sun_path, path.size());
    EXPECT_EQ(bind(handle, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    EXPECT_EQ(listen(handle, 1), 0);
  }
  Listener() : handle(socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(bind(handle, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    EXPECT_EQ(listen(handle, 1), 0);
    socklen_t bytes = sizeof address;
    EXPECT_EQ(getsockname(handle, reinterpret_cast<sockaddr*>(&address), &bytes), 0);
    port = ntohs(address.sin_port);
  }
  ~Listener() { close(handle); }
  // -1 if no client connects within a minute.
  int accepted() const {
    const timeval patience = {60, 0};
    EXPECT_EQ(setsockopt(handle, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience), 0);
    return accept(handle, nullptr, nullptr);
  }
  int handle;
  int port = 0;
};

TEST_F(CaptureCommand, TakesATraceFromAUnixSocketInPieces) {
  const Listener listener(path("socket"));
  start({"--unix", path("socket"), "-o", path("out.fxt")});
  const int target = listener.accepted();
  for (size_t at = 0; at < whole_.size(); at += 7) {
    send(target, {whole_.begin() + static_cast<ptrdiff_t>(at),
                  whole_.begin() + static_cast<ptrdiff_t>(std::min(at + 7, whole_.size()))});
  }
  EXPECT_EQ(wait(), 0) << messages();
  EXPECT_EQ(read("out.fxt"), rebuilt(whole_));
  close(target);
}

TEST_F(CaptureCommand, TakesATraceFromATcpPort) {
  const Listener listener;
  start({"--tcp", "127.0.0.1:" + std::to_string(listener.port), "-o", path("out.fxt")});
  const int target = listener.accepted();
  send(target, whole_);
  EXPECT_EQ(wait(), 0) << messages();
  EXPECT_EQ(read("out.fxt"), rebuilt(whole_));
  close(target);
}

TEST_F(CaptureCommand, TakesATraceFromAPipe) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  start({"-", "-o", path("out.fxt")}, ends[0]);
  send(ends[1], whole_);
  EXPECT_EQ(wait(), 0) << messages();
  EXPECT_EQ(read("out.fxt"), rebuilt(whole_));
  close(ends[0]);
  close(ends[1]);
}

TEST_F(CaptureCommand, FollowsAFileThatGrows) {
  std::ofstream file(path("growing"), std::ios::binary);
  file << "boot messages\n" << std::flush;
  start({"--follow", path("growing"), "--raw", path("raw"), "-o", path("out.fxt")});
  wait_for_raw(5);
  Bytes all;
  for (const char letter : std::string("boot messages\n"))
    all.push_back(static_cast<uint8_t>(letter));
  for (const Bytes& frame : frames_) {
    const Bytes coded = binary_form({frame});
    file.write(reinterpret_cast<const char*>(coded.data()),
               static_cast<std::streamsize>(coded.size()));
    file.flush();
    all.insert(all.end(), coded.begin(), coded.end());
    std::this_thread::sleep_for(milliseconds(5));
  }
  EXPECT_EQ(wait(), 0) << messages();
  EXPECT_EQ(read("raw"), all);
  EXPECT_EQ(read("out.fxt"), rebuilt(all));
}

TEST_F(CaptureCommand, EndsAtTheFirstViolation) {
  write_rules("every 1ms \"tock\"\nnever \"tick\"\n");
  const std::vector<std::string> checks = {"--check", path("rules"), "-o", path("out.fxt")};
  const auto with = [&](std::vector<std::string> from) {
    from.insert(from.end(), checks.begin(), checks.end());
    return from;
  };
  // The lines stay open, and their traces go on.
  constexpr size_t kTail = 4;  // the tables again, and the end
  const Bytes begun = binary_form({frames_.begin(), frames_.end() - kTail});
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  start(with({"-"}), ends[0]);
  send(ends[1], begun);
  EXPECT_EQ(wait(), 1) << messages();
  EXPECT_NE(messages().find("standard input: ended at 0.001000000 s, since " + path("rules") +
                            ":2 is violated: \"tick\" happens or begins\n"),
            std::string::npos)
      << messages();
  EXPECT_EQ(text("stdout"), verdicts());
  EXPECT_NE(text("stdout").find("rules:2: violated: never \"tick\""), std::string::npos);
  EXPECT_EQ(read("out.fxt"), rebuilt(begun));
  close(ends[0]);
  close(ends[1]);

  Terminal terminal;
  start(with({"--serial", terminal.name}));
  EXPECT_TRUE(comes_true([&] { return (terminal.settings().c_lflag & ICANON) == 0; }));
  send(terminal.target, begun);
  EXPECT_EQ(wait(), 1) << messages();
  EXPECT_EQ(text("stdout"), verdicts());

  const Listener tcp;
  const Listener unix_socket(path("socket"));
  const std::pair<const Listener&, std::vector<std::string>> sockets[] = {
      {tcp, {"--tcp", "127.0.0.1:" + std::to_string(tcp.port)}},
      {unix_socket, {"--unix", path("socket")}}};
  for (const auto& [listener, line] : sockets) {
    start(with(line));
    const int target = listener.accepted();
    send(target, begun);
    EXPECT_EQ(wait(), 1) << messages();
    EXPECT_NE(messages().find(":2 is violated"), std::string::npos) << messages();
    EXPECT_EQ(text("stdout"), verdicts());
    close(target);
  }
}

// The second capture begins with the first one's times.
TEST_F(CaptureCommand, AnnouncesThatRulesAreJudgedAtTheEndAlone) {
  write_rules("never \"tock\"\n");
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  start(
      {"-", "--check", path("rules"), "--dumps", "2", "--raw", path("raw"), "-o", path("out.fxt")},
      ends[0]);
  TestCapture first = two_cpu_capture();
  first.id = 7;
  Bytes all = binary_form(first.frames());
  send(ends[1], all);
  for (const Bytes& frame : frames_) {
    const Bytes coded = binary_form({frame});
    send(ends[1], coded);
    all.insert(all.end(), coded.begin(), coded.end());
    wait_for_raw(all.size());
  }
  EXPECT_EQ(wait(), 0) << messages();
  const std::string announced = path("rules") + " is judged at the end alone\n";
  const size_t at = messages().find(announced);
  EXPECT_NE(at, std::string::npos) << messages();
  EXPECT_EQ(messages().find(announced, at + 1), std::string::npos) << messages();
  close(ends[0]);
  close(ends[1]);
}

TEST_F(CaptureCommand, JudgesRulesAtTheEndOfATrace) {
  std::ofstream(path("whole"), std::ios::binary)
      .write(reinterpret_cast<const char*>(whole_.data()),
             static_cast<std::streamsize>(whole_.size()));
  const auto status_of = [&](const std::string& rules, const std::string& options) {
    write_rules(rules);
    start_line("'" BAREFXT_COMMAND "' capture - --check rules " + options + " <whole >stdout");
    return wait();
  };
  const std::string output = "-o " + path("out.fxt");
  EXPECT_EQ(status_of("never \"tock\"\n", output), 0) << messages();
  EXPECT_EQ(text("stdout"), verdicts());
  EXPECT_EQ(status_of("never \"tock\"\n", ""), 0);
  EXPECT_EQ(text("stdout"), "the capture: of 1 rule, 0 violated, 0 unknown, 1 holds\n");
  EXPECT_EQ(status_of("every 1ms \"tock\"\n", output), 1) << "nothing is about it";
  EXPECT_EQ(status_of("every 1ms \"tock\"\n", output + " --allow-unknown --junit xml"), 0);
  EXPECT_NE(text("xml").find("skipped=\"1\""), std::string::npos) << text("xml");
  // Needs all of the trace.
  EXPECT_EQ(status_of("switches count = 0\n", output), 1);
  EXPECT_EQ(messages().find("ended at"), std::string::npos) << messages();
  EXPECT_EQ(status_of("never tick\n", output), 2);
  EXPECT_EQ(status_of("never \"tock\"\n", "-o -"), 2);
  EXPECT_NE(messages().find("cannot be read again"), std::string::npos) << messages();
  start({"-", "-o", path("out.fxt"), "--junit", path("xml")});
  EXPECT_EQ(wait(), 2);
}

// Those that docs/how-to/capture.md shows, as it shows them, but for the names of what is at the
// other end.
TEST_F(CaptureCommand, DoesWhatTheDocumentSaysOfEachOfItsCommands) {
  std::ifstream document(BAREFXT_SOURCE_DIR "/docs/how-to/capture.md");
  std::string line;
  const auto replace = [&](const std::string& from, const std::string& to) {
    const size_t at = line.find(from);
    if (at == std::string::npos) return false;
    line.replace(at, from.size(), to);
    return true;
  };
  std::ofstream(path("sent"), std::ios::binary)
      .write(reinterpret_cast<const char*>(whole_.data()),
             static_cast<std::streamsize>(whole_.size()));
  size_t commands = 0;
  while (std::getline(document, line)) {
    if (line.rfind("    ", 0) != 0) continue;
    SCOPED_TRACE(line);
    line = line.substr(0, line.find('#'));
    ASSERT_TRUE(replace("barefxt capture", "'" BAREFXT_COMMAND "' capture"));
    std::filesystem::remove(path("trace.fxt"));
    ++commands;
    const Terminal terminal;
    const Listener on_tcp;
    if (replace("/dev/ttyUSB0", terminal.name)) {
      start_line(line);
      ASSERT_TRUE(comes_true([&] { return terminal.baud() == 921600; }));
      send(terminal.target, whole_);
    } else if (replace("/tmp/uart", "uart")) {
      const Listener listener(path("uart"));
      start_line(line);
      const int target = listener.accepted();
      send(target, whole_);
      close(target);
    } else if (replace("localhost:9090", "127.0.0.1:" + std::to_string(on_tcp.port))) {
      start_line(line);
      const int target = on_tcp.accepted();
      send(target, whole_);
      close(target);
    } else if (replace("ssh board cat /dev/ttyS1", "cat sent")) {
      start_line(line);
    } else {
      ASSERT_NE(line.find("console.log"), std::string::npos);
      std::ofstream console(path("console.log"), std::ios::binary);
      console << "boot messages\n" << std::flush;
      start_line(line);
      console.write(reinterpret_cast<const char*>(whole_.data()),
                    static_cast<std::streamsize>(whole_.size()));
    }
    EXPECT_EQ(wait(), 0) << messages();
    EXPECT_EQ(read("trace.fxt"), rebuilt(whole_));
  }
  EXPECT_EQ(commands, 5u);
}

TEST_F(CaptureCommand, EndsWithWhatCameWhenItIsInterruptedOrItsTimeIsOver) {
  const Bytes half = binary_form({frames_.begin(), frames_.begin() + 6});
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, 0}) {
    SCOPED_TRACE(signal);
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    std::filesystem::remove(path("raw"));
    std::vector<std::string> arguments = {"-", "--raw", path("raw"), "-o", path("out.fxt")};
    if (signal == 0) arguments.insert(arguments.end(), {"--seconds", "1"});
    // Ahead of the start, since one of them waits but a second for it.
    send(ends[1], half);
    start(arguments, ends[0]);
    wait_for_raw(half.size());
    if (signal != 0) kill(child_, signal);
    EXPECT_EQ(wait(), 3) << messages();
    EXPECT_EQ(read("out.fxt"), rebuilt(half));
    close(ends[0]);
    close(ends[1]);
  }
}

TEST_F(CaptureCommand, LeavesAnOlderArchiveAloneWhereNothingCame) {
  std::ofstream(path("out.fxt")) << "older";
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  start({"-", "--raw", path("raw"), "-o", path("out.fxt")}, ends[0]);
  send(ends[1], {'h', 'e', 'l', 'l', 'o'});
  close(ends[1]);
  EXPECT_EQ(wait(), 4);
  EXPECT_EQ(read("out.fxt"), (Bytes{'o', 'l', 'd', 'e', 'r'}));
  close(ends[0]);
}

TEST_F(CaptureCommand, TakesAsManyTracesAsRequested) {
  TestCapture other = two_cpu_capture();
  other.id += 1;
  Bytes both = whole_;
  const Bytes second = binary_form(other.frames());
  both.insert(both.end(), second.begin(), second.end());
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  start({"-", "--dumps", "2", "-o", path("out.fxt")}, ends[0]);
  send(ends[1], whole_);
  std::this_thread::sleep_for(milliseconds(100));
  send(ends[1], second);
  EXPECT_EQ(wait(), 0) << messages();
  EXPECT_EQ(read("out.fxt"), rebuilt(both));
  close(ends[0]);
  close(ends[1]);
}

TEST_F(CaptureCommand, WaitsForTheOtherSideIfRequested) {
  start({"--unix", path("late"), "--wait", "30", "-o", path("out.fxt")});
  std::this_thread::sleep_for(milliseconds(300));
  const Listener listener(path("late"));
  const int target = listener.accepted();
  send(target, whole_);
  EXPECT_EQ(wait(), 0) << messages();
  EXPECT_EQ(read("out.fxt"), rebuilt(whole_));
  close(target);
}

TEST_F(CaptureCommand, SaysHowBadUsageIsMended) {
  const Terminal terminal;
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{"-o", path("out.fxt")}, "serial"},
      {{"--unix", path("nobody"), "-o", path("out.fxt")}, "cannot connect"},
      {{"--unix", std::string(200, 'x'), "-o", path("out.fxt")}, "bytes"},
      {{"--tcp", "localhost", "-o", path("out.fxt")}, "HOST:PORT"},
      {{"--tcp", "127.0.0.1:1", "-o", path("out.fxt")}, "cannot connect"},
      {{"--tcp", "no.such.host.invalid:1", "-o", path("out.fxt")}, "no such address"},
      {{"--serial", path("nothing"), "-o", path("out.fxt")}, "capture --list"},
      {{"--serial", "/dev/null", "-o", path("out.fxt")}, "not a serial port"},
      {{"--follow", path("nothing"), "-o", path("out.fxt")}, "cannot open"},
      {{"-", "--unix", "x", "-o", path("out.fxt")}, "1"},
      {{"-", "-o", path("no/such/folder")}, "no/such/folder"},
      {{"-", "--raw", path("no/such/folder"), "-o", path("out.fxt")}, "cannot create"},
      {{"-"}, "--output is required"},
      {{"-", "--list"}, "1"},
      {{"-", "--json", "-o", path("out.fxt")}, "--json requires --list"},
      {{"-", "--ask", "stop"}, "no way back"},
      {{"--unix", path("nobody"), "--ask", "reboot"}, "reboot"},
      {{"--serial", terminal.name, "--flow", "xonxoff", "--resends", "-o", path("out.fxt")},
       "--flow none"},
  };
  for (const auto& [arguments, words] : cases) {
    start(arguments);
    EXPECT_EQ(wait(), 2) << messages();
    EXPECT_NE(messages().find(words), std::string::npos) << messages();
    EXPECT_FALSE(std::filesystem::exists(path("out.fxt")));
  }
}

TEST_F(CaptureCommand, AFullDiskUnderTheRawCopyStillLeavesTheArchive) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  start({"-", "--raw", "/dev/full", "-o", path("out.fxt")}, ends[0]);
  send(ends[1], whole_);
  EXPECT_EQ(wait(), 2);
  EXPECT_NE(messages().find("No space left"), std::string::npos) << messages();
  EXPECT_EQ(read("out.fxt"), rebuilt(whole_));
  close(ends[0]);
  close(ends[1]);
}

}  // namespace
}  // namespace barefxt::test::capture_command_test
