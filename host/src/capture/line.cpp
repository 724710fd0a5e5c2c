#include "line.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <utility>

#include <barefxt/host/outcome.h>

#include "handle_line.h"

namespace barefxt::capture {
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

Opened connected(int handle, const sockaddr* address, socklen_t bytes, const std::string& name) {
  if (handle < 0) return cannot_connect(errno, name);
  auto line = std::make_unique<TwoWayLine>(name, handle);
  if (::connect(handle, address, bytes) != 0) return cannot_connect(errno, name);
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

host::Outcome Line::write(std::span<const uint8_t> /*bytes*/) {
  return host::Error{"cannot write to it", name_, {}};
}

host::Outcome write_handle(int handle, std::span<const uint8_t> bytes, const std::string& name) {
  // So long a line that is full may take to get room.
  static constexpr int kPatienceMilliseconds = 1000;
  while (!bytes.empty()) {
    // Who closed a socket is told of by a value, not by a signal.
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
    if (poll(&room, 1, kPatienceMilliseconds) == 0)
      return host::Error{"it takes no bytes", name, "is flow control set as the target has it?"};
  }
  return {};
}

HandleLine::~HandleLine() {
  if (handle_ > STDERR_FILENO) close(handle_);
}

Opened open_unix(const std::string& path) {
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path)
    return host::Error{
        "the path of a socket has less than " + std::to_string(sizeof address.sun_path) + " bytes",
        path, "give a shorter one, maybe from another folder"};
  path.copy(address.sun_path, path.size());
  return connected(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0),
                   reinterpret_cast<const sockaddr*>(&address), sizeof address, path);
}

Opened open_tcp(const std::string& address) {
  const size_t colon = address.rfind(':');
  if (colon == std::string::npos || colon + 1 == address.size())
    return host::Error{"no port", address, "write HOST:PORT"};
  std::string host = address.substr(0, colon);
  if (host.size() > 2 && host.front() == '[' && host.back() == ']')
    host = host.substr(1, host.size() - 2);
  const std::string port = address.substr(colon + 1);

  addrinfo hints = {};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  const int trouble =
      getaddrinfo(host.empty() ? "localhost" : host.c_str(), port.c_str(), &hints, &found);
  if (trouble != 0)
    return host::Error{std::string("no such address: ") + gai_strerror(trouble), address, {}};
  const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> all(found, &freeaddrinfo);
  Opened last = cannot_connect(EHOSTUNREACH, address);
  for (const addrinfo* each = found; each != nullptr; each = each->ai_next) {
    last = connected(socket(each->ai_family, each->ai_socktype | SOCK_CLOEXEC, each->ai_protocol),
                     each->ai_addr, each->ai_addrlen, address);
    if (last) break;
  }
  return last;
}

Opened open_standard_input() {
  return std::unique_ptr<Line>(std::make_unique<HandleLine>("standard input", STDIN_FILENO));
}

Opened follow_file(const std::string& path) {
  const int handle = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (handle < 0) return host::system_error("cannot open", errno, path);
  return std::unique_ptr<Line>(std::make_unique<FollowedFile>(path, handle));
}

}  // namespace barefxt::capture
