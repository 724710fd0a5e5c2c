// `barefxt capture` as people and scripts use it: every kind of line, live, with its ends.
#include "capture_command.h"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <thread>
#include <unistd.h>

#include "capture_ports.h"

namespace barefxt::test::capture_command_test {
namespace {

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
  EXPECT_TRUE(contains(messages(), "gone"));
  EXPECT_EQ(read("out.fxt"), rebuilt(half));
}

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
  EXPECT_TRUE(contains(messages(), "standard input: ended at 0.001000000 s, since " +
                                       path("rules") +
                                       ":2 is violated: \"tick\" happens or begins\n"));
  EXPECT_EQ(text("stdout"), verdicts());
  EXPECT_TRUE(contains(text("stdout"), "rules:2: violated: never \"tick\""));
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
    EXPECT_TRUE(contains(messages(), ":2 is violated"));
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
  EXPECT_TRUE(contains(text("xml"), "skipped=\"1\""));
  // Needs all of the trace.
  EXPECT_EQ(status_of("switches count = 0\n", output), 1);
  EXPECT_TRUE(lacks(messages(), "ended at"));
  EXPECT_EQ(status_of("never tick\n", output), 2);
  EXPECT_EQ(status_of("never \"tock\"\n", "-o -"), 2);
  EXPECT_TRUE(contains(messages(), "cannot be read again"));
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
    } else if (replace("localhost:19021", "127.0.0.1:" + std::to_string(on_tcp.port))) {
      start_line(line);
      const int target = on_tcp.accepted();
      send(target, whole_);
      close(target);
    } else if (replace("--listen 9091", "--listen " + std::to_string(free_port(SOCK_STREAM)))) {
      start_line(line);
      const int target = connected(AF_INET, std::stoi(line.substr(line.find("--listen ") + 9)));
      send(target, whole_);
      close(target);
    } else if (replace("--udp 9000", "--udp " + std::to_string(free_port(SOCK_DGRAM)))) {
      const int port = std::stoi(line.substr(line.find("--udp ") + 6));
      start_line(line);
      wait_for_udp(port);
      const int sender = socket(AF_INET, SOCK_DGRAM, 0);
      send_datagrams(sender, AF_INET, port, {whole_});
      close(sender);
    } else if (replace("ssh board cat /dev/ttyS1", "cat sent")) {
      start_line(line);
    } else {
      ASSERT_TRUE(contains(line, "console.log"));
      std::ofstream console(path("console.log"), std::ios::binary);
      console << "boot messages\n" << std::flush;
      start_line(line);
      console.write(reinterpret_cast<const char*>(whole_.data()),
                    static_cast<std::streamsize>(whole_.size()));
    }
    EXPECT_EQ(wait(), 0) << messages();
    EXPECT_EQ(read("trace.fxt"), rebuilt(whole_));
  }
  EXPECT_EQ(commands, 8u);
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
    EXPECT_TRUE(contains(messages(), words));
    EXPECT_FALSE(std::filesystem::exists(path("out.fxt")));
  }
}

TEST_F(CaptureCommand, AFullDiskUnderTheRawCopyStillLeavesTheArchive) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  start({"-", "--raw", "/dev/full", "-o", path("out.fxt")}, ends[0]);
  send(ends[1], whole_);
  EXPECT_EQ(wait(), 2);
  EXPECT_TRUE(contains(messages(), "No space left"));
  EXPECT_EQ(read("out.fxt"), rebuilt(whole_));
  close(ends[0]);
  close(ends[1]);
}

}  // namespace
}  // namespace barefxt::test::capture_command_test
