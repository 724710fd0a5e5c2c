#include "line.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <barefxt/host/status.h>

#include "addresses.h"
#include "handle_line.h"

namespace barefxt::line {
namespace {

// A file that grows. Its end is no end.
class FollowedFile final : public HandleLine {
 public:
  using HandleLine::HandleLine;
  int handle() const override { return -1; }
  ReadResult read(std::span<uint8_t> into) override {
    ReadResult result = read_handle(HandleLine::handle(), into);
    if (result.state == LineState::kEnded) result.state = LineState::kWaiting;
    return result;
  }
};

host::Error cannot_connect(int error_number, const std::string& where) {
  return host::system_error("cannot connect", error_number, where,
                            "is the other side there, and listening?");
}

// Returns 0 or an errno. A unix socket whose queue is full fails at once and must be retried.
int connect_in_time(int handle, const sockaddr* address, socklen_t bytes,
                    const Patience& patience) {
  constexpr auto kTryEvery = std::chrono::milliseconds(50);
  while (::connect(handle, address, bytes) != 0) {
    if (errno == EINPROGRESS) {
      if (const int error = wait_for(handle, POLLOUT, patience)) return error;
      int error = 0;
      socklen_t error_bytes = sizeof error;
      return getsockopt(handle, SOL_SOCKET, SO_ERROR, &error, &error_bytes) == 0 ? error : errno;
    }
    if (errno != EAGAIN && errno != EINTR) return errno;
    if (std::chrono::steady_clock::now() >= patience.end) return ETIMEDOUT;
    if (patience.interrupts.came_within(kTryEvery.count())) return EINTR;
  }
  return 0;
}

Opened connected(int handle, const sockaddr* address, socklen_t bytes, const std::string& name,
                 const Patience& patience) {
  if (handle < 0) return cannot_connect(errno, name);
  auto line = std::make_unique<TwoWayLine>(name, handle);
  if (const int error = connect_in_time(handle, address, bytes, patience))
    return cannot_connect(error, name);
  return std::unique_ptr<Line>(std::move(line));
}

}  // namespace

ReadResult read_handle(int handle, std::span<uint8_t> into) {
  while (true) {
    const ssize_t count = ::read(handle, into.data(), into.size());
    if (count > 0) return {static_cast<size_t>(count), LineState::kOpen, {}};
    if (count == 0) return {0, LineState::kEnded, {}};
    if (errno == EINTR) continue;
    if (errno == EAGAIN || errno == EWOULDBLOCK) return {0, LineState::kOpen, {}};
    return {0, LineState::kBroken, std::strerror(errno), errno};
  }
}

host::Status Line::write(std::span<const uint8_t> /*bytes*/) {
  return host::Error{"cannot write to it", name_, {}};
}

host::Status write_handle(int handle, std::span<const uint8_t> bytes, const std::string& name) {
  // The deadline for all bytes together.
  static constexpr auto kPatience = std::chrono::seconds(1);
  const auto end = std::chrono::steady_clock::now() + kPatience;
  while (!bytes.empty()) {
    // A closed socket is reported by the result, not by a signal.
    ssize_t count = ::send(handle, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count < 0 && errno == ENOTSOCK) count = ::write(handle, bytes.data(), bytes.size());
    if (count > 0) {
      bytes = bytes.subspan(static_cast<size_t>(count));
      continue;
    }
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno != EAGAIN && errno != EWOULDBLOCK)
      return host::system_error("cannot write to it", errno, name);
    pollfd room = {handle, POLLOUT, 0};
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
    if (left.count() <= 0 || poll(&room, 1, static_cast<int>(left.count())) == 0)
      return host::Error{"it takes no bytes", name, "is flow control set as the target has it?"};
  }
  return {};
}

HandleLine::~HandleLine() {
  if (handle_ > STDERR_FILENO) close(handle_);
}

Opened open_unix(const std::string& path, const Patience& patience) {
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path)
    return host::Error{
        host::formatted("the path of a socket has less than {} bytes", sizeof address.sun_path),
        path, "give a shorter one, maybe from another folder"};
  path.copy(address.sun_path, path.size());
  return connected(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0),
                   reinterpret_cast<const sockaddr*>(&address), sizeof address, path, patience);
}

// Sent within 100 ms of connecting, or a J-Link's server passes it on to the target.
host::Status choose_channel(Line& line, int channel) {
  const std::string text = host::formatted("$$SEGGER_TELNET_ConfigStr=RTTCh;{}$$", channel);
  return line.write({reinterpret_cast<const uint8_t*>(text.data()), text.size()});
}

Opened open_tcp(const std::string& address, std::optional<int> rtt_channel,
                const Patience& patience) {
  Address parts = split_address(address);
  if (address.find(':') == std::string::npos || parts.port.empty())
    return host::Error{"no port", address, "write HOST:PORT"};
  if (parts.host.empty()) parts.host = "localhost";
  const auto found = look_up(parts, address, SOCK_STREAM, patience);
  if (!found.ok()) return found.error();
  Opened last = cannot_connect(EHOSTUNREACH, address);
  for (const addrinfo* each = found.value()->first(); each != nullptr; each = each->ai_next) {
    last = connected(socket(each->ai_family, each->ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK,
                            each->ai_protocol),
                     each->ai_addr, each->ai_addrlen, address, patience);
    if (last.ok()) break;
  }
  if (!last.ok() || !rtt_channel) return last;
  if (host::Status status = choose_channel(*last.value(), *rtt_channel); !status.ok())
    return status.error();
  return last;
}

Opened open_standard_input() {
  return std::unique_ptr<Line>(std::make_unique<HandleLine>("standard input", STDIN_FILENO));
}

Opened follow_file(const std::string& path) {
  const int handle = open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (handle < 0) return host::system_error("cannot open", errno, path);
  return std::unique_ptr<Line>(std::make_unique<FollowedFile>(path, handle));
}

}  // namespace barefxt::line
