// `barefxt capture` as a process, and the other ends of its lines.
#pragma once

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
#include <sys/un.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "contains.h"
#include "rebuild/capture_builder.h"
#include "start_program.h"

namespace barefxt::test::capture_command_test {

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

inline void send(int handle, const Bytes& bytes) {
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

}  // namespace barefxt::test::capture_command_test
