#include "line_between.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <system_error>
#include <termios.h>
#include <unistd.h>
#include <utility>

namespace barefxt::test {
namespace {

// Prime, so that they fall into all parts of frames.
constexpr uint64_t kBytesALoss = 9973;
constexpr uint64_t kBytesALine = 14983;

constexpr char kOtherLine[] = "[ 12.345678] job 3: still compiling\r\n";

// The socket is there as soon as the machine is; -1: it never came.
int connect_to(const std::string& path) {
  for (int tries = 0; tries < 300; ++tries) {
    const int handle = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_un address = {};
    address.sun_family = AF_UNIX;
    path.copy(address.sun_path, sizeof address.sun_path - 1);
    if (connect(handle, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0) return handle;
    close(handle);
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  return -1;
}

// False: the bytes stayed for a minute, as when the command is no longer there.
bool write_all(int terminal, const char* bytes, size_t count) {
  while (count != 0) {
    const ssize_t taken = write(terminal, bytes, count);
    if (taken < 0 && errno != EAGAIN) return false;
    if (taken > 0) {
      bytes += taken;
      count -= static_cast<size_t>(taken);
      continue;
    }
    pollfd ready = {terminal, POLLOUT, 0};
    if (poll(&ready, 1, 60'000) <= 0) return false;
  }
  return true;
}

// Requests are short: the machine takes them at once, or is gone, and then what it has sent before
// is still to be carried.
void ask(int machine, const char* bytes, size_t count) {
  [[maybe_unused]] const ssize_t taken = send(machine, bytes, count, MSG_NOSIGNAL);
}

}  // namespace

LineBetween::LineBetween(std::string machine_socket, uint64_t disturbed_bytes, std::string taken)
    : machine_socket_(std::move(machine_socket)),
      disturbed_bytes_(disturbed_bytes),
      taken_(std::move(taken)) {
  // Not inherited by processes that tests start, or the terminal would outlive the machine.
  master_ = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
  EXPECT_EQ(grantpt(master_), 0);
  EXPECT_EQ(unlockpt(master_), 0);
  terminal_ = ptsname(master_);
  slave_ = open(terminal_.c_str(), O_RDWR | O_NOCTTY | O_CLOEXEC);
  // Or what comes before the command does would be echoed.
  termios settings = {};
  EXPECT_EQ(tcgetattr(slave_, &settings), 0);
  cfmakeraw(&settings);
  EXPECT_EQ(tcsetattr(slave_, TCSANOW, &settings), 0);
  thread_ = std::thread([this] { carry(); });
}

LineBetween::~LineBetween() {
  thread_.join();
  close(slave_);
}

std::string LineBetween::as_it_arrives(const char* bytes, size_t count) {
  std::string arrives;
  for (size_t i = 0; i < count; ++i, ++sent_bytes_) {
    const bool is_disturbed = sent_bytes_ < disturbed_bytes_;
    if (is_disturbed && sent_bytes_ % kBytesALine == kBytesALine - 1) arrives += kOtherLine;
    if (is_disturbed && sent_bytes_ % kBytesALoss == kBytesALoss - 1)
      ++lost_bytes_;
    else
      arrives += bytes[i];
  }
  return arrives;
}

// A minute, in case the command is no longer there.
void LineBetween::wait_until_all_is_taken() const {
  for (int tries = 0; tries < 6000; ++tries) {
    std::error_code none_yet;
    if (std::filesystem::file_size(taken_, none_yet) == arrived_bytes_) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

// Until the machine hangs up; then the terminal is gone as well.
void LineBetween::carry() {
  const int machine = connect_to(machine_socket_);
  EXPECT_GE(machine, 0) << "the machine did not come";
  std::array<char, 4096> bytes{};
  while (machine >= 0) {
    std::array<pollfd, 2> ready = {{{machine, POLLIN, 0}, {master_, POLLIN, 0}}};
    if (poll(ready.data(), ready.size(), -1) < 0) break;
    if (ready[0].revents != 0) {
      const ssize_t count = read(machine, bytes.data(), bytes.size());
      if (count <= 0) break;
      const std::string arrives = as_it_arrives(bytes.data(), static_cast<size_t>(count));
      if (!write_all(master_, arrives.data(), arrives.size())) break;
      arrived_bytes_ += arrives.size();
    }
    if (ready[1].revents != 0) {
      const ssize_t count = read(master_, bytes.data(), bytes.size());
      if (count <= 0) break;
      asked_bytes_ += static_cast<uint64_t>(count);
      ask(machine, bytes.data(), static_cast<size_t>(count));
    }
  }
  wait_until_all_is_taken();
  if (machine >= 0) close(machine);
  close(master_);
}

}  // namespace barefxt::test
